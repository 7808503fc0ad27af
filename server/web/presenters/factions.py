"""What sets the factions of a ruleset apart, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from server.rules.ruleset import Faction, Ruleset
from server.web.translations import Translations


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
