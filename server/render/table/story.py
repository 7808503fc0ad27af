"""What happens in a table game, in sentences: one for each event, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from server.render.translations import Translations

_NAMES = {"phase": "table_phase", "stage": "stage", "zone": "table", "attacker": "table", "winner": "table"}
"""Fields whose values have a name of their own, and where it stands."""
_PLAYERS = ("red", "blue", "gm")
KEY = "table_story"


def sentence(
    event: Mapping[str, Any], words: Translations, units: Mapping[str, str], players: Mapping[str, str] | None = None
) -> str:
    """Return an event (as :func:`server.referee.view.events_for` gives it) as a sentence.

    Args:
        event: What happened.
        words: The reader's language.
        units: The names of units by id, as far as the reader may know them.
        players: What the sides are called, by ``red`` and ``blue``; a side without a name is called by its colour.
    """
    key = f"{KEY}.{event['type']}"
    names = {**units, **{side: name or words.name("table", side) for side, name in _sides(players)}}
    filled = {name: _value(name, value, words, names) for name, value in event.items() if name != "type"}
    if not words.has(key):
        return f"{event['type']}: {', '.join(filled.values())}"
    return words(key, **filled)


def _sides(players: Mapping[str, str] | None) -> list[tuple[str, str]]:
    return [(side, (players or {}).get(side, "")) for side in _PLAYERS]


def _value(name: str, value: Any, words: Translations, names: Mapping[str, str]) -> str:
    if isinstance(value, bool):
        return words(f"{KEY}.yes" if value else f"{KEY}.no")
    if value in ("", None):
        return words(f"{KEY}.nobody") if name in ("player", "winner") else "–"
    if isinstance(value, str):
        return names.get(value) or words.name(_NAMES.get(name, name), value)
    if isinstance(value, list):
        return (
            f"({', '.join(f'{number:g}' for number in value)})"
            if name in ("at", "aim")
            else _listed(value, words, names)
        )
    if isinstance(value, Mapping):
        return _listed(list(value), words, names)
    return str(value)


def _listed(values: list[Any], words: Translations, names: Mapping[str, str]) -> str:
    return ", ".join(_value("", value, words, names) for value in values)
