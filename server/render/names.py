"""Names of places: straight inside their hex, or along a curve over hexes of the same land."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import pairwise
from math import hypot

from server.render import geometry
from server.render.drawing import DATA, WIDTH, texture_of
from server.render.geometry import Layout
from server.rules.board import Hex
from server.rules.sight import View

Point = tuple[float, float]

OPEN = "plains"
"""A name of open land is that of a place, so it stays in its hex."""
LETTER = 0.5
"""Width of a letter of a name, as a share of its height."""
SMALLEST, INSIDE, UNDER, ALONG = 7.0, 13.5, 11.0, 15.0
"""Heights of letters: the least, and the most inside a hex, under a town, and along a curve."""
_LEFT, _RIGHT = (3, 4, 2), (0, 1, 5)
"""Directions in which a curve may come from the left and continue to the right: level ones first."""
_ALONE, _ONE_SIDE, _STEEP, _BENT = 1.1, 0.6, 0.45, 0.3
"""What speaks against a name in one hex, against two hexes instead of three, each slope, and a bend."""
_ARC = 9.0
"""How far a level curve bends in its middle."""
_SPREAD = 0.35
"""Space between two letters, at most, as a share of their height."""


class Names:
    """The names of the places of a view, as SVG. They depend on what everyone knows, so they stay where they are."""

    def __init__(self, view: View, layout: Layout) -> None:
        self.state, self.board, self.layout = view.state, view.state.board, layout
        self.seen = dict.fromkeys(view.sees)
        self.taken = {*view.state.urban, *view.state.resource, *view.state.stronghold}
        self.free = self._free()

    def drawn(self) -> str:
        """Return all names."""
        return "".join(self._name(hex_, name) for hex_, name in self.board.names)

    def _free(self) -> dict[Hex, str]:
        """Return the land over which names may spread, with its look: nothing stands there, and it has no name."""
        named = dict(self.board.names)
        looks = enumerate(texture_of(terrain) for terrain in self.board.terrain)
        return {hex_: kind for hex_, kind in looks if kind != OPEN and hex_ not in self.taken and hex_ not in named}

    def _name(self, hex_: Hex, name: str) -> str:
        kind = texture_of(self.board.terrain[hex_])
        shade = " name-fog" if hex_ not in self.seen else " name-sea" if kind == "sea" else ""
        look_of = f'class="name lo{DATA["zoom"]["names"]}{shade}"'
        curve = self._curve(hex_, kind)
        if curve is None:
            x, y = self.layout.centres[hex_]
            under = hex_ in self.taken
            dy, room, largest = (
                (DATA["places"]["name_under"], 56, UNDER) if under else (DATA["places"]["name"], 80, INSIDE)
            )
            size = _size(name, room, largest)
            return f'<text {look_of} x="{x:.1f}" y="{y + dy:.1f}" font-size="{size:.1f}">{escape(name)}</text>'
        path, length = curve
        size = _size(name, length, ALONG)
        between = (0.8 * length - LETTER * size * len(name)) / max(1, len(name) - 1)
        space = max(0.0, min(_SPREAD * size, between))
        return (
            f'<defs><path id="name-{hex_}" d="{path}"/></defs>'
            f'<text {look_of} font-size="{size:.1f}" letter-spacing="{space:.1f}">'
            f'<textPath href="#name-{hex_}" startOffset="50%">{escape(name)}</textPath></text>'
        )

    def _curve(self, hex_: Hex, kind: str) -> tuple[str, float] | None:
        """Return a curve over a hex and its neighbours of the same *kind*, and its length; none where they are few."""
        if hex_ in self.taken or kind == OPEN:
            return None
        ways = sorted(self._ways(hex_, kind))
        if not ways or ways[0][0] > _ALONE:
            return None
        _, left, right = ways[0]
        over = [covered for covered in (left, hex_, right) if covered >= 0]
        for covered in over:
            self.free.pop(covered, None)
        return _along([self.layout.centres[covered] for covered in over], bend=_ARC if hex_ % 2 else -_ARC)

    def _ways(self, hex_: Hex, kind: str) -> Iterator[tuple[float, Hex, Hex]]:
        """Yield how a name may spread: what speaks against it, and the hexes to the left and right (-1 for none)."""
        for left in (-1, *_LEFT):
            for right in (-1, *_RIGHT):
                before, after = self._next(hex_, left, kind), self._next(hex_, right, kind)
                if (before is None) == (left >= 0) or (after is None) == (right >= 0) or left == right:
                    continue
                if (left, right) in ((4, 5), (2, 1)):  # a notch, or a roof
                    continue
                slopes = (left in (4, 2)) + (right in (1, 5))
                bent = slopes == 1 and left >= 0 and right >= 0
                against = _STEEP * slopes + _BENT * bent + _ONE_SIDE * ((left < 0) + (right < 0))
                yield against, -1 if before is None else before, -1 if after is None else after

    def _next(self, hex_: Hex, direction: int, kind: str) -> Hex | None:
        """Return the hex next door if a name may spread to it."""
        if direction < 0:
            return None
        column, row = geometry.neighbour((hex_ % self.board.columns, hex_ // self.board.columns), direction)
        if not (0 <= column < self.board.columns and 0 <= row < self.board.rows):
            return None
        beyond = row * self.board.columns + column
        return beyond if self.free.get(beyond) == kind else None


def _size(name: str, room: float, largest: float) -> float:
    return max(SMALLEST, min(largest, room / (LETTER * max(1, len(name)))))


def _along(centres: list[Point], *, bend: float) -> tuple[str, float]:
    """Return path data of a curve under two or three middles of hexes, and its length."""
    dy = DATA["places"]["name"]
    points = [(x, y + dy) for x, y in centres]
    start, end = _beyond(points[1], points[0]), _beyond(points[-2], points[-1])
    middle = points[1] if len(points) == 3 else ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    level = abs(start[1] - end[1]) < 1
    over = (2 * middle[0] - (start[0] + end[0]) / 2, 2 * middle[1] - (start[1] + end[1]) / 2 + (bend if level else 0))
    path = f"M{start[0]:.0f} {start[1]:.0f}Q{over[0]:.0f} {over[1]:.0f} {end[0]:.0f} {end[1]:.0f}"
    return path, sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise((start, *points, end))) - WIDTH / 6


def _beyond(near: Point, end: Point) -> Point:
    """Return a point a third of a hex beyond *end*, coming from *near*."""
    share = WIDTH / 3 / (hypot(end[0] - near[0], end[1] - near[1]) or 1)
    return end[0] + (end[0] - near[0]) * share, end[1] + (end[1] - near[1]) * share
