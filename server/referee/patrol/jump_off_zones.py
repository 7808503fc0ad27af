"""Where a jump-off point may stand (3.3, T-47 to T-53): the wedge, the 6" further, cover, the table's edge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import isqrt

from server.referee.geometry import (
    TOL,
    Exact,
    Point,
    between,
    cross,
    cut,
    dot,
    exact,
    further,
    length,
    minus,
    on_table,
    rectangle,
    rounded,
    sides,
    sides_of,
    squared,
)
from server.referee.patrol.ground import Swept, Wedge

NOT_IN_ZONE, TOO_CLOSE, NOT_IN_COVER, COVER_AVAILABLE = "not_in_zone", "too_close", "not_in_cover", "cover_available"

OFFERED = 6
"""Places in cover that are offered; there are more."""
BESIDE = 4
"""Thousandths beyond the wedge at which no checked point can be inside it."""


@dataclass(frozen=True)
class Zone:
    """The ground for one jump-off point: a wedge, cut with the table, and what lies in it."""

    wedge: Wedge
    width: int
    height: int
    distance: int
    """How much further off, in thousandths."""
    from_enemies: bool = True
    """True: further from each enemy marker of the pair (T-48); false: this far from the own marker."""
    cover: tuple[Swept, ...] = ()

    def refusal(self, point: Point) -> str:
        """Return the code that *point* is refused with, or ``""`` where the jump-off point may stand."""
        if not (on_table(point, self.width, self.height) and self.wedge.has(point)):
            return "" if self._nearest_edge(point) else NOT_IN_ZONE
        on_edge = point[0] in (0, self.width) or point[1] in (0, self.height)
        if not self.is_further(point):
            return "" if on_edge and self.any_edge_point else TOO_CLOSE
        if self.is_in_cover(point):
            return ""
        if not on_edge:
            return NOT_IN_COVER
        return COVER_AVAILABLE if self.cover_point is not None else ""

    def is_further(self, point: Point) -> bool:
        """True when *point* is far enough off, within :data:`TOL`."""
        by = self.distance - TOL
        return all(further(near, squared(point, centre), by) for centre, near in self._discs)

    def is_in_cover(self, point: Point) -> bool:
        """True when *point* is in a feature or immediately behind it."""
        return any(piece.has(point) for piece in self.cover)

    @cached_property
    def _discs(self) -> tuple[tuple[Point, int], ...]:
        """What the distance is measured from: a centre, and the square of the distance it adds to."""
        apex = self.wedge.apex
        if not self.from_enemies:
            return ((apex, 0),)
        return tuple((enemy, squared(apex, enemy)) for enemy in self.wedge.enemies)

    @cached_property
    def cover_point(self) -> Point | None:
        """A place in cover where the jump-off point may stand; None where no cover is available (T-51)."""
        return next(self.cover_points(), None)

    @cached_property
    def some_places(self) -> list[Point]:
        """Some places where the jump-off point may stand; there is always one."""
        places: dict[Point, None] = {}
        for place in self.cover_points():
            places[place] = None
            if len(places) == OFFERED:
                break
        edge = [((x, y), ((x + to_x) // 2, (y + to_y) // 2), (to_x, to_y)) for (x, y), (to_x, to_y) in self.edge_parts]
        return [*places, *(place for part in edge for place in part)]

    def cover_points(self) -> Iterator[Point]:
        """Yield places in cover for the jump-off point, some for each feature; none without cover.

        If there is such ground, some of its boundary is such ground, too, since the outside of two discs is
        connected: it is enough to look along the lines that bound it, between their crossings.
        """
        if not self.cover:
            return
        table_part = self.polygon
        for piece in self.cover:
            for outline in piece.outline():
                yield from (corner for corner in outline if self._is_covered_ground(corner, piece))
                if self._is_beside(outline):
                    continue
                bounds = [(exact(start), exact(end)) for start, end in sides(outline)]
                for line in (*bounds, *sides_of(table_part)):
                    for place in self._places_along(line, (*bounds, *sides_of(table_part))):
                        yield from (near for near in _around(place) if self._is_covered_ground(near, piece))

    def _is_beside(self, outline: Sequence[Point]) -> bool:
        """True when an outline lies off the wedge, and so does all within :data:`TOL` of it."""
        arms = [minus(corner, self.wedge.apex) for corner in outline]
        right, left = self.wedge.right, self.wedge.left
        far_right, far_left = (-BESIDE * (length(direction) + 1) for direction in (right, left))
        return all(cross(right, arm) < far_right for arm in arms) or all(cross(arm, left) < far_left for arm in arms)

    def _is_covered_ground(self, point: Point, piece: Swept) -> bool:
        return (
            on_table(point, self.width, self.height)
            and self.wedge.has(point)
            and self.is_further(point)
            and piece.has(point)
        )

    def _places_along(self, line: tuple[Exact, Exact], others: Sequence[tuple[Exact, Exact]]) -> Iterator[Exact]:
        """Yield the middles of the stretches of *line* between all that crosses it, and their ends."""
        stops = {Fraction(0), Fraction(1)}
        stops.update(stop for other in others if (stop := _crossing(line, other)) is not None)
        by = self.distance - TOL
        for centre, near in self._discs:
            stops.update(_circle_stops(line, centre, isqrt(near) + by))
        ordered = sorted(stops)
        for one, next_one in pairwise(ordered):
            yield between(line, (one + next_one) / 2)
        for stop in ordered:
            yield between(line, stop)

    @cached_property
    def polygon(self) -> tuple[Exact, ...]:
        """The wedge cut with the table: a convex polygon."""
        kept = [exact(corner) for corner in rectangle(0, 0, self.width, self.height)]
        for direction, sign in ((self.wedge.right, 1), (self.wedge.left, -1)):
            kept = cut(kept, self.wedge.apex, direction, sign)
        return tuple(kept)

    # The table's edge

    @cached_property
    def any_edge_point(self) -> bool:
        """True when every edge point of the wedge is allowed: no cover, and none of them is far enough off (T-52)."""
        return self.cover_point is None and not any(self._further_parts(span) for span in self.edge_spans)

    @cached_property
    def edge_spans(self) -> tuple[tuple[Point, Point], ...]:
        """The parts of the table's edge in the wedge, each from one whole thousandth to another.

        Where the wedge meets the edge between two whole thousandths only, these two stand for it.
        """
        return tuple(self._spans(0)) or tuple(self._spans(1))

    def _spans(self, slack: int) -> Iterator[tuple[Point, Point]]:
        for start, end in self._edges():
            along = minus(end, start)
            size = max(along)
            low, high = 0, size
            for direction, sign in ((self.wedge.right, 1), (self.wedge.left, -1)):
                at_start = sign * cross(direction, minus(start, self.wedge.apex))
                rise = sign * cross(direction, (along[0] // size, along[1] // size))
                if rise > 0:
                    low = max(low, -(at_start // rise) - slack)
                elif rise < 0:
                    high = min(high, at_start // -rise + slack)
                elif at_start < 0:
                    high = -1
            if low <= high:
                yield _on_edge(start, along, low), _on_edge(start, along, high)

    def _edges(self) -> Iterator[tuple[Point, Point]]:
        yield (0, 0), (self.width, 0)
        yield (0, self.height), (self.width, self.height)
        yield (0, 0), (0, self.height)
        yield (self.width, 0), (self.width, self.height)

    def _nearest_edge(self, point: Point) -> bool:
        """True for an edge point that stands for a wedge with no whole thousandth of the edge in it."""
        return not any(self._spans(0)) and self.any_edge_point and any(point in span for span in self.edge_spans)

    def _further_parts(self, span: tuple[Point, Point]) -> list[tuple[Point, Point]]:
        """Return the parts of an edge span that are far enough off."""
        parts = [span]
        for centre, near in self._discs:
            parts = [rest for part in parts for rest in _outside(part, centre, near, self.distance - TOL)]
        return parts

    @cached_property
    def edge_parts(self) -> tuple[tuple[Point, Point], ...]:
        """The parts of the table's edge where the jump-off point may stand, cover or not."""
        if self.cover_point is not None:
            return ()
        if self.any_edge_point:
            return self.edge_spans
        return tuple(part for span in self.edge_spans for part in self._further_parts(span))


