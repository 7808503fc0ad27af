"""What happens in a table game, in sentences: one for each event, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from server.render.translations import Translations

_NAMES = {"phase": "table_phase", "stage": "stage", "zone": "table", "attacker": "table", "winner": "table"}
"""Fields whose values have a name of their own, and where it stands."""
_PLAYERS = ("red", "blue", "gm")
KEY = "table_story"


def sentence(event: Mapping[str, Any], words: Translations, units: Mapping[str, str]) -> str:
    """Return an event (as :func:`server.referee.view.events_for` gives it) as a sentence.

    *units*: the names of units by id, as far as the reader may know them.
    """
    key = f"{KEY}.{event['type']}"
    filled = {name: _value(name, value, words, units) for name, value in event.items() if name != "type"}
    if not words.has(key):
        return f"{event['type']}: {', '.join(filled.values())}"
    return words(key, **filled)


def _value(name: str, value: Any, words: Translations, units: Mapping[str, str]) -> str:
    if isinstance(value, bool):
        return words(f"{KEY}.yes" if value else f"{KEY}.no")
    if value in ("", None):
        return words(f"{KEY}.nobody") if name in ("player", "winner") else "–"
    if isinstance(value, str):
        if value in _PLAYERS:
            return words.name("table", value)
        return units.get(value) or words.name(_NAMES.get(name, name), value)
    if isinstance(value, list):
        return (
            f"({', '.join(f'{number:g}' for number in value)})"
            if name in ("at", "aim")
            else _listed(value, words, units)
        )
    if isinstance(value, Mapping):
        return _listed(list(value), words, units)
    return str(value)


def _listed(values: list[Any], words: Translations, units: Mapping[str, str]) -> str:
    return ", ".join(_value("", value, words, units) for value in values)


def _place(at: list[float]) -> str:
    return f"({', '.join(f'{number:g}' for number in at)})"
