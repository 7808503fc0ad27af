"""What defences cost, and how many a stronghold has room for (1.4.1-1.4.5)."""

from __future__ import annotations

from collections.abc import Mapping

from server.rules.ruleset import Defence, Faction, Ruleset, StrongholdType, Weapon
from server.rules.state import Stronghold

COUNTED = ("turrets", "towers", "walls", "bunkers")
"""Limits by number; the limit ``other`` is by BP spent (1.4.5)."""


OTHER = "other"


def weapon_price(faction: Faction, weapon: Weapon) -> int | None:
    """1.4.2, D-71a: what a turret weapon costs a faction, None where it may not have it."""
    column = faction.weapons_as or faction.id
    if column in weapon.preferred:
        return weapon.preferred_cost
    if column in weapon.allowed or faction.all_weapons:
        return weapon.cost
    return None


def price(ruleset: Ruleset, faction: Faction, stronghold: Stronghold, defence: Defence, weapon: str) -> int:
    """Return what a defence costs: with its weapon, and with the tower it is made from if there is none (D-24a)."""
    cost = defence.cost
    if defence.converts and not stronghold.defences.get(defence.converts):
        cost += ruleset.defences[defence.converts].cost
    if weapon:
        cost += weapon_price(faction, ruleset.weapons[weapon]) or 0
    return cost


def after(stronghold: Stronghold, defence: Defence) -> dict[str, int]:
    """Return the stronghold's defences with the new one; what it converts is used up (D-24a)."""
    defences = dict(stronghold.defences)
    if defence.converts and defences.get(defence.converts):
        defences[defence.converts] -= 1
    defences[defence.id] = defences.get(defence.id, 0) + 1
    return {id_: count for id_, count in sorted(defences.items()) if count}


def used(ruleset: Ruleset, defences: Mapping[str, int], limit: str) -> int:
    """Return how much of a limit defences take up: their number, or for ``other`` their BP (1.4.1, 1.4.5)."""
    here = [(ruleset.defences[id_], count) for id_, count in defences.items()]
    weigh = [(weapon.cost if limit == OTHER else 1) * count for weapon, count in here if limit in weapon.counts_as]
    return sum(weigh)


def limit_of(type_: StrongholdType, limit: str) -> int:
    """Return a limit of a type of stronghold (1.4.1)."""
    maximum: int = getattr(type_, limit)
    return maximum
