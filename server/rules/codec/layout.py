"""The layout of what is written: for each noun its fields, and what kind of JSON value each is.

Hexes are labels (D-01), amounts whole numbers (D-03), the id key hexadecimal. Adding, renaming or dropping a field
changes every hash and asks for another :data:`FORMAT`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType
from typing import Any

FORMAT = 1
"""Number of the layout written here; raised when a reader of the old one would go wrong."""

Json = dict[str, Any]
Kinds = Mapping[str, tuple[type, ...]]
"""Fields by name, and the types each may have."""

TEXT, WHOLE, TRUTH, LIST, TABLE, MAYBE = (str,), (int,), (bool,), (list,), (dict,), (int, NoneType)
"""The types a value of that kind has in Python; ``MAYBE`` is a whole number or null."""

STATE: Kinds = {
    "format": WHOLE, "board": TABLE, "ruleset": TABLE, "settings": TABLE, "players": LIST, "turn": WHOLE,
    "phase": TEXT, "owner": TABLE, "discovered": LIST, "urban": TABLE, "stronghold": TABLE, "resource": TABLE,
    "store": TABLE, "harvest": TABLE, "roads": LIST, "corrupted": TABLE, "infested": TABLE,
    "detachments": TABLE, "garrisons": TABLE, "convoys": TABLE, "battles": LIST, "lost_characters": LIST,
    "system_control": TEXT, "winners": LIST, "ended_by": TEXT, "id_key": TEXT,
}  # fmt: skip
SETTINGS: Kinds = {
    "alliances": TRUTH, "shared_sight": TRUTH, "capital_eliminates": TRUTH, "victory_points": WHOLE,
    "territory": WHOLE, "turn_limit": WHOLE, "last_standing": TRUTH, "muster": TRUTH, "battles": TEXT,
    "fleet": TRUTH, "start_bp": MAYBE, "start_urban_count": MAYBE, "start_resource_count": MAYBE,
    "named_ids": TRUTH,
}  # fmt: skip
LATER_SETTINGS: Mapping[str, int] = {"readings": 1, "next_readings": 0}
"""Settings that the first records do not have, and what that means; whole numbers, written where they differ."""
PLAYER: Kinds = {
    "id": TEXT, "faction": TEXT, "strategy": WHOLE, "vp": WHOLE, "eliminated": TRUTH, "allies": LIST,
    "declared": LIST, "serial": WHOLE, "start_urban": LIST, "start_resource": LIST, "met": LIST,
}  # fmt: skip
URBAN: Kinds = {
    "size": TEXT, "buildings": LIST, "race": TEXT, "capital": TEXT, "changed": WHOLE, "road": WHOLE,
    "disbanded": WHOLE,
}  # fmt: skip
STRONGHOLD: Kinds = {"type": TEXT, "defences": TABLE, "weapons": LIST, "changed": WHOLE}
UNIT: Kinds = {
    "id": TEXT, "name": TEXT, "slot": TEXT, "models": WHOLE, "points": WHOLE, "mobility": TEXT, "flags": LIST,
    "bombardment": WHOLE, "ready": WHOLE, "wounded": WHOLE, "damaged": TRUTH,
}  # fmt: skip
DETACHMENT: Kinds = {
    "owner": TEXT, "name": TEXT, "type": TEXT, "at": TEXT, "units": LIST, "dxp": WHOLE, "mounted": TRUTH,
    "battle_order": TEXT, "ready_in": WHOLE, "pinned": TRUTH,
}  # fmt: skip
GARRISON: Kinds = {"owner": TEXT, "at": TEXT, "units": LIST}
CONVOY: Kinds = {"owner": TEXT, "at": TEXT, "bp": WHOLE}
BATTLE: Kinds = {
    "hex": TEXT, "attacker": TEXT, "defender": TEXT, "kind": TEXT, "attacking": TEXT, "defended_by": TEXT,
    "origin": TEXT, "defending": TRUTH, "supporters": TABLE, "tabletop": TRUTH, "attacker_modifier": MAYBE,
    "defender_modifier": MAYBE, "attacker_damage": MAYBE, "defender_damage": MAYBE, "winner": TEXT, "vp": WHOLE,
    "pillage": WHOLE,
}  # fmt: skip
EVENT: Kinds = {"type": TEXT, "fields": TABLE, "to": LIST, "public": TRUTH}
WORDS = {
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
    NoneType: "null",
}
"""What each type is called where it is missed."""
