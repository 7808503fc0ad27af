"""Terrain that gives cover, and the ground immediately behind it (3.3, T-50)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from server.referee.geometry import TOL, Point, cross, dot, inside, length, minus, rounded, sides
from server.referee.patrol.wedges import UNIT


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
        area = cross(side, self.fine)
        if not area:
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
