"""The docstrings of fields, as the descriptions of properties.

Response models are plain dataclasses with a docstring below each field. pydantic reads such docstrings only if it is
asked to, which a dataclass inside FastAPI's own schemas cannot do: so they are read here once more, by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from pydantic import ConfigDict, TypeAdapter

_ROLE = re.compile(r":(?:\w+:)?\w+:`~?(?:[^`<]*<)?([^`>]+)>?`")
_LITERAL = re.compile(r"``([^`]+)``")
_SEE = re.compile(r" \(:(?:meth|mod|class|func|data):`[^`]*`\)")


def fields_of(models: Iterable[Any]) -> dict[str, dict[str, str]]:
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


def add(components: dict[str, Any], told: dict[str, dict[str, str]]) -> None:
    """Describe each property that has no description, and clean all descriptions."""
    for name, schema in components.items():
        for field, shape in schema.get("properties", {}).items():
            text = shape.get("description") or told.get(name, {}).get(field)
            if text and "$ref" not in shape:
                shape["description"] = plain(text)
        if "description" in schema:
            schema["description"] = plain(schema["description"])
