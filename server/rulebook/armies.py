"""The table of army lists and their traits (8)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from server.rulebook.markdown import TableTranslations, signed, table
from server.rules.ruleset import Faction, Ruleset

PLAIN = Faction("", "")
"""What an army list without traits has."""


def factions(rs: Ruleset, t: TableTranslations) -> str:
    """Army lists and what sets them apart (8, D-71)."""
    rows = [
        (
            f"{t.called(faction.name)} (`{faction.id}`)",
            faction.strategy,
            ", ".join(t.inside(rs.detachment_types[id_].name) for id_ in faction.detachment_types) or t("none"),
            "; ".join(traits(rs, faction, t)) or t("none"),
        )
        for faction in rs.factions.values()
    ]
    return table((t("Army list"), t("Strategy"), t("Special detachments"), t("Traits")), rows)


def traits(rs: Ruleset, army: Faction, t: TableTranslations) -> Iterator[str]:
    """Yield what sets an army list apart, in sentences without a full stop."""
    yield from _income_traits(rs, army, t)
    yield from _movement_traits(rs, army, t)
    if army.stronghold_percent != PLAIN.stronghold_percent:
        yield t("strongholds, but not their defences, at {n} % of the price, rounded up", n=army.stronghold_percent)
    if army.detachments_only_in_capital:
        yield t("builds detachments only in the capital")
    if army.detachments_need_space_port:
        yield t("builds detachments only in the capital and in settlements with a space port")
    if army.pure_land:
        yield t("its hexes are neither corrupted nor infested")
    yield from _battle_traits(army, t)
    if army.recover_on:
        yield t("wounded models recover on {n}+", n=army.recover_on)
    if army.weapons_as:
        yield t("turret weapons as the {army}", army=t.called(rs.factions[army.weapons_as].name))
    if army.all_weapons:
        yield t("every turret weapon at the dearer price")


def _battle_traits(army: Faction, t: TableTranslations) -> Iterator[str]:
    if army.second_chance_on:
        yield t("its special characters have their second chance on {n}+", n=army.second_chance_on)
    if not army.defend_bonus:
        yield t("no quick-battle bonus on `defend`")
    if army.wounded_percent:
        yield t("{n} % of its wounded points count for the damage it does in quick battles", n=army.wounded_percent)
    if army.withdraws_anywhere:
        yield t("withdraws into any empty hex it may enter")
    if army.losers_recover_as_winners:
        yield t("its lost models are rolled for as a winner's, even after a defeat")


def _income_traits(rs: Ruleset, army: Faction, t: TableTranslations) -> Iterator[str]:
    if army.start_percent != PLAIN.start_percent:
        yield t("{n} % of the BP at the start", n=army.start_percent)
    if army.space_income is not None:
        yield t("{n} BP from space", n=army.space_income)
    if army.blockaded_space_percent:
        yield t("keeps {n} % of it while an enemy controls the system", n=army.blockaded_space_percent)
    names = {size.id: t.inside(size.name) for size in rs.urban}
    for ids, change in _grouped(army.urban_income):
        yield t("income of each {sizes} {n} BP", sizes=t.listed(names[id_] for id_ in ids), n=signed(change))
    if army.claim_income:
        yield t("{n} BP in the capital for each hex newly claimed", n=army.claim_income)
    if army.enemy_claim_income:
        yield t("{n} BP in the capital for each hex claimed from another player", n=army.enemy_claim_income)
    if army.pillage_percent != PLAIN.pillage_percent:
        yield t("loot is {n} % of the value destroyed", n=army.pillage_percent)
    if army.corrupts:
        yield t("corrupts one neighbouring enemy hex at the end of each turn")
    if army.infests:
        yield t("infests the hexes it claims from others")


def _movement_traits(rs: Ruleset, army: Faction, t: TableTranslations) -> Iterator[str]:
    if army.mv_bonus:
        yield t("all MV {n}", n=signed(army.mv_bonus))
    for ids, cost in _grouped(army.terrain_cost):
        yield t("MV cost {n} in {terrain}", n=cost, terrain=t.listed(t.inside(rs.terrain[id_].name) for id_ in ids))
    if army.always_scouts:
        yield t("always counts as having scouts")
    if army.never_scouts:
        yield t("never has scouts")
    if army.scout_slots:
        yield t("scouts count only in the slot {slots}", slots=t.listed(t(slot) for slot in army.scout_slots))


def _grouped(changes: Mapping[str, int]) -> list[tuple[list[str], int]]:
    groups: dict[int, list[str]] = {}
    for id_, change in changes.items():
        groups.setdefault(change, []).append(id_)
    return [(ids, change) for change, ids in groups.items()]


WRITTEN = "played"
"""The folder of records: what ``sealed-orders balance --json`` printed, by ruleset."""


@cache
def record_of(ruleset: str) -> Mapping[str, Any]:
    """Return what was recorded for a ruleset; empty for one that nobody has measured."""
    file = files("server.rulebook").joinpath(WRITTEN, f"{ruleset}.json")
    found: Mapping[str, Any] = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    return found


def balance(rs: Ruleset, t: TableTranslations) -> str:
    """Wins of each army list and of each strategy value over their fair share, with 95 % intervals."""
    found = record_of(rs.id)
    lists = [(t.called(rs.factions[line["name"]].name), line) for line in found.get("lists", ())]
    values = [(t("strategy {n}", n=line["name"]), line) for line in found.get("strategies", ())]
    rows = [
        (
            name,
            line["games"],
            f"{line['ratio']:.2f}",
            t("{a} to {b}", a=f"{line['low']:.2f}", b=f"{line['high']:.2f}"),
        )
        for name, line in (*lists, *values)
    ]
    return table((t("Army list"), t("Appearances"), t("Of its fair share"), "95 %"), rows)
