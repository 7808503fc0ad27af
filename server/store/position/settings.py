"""What a campaign chose of the rules, as the JSON object of ``campaigns.settings``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from server.rules.codec.layout import LATER_SETTINGS
from server.rules.state import Settings
from server.rules.versions import VERSIONS

_KNOWN = frozenset(field.name for field in fields(Settings))


def settings_to_json(settings: Settings) -> dict[str, Any]:
    """Return the settings as plain JSON."""
    return asdict(settings)


def settings_from_json(data: Mapping[str, Any]) -> Settings:
    """Return the settings; what is missing has its default, what is unknown is a :class:`ValueError`.

    An unknown one was written by a newer program, and playing on without it would be playing by other rules.
    Settings that do not name what later versions brought are as old as the first records.
    """
    unknown = data.keys() - _KNOWN
    if unknown:
        raise ValueError(f"settings this version does not know: {', '.join(sorted(unknown))}")
    settings = Settings(**(dict(LATER_SETTINGS) | dict(data)))
    if settings.readings not in VERSIONS:
        raise ValueError(f"a version of the rules' readings this program does not know: {settings.readings}")
    return settings
