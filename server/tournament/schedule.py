"""Which games are played: every rotation of the seats, so that each contestant plays each start equally often."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random


@dataclass(frozen=True, slots=True)
class Arena:
    """A map as far as a schedule needs it."""

    name: str
    seats: int
    ruleset: str
    factions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fixture:
    """A game to be played."""

    map: str
    ruleset: str
    players: tuple[str, ...]
    """Names of the contestants, by seat."""
    factions: tuple[str, ...]
    """By seat."""
    turns: int
    seed: str


def line_ups(names: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """Return the groups that play together, without their seats; overall everyone plays equally often.

    Two names on four seats play two each. Where there are more names than seats, each group of them plays.
    """
    distinct = list(dict.fromkeys(names))
    if len(distinct) > seats:
        return [tuple(group) for group in combinations(distinct, seats)]
    if len(names) == seats:
        return [tuple(names)]
    full, rest = divmod(seats, len(distinct))
    if not rest:
        return list(dict.fromkeys((tuple(distinct * full), tuple(name for name in distinct for _ in range(full)))))
    return [tuple(distinct * full) + extra for extra in combinations(distinct, rest)]


def rotations(line_up: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return a line-up with everyone at every seat once."""
    return [line_up[turn:] + line_up[:turn] for turn in range(len(line_up))]


def fixtures(arena: Arena, names: Sequence[str], games: int, turns: int, seed: int) -> Iterator[Fixture]:
    """Yield the games on one map: so many, in an order in which every whole number of rotations is balanced.

    The games of one rotation have the same factions at the seats, and the same dice. A line-up that comes again in a
    rotation (two names in turn on four seats) has dice of its own: the same game would say nothing new.
    """
    groups = line_ups(names, arena.seats)
    alone = len(set(names)) == 1  # then a rotation would be the same game again
    for number in range(games):
        cycle, turn = (number, 0) if alone else divmod(number, arena.seats)
        group = rotations(groups[cycle % len(groups)])
        random = Random(f"{seed}/{arena.name}/{cycle}")
        lists = random.sample(arena.factions, min(arena.seats, len(arena.factions)))
        factions = tuple(lists[place % len(lists)] for place in range(arena.seats))
        again = group[:turn].count(group[turn])
        key = f"{seed}/{arena.name}/{cycle}" + (f"/{again}" if again else "")
        yield Fixture(arena.name, arena.ruleset, group[turn], factions, turns, key)
