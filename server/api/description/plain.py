"""The small pieces that schemas are made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Schema = dict[str, Any]
"""A JSON Schema (2020-12), as OpenAPI 3.1 has it."""

WHERE = "#/components/schemas/"


def ref(name: str) -> Schema:
    """Refer to a schema of the components."""
    return {"$ref": WHERE + name}


def text(example: str = "", description: str = "", **more: Any) -> Schema:
    """Return the schema of a text."""
    return _with({"type": "string"} | more, example, description)


def integer(example: int | None = None, description: str = "", **more: Any) -> Schema:
    """Return the schema of a whole number."""
    return _with({"type": "integer"} | more, example, description)


def boolean(description: str = "") -> Schema:
    """Return the schema of true or false."""
    return _with({"type": "boolean"}, None, description)


def enum(known: Iterable[str], description: str = "") -> Schema:
    """Return the schema of one of some words."""
    return _with({"type": "string", "enum": list(known)}, None, description)


def listed(items: Schema, description: str = "", **more: Any) -> Schema:
    """Return the schema of a list."""
    return _with({"type": "array", "items": items} | more, None, description)


def table(values: Schema, description: str = "", **more: Any) -> Schema:
    """Return the schema of an object with any names."""
    return _with({"type": "object", "additionalProperties": values} | more, None, description)


def maybe(schema: Schema) -> Schema:
    """Return the schema of a value that may be null."""
    return {"anyOf": [schema, {"type": "null"}]}


def record(fields: Mapping[str, Schema], description: str = "", optional: Iterable[str] = ()) -> Schema:
    """Return the schema of an object with just these fields, all of which it has but for the *optional* ones."""
    left_out = set(optional)
    needed = [name for name in fields if name not in left_out]
    found: Schema = {"type": "object", "properties": dict(fields), "additionalProperties": False}
    return _with(found | ({"required": needed} if needed else {}), None, description)


def union(by_type: Mapping[str, str], description: str) -> Schema:
    """Return the schema of one of several objects with different ``type``: schema names by type."""
    return {
        "description": description,
        "oneOf": [ref(name) for name in by_type.values()],
        "discriminator": {"propertyName": "type", "mapping": {word: WHERE + name for word, name in by_type.items()}},
    }


def camel(name: str) -> str:
    """Return a name as schemas are called: ``build_road`` is ``BuildRoad``."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def hex_(description: str = "") -> Schema:
    """Return the schema of a hex."""
    return text("0405", description) if description else ref("Hex")


def id_(description: str = "") -> Schema:
    """Return the schema of the id of a force, convoy or unit."""
    return text("5f2c1a90b7de", description)


def player(description: str = "") -> Schema:
    """Return the schema of a player's id."""
    return text("p1", description)


def _with(schema: Schema, example: Any, description: str) -> Schema:
    if description:
        schema["description"] = description
    if example not in (None, ""):
        schema["examples"] = [example]
    return schema
