"""Reads the ``[expect]`` part of a case: which fields may be named, and of what kind they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from server.cases.model import Expect
from server.cases.table import Table

_UNIT = {"ready": "integer", "wounded": "integer", "damaged": "boolean", "gone": "boolean"}
_GARRISON = {"at": "text", "destroyed": "boolean", "points": "integer", "owner": "text", "units": "units"}
_DETACHMENT = _GARRISON | {"dxp": "integer", "battle_order": "text"}
_CONVOY = {"owner": "text", "at": "text", "bp": "integer", "destroyed": "boolean"}
_HEX = {
    "owner": "text",
    "urban": "text",
    "stronghold": "text",
    "resource": "text",
    "bp": "integer",
    "buildings": "texts",
    "defences": "counts",
    "roads": "texts",
    "corrupted": "boolean",
    "infested": "text",
    "convoys": "counts",
    "under_construction": "works",
}
_PLAYER = {"vp": "number", "eliminated": "boolean", "sees": "texts"}
_BATTLE = {
    "none": "boolean",
    "attacker": "text",
    "defender": "text",
    "kind": "text",
    "defending": "boolean",
    "supporters": "sides",
    "attacker_modifier": "number",
    "defender_modifier": "number",
    "attacker_damage": "number",
    "defender_damage": "number",
    "winner": "text",
    "vp": "number",
    "pillage": "number",
}
_CAMPAIGN = {"over": "boolean", "winner": "text"}
_WORKS = {"name": "text", "turns": "integer"}
_ALONE = ("destroyed", "gone", "none")
"""Where one of these is true there is nothing else to look at."""

Fields = dict[str, Any]


def read_expect(table: Table) -> Expect:
    """Read what must be true."""
    expect = Expect(
        rejected=_rejected(table),
        events=tuple(_event(entry) for entry in table.tables("events")),
        detachments=_things(table, "detachments", _DETACHMENT),
        garrisons=_things(table, "garrisons", _GARRISON),
        convoys=_things(table, "convoys", _CONVOY),
        hexes=_things(table, "hexes", _HEX),
        players=_things(table, "players", _PLAYER),
        battles=_things(table, "battles", _BATTLE),
        campaign=_fields(table.table("campaign"), _CAMPAIGN),
    )
    table.finish()
    return expect


def _rejected(table: Table) -> dict[int, str]:
    found: dict[int, str] = {}
    for entry in table.tables("rejected"):
        order = entry.integer("order")
        if order in found:
            entry.note("order", f"order {order} is named twice")
        found[order] = entry.text("code")
        entry.finish()
    return found


def _event(table: Table) -> Fields:
    table.text("type")
    if table.has("to"):
        table.texts("to")
    return dict(table.given)


def _things(table: Table, name: str, kinds: Mapping[str, str]) -> dict[str, Fields]:
    return {id_: _fields(entry, kinds) for id_, entry in table.table(name).each()}


def _fields(table: Table, kinds: Mapping[str, str]) -> Fields:
    found = {name: _value(table, name, kind) for name, kind in kinds.items() if table.has(name)}
    table.finish()
    for name in _ALONE:
        if found.get(name) is True and len(found) > 1:
            table.note(name, "what is not there has no other fields")
    return found


def _value(table: Table, name: str, kind: str) -> Any:
    match kind:
        case "text":
            return table.text(name)
        case "integer":
            return table.integer(name)
        case "number":
            return table.integer(name, -1_000_000)
        case "boolean":
            return table.boolean(name)
        case "texts":
            return sorted(table.texts(name))
        case "counts":
            inner = table.table(name)
            return {key: inner.integer(key) for key in inner.given}
        case "sides":
            inner = table.table(name)
            return {key: inner.text(key) for key in inner.given}
        case "works":
            return _fields(table.table(name), _WORKS)
        case _:
            return {id_: _fields(entry, _UNIT) for id_, entry in table.table(name).each()}
