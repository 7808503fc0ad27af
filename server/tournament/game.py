"""One game of a tournament, played in memory."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from server import rulesets
from server.core.dice import SeededDice
from server.rules.phases import begin, resolve
from server.rules.sight import view_for, views_for
from server.rules.state import OVER, Settings, State
from server.scenarios.begin import initial_state
from server.scenarios.report import find
from server.scenarios.scenario import Scenario
from server.tournament.contestants import seat
from server.tournament.schedule import Fixture


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
