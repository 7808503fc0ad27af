"""The docstrings of fields, as the descriptions of properties.

Response models are plain dataclasses with a docstring below each field. pydantic reads such docstrings only if it is
asked to, which a dataclass inside FastAPI's own schemas cannot do: so they are read here once more, by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ConfigDict, TypeAdapter

_ROLE = re.compile(r":(?:\w+:)?\w+:`~?(?:[^`<]*<)?([^`>]+)>?`")
_LITERAL = re.compile(r"``([^`]+)``")
_SEE = re.compile(r" \(:(?:meth|mod|class|func|data):`[^`]*`\)")


COMMON: Mapping[str, str] = {
    "branch": "Line of play, from 1; a rollback starts another.",
    "campaign": "Name of the campaign.",
    "campaign_id": "Id of the campaign.",
    "created_at": "When it was created.",
    "deadline": "When the phase ends at the latest; null: no deadline.",
    "detachment": "Id of the detachment.",
    "detachment_type": "Type of the detachment, as the ruleset names it.",
    "faction": "Id of the faction.",
    "finished_at": "When it ended; null: it goes on.",
    "hex": "Number of the hex, such as 0405.",
    "id": "Its id.",
    "items": "The entries of this page.",
    "made_at": "When it was made.",
    "mission": "Id of the mission.",
    "models": "Number of models.",
    "name": "Its name, as people see it.",
    "owner": "Id of the player it belongs to.",
    "phase": "The phase of the turn.",
    "player_id": "Id of the seat, such as p1.",
    "points": "Points of the army list.",
    "revision": "Counts changes; `If-Match` compares it.",
    "ruleset": "Id of the ruleset.",
    "seats": "The seats, in their order.",
    "least_prices": "Models and detachments cost at least what the ruleset says, and special types ask for their units "
    "(D-35f).",
    "truce": "Until that turn nobody attacks or raids settlements and strongholds of others; 0: no truce (R-39).",
    "start_resource_count": "Resource hexes of each player at the start; null: as the ruleset has it.",
    "start_urban_count": "Settlements of each player at the start; null: as the ruleset has it.",
    "started_at": "When it started; null: not yet.",
    "time_zone": "Time zone, such as Europe/Berlin.",
    "title": "Its title.",
    "turn": "Number of the turn, from 1; the start and Setup are turn 0.",
    "units": "The units, in their order.",
    "updated_at": "When it was last changed.",
    "vp": "Victory points.",
    "why": "The reason given; may be empty.",
}
"""Descriptions of fields that mean the same wherever they are, for those without a docstring."""


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
            text = shape.get("description") or told.get(name, {}).get(field) or COMMON.get(field)
            if text and "$ref" not in shape:
                shape["description"] = plain(text)
        if "description" in schema:
            schema["description"] = plain(schema["description"])
