"""Turning a map onto itself: which hexes are images of each other."""

from __future__ import annotations

from collections.abc import Iterable

from server.core import hexes
from server.rules.board import Board, Hex

TURNS = (1, 2, 3, 6)
"""How often a map may look the same in one full turn; 1: no symmetry."""


class Symmetry:
    """The hexes of a map in groups of images, for a map that looks the same *turns* times in a full turn.

    A rectangle of hexes is itself symmetric at most by half a turn. For thirds and sixths the land is
    the part of the rectangle whose images all lie on the map and off its edge, about a hexagon; the
    rest is *outside*: sea.
    """

    def __init__(self, columns: int, rows: int, turns: int) -> None:
        self.turns = turns
        self.board = Board(columns, rows, ("",) * (columns * rows))
        self.orbit: list[tuple[Hex, ...]] = [()] * self.board.size
        """The images of each hex, the hex's own group by the lowest first; empty outside."""
        for hex_ in range(self.board.size):
            if not self.orbit[hex_]:
                images = self._images(hex_)
                for image in images:
                    self.orbit[image] = images
        self.inside: tuple[Hex, ...] = tuple(hex_ for hex_ in range(self.board.size) if self.orbit[hex_])
        self.first: tuple[Hex, ...] = tuple(hex_ for hex_ in self.inside if self.orbit[hex_][0] == hex_)
        """One hex of each group."""

    def _images(self, hex_: Hex) -> tuple[Hex, ...]:
        """Return the images of a hex in the order of the turn, each once; none if any of them is off the map."""
        found: list[Hex] = []
        here = self.board.axial[hex_]
        rim = 1 if self.turns > 2 else 0
        for _ in range(self.turns):
            column, row = hexes.to_offset(here)
            if not (rim <= column < self.board.columns - rim and rim <= row < self.board.rows - rim):
                return ()
            number = row * self.board.columns + column
            if number not in found:
                found.append(number)
            here = self._turn(here)
        return tuple(found)

    def _turn(self, hex_: hexes.Axial) -> hexes.Axial:
        """Return where one turn takes a hex."""
        columns, rows = self.board.columns, self.board.rows
        if self.turns == 1:
            return hex_
        if self.turns == 2:
            q, r = hexes.from_offset(columns - 1, rows - 1)
            return q - hex_[0], r - hex_[1]
        centre = hexes.from_offset((columns - 1) // 2, (rows - 1) // 2)
        q, r = hex_[0] - centre[0], hex_[1] - centre[1]
        for _ in range(6 // self.turns):
            q, r = -r, q + r
        return q + centre[0], r + centre[1]

    def spread(self, some: Iterable[Hex]) -> set[Hex]:
        """Return hexes together with all their images."""
        return {image for hex_ in some for image in self.orbit[hex_]}

    def even(self, values: list[float]) -> list[float]:
        """Return the values with each replaced by the mean of its images'."""
        if self.turns == 1:
            return values
        mean = list(values)
        for first in self.first:
            group = self.orbit[first]
            value = sum(values[image] for image in group) / len(group)
            for image in group:
                mean[image] = value
        return mean
