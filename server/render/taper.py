"""Arrows: paths that grow towards their heads, dashed and dotted lines, and where they stop."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import hypot

Point = tuple[float, float]
START, STOP, HEAD = 16.0, 30.0, 15.0
"""How far from the first middle an arrow begins, how far before the last it ends, and how long its head is."""
STEPS = 8
"""Pieces a bend is drawn of."""


def way(centres: Sequence[Point], start: float = START, stop: float = STOP) -> list[Point]:
    """Return a smooth way through the middles of hexes, without what lies under the counters at its ends."""
    if len(centres) == 2:
        (ax, ay), (bx, by) = centres
        control = ((ax + bx) / 2 - (by - ay) * 0.1, (ay + by) / 2 + (bx - ax) * 0.1)
        places = _bend(centres[0], control, centres[1])
    else:
        middles = [((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in pairwise(centres)]
        places = [centres[0]]
        for before, at, after in zip(middles, centres[1:-1], middles[1:], strict=False):
            places += _bend(before, at, after)
        places.append(centres[-1])
    return _cut(_cut(places, start)[::-1], stop)[::-1]


def _bend(start: Point, control: Point, end: Point) -> list[Point]:
    found = []
    for step in range(STEPS + 1):
        t = step / STEPS
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
        found.append((a * start[0] + b * control[0] + c * end[0], a * start[1] + b * control[1] + c * end[1]))
    return found


def _cut(places: list[Point], length: float) -> list[Point]:
    """Return a way without its first piece of a length."""
    for number in range(len(places) - 1):
        (ax, ay), (bx, by) = places[number], places[number + 1]
        far = hypot(bx - ax, by - ay)
        if far >= length and far > 0:
            share = length / far
            return [(ax + (bx - ax) * share, ay + (by - ay) * share), *places[number + 1 :]]
        length -= far
    return places[-1:]


def tapered(places: Sequence[Point], narrow: float, wide: float, head: float = HEAD) -> str:
    """Return the outline of an arrow along a path, from *narrow* to *wide*; empty if there is no room for one."""
    if len(places) < 2:
        return ""
    shaft = _cut(list(places)[::-1], head)[::-1]
    tip = places[-1]
    if len(shaft) < 2:
        shaft = [places[0], places[-2] if len(places) > 2 else places[0]]
    last = shaft[-1]
    left, right = [], []
    for number, (x, y) in enumerate(shaft):
        ax, ay = shaft[max(0, number - 1)]
        bx, by = shaft[number + 1] if number + 1 < len(shaft) else tip
        far = hypot(bx - ax, by - ay) or 1.0
        half = (narrow + (wide - narrow) * number / max(1, len(shaft) - 1)) / 2
        nx, ny = -(by - ay) / far * half, (bx - ax) / far * half
        left.append((x + nx, y + ny))
        right.append((x - nx, y - ny))
    far = hypot(tip[0] - last[0], tip[1] - last[1]) or 1.0
    nx, ny = -(tip[1] - last[1]) / far * wide * 1.05, (tip[0] - last[0]) / far * wide * 1.05
    barbs = [(last[0] + nx, last[1] + ny), tip, (last[0] - nx, last[1] - ny)]
    return f"M{written([*left, *barbs, *right[::-1]])}z"


def line(places: Sequence[Point]) -> str:
    """Return path data of a way."""
    return f"M{written(places)}"


def written(places: Sequence[Point]) -> str:
    """Return places as path data, a tenth fine."""
    return "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
