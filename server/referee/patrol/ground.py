"""Ground for a jump-off point: opposite the closest enemy markers (3.3, T-47 to T-49), in or behind cover (T-50)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isqrt

from server.referee.geometry import TOL, Point, cross, dot, inside, length, minus, rounded, sides, squared

TIE = 10
"""Distances that differ by no more thousandths are equal (T-40)."""
UNIT = 10**24
"""Length of a direction, so that rounding it to whole numbers is far finer than a thousandth over any table."""
COS_10, SIN_10, COS_20 = 984807753012208059366743, 173648177666930348851717, 939692620785908384054109


@dataclass(frozen=True, slots=True)
class Choice:
    """Which enemy markers make the pair E1, E2 (T-47)."""

    must: tuple[str, ...]
    """Closer than the second distance: in the pair whatever is chosen; the closest first."""
    may: tuple[str, ...]
    """Those that tie for the places left, the closest first."""
    free: int
    """How many of :attr:`may` the player names; none where no choice is left."""

    def pair(self) -> tuple[str, ...]:
        """Return the pair where nothing is left to name."""
        return self.must + self.may

    def allows(self, pair: Sequence[str]) -> bool:
        """True when *pair* is one that the player may name."""
        named = [enemy for enemy in pair if enemy in self.may]
        others = [enemy for enemy in pair if enemy not in self.may]
        places = self.free or len(self.may)
        return sorted(others) == sorted(self.must) and len(named) == len(set(named)) == places


def closest_two(marker: Point, enemies: Mapping[str, Point]) -> Choice:
    """Return the two enemy markers closest to *marker*, or what the player has to choose among (T-47)."""
    near = {enemy: squared(marker, place) for enemy, place in enemies.items()}
    ranked = sorted(near, key=near.__getitem__)
    if len(ranked) < 3:
        return Choice((), tuple(ranked), 0)
    second = near[ranked[1]]
    must = tuple(enemy for enemy in ranked[:1] if not _tie(near[enemy], second))
    may = tuple(enemy for enemy in ranked[len(must) :] if _tie(min(near[enemy], second), max(near[enemy], second)))
    places = 2 - len(must)
    return Choice(must, may, places if len(may) > places else 0)


def _tie(near: int, far: int) -> bool:
    """True when two distances, given squared, differ by no more than :data:`TIE`."""
    rest = far - near - TIE * TIE
    return rest <= 0 or rest * rest <= 4 * TIE * TIE * near


@dataclass(frozen=True, slots=True)
class Wedge:
    """The half-planes left of :attr:`right` and right of :attr:`left`, both lines through :attr:`apex`."""

    apex: Point
    right: Point
    """Direction of the ray that bounds it clockwise."""
    left: Point
    facing: Point
    """Its bisector, :data:`UNIT` long: away from the enemies."""
    enemies: tuple[Point, ...]
    """The one or two enemy markers that count."""

    def has(self, point: Point) -> bool:
        """True when *point* lies in the wedge or on its rays."""
        arm = minus(point, self.apex)
        return cross(self.right, arm) >= 0 and cross(arm, self.left) >= 0


def wedge(marker: Point, pair: Sequence[Point], others: Sequence[Point] = ()) -> Wedge:
    """Return the wedge at *marker* opposite the *pair* (the closer first), *others* following by their distance (T-49).

    With one enemy it opens 45 degrees to either side of the line from them. Under 20 degrees it is widened to 20.
    Over 170 the next closest replaces the second; if none is left, only the first counts.
    """
    first, *rest = (*pair, *others)
    a = minus(marker, first)
    for second in rest:
        b = minus(marker, second)
        if not _over_170(a, b):
            return _opposite_two(marker, (first, second), a, b)
    sides = (a[0] + a[1], a[1] - a[0]), (a[0] - a[1], a[0] + a[1])
    return Wedge(marker, *sides, unit(a), (first,))


def _opposite_two(marker: Point, enemies: tuple[Point, Point], a: Point, b: Point) -> Wedge:
    if cross(a, b) < 0:
        a, b = b, a
    one, other = unit(a), unit(b)
    facing = unit((one[0] + other[0], one[1] + other[1]))
    if _under_20(a, b):
        x, y = facing
        a = (x * COS_10 + y * SIN_10, y * COS_10 - x * SIN_10)
        b = (x * COS_10 - y * SIN_10, y * COS_10 + x * SIN_10)
    return Wedge(marker, a, b, facing, enemies)


def unit(vector: Point) -> Point:
    """Return the vector's direction, :data:`UNIT` long."""
    long = isqrt(dot(vector, vector) * UNIT * UNIT)
    return rounded(vector[0] * UNIT * UNIT, long), rounded(vector[1] * UNIT * UNIT, long)


