"""The limits of a ruleset's values: their places, sizes and words.

A field is named as ``Class.field``. Fields not named in a table here have no limits of their own.
"""

from __future__ import annotations

import re

from server.rules.ruleset.nouns import BIKE, DEMANDS, FLAGS, MOBILITIES, SLOTS

SECTIONS = {
    "movement": (
        "mv", "convoy_mv", "convoy_mobility", "road_divisor", "reserve_mv", "reserve_distance", "claim_divisor",
    ),
    "economy": (
        "space_income", "hex_income", "convoy_least", "road_cost", "road_level", "refund_percent", "repair_divisor",
        "garrison_divisor",
    ),
    "start": (
        "capital_size", "capital_buildings", "capital_stronghold", "start_bp", "start_urban_count",
        "start_resource_count", "start_urban", "start_resource", "urban_capital_distance", "resource_distance",
        "resource_capital_distance",
    ),
    "sight": ("scout_sight", "capital_sight", "most_sight"),
    "claims": ("capital_vp", "discovery_on", "discovery", "cache_bp"),
    "battles": (
        "vp", "battle_dxp", "lose_dead", "win_dead", "win_wounded", "second_chance_on", "recover_on",
        "recover_capital", "recover_place",
    ),
}  # fmt: skip
"""Sections of the data, and the fields of the ruleset that stand in each."""

MAX_COUNT = 1_000_000
MAX_ROWS = 1_000
MAX_TEXT_LENGTH = 200
"""The greatest number, the most rows of a list or table, and the most characters of a text."""

BELOW = ("QuickBattle.damage", "Ruleset.vp")
"""Tables with a last row for everything below."""

FACES = ("Ruleset.start_urban", "Ruleset.start_resource", "Ruleset.discovery")
"""Lists with a value for each face of a die; others name nothing twice."""

RANGES = {
    "Terrain.cost": (1, 99),
    "Terrain.road": (0, 6),
    "Building.min_level": (1, 99),
    "Building.income_percent": (0, 1000),
    "Building.shrinks_on": (0, 6),
    "Defence.sight": (0, 9),
    "DetachmentType.slots": (0, 99),
    "DetachmentType.mv": (0, 99),
    "DetachmentType.share": (0, 99),
    "DetachmentType.seen_from": (0, 9),
    "DetachmentType.support_range": (1, 9),
    "DetachmentType.fewer_dead": (0, 6),
    "Faction.wounded_percent": (0, 100),
    "Strength.bonus": (-20, 20),
    "Faction.strategy": (0, 20),
    "Faction.urban_income": (-MAX_COUNT, MAX_COUNT),
    "Faction.terrain_cost": (1, 99),
    "Faction.mv_bonus": (-20, 20),
    "Faction.stronghold_percent": (0, 1000),
    "Faction.start_percent": (0, 1000),
    "Faction.recover_on": (0, 9),
    "Faction.second_chance_on": (0, 7),
    "Faction.pillage_percent": (0, 1000),
    "Faction.blockaded_space_percent": (0, 100),
    "QuickBattle.damage": (-99, 1000),
    "QuickBattle.raid": (-20, 20),
    "QuickBattle.planned": (-20, 20),
    "QuickBattle.defend": (-20, 20),
    "QuickBattle.underdog_on": (1, 7),
    "QuickBattle.underdog": (-20, 20),
    "QuickBattle.supports_defender": (-20, 20),
    "QuickBattle.front": (-20, 20),
    "QuickBattle.flank": (-20, 20),
    "QuickBattle.rear": (-20, 20),
    "QuickBattle.pick_share": (1, 99),
    "Ruleset.mv": (1, 99),
    "Ruleset.convoy_mv": (1, 99),
    "Ruleset.road_divisor": (1, 99),
    "Ruleset.reserve_mv": (0, 99),
    "Ruleset.reserve_distance": (0, 99),
    "Ruleset.claim_divisor": (1, 99),
    "Ruleset.road_level": (1, 99),
    "Ruleset.refund_percent": (0, 100),
    "Ruleset.repair_divisor": (1, MAX_COUNT),
    "Ruleset.garrison_divisor": (1, MAX_COUNT),
    "Ruleset.start_urban_count": (0, 99),
    "Ruleset.start_resource_count": (0, 99),
    "Ruleset.urban_capital_distance": (0, 99),
    "Ruleset.resource_distance": (0, 99),
    "Ruleset.resource_capital_distance": (0, 99),
    "Ruleset.scout_sight": (0, 9),
    "Ruleset.capital_sight": (0, 9),
    "Ruleset.most_sight": (0, 9),
    "Ruleset.discovery_on": (1, 7),
    "Ruleset.vp": (-MAX_COUNT, MAX_COUNT),
    "Ruleset.lose_dead": (0, 6),
    "Ruleset.win_dead": (0, 6),
    "Ruleset.win_wounded": (0, 6),
    "Ruleset.second_chance_on": (1, 7),
    "Ruleset.recover_on": (1, 9),
}
"""Minimum and maximum of a number, if they are not 0 and a million."""

