"""A ruleset as small as one can be, as plain data, and ways to change it."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from server.rules.ruleset import MOBILITIES, SLOTS

SMALL: dict[str, Any] = {
    "id": "small",
    "name": "Small",
    "version": "1",
    "ranks": [[0, "New", 1000], [10, "Old", 1200]],
    "movement": {
        "mv": dict.fromkeys(MOBILITIES, 4),
        "convoy_mv": 4,
        "convoy_mobility": "wheeled",
        "road_divisor": 2,
        "reserve_mv": 2,
        "reserve_distance": 2,
        "claim_divisor": 2,
    },
    "terrain": {
        "grass": {"name": "Grass", "cost": 2, "enter": ["infantry", "skimmer"], "road": 1},
        "water": {"name": "Water", "cost": 2, "enter": ["skimmer"], "road": 0, "land": False, "destroys": ["skimmer"]},
    },
    "sight": {"scout_sight": 1, "capital_sight": 1, "most_sight": 2},
    "claims": {
        "capital_vp": 25,
        "discovery_on": 6,
        "discovery": ["resource", "resource:mine", "urban:hut", "stronghold:fort", "cache", "vp:2"],
        "cache_bp": 10,
    },
    "start": {
        "capital_size": "hall",
        "capital_buildings": ["school"],
        "capital_stronghold": "fort",
        "start_bp": 100,
        "start_urban_count": 1,
        "start_resource_count": 1,
        "start_urban": ["hut", "hut", "hut", "hut", "hut", "hall"],
        "start_resource": ["mine"] * 6,
        "urban_capital_distance": 2,
        "resource_distance": 2,
        "resource_capital_distance": 2,
    },
    "economy": {
        "space_income": 10,
        "hex_income": 1,
        "convoy_least": 5,
        "road_cost": 5,
        "road_level": 2,
        "refund_percent": 50,
        "repair_divisor": 4,
        "garrison_divisor": 2,
    },
    "resources": [{"id": "mine", "name": "Mine", "income": 10}],
    "urban": [
        {"id": "hut", "name": "Hut", "cost": 10, "income": 5},
        {"id": "hall", "name": "Hall", "cost": 20, "income": 10},
    ],
    "buildings": {
        "yard": {"name": "Yard", "min_level": 1, "cost": 5, "maintenance": 1, "allows": ["troops"]},
        "school": {"name": "School", "min_level": 2, "cost": 5, "maintenance": 1, "upgrades": "yard"},
    },
    "strongholds": [
        {
            "id": "fort",
            "name": "Fort",
            "cost": 10,
            "garrison": 100,
            "turrets": 1,
            "towers": 1,
            "walls": 1,
            "bunkers": 1,
            "other": 10,
        },
    ],
    "defences": {
        "tower": {"name": "Tower", "cost": 5, "counts_as": ["towers"]},
        "gun_tower": {"name": "Gun tower", "cost": 0, "counts_as": ["towers"], "converts": "tower", "armed": True},
    },
    "weapons": {
        "gun": {"name": "Gun", "cost": 9, "preferred_cost": 7, "allowed": ["owls"], "preferred": ["cats"]},
    },
    "detachment_types": {
        "standard": {"name": "Standard", "slots": {slot: [0, 3] for slot in SLOTS}},
        "pack": {"name": "Pack", "share": 3, "mv": 8},
    },
    "factions": {
        "cats": {"name": "Cats", "detachment_types": ["pack"], "terrain_cost": {"grass": 1}},
        "owls": {"name": "Owls", "urban_income": {"hut": -5}, "building_names": {"yard": "Nest"}},
    },
    "quick_battle": {
        "damage": [[8, 100], [2, 50]],
        "damage_below": 10,
        "raid": -1,
        "planned": 1,
        "defend": 1,
        "underdog_on": 6,
        "underdog": 1,
        "supports_defender": 2,
        "front": 1,
        "flank": 2,
        "rear": 3,
        "pick_share": 4,
    },
    "battles": {
        "vp": [[100, 1], [-100, 2]],
        "vp_below": 3,
        "battle_dxp": 2,
        "lose_dead": 3,
        "win_dead": 2,
        "win_wounded": 4,
        "second_chance_on": 4,
        "recover_on": 6,
        "recover_capital": 2,
        "recover_place": 1,
    },
}
"""A whole ruleset, as small as one can be and still have everything once."""

GONE = object()
"""Instead of a value: the key is left out."""


def keys(data: Any, before: str = "") -> Iterator[str]:
    """Yield the dotted key of every value in the data."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inner:
        yield f"{before}{key}"
        yield from keys(value, f"{before}{key}.")


def changed(*changes: tuple[str, Any], data: dict[str, Any] = SMALL) -> dict[str, Any]:
    """Return the small ruleset with the values at dotted keys set, or gone."""
    data = copy.deepcopy(data)
    for key, value in changes:
        *way, last = (int(part) if part.isdigit() else part for part in key.split("."))
        at: Any = data
        for part in way:
            at = at[part]
        if value is GONE:
            del at[last]
        else:
            at[last] = value
    return data
