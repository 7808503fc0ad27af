"""The table of army lists and their traits (8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from server.rulebook.markdown import signed, table
from server.rulebook.words import Words
from server.rules.ruleset import Faction, Ruleset

PLAIN = Faction("", "")
"""What an army list without traits has."""


def factions(rs: Ruleset, w: Words) -> str:
    """Army lists and what sets them apart (8, D-71)."""
    rows = [
        (
            f"{w.name(faction.name)} (`{faction.id}`)",
            faction.strategy,
            ", ".join(w.inside(rs.detachment_types[id_].name) for id_ in faction.detachment_types) or w("none"),
            "; ".join(traits(rs, faction, w)) or w("none"),
        )
        for faction in rs.factions.values()
    ]
    return table((w("Army list"), w("Strategy"), w("Special detachments"), w("Traits")), rows)


def traits(rs: Ruleset, army: Faction, w: Words) -> Iterator[str]:
    """Yield what sets an army list apart, in sentences without a full stop."""
    yield from _income_traits(rs, army, w)
    yield from _movement_traits(rs, army, w)
    if army.stronghold_percent != PLAIN.stronghold_percent:
        yield w("strongholds, but not their defences, at {n} % of the price, rounded up", n=army.stronghold_percent)
    if army.detachments_only_in_capital:
        yield w("builds detachments only in the capital")
    if army.detachments_need_space_port:
        yield w("builds detachments only in the capital and in urban hexes with a space port")
    if army.pure_land:
        yield w("its hexes are neither corrupted nor infested")
    if army.second_chance_on:
        yield w("its special characters have their second chance on {n}+", n=army.second_chance_on)
    if not army.defend_bonus:
        yield w("no quick-battle bonus on `defend`")
    if army.losers_recover_as_winners:
        yield w("its lost models are rolled for as a winner's, even after a defeat")
    if army.recover_on:
        yield w("wounded models recover on {n}+", n=army.recover_on)
    if army.weapons_as:
        yield w("turret weapons as the {army}", army=w.name(rs.factions[army.weapons_as].name))
    if army.all_weapons:
        yield w("every turret weapon at the dearer price")


def _income_traits(rs: Ruleset, army: Faction, w: Words) -> Iterator[str]:
    if army.space_income is not None:
        yield w("{n} BP from space", n=army.space_income)
    if army.blockaded_space_percent:
        yield w("keeps {n} % of it while an enemy controls the system", n=army.blockaded_space_percent)
    names = {size.id: w.inside(size.name) for size in rs.urban}
    for ids, change in _grouped(army.urban_income):
        yield w("income of each {sizes} {n} BP", sizes=w.listed(names[id_] for id_ in ids), n=signed(change))
    if army.claim_income:
        yield w("{n} BP in the capital for each hex newly claimed", n=army.claim_income)
    if army.enemy_claim_income:
        yield w("{n} BP in the capital for each hex claimed from another player", n=army.enemy_claim_income)
    if army.pillage_percent != PLAIN.pillage_percent:
        yield w("pillage is {n} % of the value destroyed", n=army.pillage_percent)
    if army.corrupts:
        yield w("corrupts one neighbouring hex at the end of each turn")
    if army.infests:
        yield w("infests the hexes it claims from others")


def _movement_traits(rs: Ruleset, army: Faction, w: Words) -> Iterator[str]:
    if army.mv_bonus:
        yield w("all MV {n}", n=signed(army.mv_bonus))
    for ids, cost in _grouped(army.terrain_cost):
        yield w("MV cost {n} in {terrain}", n=cost, terrain=w.listed(w.inside(rs.terrain[id_].name) for id_ in ids))
    if army.always_scouts:
        yield w("always counts as having scouts")
    if army.never_scouts:
        yield w("never has scouts")
    if army.scout_slots:
        yield w("scouts count only in the slot {slots}", slots=w.listed(w(slot) for slot in army.scout_slots))


def _grouped(changes: Mapping[str, int]) -> list[tuple[list[str], int]]:
    groups: dict[int, list[str]] = {}
    for id_, change in changes.items():
        groups.setdefault(change, []).append(id_)
    return [(ids, change) for change, ids in groups.items()]
