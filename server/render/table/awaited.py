"""Whose tap a table game waits for, as a sentence: the same words on phones, in the terminal and in emails.

Phones put them together in ``static/tabletop/awaited.js``, from the same texts. Change the words in
``server/render/texts``: ``awaited_own`` for the player, ``awaited_their`` for everyone else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from server.referee.awaiting import BOTH, CONFIRM, END_PHASE, SETTLE
from server.render.translations import Translations


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
