"""Where the hexes of other programs' layouts lie in ours (D-01): moved or turned, never mirrored; and in Tiled."""

from __future__ import annotations

from dataclasses import dataclass

import pytiled_parser

Cell = tuple[int, int]
"""Column and row of another program's map, from 0."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How a program lays out its hexes."""

    axis: str = "rows"
    """``rows``: pointy-top, every other row is shoved right; ``columns``: flat-top, every other column down."""
    shoved: str = "odd"
    """Which of them, counted from 0: ``odd`` or ``even``."""

    def _axial(self, cell: Cell) -> Cell:
        """Return coordinates in which neighbours differ alike everywhere."""
        odd = 1 if self.shoved == "odd" else -1
        along, across = cell if self.axis == "rows" else (cell[1], cell[0])
        return along - (across - odd * (across & 1)) // 2, across

    def distance(self, a: Cell, b: Cell) -> int:
        """Return the number of steps between two cells."""
        (q1, r1), (q2, r2) = self._axial(a), self._axial(b)
        return max(abs(q1 - q2), abs(r1 - r2), abs(q1 - q2 + r1 - r2))

    def around(self, cell: Cell) -> list[Cell]:
        """Return the six cells around a cell, on the map or not."""
        column, row = cell
        near = [(column + dx, row + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        return [hex_ for hex_ in near if self.distance(hex_, cell) == 1]

    @property
    def name(self) -> str:
        """The usual name: odd-r, even-r, odd-q, even-q."""
        return f"{self.shoved}-{'r' if self.axis == 'rows' else 'q'}"


LAYOUTS = {layout.name: layout for axis in ("rows", "columns") for layout in (Layout(axis), Layout(axis, "even"))}


@dataclass(frozen=True, slots=True)
class Fit:
    """A map of another layout in ours, neighbours staying neighbours in the same order around.

    Flat-top hexes become pointy-top by a quarter turn to the left: what was north is then west. Where the
    wrong rows would be shoved, everything moves down one row, and the row above is filled up.
    """

    columns: int
    rows: int
    layout: Layout

    @property
    def turned(self) -> bool:
        """True when the map was turned."""
        return self.layout.axis == "columns"

    @property
    def added(self) -> int:
        """Rows that were added at the top: 0 or 1."""
        shoved = 1 if self.layout.shoved == "odd" else 0
        if self.turned:
            shoved = (self.columns - 1 - shoved) % 2
        return 1 - shoved

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows of the result."""
        columns, rows = (self.rows, self.columns) if self.turned else (self.columns, self.rows)
        return columns, rows + self.added

    def place(self, cell: Cell) -> Cell:
        """Return where a cell comes to lie."""
        column, row = cell
        if self.turned:
            column, row = row, self.columns - 1 - column
        return column, row + self.added


@dataclass(frozen=True, slots=True)
class Grid:
    """A staggered hexagonal grid as Tiled draws it."""

    width: float
    height: float
    side: float
    """Length of the hexes' sides along the axis that is not staggered."""
    axis: str
    shoved: int
    """0 or 1: whether even or odd rows (columns) are shoved."""
    origin: Cell = (0, 0)

    @classmethod
    def of(cls, tiled: pytiled_parser.TiledMap, origin: Cell) -> Grid:
        """Return the grid of a map."""
        axis = "columns" if tiled.stagger_axis == "x" else "rows"
        shoved = 0 if tiled.stagger_index == "even" else 1
        return cls(tiled.tile_size.width, tiled.tile_size.height, tiled.hex_side_length or 0, axis, shoved, origin)

    def centre(self, cell: Cell) -> tuple[float, float]:
        """Return the pixel in the middle of a cell."""
        column, row = cell[0] + self.origin[0], cell[1] + self.origin[1]
        if self.axis == "rows":
            x = column * self.width + (self.width / 2 if row % 2 == self.shoved else 0)
            return x + self.width / 2, row * (self.height + self.side) / 2 + self.height / 2
        y = row * self.height + (self.height / 2 if column % 2 == self.shoved else 0)
        return column * (self.width + self.side) / 2 + self.width / 2, y + self.height / 2

    def cell(self, x: float, y: float) -> Cell:
        """Return the cell whose middle is nearest to a pixel, on the map or not."""
        if self.axis == "rows":
            column, row = x / self.width, y / ((self.height + self.side) / 2)
        else:
            column, row = x / ((self.width + self.side) / 2), y / self.height
        near = [
            (int(column // 1) + dx - self.origin[0], int(row // 1) + dy - self.origin[1])
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
        ]
        return min(near, key=lambda cell: (self._away(cell, x, y), cell))

    def _away(self, cell: Cell, x: float, y: float) -> float:
        cx, cy = self.centre(cell)
        return (cx - x) ** 2 + (cy - y) ** 2
