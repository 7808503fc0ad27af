"""Points, polygons and distances on the table, exact: whole thousandths of an inch (T-01, T-40).

A point is a pair of whole thousandths, x along the long edge and y along the short one. Decisions compare whole
numbers, squared where a root would be needed: no answer depends on how a machine rounds. Convex polygons are cut by
lines exactly, in fractions, or rounded to whole thousandths where that is enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import isqrt

Point = tuple[int, int]
"""x and y in thousandths of an inch; also a vector between two points."""
Polygon = Sequence[Point]
"""Corners in order; the last one is joined to the first. The line belongs to the polygon (T-04)."""

INCH = 1000
"""Thousandths in an inch."""
TOL = 1
"""What "within" and "up to" leave open, in thousandths (T-40)."""
SINES = (0, 173648177667, 342020143326, 500000000000, 642787609687, 766044443119, 866025403784, 939692620786,
         984807753012, 1000000000000)  # fmt: skip
"""Sines of 0, 10 ... 90 degrees, in units of :data:`SINE_UNIT`."""
SINE_UNIT = 10**12


def minus(end: Point, start: Point) -> Point:
    """Return the vector from *start* to *end*."""
    return end[0] - start[0], end[1] - start[1]


def dot(p: Point, q: Point) -> int:
    """Return the dot product."""
    return p[0] * q[0] + p[1] * q[1]


def cross(p: Point, q: Point) -> int:
    """Return the cross product: positive where *q* lies to the left of *p*."""
    return p[0] * q[1] - p[1] * q[0]


def squared(p: Point, q: Point) -> int:
    """Return the square of the distance between two points."""
    x, y = q[0] - p[0], q[1] - p[1]
    return x * x + y * y


def within(p: Point, q: Point, distance: int) -> bool:
    """True when the points are at most *distance* thousandths apart, and :data:`TOL`."""
    return squared(p, q) <= (distance + TOL) ** 2


def turned(point: Point, width: int, height: int) -> Point:
    """Return the place on the other side of the table's middle (T-01, T-86)."""
    return width - point[0], height - point[1]


def on_table(point: Point, width: int, height: int) -> bool:
    """True on the table; its edge belongs to it."""
    return 0 <= point[0] <= width and 0 <= point[1] <= height


def rectangle(left: int, low: int, right: int, high: int) -> tuple[Point, ...]:
    """Return its corners, against the clock from the lower left."""
    return (left, low), (right, low), (right, high), (left, high)


def square(middle: Point, half: int) -> tuple[Point, ...]:
    """Return the square about a point whose sides are twice *half* long."""
    x, y = middle
    return rectangle(x - half, y - half, x + half, y + half)


def sides(polygon: Polygon) -> Iterator[tuple[Point, Point]]:
    """Yield the polygon's sides, each as its two corners, in order."""
    for index, corner in enumerate(polygon):
        yield polygon[index - 1], corner


def on_segment(point: Point, start: Point, end: Point) -> bool:
    """True when the point lies on the line from *start* to *end*, its ends included."""
    if cross(minus(end, start), minus(point, start)):
        return False
    return min(start[0], end[0]) <= point[0] <= max(start[0], end[0]) and (
        min(start[1], end[1]) <= point[1] <= max(start[1], end[1])
    )


def inside(point: Point, polygon: Polygon) -> bool:
    """True when the point lies in the polygon or on its line; the polygon need not be convex."""
    odd = False
    for start, end in sides(polygon):
        if on_segment(point, start, end):
            return True
        if (start[1] > point[1]) != (end[1] > point[1]):
            left_of_side = cross(minus(end, start), minus(point, start)) > 0
            if left_of_side == (end[1] > start[1]):
                odd = not odd
    return odd


def doubled_area(polygon: Polygon) -> int:
    """Return twice the polygon's area, positive where its corners run against the clock."""
    return sum(cross(start, end) for start, end in sides(polygon))


def further(near: int, far: int, by: int) -> bool:
    """True when the root of *far* is at least the root of *near* and *by*; both are squares of distances."""
    rest = far - near - by * by
    return rest >= 0 and rest * rest >= 4 * by * by * near


def rounded(numerator: int, denominator: int) -> int:
    """Return the quotient as the nearest whole number, halves away from zero: a reflection changes nothing."""
    if denominator < 0:
        numerator, denominator = -numerator, -denominator
    size = (2 * abs(numerator) + denominator) // (2 * denominator)
    return size if numerator >= 0 else -size


def length(vector: Point) -> int:
    """Return the vector's length in the vector's own units, rounded down."""
    return isqrt(dot(vector, vector))


def sine(tens: int) -> int:
    """Return the sine of *tens* times ten degrees."""
    tens %= 36
    if tens >= 18:
        return -sine(tens - 18)
    return SINES[tens] if tens <= 9 else SINES[18 - tens]


def away(start: Point, tens: int, distance: int) -> Point:
    """Return the point *distance* from *start*, *tens* times ten degrees clockwise from +y (T-80)."""
    return (
        start[0] + rounded(sine(tens) * distance, SINE_UNIT),
        start[1] + rounded(sine(tens + 9) * distance, SINE_UNIT),
    )


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
            kept.append(between((start, end), Fraction(at_start, at_start - at_end)))
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
