"""Where hexes lie in a picture. The lattice itself is hexalattice's; the rest is corners and edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from server.render.drawing import DATA, WIDTH
from server.render.regions import RADIUS, ROW
from server.rules.board import MAX_SIDE, Board, Hex

Point = tuple[float, float]

LARGE, SMALL = 60.0, 14.0
"""Widest and narrowest hex, in pixels, where nobody asks for a width."""
MARGIN: float = DATA["margin"]


def lattice(columns: int, rows: int) -> tuple[Point, ...]:
    """Return the centres of all hexes in hex order, one unit apart, y growing downwards (odd-r, D-01)."""
    return (_small if columns * rows <= LARGE_MAP else _large)(columns, rows)


def _lattice(columns: int, rows: int) -> tuple[Point, ...]:
    if not (1 <= columns <= MAX_SIDE and 1 <= rows <= MAX_SIDE):  # hexalattice ends the process on bad arguments
        raise ValueError(f"a map has 1 to {MAX_SIDE} columns and rows, not {columns} x {rows}")
    from hexalattice.hexalattice import create_hex_grid  # imports a plotting library: only when a picture is drawn

    centres, _ = create_hex_grid(nx=columns, ny=rows, do_plot=False, min_diam=1.0, align_to_origin=False)
    return tuple((float(x), float(y)) for x, y in centres)


LARGE_MAP = 2_500
"""Above this number of hexes only a few maps' centres stay in memory: each hex takes 140 bytes."""
_small, _large = lru_cache(maxsize=32)(_lattice), lru_cache(maxsize=3)(_lattice)


@dataclass(frozen=True, slots=True)
class Layout:
    """A board laid out in the units of the drawing, in which a hex is :data:`~server.render.drawing.WIDTH` wide."""

    board: Board
    pixels: float
    """Width of a hex in the picture, in pixels."""
    centres: Sequence[Point]

    @classmethod
    def of(cls, board: Board, pixels: float | None = None) -> Layout:
        """Lay a board out; without *pixels* hexes are as large as a screen has room for."""
        if pixels is None:
            pixels = max(SMALL, min(LARGE, 2200.0 / max(board.columns, board.rows)))
        left, top = MARGIN + WIDTH / 2, MARGIN + RADIUS
        centres = [(left + x * WIDTH, top + y * WIDTH) for x, y in lattice(board.columns, board.rows)]
        return cls(board, pixels, centres)

    @property
    def width(self) -> float:
        """Width of a hex in the drawing."""
        return WIDTH

    @property
    def scale(self) -> float:
        """Pixels a unit of the drawing."""
        return self.pixels / WIDTH

    @property
    def size(self) -> Point:
        """Width and height of the whole map."""
        columns = self.board.columns + (0.5 if self.board.rows > 1 else 0)
        return columns * WIDTH + 2 * MARGIN, (self.board.rows - 1) * ROW + 2 * RADIUS + 2 * MARGIN

    def corners(self, hex_: Hex) -> list[Point]:
        """Return the six corners, clockwise from the upper right: edge *d* joins corners d and d + 1."""
        x, y = self.centres[hex_]
        half = WIDTH / 2
        return [
            (x + half, y - RADIUS / 2),
            (x + half, y + RADIUS / 2),
            (x, y + RADIUS),
            (x - half, y + RADIUS / 2),
            (x - half, y - RADIUS / 2),
            (x, y - RADIUS),
        ]
