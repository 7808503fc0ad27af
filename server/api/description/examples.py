"""An example for everything that has a schema: put together from the examples, defaults and words of its parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Schemas = Mapping[str, Any]

BY_NAME: Mapping[str, Any] = {
    "after": 500,
    "answer": "I held.",
    "answered_by": "p2",
    "at": "2026-03-01T20:00:00Z",
    "attacker": "5f2c1a90b7de",
    "attacking": "p1",
    "before": 100,
    "body": "Shall we share the river?",
    "branch": 1,
    "campaign": "The Thirteen Towers",
    "campaign_id": "k3v9x2m4qp7rw8ta",
    "chain_hash": "2c26b46b68ffc68f",
    "code": "stale_revision",
    "columns": 13,
    "csrf_token": "b94d27b9934d3e08",
    "defended_by": "p2",
    "description": "A campaign for our club.",
    "detachment_type": "standard",
    "digest": "9f86d081884c7d65",
    "email": "ann@example.org",
    "faction": "homesteaders",
    "factions": ["homesteaders", "wardens"],
    "force": "5f2c1a90b7de",
    "format": "standard",
    "gm": "Ann",
    "hex": "0405",
    "id": "q8w2n5c7xr4tz6hd",
    "key": "0405",
    "kind": "statement",
    "kinds": ["phase_opened"],
    "last_error": "the receiver answered 500",
    "locale": "en",
    "name": "Ann",
    "next": "WzQxXQ",
    "note": "A close thing.",
    "number": 12,
    "phase": "build",
    "player": "p1",
    "player_counts": [2],
    "player_id": "p1",
    "purpose": "sign_in",
    "reason": "battle",
    "reply_to": "q8w2n5c7xr4tz6hd",
    "reported_by": "p1",
    "revision": 7,
    "rows": 12,
    "rule": "3.1",
    "ruleset": "frontier",
    "ruleset_version": "1",
    "salt": "b7e23ec29af2",
    "scenario": "the-pass",
    "scenario_title": "The Pass",
    "scopes": ["read", "orders"],
    "seat": "p2",
    "secret": "so_5d41402abc4b2a76",
    "sees": ["0405", "0505"],
    "sender": "p1",
    "source": "api",
    "state_hash": "9f86d081884c7d65",
    "status": "running",
    "strength": "elite",
    "subject": "The river",
    "summary": "A duel over one mountain pass.",
    "text": "I held.",
    "time_zone": "Europe/Berlin",
    "title": "The Pass",
    "to": ["p2"],
    "token": "so_5d41402abc4b2a76",
    "toward": "p2",
    "turn": 3,
    "turn_limit": 20,
    "undecided": ["0405"],
    "underdog": "p2",
    "unit": "5f2c1a90b7de/1",
    "url": "https://hooks.example.org/campaign",
    "user_id": "u4k8s2m6xq9wz3ra",
    "version": "1",
    "viewer": "p1",
    "waiting_for": ["p2"],
    "what": "store",
    "why": "The club is on holiday.",
    "winner": "p1",
}
"""Examples for fields whose models have none."""
PLACES: Mapping[str, str] = {
    "army_id": "Id of the army.",
    "block_id": "Id of the block.",
    "bot_id": "Id of the bot's account.",
    "code": "The error code.",
    "cursor": "`next` of the page before; empty: the first page.",
    "delivery_id": "Id of the delivery.",
    "grey": "Without colours, for printers.",
    "limit": "The most entries of a page.",
    "message_id": "Id of the message.",
    "mission_id": "Id of the mission.",
    "number": "Its number.",
    "picture_id": "Id of the picture.",
    "report_id": "Id of the report.",
    "scenario_id": "Id of the scenario.",
    "seat": "Id of the seat, such as p1; left out: your own.",
    "side": "The side of the table.",
    "status": "Only those in this status.",
    "story_id": "Id of the story.",
    "subscription_id": "Id of the subscription.",
    "table_id": "Id of the table game.",
    "template_id": "Id of the template.",
    "text": "Only those whose name contains this.",
    "token_id": "Id of the token.",
    "upload_id": "Id of the upload.",
    "user_id": "Id of the account.",
    "webhook_id": "Id of the webhook.",
}
"""Descriptions of parameters of addresses and queries."""
PLACE_EXAMPLES: Mapping[str, str] = {
    "mission_id": "patrol", "picture_id": "1", "scenario_id": "the-pass", "side": "red"
}  # fmt: skip
"""Examples of parameters of addresses that differ from those of fields of the same name."""
_FORMATS = {
    "date-time": "2026-03-01T20:00:00Z",
    "date": "2026-03-01",
    "uri": "https://example.org",
    "binary": "(bytes)",
}
_PLAIN: Mapping[str, Any] = {"string": "text", "integer": 1, "number": 0.5, "boolean": True, "null": None}
_DEEPEST = 8


def example(schema: Mapping[str, Any], schemas: Schemas, name: str = "", depth: int = 0) -> Any:
    """Return an example for a schema; *name* is the field's."""
    if "$ref" in schema:
        return example(schemas[schema["$ref"].rpartition("/")[2]], schemas, name, depth)
    for key in ("example", "const"):
        if key in schema:
            return schema[key]
    if schema.get("examples"):
        return schema["examples"][0]
    if schema.get("enum"):
        return schema["enum"][0]
    for key in ("anyOf", "oneOf", "allOf"):
        if schema.get(key):
            return example(schema[key][0], schemas, name, depth)
    if schema.get("type") == "object":
        return _object(schema, schemas, depth)
    if schema.get("type") == "array":
        return _array(schema, schemas, name, depth)
    return _scalar(schema, name)


def _object(schema: Mapping[str, Any], schemas: Schemas, depth: int) -> dict[str, Any]:
    needed = schema.get("required", ())
    return {
        field: example(field_schema, schemas, field, depth + 1)
        for field, field_schema in schema.get("properties", {}).items()
        if field in needed or (depth < _DEEPEST and not needed) or (depth == 0 and field_schema.get("examples"))
    }


def _array(schema: Mapping[str, Any], schemas: Schemas, name: str, depth: int) -> list[Any]:
    if BY_NAME.get(name) and isinstance(BY_NAME[name], list):
        return list(BY_NAME[name])
    if "prefixItems" in schema:
        return [example(item, schemas, "", depth + 1) for item in schema["prefixItems"]]
    items = schema.get("items", {})
    if not items or depth > _DEEPEST:
        return []
    return [example(items, schemas, name.removesuffix("s"), depth + 1)] * max(1, schema.get("minItems", 1))


def _scalar(schema: Mapping[str, Any], name: str) -> Any:
    kind = schema.get("type", "string")
    known = BY_NAME.get(name, BY_NAME["id"] if name.endswith("_id") else None)
    if kind == "string" and "format" in schema:
        return _FORMATS[schema["format"]]
    if kind == "string" and isinstance(known, str):
        return known
    if kind == "integer" and type(known) is int:
        return known
    if kind in ("integer", "number") and "minimum" in schema:
        return schema["minimum"]
    return schema.get("default", _PLAIN[kind])
