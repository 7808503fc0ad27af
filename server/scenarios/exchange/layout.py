"""Where the hexes of other programs' layouts lie in ours (D-01): moved or turned, never mirrored."""

from __future__ import annotations

from dataclasses import dataclass

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
