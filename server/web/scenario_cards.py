"""Pictures of the scenarios that come with the server, drawn when somebody first wants to see them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from server import rulesets
from server.play.errors import not_found
from server.render.svg import Options, draw
from server.rules.ruleset import Ruleset
from server.rules.sight import GM, view_for
from server.rules.state import Settings
from server.scenarios import library
from server.scenarios.begin import initial_state
from server.scenarios.scenario import Scenario


@cache
def titles() -> Mapping[str, str]:
    """Return the titles of the scenarios that come with the server, by id."""
    return {name: library.load(name).title for name in library.names()}


@cache
def ruleset_names() -> Mapping[str, str]:
    """Return the names of the rulesets that come with the server, by id."""
    return {name: rulesets.load(name).name for name in rulesets.names()}


@cache
def picture(scenario: str) -> bytes:
    """Return the map of a scenario that comes with the server, with its start areas, as SVG."""
    if scenario not in library.names():
        raise not_found("scenario", scenario)
    plan = library.load(scenario)
    return drawn(plan, rulesets.load(plan.ruleset))


def drawn(plan: Scenario, rules: Ruleset) -> bytes:
    """Return the map of any scenario, with its start areas, as SVG."""
    faction = next(iter(rules.factions))
    players = [(start.name, faction) for start in plan.starts]
    state = initial_state(plan, rules, Settings(), players, b"picture")
    return draw(view_for(state, (), GM), Options(title=plan.title, legend=False, labels=False)).encode()


@dataclass(frozen=True, slots=True)
class Card:
    """A scenario as people choose it."""

    id: str
    title: str
    summary: str
    columns: int
    rows: int
    counts: tuple[int, ...]
    """How many players it is made for."""
    ruleset: str
    briefing: tuple[str, ...]


@cache
def cards() -> tuple[Card, ...]:
    """Return the scenarios that come with the server, the smallest first."""
    found = [_card(library.load(name)) for name in library.names()]
    return tuple(sorted(found, key=lambda card: (card.columns * card.rows, card.title)))


def _card(plan: Scenario) -> Card:
    board = plan.board
    return Card(
        plan.id, plan.title, plan.summary, board.columns, board.rows, plan.player_counts, plan.ruleset, plan.briefing
    )
