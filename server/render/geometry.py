"""Where hexes lie in a picture, and outlines of regions: straight along edges, or a little wavy.

The lattice itself is hexalattice's. Outlines are the same for both neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

from server.render.drawing import DATA, WIDTH
from server.rules.board import MAX_SIDE, Board, Hex

Corner = tuple[int, int]
"""A corner in half widths and half radii from the middle of the board's first hex: the same number for all who "
"share it."""
Cell = tuple[int, int]
"""Column and row."""

RADIUS = WIDTH / sqrt(3)
ROW = WIDTH * sqrt(3) / 2
MARGIN: float = DATA["margin"]
_CORNERS: tuple[Corner, ...] = ((1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1), (0, -2))
_ACROSS = ((1, 0, -1, -1, -1, 0), (1, 1, 0, -1, 0, 1))
_DOWN = (0, 1, 1, 0, -1, -1)
_STRAY, _BEND = 3.0, 11.0
"""How far a wavy outline leaves corners and the middle of edges (half of it there)."""


def neighbour(cell: Cell, direction: int) -> Cell:
    """Return the cell next door, on the board or beyond it."""
    column, row = cell
    return column + _ACROSS[row & 1][direction], row + _DOWN[direction]


def corner(cell: Cell, direction: int) -> Corner:
    """Return the corner where an edge begins, clockwise."""
    column, row = cell
    dx, dy = _CORNERS[direction % 6]
    return 2 * column + (row & 1) + dx, 3 * row + dy


def place(at: Corner) -> tuple[float, float]:
    """Return where a corner lies in the drawing."""
    return MARGIN + WIDTH / 2 * (at[0] + 1), MARGIN + RADIUS / 2 * (at[1] + 2)


@dataclass(frozen=True, slots=True)
class Region:
    """Cells that belong together."""

    loops: tuple[tuple[Corner, ...], ...]
    """The outlines, clockwise; those of holes the other way."""

    @classmethod
    def of(cls, cells: Iterable[Cell]) -> Region:
        """Trace the outlines of cells."""
        inside = dict.fromkeys(cells)
        done: dict[tuple[Cell, int], None] = {}
        loops = []
        for cell in inside:
            for direction in range(6):
                if neighbour(cell, direction) in inside or (cell, direction) in done:
                    continue
                loops.append(tuple(_trace(cell, direction, inside, done)))
        return cls(tuple(loops))

    def straight(self) -> str:
        """Return path data along the edges."""
        return "".join(f"{_path(map(place, loop))}z" for loop in self.loops)

    def wavy(self) -> str:
        """Return path data that leaves the edges a little."""
        drawn = []
        for loop in self.loops:
            x, y = _rounded(_strayed(loop[0]))
            parts = [f"M{x} {y}"]
            for number, start in enumerate(loop):
                end = loop[(number + 1) % len(loop)]
                (cx, cy), (ex, ey) = _rounded(_bent(start, end)), _rounded(_strayed(end))
                parts.append(f"q{_join(cx - x, cy - y, ex - x, ey - y)}")
                x, y = ex, ey
            drawn.append("".join(parts) + "z")
        return "".join(drawn)


def edges(cells: Iterable[Cell], wanted: Callable[[Cell, Cell], bool]) -> str:
    """Return path data of the edges between a cell and the neighbours for which *wanted* holds."""
    drawn = []
    for cell in cells:
        for direction in range(6):
            if wanted(cell, neighbour(cell, direction)):
                drawn.append(_path(map(place, (corner(cell, direction), corner(cell, direction + 1)))))
    return "".join(drawn)


def mesh(columns: int, rows: int) -> str:
    """Return path data of all edges of a board, each drawn once."""
    drawn = []
    for row in range(rows):
        for column in range(columns):
            cell = (column, row)
            drawn.append(_path(place(corner(cell, number)) for number in range(4)))
            for direction in range(3, 6):
                x, y = neighbour(cell, direction)
                if not (0 <= x < columns and 0 <= y < rows):
                    drawn.append(_path(place(corner(cell, number)) for number in (direction, direction + 1)))
    return "".join(drawn)


def _trace(
    cell: Cell, direction: int, inside: dict[Cell, None], done: dict[tuple[Cell, int], None]
) -> Iterator[Corner]:
    here, edge = cell, direction
    while (here, edge) not in done:
        done[here, edge] = None
        yield corner(here, edge)
        turn = (edge + 1) % 6
        beyond = neighbour(here, turn)
        here, edge = (beyond, (edge + 5) % 6) if beyond in inside else (here, turn)


def noise(x: int, y: int, salt: int) -> float:
    """Return a number from -1 to 1 for a place: it looks like chance, and is the same in every picture."""
    mixed = (x * 73856093 ^ y * 19349663 ^ salt * 83492791) & 0xFFFFFFFF
    mixed = (mixed ^ mixed >> 15) * 2246822519 & 0xFFFFFFFF
    mixed = (mixed ^ mixed >> 13) * 3266489917 & 0xFFFFFFFF
    return (mixed >> 8 & 0xFFFF) / 32767.5 - 1


def _strayed(at: Corner) -> tuple[float, float]:
    x, y = place(at)
    return x + noise(*at, 1) * _STRAY, y + noise(*at, 2) * _STRAY


def _bent(start: Corner, end: Corner) -> tuple[float, float]:
    first, last = (start, end) if start < end else (end, start)
    (ax, ay), (bx, by) = place(first), place(last)
    amount = noise(first[0] + last[0], first[1] + last[1], 3) * _BEND / RADIUS
    return (ax + bx) / 2 - (by - ay) * amount, (ay + by) / 2 + (bx - ax) * amount


def _rounded(at: tuple[float, float]) -> tuple[int, int]:
    return round(at[0]), round(at[1])


def _join(*numbers: int) -> str:
    return " ".join(map(str, numbers)).replace(" -", "-")


def _path(places: Iterable[tuple[float, float]]) -> str:
    (x, y), *rest = places
    return f"M{x:g} {y:.1f}" + "".join(f"L{a:g} {b:.1f}" for a, b in rest)


def cells_of(columns: int, hexes: Sequence[int]) -> list[Cell]:
    """Return the cells of a board's hexes."""
    return [(hex_ % columns, hex_ // columns) for hex_ in hexes]


Point = tuple[float, float]

LARGE, SMALL = 60.0, 14.0
"""Widest and narrowest hex, in pixels, where nobody asks for a width."""


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
