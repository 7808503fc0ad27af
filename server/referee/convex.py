"""Convex polygons cut by lines: exact, or rounded to whole thousandths where that is enough."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from server.referee.geometry import Point, Polygon, minus, rounded, sides

Exact = tuple[Fraction, Fraction]


def exact(point: Point) -> Exact:
    """Return the point as fractions."""
    return Fraction(point[0]), Fraction(point[1])


def sides_of(polygon: Sequence[Exact]) -> list[tuple[Exact, Exact]]:
    """Return the sides of a polygon of fractions."""
    return [(polygon[index - 1], corner) for index, corner in enumerate(polygon)]


def between(line: tuple[Exact, Exact], share: Fraction) -> Exact:
    """Return the place that lies *share*, 0 to 1, along the line."""
    (x, y), (to_x, to_y) = line
    return x + (to_x - x) * share, y + (to_y - y) * share


def cut(polygon: Sequence[Exact], through: Point, direction: Point, sign: int) -> list[Exact]:
    """Return the part of a convex polygon left (*sign* 1) or right (-1) of a straight line."""
    kept: list[Exact] = []
    for start, end in sides_of(polygon):
        at_start, at_end = (
            sign * (direction[0] * (point[1] - through[1]) - direction[1] * (point[0] - through[0]))
            for point in (start, end)
        )
        if at_start * at_end < 0:
            kept.append(between((start, end), at_start / (at_start - at_end)))
        if at_end >= 0:
            kept.append(end)
    return kept


def common(polygon: Polygon, other: Polygon) -> tuple[Point, ...]:
    """Return what two convex polygons have in common, corners rounded; both run against the clock."""
    kept = list(polygon)
    for through, to in sides(other):
        kept = _left_of(kept, through, minus(to, through))
    return tuple(kept)


def _left_of(polygon: Sequence[Point], through: Point, direction: Point) -> list[Point]:
    (left, low), (along_x, along_y) = through, direction
    at = [along_x * (y - low) - along_y * (x - left) for x, y in polygon]
    if not at or min(at) >= 0:
        return list(polygon)
    kept: list[Point] = []
    start, at_start = polygon[-1], at[-1]
    for end, at_end in zip(polygon, at, strict=True):
        if at_start * at_end < 0:
            whole = at_start - at_end
            x, y = minus(end, start)
            kept.append((start[0] + rounded(x * at_start, whole), start[1] + rounded(y * at_start, whole)))
        if at_end >= 0:
            kept.append(end)
        start, at_start = end, at_end
    return kept


def doubled_area_of(polygon: Sequence[Exact]) -> Fraction:
    """Return twice the area of a polygon of fractions, positive where its corners run against the clock."""
    return sum((start[0] * end[1] - start[1] * end[0] for start, end in sides_of(polygon)), Fraction(0))
