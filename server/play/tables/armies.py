"""Armies for games on the table: read from what people hand in, saved once, used again.

By hand an army is a dozen lines: one unit a line, what it is behind commas.
``10 Rifle Squad, battleline, 120 points`` · ``Captain Orlen, hq, character, warlord, 5 wounds`` ·
``Carrier, transport, vehicle, capacity 12``. A line without a number in front is one model. Brackets hold what a unit
carries: ``5 Breach Squad (4 rifles, plasma gun), elites``. A list pasted from a program is read as a roster is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from sqlalchemy import ColumnElement, select

from server import missions
from server.core.errors import Problem
from server.core.sentences import say
from server.play import text_input
from server.play.context import Actor, AppContext, check_limit, taken_from
from server.play.errors import PlayError, fault, invalid, not_found
from server.play.rosters import lists
from server.play.rosters.reading import read_roster
from server.referee.beginning import Army
from server.referee.mission import Mission
from server.referee.reading import TEXT, Found, read
from server.referee.units import MAX_ABOUT
from server.store.tables import SIDES, TableArmyRow, Template

MAX_ARMIES = 100
MAX_NAME_LENGTH = 60
MAX_UNITS = 200
_SLOTS = {"elite": "elites", "fast": "fast_attack", "heavy": "heavy_support"}
"""Slots of a campaign's detachment that have another name on the table."""
_CAMPAIGN_FIELDS = frozenset({"slot", "mobility"})
"""What only units of a campaign's order have."""
_TO_FLAGS = frozenset({"scout", "infiltrate", "fast", "aa", "deep_strike", "character", "comms"})


@dataclass(frozen=True, slots=True)
class ArmyInfo:
    """A saved army as its owner sees it."""

    id: str
    name: str
    army: Mapping[str, Any]
    updated_at: datetime
    revision: int


@dataclass(frozen=True, slots=True)
class Brought:
    """Where an army comes from: exactly one of these."""

    sample: bool = False
    saved: str | None = None
    """Id of a saved army."""
    template: str | None = None
    """Id of a detachment saved for campaigns."""
    army: Mapping[str, Any] | None = None
    """Units (of the table, or as in a ``build_detachment`` order) and what else an army has."""
    lines: str | None = None
    """One unit a line, or a list pasted from a program."""


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
_OF_A_PROGRAM = ("+", "•", "◦", "-", ".", "*", "=")
"""Signs that lines of a program's list begin with: its frames and bullets."""
_CARRIED = re.compile(r"\(([^()]*)\)")
_MODELS = re.compile(r"(\d{1,4})\s*[x×]?\s+(.+)")
_BEFORE, _BEHIND = re.compile(r"(\d{1,5})\s*([^\W\d]+)\.?"), re.compile(r"([^\W\d]+)\.?\s*+(?::\s*+)?(\d{1,5})")


def listed(ctx: AppContext, actor: Actor) -> list[ArmyInfo]:
    """Return the person's saved armies by name."""
    actor.require("read")
    with ctx.database.read() as session:
        rows = session.scalars(select(TableArmyRow).where(_mine(actor)))
        found = sorted(rows, key=lambda row: (row.name.casefold(), row.id))
        return [taken_from(row, ArmyInfo) for row in found]


def save(ctx: AppContext, actor: Actor, name: str, brought: Brought) -> ArmyInfo:
    """Save an army; one of the same name is replaced."""
    actor.require("orders")
    title, now = text_input.line(name, "name", MAX_NAME_LENGTH), ctx.now()
    if brought.sample:
        raise invalid("sample", "A sample army needs no saving.", True)
    army = read_army(ctx, actor, brought, SIDES[0], None)[0]
    with ctx.database.write() as session:
        row = session.scalar(select(TableArmyRow).where(_mine(actor), TableArmyRow.name == title).with_for_update())
        if row is None:
            told = say("At most {most} armies.", most=MAX_ARMIES)
            check_limit(session, TableArmyRow, [_mine(actor)], MAX_ARMIES, told)
            row = TableArmyRow(user_id=actor.user_id, name=title, revision=0)
            session.add(row)
        row.army, row.updated_at = army, now
        row.revision += 1
        session.flush()
        return taken_from(row, ArmyInfo)


def drop(ctx: AppContext, actor: Actor, army_id: str) -> None:
    """Delete a saved army."""
    actor.require("orders")
    with ctx.database.write() as session:
        row = session.scalar(select(TableArmyRow).where(_mine(actor), TableArmyRow.id == army_id))
        if row is None:
            raise not_found("army", army_id)
        session.delete(row)


def samples(mission: Mission) -> dict[str, Any]:
    """Return the sample armies of a mission by side."""
    players: dict[str, Any] = missions.sample(mission)["players"]
    return players


# --- for the rest of this package ---


def read_army(
    ctx: AppContext, actor: Actor, brought: Brought, side: str, mission: Mission | None
) -> tuple[dict[str, Any], str]:
    """Return an army as a beginning has it, with ids of its own for *side*, and its name; refuses what is none."""
    sources = (brought.sample or None, brought.saved, brought.template, brought.army, brought.lines)
    if sum(source is not None for source in sources) != 1:
        raise invalid("army", "Give one of sample, saved, template, army, lines.")
    name = ""
    if brought.sample:
        if mission is None:
            raise invalid("sample", "A mission that is rolled or agreed has no sample armies yet.", True)
        values = samples(mission)[side]
    elif brought.saved is not None:
        name, values = _saved(ctx, actor, brought.saved)
    elif brought.template is not None:
        name, values = _template(ctx, actor, brought.template)
    elif brought.lines is not None:
        values = {"units": read_lines(brought.lines)}
    else:
        values = brought.army or {}
    return checked(values, side), name


