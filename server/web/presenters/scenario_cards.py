"""Pictures of the scenarios that come with the server, drawn when someone first wants to see them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from server import rulesets
from server.play.errors import not_found
from server.render.svg import Options, draw
from server.rules.board import Board
from server.rules.ruleset import Ruleset
from server.rules.sight import GM, view_for
from server.rules.state import Player, Settings, State
from server.scenarios import library
from server.scenarios.begin import initial_state
from server.scenarios.scenario import Scenario
from server.scenarios.scenario import land as land_of

MAX_FAULTS = 1000
"""Marks on a map with faults; on one with more of them the marks say nothing."""


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


def drawn_with_faults(plan: Scenario, rules: Ruleset, wrong: Iterable[str]) -> bytes:
    """Return what can be drawn of a map that nobody can play, as SVG: hexes with something wrong are marked.

    *wrong*: the labels of such hexes; those whose terrain the ruleset lacks are marked anyway.
    A hex whose terrain the ruleset lacks is drawn as its first terrain.
    """
    board = plan.board
    named = {board.find(label) for label in wrong}
    faults = [hex_ for hex_, land in enumerate(board.terrain) if hex_ in named or land not in rules.terrain]
    first = next(iter(rules.terrain))
    ground = tuple(land if land in rules.terrain else first for land in board.terrain)
    faction = next(iter(rules.factions))
    ids = [f"p{number}" for number, _ in enumerate(plan.starts, 1)]
    state = State(
        board=Board(board.columns, board.rows, ground, board.names), ruleset=rules, settings=Settings(),
        players={id_: Player(id_, faction, 0) for id_ in ids}, id_key=b"picture",
        roads=dict.fromkeys(edge for edge in plan.roads if board.direction(*edge) is not None),
    )  # fmt: skip
    for id_, start in zip(ids, plan.starts, strict=True):
        for hex_ in land_of(state.board, rules, start.area):
            state.owner[hex_] = id_
    options = Options(title=plan.title, legend=False, labels=True, faults=faults[:MAX_FAULTS])
    return draw(view_for(state, (), GM), options).encode()


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