ALLOWED_VALUES: dict[str, tuple[str, ...] | str] = {
    "Terrain.enter": MOBILITIES,
    "Terrain.destroys": MOBILITIES,
    "Building.upgrades": "buildings",
    "Building.allows": (*SLOTS, "vehicle", "light_vehicle"),
    "Building.heals": ("wounded", "damaged"),
    "Building.income_needs": "strongholds",
    "Defence.counts_as": ("turrets", "towers", "walls", "bunkers", "other"),
    "Defence.converts": "defences",
    "Defence.forbidden": "factions",
    "Weapon.allowed": "factions",
    "Weapon.preferred": "factions",
    "DetachmentType.slots": SLOTS,
    "DetachmentType.mobility": MOBILITIES,
    "DetachmentType.asks": DEMANDS,
    "Strength.role": ("attacker", "defender", "supporter"),
    "Strength.factions": "factions",
    "Strength.detachment_types": "detachment_types",
    "Strength.when": ("from_orbit", "no_vehicles", "unprepared", "stronghold", "open", "raid"),
    "Faction.detachment_types": "detachment_types",
    "ReadyUnit.slot": SLOTS,
    "ReadyUnit.mobility": MOBILITIES,
    "ReadyUnit.flags": FLAGS,
    "Faction.weapons_as": "factions",
    "Faction.building_names": "buildings",
    "Faction.urban_income": "urban",
    "Faction.terrain_cost": "terrain",
    "Faction.scout_slots": SLOTS,
    "Ruleset.least_points": (*MOBILITIES, BIKE),
    "Ruleset.mv": MOBILITIES,
    "Ruleset.convoy_mobility": MOBILITIES,
    "Ruleset.capital_size": "urban",
    "Ruleset.capital_buildings": "buildings",
    "Ruleset.capital_stronghold": "strongholds",
    "Ruleset.start_urban": "urban",
    "Ruleset.start_resource": "resources",
}
"""Values a field (for a table: its keys) may hold: these, or the ids of the named part of the data."""

COMPLETE = ("Ruleset.mv", "DetachmentType.slots")
"""Tables that must have every one of their words as a key."""

FILLED = (
    "Strength.role", "Terrain.enter", "Defence.counts_as", "QuickBattle.damage", "Ruleset.terrain", "Ruleset.urban",
    "Ruleset.resources",
    "Ruleset.buildings", "Ruleset.strongholds", "Ruleset.detachment_types", "Ruleset.ranks", "Ruleset.factions",
    "Ruleset.vp",
)  # fmt: skip
"""Lists and tables that must not be empty."""

ID = re.compile(r"[a-z][a-z0-9_]{0,39}")
RULESET_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
"""Ids of the things a ruleset defines, and its own."""
