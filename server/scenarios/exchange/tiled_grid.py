"""Where the cells of a Tiled map lie in its pixels."""

from __future__ import annotations

from dataclasses import dataclass

import pytiled_parser

from server.scenarios.exchange.layout import Cell


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
