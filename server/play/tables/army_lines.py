"""An army as a dozen lines by hand: one unit a line, what it is behind commas.

``10 Rifle Squad, battleline, 120 points`` · ``Captain Orlen, hq, character, warlord, 5 wounds`` ·
``Carrier, transport, vehicle, capacity 12``. A line without a number in front is one model. Brackets hold
what a unit carries: ``5 Breach Squad (4 rifles, plasma gun), elites``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from server.core.errors import Problem
from server.core.sentences import say
from server.play.errors import PlayError, fault
from server.referee.units import MAX_ABOUT

MAX_LINES, MAX_LINE = 200, 300
FLAGS = (
    "battleline", "character", "warlord", "leader", "patrol_squads", "deep_strike", "scout", "infiltrate", "fast",
    "flyer", "barrage", "aa", "comms", "own_arrival", "odoski", "sentries", "spy",
)  # fmt: skip
"""Flags of units that rules of missions know."""
ROLES = ("hq", "troops", "elites", "fast_attack", "heavy_support", "transport")
KEYWORDS = ("infantry", "cavalry", "beast", "swarm", "vehicle", "monster", "transport", "fly", "daemon", "walker",
            "mounted", "astra_militarum")  # fmt: skip
_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "anführer": "leader", "kriegsherr": "warlord", "charakter": "character", "linie": "battleline",
        "infanterie": "infantry", "fahrzeug": "vehicle", "monster": "monster", "späher": "scout",
        "schocktruppen": "deep_strike", "infiltratoren": "infiltrate", "flieger": "flyer", "sperrfeuer": "barrage",
        "standard": "troops", "elite": "elites", "sturm": "fast_attack", "unterstützung": "heavy_support",
        "heavy": "heavy_support", "dämon": "daemon", "transporter": "transport", "fliegt": "fly",
    }
)  # fmt: skip
"""Other words for them, German ones among them."""
_NUMBERS: Mapping[str, str] = MappingProxyType(
    {
        "p": "points", "pt": "points", "pts": "points", "point": "points", "points": "points", "punkte": "points",
        "pl": "power", "power": "power", "w": "wounds", "wound": "wounds", "wounds": "wounds", "lp": "wounds",
        "wunden": "wounds", "models": "models", "model": "models", "modelle": "models", "capacity": "capacity",
        "plätze": "capacity",
    }
)  # fmt: skip
_CARRIED = re.compile(r"\(([^()]*)\)")
_MODELS = re.compile(r"(\d{1,4})\s*[x×]?\s+(.+)")
_BEFORE, _BEHIND = re.compile(r"(\d{1,5})\s*([^\W\d]+)\.?"), re.compile(r"([^\W\d]+)\.?\s*+(?::\s*+)?(\d{1,5})")


def read_lines(text: str) -> list[dict[str, Any]]:
    """Return the units of a text; ``army_refused`` with each word that means nothing, and its line."""
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    wanted = [(number, line) for number, line in lines if line and not line.startswith("#")]
    problems: list[Problem] = []
    if not 1 <= len(wanted) <= MAX_LINES:
        problems.append(Problem("bad_value", say("From 1 to {most} units.", most=MAX_LINES), "lines", len(wanted)))
        wanted = []
    units = [_unit(line[:MAX_LINE], f"lines.{number}", problems.append) for number, line in wanted]
    if problems:
        raise PlayError("army_refused", field="lines", problems=[fault(problem) for problem in problems])
    return units


def _unit(line: str, where: str, note: Callable[[Problem], None]) -> dict[str, Any]:
    carried = _CARRIED.search(line)
    first, *parts = (part.strip() for part in _CARRIED.sub("", line).split(","))
    counted = _MODELS.fullmatch(first)
    unit: dict[str, Any] = {"name": counted[2] if counted else first, "models": int(counted[1]) if counted else 1}
    if carried and carried[1].strip():
        unit["about"] = carried[1].strip()[:MAX_ABOUT]
    flags: list[str] = []
    keywords: list[str] = []
    for part in filter(None, parts):
        if not (_number(part, unit) or _word(part, unit, flags, keywords)):
            note(Problem("bad_value", say("What does {word} mean?", word=part[:60]), where, part[:60]))
    if flags:
        unit["flags"] = flags
    if keywords:
        unit["keywords"] = keywords
    return unit


def _number(part: str, unit: dict[str, Any]) -> bool:
    before, behind = _BEFORE.fullmatch(part), _BEHIND.fullmatch(part)
    if before:
        word, number = before[2], before[1]
    elif behind:
        word, number = behind[1], behind[2]
    else:
        return False
    field = _NUMBERS.get(word.casefold())
    if field is None:
        return False
    unit[field] = int(number)
    return True


def _word(part: str, unit: dict[str, Any], flags: list[str], keywords: list[str]) -> bool:
    folded = part.casefold().replace(" ", "_").replace("-", "_")
    word = _WORDS.get(folded, folded)
    if word in ROLES:
        unit["role"] = word
    for known, words in ((FLAGS, flags), (KEYWORDS, keywords)):
        if word in known and word not in words:
            words.append(word)
    return word in ROLES or word in FLAGS or word in KEYWORDS
