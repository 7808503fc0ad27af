"""Where hexes lie in a picture. The lattice itself is hexalattice's; the rest is corners and edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

from server.rules.board import MAX_SIDE, NOWHERE, Board, Hex

Point = tuple[float, float]

LARGE, SMALL = 52.0, 14.0
"""Widest and narrowest hex, in pixels."""


@lru_cache(maxsize=16)
def lattice(columns: int, rows: int) -> tuple[Point, ...]:
    """Return the centres of all hexes in hex order, one unit apart, y growing downwards (odd-r, D-01)."""
    if not (1 <= columns <= MAX_SIDE and 1 <= rows <= MAX_SIDE):  # hexalattice ends the process on bad arguments
        raise ValueError(f"a map has 1 to {MAX_SIDE} columns and rows, not {columns} x {rows}")
    from hexalattice.hexalattice import create_hex_grid  # imports a plotting library: only when a picture is drawn

    centres, _ = create_hex_grid(nx=columns, ny=rows, do_plot=False, min_diam=1.0, align_to_origin=False)
    return tuple((float(x), float(y)) for x, y in centres)


@dataclass(frozen=True, slots=True)
class Layout:
    """A board laid out in pixels."""

    board: Board
    width: float
    """Width of a hex."""
    margin: float
    centres: Sequence[Point]

    @classmethod
    def of(cls, board: Board, width: float | None = None) -> Layout:
        """Lay a board out; without *width* hexes are as large as a screen has room for."""
        if width is None:
            width = max(SMALL, min(LARGE, 2200.0 / max(board.columns, board.rows)))
        margin = width * 0.75
        left, top = margin + width / 2, margin + width / sqrt(3)
        centres = [(left + x * width, top + y * width) for x, y in lattice(board.columns, board.rows)]
        return cls(board, width, margin, centres)

    @property
    def radius(self) -> float:
        """From the centre to a corner."""
        return self.width / sqrt(3)

    @property
    def size(self) -> Point:
        """Width and height of the whole map."""
        columns = self.board.columns + (0.5 if self.board.rows > 1 else 0)
        height = (self.board.rows - 1) * self.width * sqrt(3) / 2 + 2 * self.radius
        return columns * self.width + 2 * self.margin, height + 2 * self.margin

    def corners(self, hex_: Hex, shrink: float = 1.0) -> list[Point]:
        """Return the six corners, clockwise from the upper right: edge *d* joins corners d and d + 1."""
        x, y = self.centres[hex_]
        half, radius = self.width / 2 * shrink, self.radius * shrink
        return [
            (x + half, y - radius / 2),
            (x + half, y + radius / 2),
            (x, y + radius),
            (x - half, y + radius / 2),
            (x - half, y - radius / 2),
            (x, y - radius),
        ]

    def outline(self, hexes: Sequence[Hex], shrink: float = 1.0) -> str:
        """Return the SVG path data of whole hexes."""
        return "".join(f"M{points(self.corners(each, shrink))}Z" for each in hexes)

    def grid(self) -> str:
        """Return the path data of all edges, each drawn once: by the hex of two that comes first."""
        drawn = []
        for hex_, neighbours in enumerate(self.board.neighbours):
            corners = self.corners(hex_)
            run: list[Point] = []
            for direction, next_ in enumerate((*neighbours, hex_)):
                if next_ == NOWHERE or next_ > hex_:
                    run = run or [corners[direction]]
                    run.append(corners[(direction + 1) % 6])
                elif run:
                    drawn.append(f"M{points(run)}")
                    run = []
        return "".join(drawn)

    def edges(self, hex_: Hex, inside: Sequence[bool]) -> str:
        """Return the path data of those edges of a hex beyond which it is not *inside* (by hex number)."""
        corners = self.corners(hex_, 0.93)
        drawn = []
        for direction, next_ in enumerate(self.board.neighbours[hex_]):
            if next_ == NOWHERE or not inside[next_]:
                drawn.append(f"M{points((corners[direction], corners[(direction + 1) % 6]))}")
        return "".join(drawn)


def points(places: Sequence[Point]) -> str:
    """Return points as path data, a tenth of a pixel fine."""
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
