"""The layout of written states: the fields of each noun and their kinds of JSON value.

Hexes are labels (D-01), amounts whole numbers (D-03), the id key hexadecimal. Adding, renaming or dropping a field
changes every hash and asks for another :data:`FORMAT`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType
from typing import Any

FORMAT = 1
"""Number of the layout written here; raised when a reader of the old layout would fail."""

Json = dict[str, Any]
Kinds = Mapping[str, tuple[type, ...]]
"""Fields by name, and the types each may have."""

TEXT, INTEGER, BOOLEAN, LIST, TABLE, MAYBE = (str,), (int,), (bool,), (list,), (dict,), (int, NoneType)
"""The types a value of that kind has in Python; ``MAYBE`` is a whole number or null."""

STATE: Kinds = {
    "format": INTEGER, "board": TABLE, "ruleset": TABLE, "settings": TABLE, "players": LIST, "turn": INTEGER,
    "phase": TEXT, "owner": TABLE, "discovered": LIST, "urban": TABLE, "stronghold": TABLE, "resource": TABLE,
    "store": TABLE, "harvest": TABLE, "roads": LIST, "corrupted": TABLE, "infested": TABLE,
    "detachments": TABLE, "garrisons": TABLE, "convoys": TABLE, "battles": LIST, "lost_characters": LIST,
    "system_control": TEXT, "winners": LIST, "ended_by": TEXT, "id_key": TEXT,
}  # fmt: skip
SETTINGS: Kinds = {
    "alliances": BOOLEAN, "shared_sight": BOOLEAN, "capital_eliminates": BOOLEAN, "victory_points": INTEGER,
    "territory": INTEGER, "turn_limit": INTEGER, "last_standing": BOOLEAN, "muster": BOOLEAN, "battles": TEXT,
    "fleet": BOOLEAN, "start_bp": MAYBE, "start_urban_count": MAYBE, "start_resource_count": MAYBE,
    "named_ids": BOOLEAN,
}  # fmt: skip
LATER_SETTINGS: Mapping[str, int | bool] = {"readings": 1, "next_readings": 0, "least_prices": False, "truce": 0}
"""Settings that the first records do not have, and what that means; written where they differ."""
PLAYER: Kinds = {
    "id": TEXT, "faction": TEXT, "strategy": INTEGER, "vp": INTEGER, "eliminated": BOOLEAN, "allies": LIST,
    "declared": LIST, "serial": INTEGER, "start_urban": LIST, "start_resource": LIST, "met": LIST,
}  # fmt: skip
URBAN: Kinds = {
    "size": TEXT, "buildings": LIST, "race": TEXT, "capital": TEXT, "changed": INTEGER, "road": INTEGER,
    "disbanded": INTEGER,
}  # fmt: skip
STRONGHOLD: Kinds = {"type": TEXT, "defences": TABLE, "weapons": LIST, "changed": INTEGER}
UNIT: Kinds = {
    "id": TEXT, "name": TEXT, "slot": TEXT, "models": INTEGER, "points": INTEGER, "mobility": TEXT, "flags": LIST,
    "bombardment": INTEGER, "ready": INTEGER, "wounded": INTEGER, "damaged": BOOLEAN,
}  # fmt: skip
DETACHMENT: Kinds = {
    "owner": TEXT, "name": TEXT, "type": TEXT, "at": TEXT, "units": LIST, "dxp": INTEGER, "mounted": BOOLEAN,
    "battle_order": TEXT, "ready_in": INTEGER, "pinned": BOOLEAN,
}  # fmt: skip
GARRISON: Kinds = {"owner": TEXT, "at": TEXT, "units": LIST}
CONVOY: Kinds = {"owner": TEXT, "at": TEXT, "bp": INTEGER}
BATTLE: Kinds = {
    "hex": TEXT, "attacker": TEXT, "defender": TEXT, "kind": TEXT, "attacking": TEXT, "defended_by": TEXT,
    "origin": TEXT, "defending": BOOLEAN, "supporters": TABLE, "tabletop": BOOLEAN, "attacker_modifier": MAYBE,
    "defender_modifier": MAYBE, "attacker_damage": MAYBE, "defender_damage": MAYBE, "winner": TEXT, "vp": INTEGER,
    "pillage": INTEGER,
}  # fmt: skip
EVENT: Kinds = {"type": TEXT, "fields": TABLE, "to": LIST, "public": BOOLEAN}
TYPE_NAMES = {
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
    NoneType: "null",
}
"""What each type is called where it is missed."""
