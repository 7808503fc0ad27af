"""How far a patrol marker goes, what it meets and whether its side's chain holds (3.2, T-40 to T-45)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import isqrt

from server.referee.convex import common
from server.referee.geometry import Point, away, dot, minus, rounded, within

PRECISION = 1 << 64
"""Roots are taken of numbers this much finer (squared) than a thousandth, so that only the end point is rounded."""


def halt(start: Point, to: Point, enemies: Iterable[Point], reach: int) -> Point:
    """Return where a marker that moves from *start* towards *to* stops (3.2, 2).

    It stops on reaching the circle of *reach* thousandths around an enemy marker, locked or not; else it gets there.
    *start* lies outside every circle (T-44). The point is rounded to whole thousandths.
    """
    path = minus(to, start)
    whole = dot(path, path)
    if not whole:
        return start
    roots = [root for enemy in enemies if (root := _first_touch(path, minus(start, enemy), reach)) is not None]
    if not roots:
        return to
    gone = min(roots)
    return start[0] + rounded(path[0] * gone, whole * PRECISION), start[1] + rounded(path[1] * gone, whole * PRECISION)


def _first_touch(path: Point, apart: Point, reach: int) -> int | None:
    """Return the smaller root s of |apart + s path| = reach, or None where it is not on the path.

    It comes multiplied by path.path and :data:`PRECISION`.
    """
    whole, slope = dot(path, path), dot(path, apart)
    outside = dot(apart, apart) - reach * reach
    under_root = slope * slope - whole * outside
    if under_root < 0:
        return None
    root = -slope * PRECISION - isqrt(under_root * PRECISION * PRECISION)
    return root if 0 <= root <= whole * PRECISION else None


def is_chain(markers: Sequence[Point], reach: int) -> bool:
    """True when every marker is joined to every other by steps of at most *reach* (T-45)."""
    return len(_parts(markers, reach)) <= 1


def safe_areas(
    start: Point, others: Sequence[Point], reach: int, table: tuple[Point, ...], chained: bool = True
) -> list[tuple[Point, ...]]:
    """Return areas such that a move to any place in them keeps the chain, wherever on the way it is halted.

    The marker may go where it stays near one marker of every part into which the others fall without it: the way
    lies within the same circles, since it begins there. Other places may do as well.
    """
    spot, rim = (start, start, start), _rim(reach)
    area = common(_moved(rim, start), table)
    if not chained or not others:
        return [spot, area]
    near = [[other for other in part if within(start, other, reach)] for part in _parts(others, reach)]
    areas: list[tuple[Point, ...]] = [spot]
    for links in product(*near):
        rest = area
        for link in links:
            rest = common(rest, _moved(rim, link))
        areas.append(rest)
    return [kept for kept in areas if len(kept) >= 3]


def _rim(radius: int) -> tuple[Point, ...]:
    """Return a polygon inside a circle about (0, 0), against the clock; a hundredth of an inch is left for rounding."""
    return tuple(away((0, 0), tens, radius - 10) for tens in range(36, 0, -4))


def _moved(polygon: Sequence[Point], by: Point) -> tuple[Point, ...]:
    return tuple((x + by[0], y + by[1]) for x, y in polygon)


def _parts(markers: Sequence[Point], reach: int) -> list[list[Point]]:
    """Return the markers by the chains that they form."""
    parts: list[list[Point]] = []
    for marker in markers:
        joined = [part for part in parts if any(within(marker, link, reach) for link in part)]
        parts = [part for part in parts if part not in joined] + [[link for part in joined for link in part] + [marker]]
    return parts


def start_places(count: int, edge: int, gap: int) -> list[int]:
    """Return the default places of *count* markers along an edge *edge* thousandths long (T-41).

    They stand around its middle, *gap* thousandths apart or as far as the edge allows.
    """
    if count == 1:
        return [rounded(edge, 2)]
    step_over, step_under = (gap, 1) if gap * (count - 1) <= edge else (edge, count - 1)
    return [
        rounded(edge * step_under + step_over * (2 * number - count - 1), 2 * step_under)
        for number in range(1, count + 1)
    ]
