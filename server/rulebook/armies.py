"""The table of army lists and their traits (8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from server.rulebook.markdown import listed, signed, table
from server.rules.ruleset import Faction, Ruleset

PLAIN = Faction("", "")
"""What an army list without traits has."""


def factions(rs: Ruleset) -> str:
    """Army lists and what sets them apart (8, D-71)."""
    rows = [
        (
            f"{each.name} (`{each.id}`)",
            each.strategy,
            ", ".join(rs.detachment_types[id_].name.lower() for id_ in each.detachment_types) or "none",
            "; ".join(_traits(rs, each)) or "none",
        )
        for each in rs.factions.values()
    ]
    return table(("Army list", "Strategy", "Special detachments", "Traits"), rows)


def _traits(rs: Ruleset, army: Faction) -> Iterator[str]:
    yield from _income_traits(rs, army)
    yield from _movement_traits(rs, army)
    if army.stronghold_percent != PLAIN.stronghold_percent:
        yield f"strongholds, but not their defences, at {army.stronghold_percent} % of the price, rounded up"
    if army.detachments_only_in_capital:
        yield "builds detachments only in the capital"
    if army.detachments_need_space_port:
        yield "builds detachments only in the capital and in urban hexes with a space port"
    if army.pure_land:
        yield "its hexes are neither corrupted nor infested"
    if army.second_chance_on:
        yield f"its special characters have their second chance on {army.second_chance_on}+"
    if not army.defend_bonus:
        yield "no quick-battle bonus on `defend`"
    if army.losers_recover_as_winners:
        yield "its lost models are rolled for as a winner's, even after a defeat"
    if army.recover_on:
        yield f"wounded models recover on {army.recover_on}+"
    if army.weapons_as:
        yield f"turret weapons as the {rs.factions[army.weapons_as].name}"
    if army.all_weapons:
        yield "every turret weapon at the dearer price"


def _income_traits(rs: Ruleset, army: Faction) -> Iterator[str]:
    if army.space_income is not None:
        yield f"{army.space_income} BP from space"
    if army.blockaded_space_percent:
        yield f"keeps {army.blockaded_space_percent} % of it while an enemy controls the system"
    names = {each.id: each.name.lower() for each in rs.urban}
    for ids, change in _grouped(army.urban_income):
        yield f"income of each {listed(names[each] for each in ids)} {signed(change)} BP"
    if army.claim_income:
        yield f"{army.claim_income} BP in the capital for each hex newly claimed"
    if army.enemy_claim_income:
        yield f"{army.enemy_claim_income} BP in the capital for each hex claimed from another player"
    if army.pillage_percent != PLAIN.pillage_percent:
        yield f"pillage is {army.pillage_percent} % of the value destroyed"
    if army.corrupts:
        yield "corrupts one neighbouring hex at the end of each turn"
    if army.infests:
        yield "infests the hexes it claims from others"


def _movement_traits(rs: Ruleset, army: Faction) -> Iterator[str]:
    if army.mv_bonus:
        yield f"all MV {signed(army.mv_bonus)}"
    for ids, cost in _grouped(army.terrain_cost):
        yield f"MV cost {cost} in {listed(rs.terrain[each].name.lower() for each in ids)}"
    if army.always_scouts:
        yield "always counts as having scouts"
    if army.never_scouts:
        yield "never has scouts"
    if army.scout_slots:
        yield f"scouts count only in the slot {listed(army.scout_slots)}"


def _grouped(changes: Mapping[str, int]) -> list[tuple[list[str], int]]:
    groups: dict[int, list[str]] = {}
    for id_, change in changes.items():
        groups.setdefault(change, []).append(id_)
    return [(ids, change) for change, ids in groups.items()]
