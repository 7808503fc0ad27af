"""What properties mean: the docstrings of their fields, or ``meanings.toml`` for fields without one.

Response models are plain dataclasses with a docstring below each field. pydantic reads such docstrings only if it is
asked to, which a dataclass inside FastAPI's own schemas cannot do: so they are read here once more, by name.
Change the file when a test names a property that nothing describes.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson
from pydantic import ConfigDict, TypeAdapter

from server.api.description.plain import WHERE, Schema

_TOLD: Mapping[str, Mapping[str, str]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
COMMON = _TOLD["common"]
"""By name, for properties that mean the same wherever they are."""
_CHOICES = "choices"
_DEFAULT = "Left out: `"
"""How the sentence about a default begins (``tidy``)."""


def add(schemas: dict[str, Schema]) -> None:
    """Describe each property of *schemas* that says nothing of itself and refers to nothing that does.

    What the file has for a schema's own property comes before what the property says.
    """
    for name, shared in list(schemas.items()):
        schema = schemas[name] = orjson.loads(orjson.dumps(shared))  # the pieces of several schemas are one object
        for parent, field, shape in properties(schema):
            own = _TOLD.get(name, {}).get(field)
            told = shape.get("description", "")
            if own is None and ((told and not told.startswith(_DEFAULT)) or _refers(shape, schemas)):
                continue
            known = own or COMMON.get(field)
            if parent == _CHOICES:
                known = _TOLD[_CHOICES]["any"]
            if known is not None:
                shape["description"] = f"{known} {told[told.find(_DEFAULT) :] if _DEFAULT in told else ''}".strip()


def undescribed(schemas: Mapping[str, Schema]) -> list[str]:
    """Return the properties that nothing describes, as ``Schema.property``."""
    return [
        f"{name}.{field}"
        for name, schema in schemas.items()
        for _, field, shape in properties(schema)
        if shape.get("description", _DEFAULT).startswith(_DEFAULT) and not _refers(shape, schemas)
    ]


def unused(schemas: Mapping[str, Schema]) -> list[str]:
    """Return what the file has and no schema shows, as ``Schema.property``."""
    shown = {(name, field) for name, schema in schemas.items() for _, field, _ in properties(schema)}
    names = {field for _, field in shown}
    own = [
        f"{name}.{field}"
        for name, told in _TOLD.items()
        if name not in ("common", _CHOICES)
        for field in told
        if (name, field) not in shown
    ]
    return own + [f"common.{field}" for field in COMMON if field not in names]


def properties(node: Any, parent: str = "") -> Iterator[tuple[str, str, Schema]]:
    """Yield the properties of a schema and of the schemas inside it: the property around it, its name, its schema."""
    if isinstance(node, list):
        for item in node:
            yield from properties(item, parent)
    elif isinstance(node, dict):
        for field, shape in node.get("properties", {}).items():
            yield parent, field, shape
            yield from properties(shape, field)
        for key, value in node.items():
            if key not in ("properties", "example", "examples", "default"):
                yield from properties(value, parent)


def _refers(shape: Schema, schemas: Mapping[str, Schema]) -> bool:
    """Whether it, its items or its choices are a described schema of the components."""
    if "$ref" in shape:
        return "description" in schemas[shape["$ref"].removeprefix(WHERE)]
    inside = [shape["items"]] if "items" in shape else [*shape.get("anyOf", ()), *shape.get("oneOf", ())]
    return any("$ref" in choice and _refers(choice, schemas) for choice in inside)


_ROLE = re.compile(r":(?:\w+:)?\w+:`~?(?:[^`<]*<)?([^`>]+)>?`")
_LITERAL = re.compile(r"``([^`]+)``")
_SEE = re.compile(r" \(:(?:meth|mod|class|func|data):`[^`]*`\)")


def docstrings_of(models: Iterable[Any]) -> dict[str, dict[str, str]]:
    """Return the docstring of each documented field, by the name that pydantic gives its model's schema."""
    config = ConfigDict(use_attribute_docstrings=True, arbitrary_types_allowed=True)
    found: dict[str, dict[str, str]] = {}
    for model in models:
        schema = TypeAdapter(list[model], config=config).json_schema(mode="serialization")  # type: ignore[valid-type]
        for name, part in schema.get("$defs", {}).items():
            told = {field: schema["description"] for field, schema in part.get("properties", {}).items()
                    if "description" in schema}  # fmt: skip
            found.setdefault(name, {}).update(told)
    return found


def plain(text: str) -> str:
    """Return a docstring as readers of an API description expect it: Markdown, without roles of Sphinx."""
    text = _SEE.sub("", text)
    text = _ROLE.sub(lambda role: f"`{role[1].rpartition('.')[2]}`", text)
    return " ".join(_LITERAL.sub(r"`\1`", text).split())


def add_docstrings(components: dict[str, Any], told: dict[str, dict[str, str]]) -> None:
    """Describe each property that has no description, and clean all descriptions."""
    for name, schema in components.items():
        for field, shape in schema.get("properties", {}).items():
            text = shape.get("description") or told.get(name, {}).get(field)
            if text and "$ref" not in shape:
                shape["description"] = plain(text)
        if "description" in schema:
            schema["description"] = plain(schema["description"])
