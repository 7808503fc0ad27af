"""Outlines of regions of hexes: straight along their edges, or a little wavy, the same for both neighbours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

from server.render.drawing import DATA, WIDTH

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


def _noise(x: int, y: int, salt: int) -> float:
    """Return a number from -1 to 1 that looks like chance and is the same for the same place."""
    mixed = (x * 73856093 ^ y * 19349663 ^ salt * 83492791) & 0xFFFFFFFF
    mixed = (mixed ^ mixed >> 15) * 2246822519 & 0xFFFFFFFF
    mixed = (mixed ^ mixed >> 13) * 3266489917 & 0xFFFFFFFF
    return (mixed >> 8 & 0xFFFF) / 32767.5 - 1


def noise(x: int, y: int, salt: int) -> float:
    """Return a number from -1 to 1 for a place: the same in every picture."""
    return _noise(x, y, salt)


def _strayed(at: Corner) -> tuple[float, float]:
    x, y = place(at)
    return x + _noise(*at, 1) * _STRAY, y + _noise(*at, 2) * _STRAY


def _bent(start: Corner, end: Corner) -> tuple[float, float]:
    first, last = (start, end) if start < end else (end, start)
    (ax, ay), (bx, by) = place(first), place(last)
    amount = _noise(first[0] + last[0], first[1] + last[1], 3) * _BEND / RADIUS
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