def _under_20(a: Point, b: Point) -> bool:
    along = dot(a, b)
    return along > 0 and (along * UNIT) ** 2 > COS_20**2 * dot(a, a) * dot(b, b)


def _over_170(a: Point, b: Point) -> bool:
    along = dot(a, b)
    return along < 0 and (along * UNIT) ** 2 > COS_10**2 * dot(a, a) * dot(b, b)


@dataclass(frozen=True, slots=True)
class Cover:
    """A feature that gives cover: a polygon, or a line such as a hedge."""

    corners: tuple[Point, ...]
    closed: bool = True
    """True for a polygon; false for a line from the first corner to the last."""

    def sides(self) -> Sequence[tuple[Point, Point]]:
        """Return its sides, each as its two ends."""
        return list(sides(self.corners))[0 if self.closed else 1 :]


@dataclass(frozen=True, slots=True)
class Swept:
    """A feature together with the ground behind it: every place reached by moving it along a vector.

    Such a place is in the polygon itself or in the parallelogram that one of its sides sweeps over.
    """

    cover: Cover
    fine: Point
    """The vector in units of 1 / :data:`UNIT` thousandths."""

    def has(self, point: Point) -> bool:
        """True when *point* is in the feature or behind it, within :data:`TOL`."""
        if self.cover.closed and inside(point, self.cover.corners):
            return True
        return any(self._over(point, start, end) for start, end in self.cover.sides())

    def _over(self, point: Point, start: Point, end: Point) -> bool:
        side = _fine(minus(end, start))
        arm = _fine(minus(point, start))
        if not (area := cross(side, self.fine)):
            return self._in_line(side, arm)
        sign = 1 if area > 0 else -1
        past_side, past_sweep = sign * cross(arm, self.fine), sign * cross(side, arm)
        slack, side_slack = TOL * UNIT * length(self.fine), TOL * UNIT * length(side)
        return -slack <= past_side <= abs(area) + slack and -side_slack <= past_sweep <= abs(area) + side_slack

    def _in_line(self, side: Point, arm: Point) -> bool:
        """The side lies along the sweep: what it sweeps over is a line."""
        whole, ahead = dot(self.fine, self.fine), dot(side, self.fine)
        slack = TOL * UNIT * length(self.fine)
        return abs(cross(self.fine, arm)) <= slack and (
            min(0, ahead) - slack <= dot(arm, self.fine) <= max(0, ahead) + whole + slack
        )

    def outline(self) -> Iterator[tuple[Point, ...]]:
        """Yield polygons that together are the swept ground, rounded to thousandths."""
        shift = rounded(self.fine[0], UNIT), rounded(self.fine[1], UNIT)
        if self.cover.closed:
            yield self.cover.corners
        for start, end in self.cover.sides():
            yield start, end, _plus(end, shift), _plus(start, shift)


def swept(cover: Cover, facing: Point, depth: int) -> Swept:
    """Return the feature swept *depth* thousandths along *facing*, a direction :data:`UNIT` long."""
    return Swept(cover, (facing[0] * depth, facing[1] * depth))


def _fine(vector: Point) -> Point:
    return vector[0] * UNIT, vector[1] * UNIT


def _plus(point: Point, vector: Point) -> Point:
    return point[0] + vector[0], point[1] + vector[1]