def _on_edge(start: Point, along: Point, distance: int) -> Point:
    return start[0] + (distance if along[0] else 0), start[1] + (distance if along[1] else 0)


def _outside(part: tuple[Point, Point], centre: Point, near: int, by: int) -> Iterator[tuple[Point, Point]]:
    """Yield what is left of a part of an edge outside the disc about *centre*."""
    start, end = part
    along = (1, 0) if start[1] == end[1] else (0, 1)
    size = max(minus(end, start))
    foot = dot(minus(centre, start), along)
    apart = squared(centre, _on_edge(start, along, foot))
    radius = isqrt(near) + by
    half = isqrt(max(0, radius * radius - apart))
    while not further(near, apart + half * half, by):
        half += 1
    while half and further(near, apart + (half - 1) ** 2, by):
        half -= 1
    if not half:
        yield part
        return
    if foot - half >= 0:
        yield start, _on_edge(start, along, min(size, foot - half))
    if foot + half <= size:
        yield _on_edge(start, along, max(0, foot + half)), end


# Exact crossings


def _crossing(line: tuple[Exact, Exact], other: tuple[Exact, Exact]) -> Fraction | None:
    """Return how far along *line*, 0 to 1, the straight line through *other* crosses it."""
    (x, y), (to_x, to_y) = line
    (other_x, other_y), (other_to_x, other_to_y) = other
    along = to_x - x, to_y - y
    across = other_to_x - other_x, other_to_y - other_y
    if not (whole := along[0] * across[1] - along[1] * across[0]):
        return None
    share = ((other_x - x) * across[1] - (other_y - y) * across[0]) / whole
    return share if 0 <= share <= 1 else None


def _circle_stops(line: tuple[Exact, Exact], centre: Point, radius: int) -> Iterator[Fraction]:
    """Yield how far along *line* it crosses a circle, to a thousandth."""
    (x, y), (to_x, to_y) = line
    along = to_x - x, to_y - y
    apart = x - centre[0], y - centre[1]
    whole = along[0] ** 2 + along[1] ** 2
    slope = along[0] * apart[0] + along[1] * apart[1]
    under_root = slope * slope - whole * (apart[0] ** 2 + apart[1] ** 2 - radius * radius)
    if not whole or under_root < 0:
        return
    root = isqrt(int(under_root))
    for stop in ((-slope - root) / whole, (-slope + root) / whole):
        if 0 <= stop <= 1:
            yield stop


def _around(place: Exact) -> Iterator[Point]:
    """Yield the whole thousandths at and around a place, the nearest first."""
    x, y = (rounded(value.numerator, value.denominator) for value in place)
    yield x, y
    for dx, dy in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)):
        yield x + dx, y + dy
