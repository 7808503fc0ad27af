"""What a campaign is chosen from: scenarios as cards with pictures; what sets the factions of a ruleset apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from server import rulesets
from server.play.errors import not_found
from server.render.svg import Options, draw
from server.rules.board import Board
from server.rules.ruleset import Faction, Ruleset
from server.rules.sight import GM, view_for
from server.rules.state import Player, Settings, State
from server.scenarios import library
from server.scenarios.begin import initial_state
from server.scenarios.scenario import Scenario
from server.scenarios.scenario import land as land_of
from server.web.translations import Translations

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


@dataclass(frozen=True, slots=True)
class FactionCard:
    """A faction as people choose it."""

    id: str
    name: str
    traits: tuple[str, ...]


def factions_of(t: Translations, rules: Ruleset) -> tuple[FactionCard, ...]:
    """Return a ruleset's factions in its own order."""
    return tuple(
        FactionCard(faction.id, t.called(faction.name), tuple(traits(t, rules, faction)))
        for faction in rules.factions.values()
    )


def traits(t: Translations, rules: Ruleset, faction: Faction) -> Iterator[str]:
    """Yield what is particular about a faction."""
    yield t("trait.strategy", value=faction.strategy)
    for id_ in faction.detachment_types:
        kind = rules.detachment_types[id_]
        parts = [t("trait.orbit")] if kind.orbit else []
        parts += [t("trait.mv", value=kind.mv)] if kind.mv else []
        parts += [t.word(f"mobility.{kind.mobility}")] if kind.mobility else []
        parts += [t("trait.scouts")] if kind.scouts else []
        parts += [t("trait.seen_from", n=kind.seen_from)] if kind.seen_from else []
        parts += [t("trait.support_range", n=kind.support_range)] if kind.support_range > 1 else []
        parts += [t("trait.fewer_dead", n=kind.fewer_dead)] if kind.fewer_dead else []
        name = t.called(kind.name)
        what = f"{name} ({', '.join(parts)})" if parts else name
        yield t("trait.special", what=what, n=kind.share)
    if faction.start_percent != 100:
        yield t("trait.start_percent", percent=faction.start_percent)
    if faction.space_income is not None and faction.space_income != rules.space_income:
        yield t("trait.space_income", bp=faction.space_income, usual=rules.space_income)
    for size, change in faction.urban_income.items():
        name = next((rule.name for rule in rules.urban if rule.id == size), size)
        yield t("trait.urban_income", size=t.called(name), change=f"{change:+d}")
    yield from _ground(t, rules, faction)
    yield from _war(t, faction)
    for strength in rules.strengths_of(faction):
        yield t("trait.bonus", what=t.called(strength.name), value=f"{strength.bonus:+d}")


def _ground(t: Translations, rules: Ruleset, faction: Faction) -> Iterator[str]:
    costs = set(faction.terrain_cost.values())
    if (
        len(faction.terrain_cost) >= len([terrain for terrain in rules.terrain.values() if terrain.land])
        and len(costs) == 1
    ):
        yield t("trait.all_terrain", cost=costs.pop())
    else:
        for terrain, cost in faction.terrain_cost.items():
            yield t("trait.terrain", terrain=t.called(rules.terrain[terrain].name), cost=cost)
    if faction.mv_bonus:
        yield t("trait.mv_bonus", value=faction.mv_bonus)
    if faction.always_scouts:
        yield t("trait.always_scouts")
    if faction.never_scouts:
        yield t("trait.never_scouts")
    if faction.scout_slots:
        yield t("trait.scout_slots", slots=", ".join(t.word(f"slot.{slot}") for slot in faction.scout_slots))
    if faction.stronghold_percent != 100:
        yield t("trait.stronghold_percent", percent=faction.stronghold_percent)
    if faction.detachments_only_in_capital:
        yield t("trait.only_in_capital")
    if faction.detachments_need_space_port:
        yield t("trait.space_port")
    if faction.pure_land:
        yield t("trait.pure_land")


def _war(t: Translations, faction: Faction) -> Iterator[str]:
    if faction.recover_on:
        yield t("trait.recover_on", face=faction.recover_on)
    if faction.second_chance_on:
        yield t("trait.second_chance", face=faction.second_chance_on)
    if faction.wounded_percent:
        yield t("trait.wounded_percent", percent=faction.wounded_percent)
    if faction.withdraws_anywhere:
        yield t("trait.withdraws_anywhere")
    if faction.losers_recover_as_winners:
        yield t("trait.losers_recover")
    if faction.corrupts:
        yield t("trait.corrupts")
    if faction.infests:
        yield t("trait.infests")
    if faction.claim_income:
        yield t("trait.claim_income", bp=faction.claim_income)
    if faction.enemy_claim_income:
        yield t("trait.enemy_claim_income", bp=faction.enemy_claim_income)
    if faction.pillage_percent != 50:
        yield t("trait.pillage", percent=faction.pillage_percent)
    if not faction.defend_bonus:
        yield t("trait.no_defend_bonus")
