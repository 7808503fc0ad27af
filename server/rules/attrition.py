"""Casualties taken by the dice (D-63), reckoned exactly: how likely each unit is to fall, without rolling.

A random unit of those left is taken, half at a time, until the value taken reaches the damage. Which way the dice
went matters only through *how many* units are untouched, halved or gone: the chance to pass through a
position is the same for all positions with equal counts. So positions are counted by polynomials in their value (one
big integer each, a field of bits for each value), and every count has one weight.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, gcd, lcm
from operator import itemgetter, mul
from struct import unpack

Steps = tuple[int, ...]
"""What a unit is worth, step by step: half and the rest, or all at once."""

MAX_WORK = 8_000_000
"""The most numbers to examine; above it nothing is calculated."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """A value at which taking stops, and how likely that is: in a battle that was won, and in one that was lost."""

    value: int
    won: int
    lost: int


@dataclass(frozen=True, slots=True)
class Taken:
    """How likely the steps of a unit are to be taken, in the weights of the thresholds."""

    won: tuple[Fraction, ...]
    lost: tuple[Fraction, ...]


def attrition(units: Sequence[Steps], thresholds: Sequence[Threshold]) -> Mapping[Steps, Taken] | None:
    """Return for each kind of unit how likely each of its steps is; None where that would take too long.

    *units* have one or two steps each; thresholds are above 0.
    """
    kinds = Counter(units)
    if not kinds or not thresholds:
        return {kind: Taken(*2 * ((Fraction(0),) * len(kind),)) for kind in kinds}
    unit = gcd(*(value for kind in kinds for value in kind)) or 1
    stops = _stops(thresholds, unit)
    twice, once = (sum(count for kind, count in kinds.items() if len(kind) == steps) for steps in (2, 1))
    top = min(stops[-1].value, sum(map(sum, units)) // unit + 1)
    states = (twice + 1) * (twice + 2) // 2 * (once + 1)
    bits = 32 if 3**twice * 2**once < 2**32 else 64
    if states * len(kinds) * top > MAX_WORK or 3**twice * 2**once >= 2**64:
        return None
    ways = _Ways(unit, top, bits)
    table = ways.nothing_taken()
    for kind in units:
        table = ways.with_one_more(table, kind)
    weights, denominator = _weights(twice, once)
    found = {}
    for kind in kinds:
        below = [_Below.of(stops, top, kind[0] // unit if step else 0) for step in range(len(kind))]
        won, lost = [0] * len(kind), [0] * len(kind)
        for (halved, gone, single), counts in ways.with_one_less(table, kind).items():
            fields = ways.fields(counts)
            for step, threshold in enumerate(below):
                weight = weights.get((halved + step, gone, single))
                if weight:
                    some = threshold.pick(fields)
                    won[step] += weight * sum(map(mul, some, threshold.won))
                    lost[step] += weight * sum(map(mul, some, threshold.lost))
        found[kind] = Taken(*(tuple(Fraction(sum_, denominator) for sum_ in sums) for sums in (won, lost)))
    return found


def _stops(thresholds: Sequence[Threshold], unit: int) -> list[Threshold]:
    """Return the thresholds in units of value, rising."""
    found: dict[int, Threshold] = {}
    for threshold in thresholds:
        value = ceil(Fraction(threshold.value, unit))
        same = found.get(value, Threshold(value, 0, 0))
        found[value] = Threshold(value, same.won + threshold.won, same.lost + threshold.lost)
    return [found[value] for value in sorted(found)]


@dataclass(frozen=True, slots=True)
class _Below:
    """Where to find how many positions come before each stop, and the weights of the stops."""

    pick: Callable[[Sequence[int]], tuple[int, ...]]
    won: tuple[int, ...]
    lost: tuple[int, ...]

    @classmethod
    def of(cls, stops: Sequence[Threshold], top: int, lead: int) -> _Below:
        """Return it for units that have *lead* in value already."""
        ahead = [stop for stop in stops if stop.value > lead]
        places = [min(stop.value, top) - 1 - lead for stop in ahead]
        # an itemgetter of fewer than two places gives no tuple: the first is asked for, too, without weight
        pick = itemgetter(0, 0, *places)
        return cls(pick, (0, 0, *(stop.won for stop in ahead)), (0, 0, *(stop.lost for stop in ahead)))


_State = tuple[int, int, int]
"""Units with two steps that are halved, such that are gone, units with one step that are gone."""


@dataclass(frozen=True, slots=True)
class _Ways:
    """Positions counted by their value: for each state how many are worth 0, at most 1, at most 2, ...

    Cut off where taking has stopped for sure. The numbers stand side by side in one integer, so that a whole
    row is shifted and added at once.
    """

    unit: int
    top: int
    bits: int

    def nothing_taken(self) -> dict[_State, int]:
        """Return the table without units: one position, worth 0."""
        return {(0, 0, 0): sum(1 << place * self.bits for place in range(self.top))}

    def with_one_more(self, table: Mapping[_State, int], kind: Steps) -> dict[_State, int]:
        """Return the table with one unit more."""
        after = dict(table)
        for (halved, gone, single), counts in table.items():
            if len(kind) == 1:
                moves = [((halved, gone, single + 1), kind[0])]
            else:
                moves = [((halved + 1, gone, single), kind[0]), ((halved, gone + 1, single), sum(kind))]
            for to, value in moves:
                after[to] = after.get(to, 0) + self._raised(counts, value)
        return after

    def with_one_less(self, table: Mapping[_State, int], kind: Steps) -> dict[_State, int]:
        """Return the table with one unit less: what :meth:`with_one_more` did, undone."""
        left: dict[_State, int] = {}
        for halved, gone, single in sorted(table):
            if len(kind) == 1:
                moves = [((halved, gone, single - 1), kind[0])]
            else:
                moves = [((halved - 1, gone, single), kind[0]), ((halved, gone - 1, single), sum(kind))]
            counts = table[halved, gone, single]
            for before, value in moves:
                if before in left:
                    counts -= self._raised(left[before], value)
            if counts:
                left[halved, gone, single] = counts
        return left

    def fields(self, counts: int) -> Sequence[int]:
        """Return the numbers of a row."""
        code = "I" if self.bits == 32 else "Q"
        return unpack(f"<{self.top}{code}", counts.to_bytes(self.top * self.bits // 8, "little"))

    def _raised(self, counts: int, value: int) -> int:
        """Return a row of positions that are worth so much more."""
        lift = value // self.unit
        return (counts & ((1 << (self.top - lift) * self.bits) - 1)) << lift * self.bits if lift < self.top else 0


def _weights(twice: int, once: int) -> tuple[dict[_State, int], int]:
    """Return for each state the chance to pass through one position of it and then to take one certain unit.

    In parts of the number returned with them.
    """
    passing: dict[_State, Fraction] = {}
    states = [
        (halved, gone, single)
        for gone in range(twice + 1)
        for halved in range(twice - gone + 1)
        for single in range(once + 1)
    ]
    for halved, gone, single in sorted(states, key=lambda state: state[0] + 2 * state[1] + state[2]):
        chance = Fraction(int(not (halved or gone or single)))
        for many, before in (
            (halved, (halved - 1, gone, single)),
            (gone, (halved + 1, gone - 1, single)),
            (single, (halved, gone, single - 1)),
        ):
            if many:
                chance += many * passing[before]
        left = twice - gone + once - single
        passing[halved, gone, single] = chance / left if left else Fraction(0)
    denominator = lcm(*(probability.denominator for probability in passing.values()))
    return {state: int(probability * denominator) for state, probability in passing.items()}, denominator
