"""The map: immutable, its hexes numbered row by row, with a prebuilt neighbour table."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from server.core import hexes

Hex = int
"""A hex's number on its board: ``row * columns + column``, both counted from 0."""

NOWHERE: Hex = -1
"""Where a step off the map leads; also the place of a force in orbit (:data:`ORBIT`)."""
ORBIT: Hex = -1
"""The place of a force that has not landed (D-72)."""

MAX_SIDE = 500


@dataclass(frozen=True, slots=True, eq=False)
class _Tables:
    neighbours: tuple[tuple[int, ...], ...]
    adjacent: tuple[tuple[int, ...], ...]
    axial: tuple[hexes.Axial, ...]
    labels: tuple[str, ...]


def _steps_within(radius: int, odd: int) -> tuple[tuple[int, int], ...]:
    """Return how many columns and rows away the hexes are at most *radius* steps from one in an even or *odd* row."""
    around = (hexes.to_offset(hex_) for hex_ in hexes.within(hexes.from_offset(0, odd), radius))
    return tuple((column, row - odd) for column, row in around)


@dataclass(frozen=True, eq=False)
class Board:
    """A map of up to 500 x 500 hexes. Only terrain lives here; what can change is state."""

    columns: int
    rows: int
    terrain: tuple[str, ...]
    """Terrain name of each hex, in hex order."""
    names: tuple[tuple[Hex, str], ...] = ()
    """Names of places, for people; without effect on the rules."""
    _labelled: dict[str, Hex] = field(init=False, repr=False, default_factory=dict)
    _steps: dict[tuple[int, int], tuple[tuple[int, int], ...]] = field(init=False, repr=False, default_factory=dict)
    """:func:`_steps_within`, cached by distance."""

    def __post_init__(self) -> None:
        if not (1 <= self.columns <= MAX_SIDE and 1 <= self.rows <= MAX_SIDE):
            raise ValueError(f"a map has 1 to {MAX_SIDE} columns and rows, not {self.columns} x {self.rows}")
        if len(self.terrain) != self.columns * self.rows:
            raise ValueError(f"{self.columns} x {self.rows} hexes need as many terrains, not {len(self.terrain)}")
        self._labelled.update((label, number) for number, label in enumerate(self.labels))

    @cached_property
    def _tables(self) -> _Tables:
        columns, rows = self.columns, self.rows
        digits = 3 if max(columns, rows) > 99 else 2
        neighbours, adjacent, axial, labels = [], [], [], []
        for row in range(rows):
            shove = row & 1
            for column in range(columns):
                around = (
                    (column + 1, row),
                    (column + shove, row + 1),
                    (column + shove - 1, row + 1),
                    (column - 1, row),
                    (column + shove - 1, row - 1),
                    (column + shove, row - 1),
                )
                table = tuple(r * columns + c if 0 <= c < columns and 0 <= r < rows else NOWHERE for c, r in around)
                neighbours.append(table)
                adjacent.append(tuple(h for h in table if h != NOWHERE))
                axial.append(hexes.from_offset(column, row))
                labels.append(f"{column + 1:0{digits}d}{row + 1:0{digits}d}")
        return _Tables(tuple(neighbours), tuple(adjacent), tuple(axial), tuple(labels))

    @cached_property
    def neighbours(self) -> tuple[tuple[Hex, ...], ...]:
        """For each hex its six neighbours by direction, :data:`NOWHERE` where the map ends."""
        return self._tables.neighbours

    @cached_property
    def adjacent(self) -> tuple[tuple[Hex, ...], ...]:
        """For each hex its neighbours on the map, in direction order."""
        return self._tables.adjacent

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The label of each hex (D-01)."""
        return self._tables.labels

    @cached_property
    def axial(self) -> tuple[hexes.Axial, ...]:
        """The axial coordinates of each hex."""
        return self._tables.axial

    @property
    def size(self) -> int:
        """How many hexes there are."""
        return len(self.terrain)

    def label(self, hex_: Hex) -> str:
        """Return the label of a hex; ``"orbit"`` for :data:`ORBIT`."""
        return "orbit" if hex_ == ORBIT else self.labels[hex_]

    def find(self, label: object) -> Hex | None:
        """Return the hex of that label, or None when the map has no such hex."""
        return self._labelled.get(label) if isinstance(label, str) else None

    def distance(self, a: Hex, b: Hex) -> int:
        """Return the number of steps from *a* to *b*."""
        return hexes.distance(self.axial[a], self.axial[b])

    def direction(self, a: Hex, b: Hex) -> int | None:
        """Return the direction (0..5) from *a* to the adjacent hex *b*, or None."""
        around = self.neighbours[a]
        return around.index(b) if b != NOWHERE and b in around else None

    def interior(self, hex_: Hex) -> bool:
        """True when the hex has all six neighbours."""
        return len(self.adjacent[hex_]) == 6

    def within(self, centre: Hex, radius: int) -> Sequence[Hex]:
        """Return the hexes of the map at most *radius* steps from *centre*, nearest first."""
        if radius == 0:
            return (centre,)
        if radius == 1:
            return (centre, *self.adjacent[centre])
        row, column = divmod(centre, self.columns)
        steps = self._steps.get((radius, row & 1))
        if steps is None:
            steps = self._steps[radius, row & 1] = _steps_within(radius, row & 1)
        if radius <= column < self.columns - radius and radius <= row < self.rows - radius:
            return [centre + down * self.columns + right for right, down in steps]
        return [
            (row + down) * self.columns + column + right
            for right, down in steps
            if 0 <= column + right < self.columns and 0 <= row + down < self.rows
        ]

    @cached_property
    def digest(self) -> str:
        """SHA-256 over size and terrain, hexadecimal: tells one map from another."""
        text = f"{self.columns} {self.rows} " + " ".join(self.terrain)
        return hashlib.sha256(text.encode()).hexdigest()
