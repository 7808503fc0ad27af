"""What happens in a table game and whose tap it waits for, in sentences, in the reader's language.

Phones put the second together in ``static/tabletop/awaited.js``, from the same texts. Change the words in
``server/render/texts``: ``awaited_own`` for the player, ``awaited_their`` for everyone else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from server.referee.awaiting import BOTH, CONFIRM, END_PHASE, SETTLE
from server.render.translations import Translations

_NAMES = {"phase": "table_phase", "stage": "stage", "zone": "table", "role": "table"}
"""Fields whose values have a name of their own, and where it stands."""
_WORD, _DICE = "table_word", "table_dice"
_PLAYERS = ("red", "blue", "gm")
KEY = "table_story"
PATROL_MARKER, JUMP_OFF_POINT = re.compile(r"[ab](\d+)"), re.compile(r"[jk](\d+)")
SENTRY = re.compile(r"s\d+")
"""Ids of the Patrol phase: people call them by their numbers."""


def sentence(
    event: Mapping[str, Any], t: Translations, units: Mapping[str, str], players: Mapping[str, str] | None = None
) -> str:
    """Return an event (as :func:`server.referee.view.events_for` gives it) as a sentence.

    Args:
        event: What happened.
        words: The reader's language.
        units: The names of units by id, as far as the reader may know them; names of stratagems and missions, too.
        players: What the sides are called, by ``red`` and ``blue``; a side without a name is called by its colour.
    """
    key = f"{KEY}.{event['type']}"
    names = _names(t, units, players)
    filled = {name: _value(name, value, t, names) for name, value in event.items() if name != "type"}
    patrol = PATROL_MARKER.fullmatch(str(event.get("marker", "")))
    if patrol:
        filled["marker"] = patrol[1]
    point = JUMP_OFF_POINT.fullmatch(str(event.get("id", "")))
    if point:
        filled["id"] = point[1]
    if not t.has(key):
        return f"{event['type']}: {', '.join(filled.values())}"
    return t(key, **filled)


def dice_label(label: str, t: Translations, units: Mapping[str, str], players: Mapping[str, str] | None = None) -> str:
    """Return the label of a die as people read it: ``bombard/1/r1`` is "Bombardment · 1 · Rifle Squad"."""
    names = _names(t, units, players)
    what, *others = label.split("/")
    known = f"{_DICE}.{_slug(what)}"
    first = t.template(known) if t.has(known) else _value("", what, t, names)
    return " · ".join([first[:1].upper() + first[1:], *(_value("role", part, t, names) for part in others)])


def _names(t: Translations, units: Mapping[str, str], players: Mapping[str, str] | None) -> dict[str, str]:
    called = {id_: _sentry(id_, t) if name == id_ else name for id_, name in units.items()}
    return {**called, **{side: name or t.name("table", side) for side, name in _sides(players)}}


def _sentry(id_: str, t: Translations) -> str:
    """Return what a Sentry is called that stands alone: by its number (N-84); any other unit by its id."""
    return f"{t.name('act_field', 'sentry')} {id_[1:]}" if SENTRY.fullmatch(id_) else id_


def _slug(value: str) -> str:
    """Return the key of a value: its letters in small, joined by ``_``."""
    return "_".join(re.findall("[a-z]+", value.lower()))


def word_for(name: str, value: str, t: Translations, names: Mapping[str, str]) -> str | None:
    """Return what a value of a field is called, or None; a reason may end with its thing (``destroyed b1``)."""
    if value in _PLAYERS:
        return names.get(value)
    if name in _NAMES and t.has(f"{_NAMES[name]}.{value}"):
        return t.name(_NAMES[name], value)
    if names.get(value):
        return names[value]
    about, _, thing = value.rpartition(" ")
    if name == "reason" and about and t.has(f"{_WORD}.{_slug(about)}"):
        return t(f"{_WORD}.{_slug(about)}", thing=names.get(thing, thing))
    known = f"{_WORD}.{_slug(value)}"
    return t.template(known) if t.has(known) else None


def _sides(players: Mapping[str, str] | None) -> list[tuple[str, str]]:
    return [(side, (players or {}).get(side, "")) for side in _PLAYERS]


def _value(name: str, value: Any, t: Translations, names: Mapping[str, str]) -> str:
    if isinstance(value, bool):
        return t(f"{KEY}.yes" if value else f"{KEY}.no")
    if value in ("", None):
        return t(f"{KEY}.nobody") if name in ("player", "winner") else "–"
    if isinstance(value, str):
        return word_for(name, value, t, names) or value.replace("_", " ")
    if isinstance(value, list):
        return (
            f"({', '.join(f'{number:g}' for number in value)})" if name in ("at", "aim") else _listed(value, t, names)
        )
    if isinstance(value, Mapping):
        return _listed(list(value), t, names)
    return str(value)


def _listed(values: list[Any], t: Translations, names: Mapping[str, str]) -> str:
    return ", ".join(_value("", value, t, names) for value in values)


def awaited_key(awaiting: Mapping[str, Any]) -> str:
    """Return the key of the sentence: the phase or stage that is to end, else the word of the act."""
    about = awaiting["about"]
    if awaiting["for"] == CONFIRM:
        asked = [found["what"] for side, found in awaiting["confirms"].items() if awaiting["side"] in (side, BOTH)]
        matter = next(filter(None, asked), about.get("stage", ""))
        return f"{CONFIRM}_{matter}" if matter else CONFIRM
    if awaiting["for"] != END_PHASE:
        return str(awaiting["for"])
    return f"phase_{about['phase']}" if "phase" in about else f"stage_{about.get('stage', '')}"


def _known(key: str, awaiting: Mapping[str, Any], t: Translations) -> str:
    """Return the key for this stage if it has words of its own."""
    staged = f"{key}_{awaiting['about'].get('stage', '')}"
    return staged if t.has(f"awaited_own.{staged}") else key


def awaited_line(awaiting: Mapping[str, Any], t: Translations, names: Mapping[str, str], reader: str = "") -> str:
    """Return whose act a game waits for, and its figures; empty: nobody's.

    Args:
        awaiting: As :meth:`server.referee.awaiting.Awaiting.to_json` has it.
        t: The reader's language.
        names: What the sides are called, by ``red`` and ``blue``.
        reader: Their side; empty for everyone else.
    """
    side = awaiting["side"]
    if not side:
        return ""
    if awaiting["for"] == SETTLE:
        return t("table.awaited_objection")
    key = _known(awaited_key(awaiting), awaiting, t)
    if reader and side in (reader, BOTH):
        line = _own(key, awaiting["for"], t)
    elif side == BOTH:
        line = t("table.awaited_both", what=_own(key, awaiting["for"], t))
    else:
        line = _their(key, awaiting["for"], t, names.get(side) or t.name("table", side))
    score = awaiting["about"].get("score")
    return line if score is None else t("table.awaited_score", line=line, vp=score)


def _own(key: str, act: str, t: Translations) -> str:
    known = next((name for name in (key, act) if t.has(f"awaited_own.{name}")), None)
    return t.name("act", act) if known is None else t(f"awaited_own.{known}")


def _their(key: str, act: str, t: Translations, who: str) -> str:
    known = next((name for name in (key, act) if t.has(f"awaited_their.{name}")), None)
    return f"{who}: {t.name('act', act)}" if known is None else t(f"awaited_their.{known}", who=who)
