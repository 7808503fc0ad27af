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

_NAMES_BY_RANGE = {
    (1, 99): (
        "Terrain.cost", "Building.min_level", "Faction.terrain_cost", "QuickBattle.pick_share",
        "Ruleset.mv", "Ruleset.convoy_mv", "Ruleset.road_divisor", "Ruleset.claim_divisor",
        "Ruleset.road_level",
    ),
    (0, 6): (
        "Terrain.road", "Building.shrinks_on", "DetachmentType.fewer_dead", "Ruleset.lose_dead",
        "Ruleset.win_dead", "Ruleset.win_wounded",
    ),
    (0, 1000): (
        "Building.income_percent", "Faction.stronghold_percent", "Faction.start_percent",
        "Faction.pillage_percent",
    ),
    (0, 9): (
        "Defence.sight", "DetachmentType.seen_from", "Faction.recover_on", "Ruleset.scout_sight",
        "Ruleset.capital_sight", "Ruleset.most_sight",
    ),
    (0, 99): (
        "DetachmentType.slots", "DetachmentType.mv", "DetachmentType.share", "Ruleset.reserve_mv",
        "Ruleset.reserve_distance", "Ruleset.start_urban_count", "Ruleset.start_resource_count",
        "Ruleset.urban_capital_distance", "Ruleset.resource_distance", "Ruleset.resource_capital_distance",
    ),
    (1, 9): ("DetachmentType.support_range", "Ruleset.recover_on"),
    (0, 100): ("Faction.wounded_percent", "Faction.blockaded_space_percent", "Ruleset.refund_percent"),
    (-20, 20): (
        "Strength.bonus", "Faction.mv_bonus", "QuickBattle.raid", "QuickBattle.planned",
        "QuickBattle.defend", "QuickBattle.underdog", "QuickBattle.supports_defender", "QuickBattle.front",
        "QuickBattle.flank", "QuickBattle.rear",
    ),
    (0, 20): ("Faction.strategy",),
    (-MAX_COUNT, MAX_COUNT): ("Faction.urban_income", "Ruleset.vp"),
    (0, 7): ("Faction.second_chance_on",),
    (-99, 1000): ("QuickBattle.damage",),
    (1, 7): ("QuickBattle.underdog_on", "Ruleset.discovery_on", "Ruleset.second_chance_on"),
    (1, MAX_COUNT): ("Ruleset.repair_divisor", "Ruleset.garrison_divisor"),
}  # fmt: skip
RANGES = {name: span for span, names in _NAMES_BY_RANGE.items() for name in names}
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