def checked(values: Mapping[str, Any], side: str) -> dict[str, Any]:
    """Return an army whose units have the ids r1, r2 ... or b1, b2 ...; ``army_refused`` with all that is wrong."""
    units = values.get("units", [])
    if not isinstance(units, Sequence) or isinstance(units, str) or not 1 <= len(units) <= MAX_UNITS:
        problem = Problem("bad_value", say("From 1 to {most} units.", most=MAX_UNITS), "units")
        raise PlayError("army_refused", problem.message, field="units", problems=[fault(problem)])
    named = (_numbered(unit, f"{side[0]}{place}") for place, unit in enumerate(units, 1))
    made = {**values, "units": _told_apart(list(named))}
    ids = {
        unit["id"]: new["id"]
        for unit, new in zip(units, made["units"], strict=True)
        if isinstance(unit, Mapping) and isinstance(unit.get("id"), str)
    }
    for unit in made["units"]:
        if isinstance(unit, dict) and isinstance(unit.get("in"), str):
            unit["in"] = ids.get(unit["in"], unit["in"])
    found: Found = []
    if read(Army, made, "", found) is None:
        raise PlayError("army_refused", problems=[fault(problem) for problem in found])
    return made


def _numbered(unit: Any, id_: str) -> Any:
    if not isinstance(unit, Mapping):
        return unit
    kept = of_the_campaign(unit) if unit.keys() & _CAMPAIGN_FIELDS else dict(unit)
    return {**kept, "id": id_}


def _told_apart(units: list[Any]) -> list[Any]:
    """Number the units that share a name: else nobody could say at the table which is meant."""
    names = [unit["name"] if isinstance(unit, dict) and isinstance(unit.get("name"), str) else "" for unit in units]
    shared, numbers = Counter(names), Counter[str]()
    for unit, name in zip(units, names, strict=True):
        if name and shared[name] > 1 and len(name) <= TEXT.max - 4:
            numbers[name] += 1
            unit["name"] = f"{name} {numbers[name]}"
    return units


def of_the_campaign(unit: Mapping[str, Any]) -> dict[str, Any]:
    """Return a unit of a ``build_detachment`` order (D-30) as it takes the table."""
    flags = [flag for flag in unit.get("flags", ()) if isinstance(flag, str)]
    on_foot = unit.get("mobility", "infantry") == "infantry" and "vehicle" not in flags
    slot = unit.get("slot", "troops")
    made = {key: value for key, value in unit.items() if key not in (*_CAMPAIGN_FIELDS, "flags")}
    made["role"] = _SLOTS.get(slot, slot)
    made["keywords"] = ["infantry" if on_foot else "vehicle"]
    table_flags = [flag for flag in flags if flag in _TO_FLAGS]
    if "artillery" in flags:
        table_flags.append("barrage")
    if table_flags:
        made["flags"] = table_flags
    if not made.get("bombardment"):
        made.pop("bombardment", None)
    return made


def _saved(ctx: AppContext, actor: Actor, army_id: str) -> tuple[str, Mapping[str, Any]]:
    with ctx.database.read() as session:
        row = session.scalar(select(TableArmyRow).where(_mine(actor), TableArmyRow.id == army_id))
        if row is None:
            raise not_found("saved", army_id)
        return row.name, row.army


def _template(ctx: AppContext, actor: Actor, template_id: str) -> tuple[str, Mapping[str, Any]]:
    with ctx.database.read() as session:
        row = session.get(Template, template_id)
        if row is None or not actor.signed_in or row.user_id != actor.user_id:
            raise not_found("template", template_id)
        return row.name, {"units": row.content["units"]}


def _mine(actor: Actor) -> ColumnElement[bool]:
    return TableArmyRow.user_id == actor.user_id


def read_lines(text: str) -> list[dict[str, Any]]:
    """Return the units of a text; ``army_refused`` with each word that means nothing, and its line.

    A list that a program wrote is read as a roster is, where its lines are not units in our own words.
    """
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    wanted = [(number, line) for number, line in lines if line and not line.startswith("#")]
    problems: list[Problem] = []
    if not 1 <= len(wanted) <= MAX_LINES:
        problems.append(Problem("bad_value", say("From 1 to {most} units.", most=MAX_LINES), "lines", len(wanted)))
        wanted = []
    units = [_unit(line[:MAX_LINE], f"lines.{number}", problems.append) for number, line in wanted]
    framed = any(line.startswith(_OF_A_PROGRAM) for _, line in wanted)
    if (problems or framed) and lists.is_list(text.splitlines()):
        return _of_a_program(text)
    if problems:
        raise PlayError("army_refused", field="lines", problems=[fault(problem) for problem in problems])
    return units


def _of_a_program(text: str) -> list[dict[str, Any]]:
    """Return the units of a list pasted from a program, with their equipment."""
    roster = read_roster(text.encode("utf-8", "replace"))
    parts: dict[int, list[str]] = {}
    for line in roster.lines:
        if line.kind == "part" and line.unit is not None:
            parts.setdefault(line.unit, []).append(line.text.strip())
    carried = [said or ", ".join(parts.get(place, ())) for place, said in enumerate(roster.carried)]
    return [
        {**unit, "about": about[:MAX_ABOUT]} if about else unit
        for unit, about in zip(roster.units, carried, strict=True)
    ]


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
