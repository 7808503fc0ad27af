"""Which games are played, and one of them: the seats, the orders, the result.

The schedule has every rotation of the seats, so that each contestant plays each start equally often.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from random import Random

from server import rulesets
from server.core.dice import SeededDice
from server.rules.phases import begin, resolve
from server.rules.sight import view_for, views_for
from server.rules.state import OVER, Settings, State
from server.scenarios.begin import initial_state
from server.scenarios.report import find
from server.scenarios.scenario import Scenario
from server.tournament.contestants import seat


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


@cache
def scenario_of(name: str) -> Scenario:
    """Return a scenario; raises :class:`~server.scenarios.problems.MapError`."""
    return find(name)


@dataclass(frozen=True, slots=True)
class Result:
    """How a game went; tuples are by seat."""

    fixture: Fixture
    shares: tuple[float, ...]
    """Of the victory: 1 for a player who won alone, halves where two share it."""
    vp: tuple[int, ...]
    eliminated: tuple[bool, ...]
    turns: int
    """Turns that were played."""
    refused: int
    """Orders that were refused."""

    def order(self, place: int) -> tuple[float, bool, int]:
        """Return what ranks a seat in this game: the higher, the better."""
        return self.shares[place], not self.eliminated[place], self.vp[place]


def settings(turns: int) -> Settings:
    """Return what tournaments are played by: a lost capital eliminates, nobody allies."""
    return Settings(turn_limit=turns, capital_eliminates=True, last_standing=True, alliances=False)


def play(fixture: Fixture, chosen: Settings | None = None) -> Result:
    """Play a game to its end, by other rules if *chosen* says so; the same arguments give the same result."""
    scenario, rules = scenario_of(fixture.map), rulesets.load(fixture.ruleset)
    players = [(f"p{place}", faction) for place, faction in enumerate(fixture.factions, 1)]
    state = initial_state(scenario, rules, chosen or settings(fixture.turns), players, b"tournament")
    state = begin(state, SeededDice(f"{fixture.seed}/start".encode())).state
    seats = {
        id_: seat(name, f"{fixture.seed}/{place}")
        for place, ((id_, _), name) in enumerate(zip(players, fixture.players, strict=True))
    }
    views, refused = views_for(state, ()), 0
    while state.phase != OVER:
        living = [player.id for player in state.living()]
        orders = {id_: seats[id_].choose(views[id_]) for id_ in living}
        resolution = resolve(state, orders, SeededDice(f"{fixture.seed}/{state.turn}/{state.phase}".encode()))
        state = resolution.state
        refused += sum(map(len, resolution.problems.values()))
        views = views_for(state, resolution.events)
    return result_of(fixture, view_for(state, (), "gm").state, refused)


def result_of(fixture: Fixture, final: State, refused: int) -> Result:
    """Return how a game went; *final* is the whole position at its end, the seats are ``p1`` and so on."""
    ids = [f"p{place}" for place in range(1, len(fixture.players) + 1)]
    return Result(
        fixture,
        tuple(1 / len(final.winners) if id_ in final.winners else 0.0 for id_ in ids),
        tuple(final.players[id_].vp for id_ in ids),
        tuple(final.players[id_].eliminated for id_ in ids),
        final.turn,
        refused,
    )
