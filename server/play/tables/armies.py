"""Armies for games on the table: read from what people hand in, saved once, used again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, func, select

from server import missions
from server.core.errors import Problem
from server.core.sentences import say
from server.play import text_input
from server.play.context import Actor, AppContext
from server.play.errors import PlayError, fault, invalid, not_found
from server.play.tables.army_lines import read_lines
from server.referee.beginning import Army
from server.referee.mission import Mission
from server.referee.reading import Found, read
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
    """One unit a line."""


def listed(ctx: AppContext, actor: Actor) -> list[ArmyInfo]:
    """Return the person's saved armies by name."""
    actor.require("read")
    with ctx.database.read() as session:
        rows = session.scalars(select(TableArmyRow).where(_mine(actor)))
        return [_info(row) for row in sorted(rows, key=lambda row: (row.name.casefold(), row.id))]


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
            if (session.scalar(select(func.count()).select_from(TableArmyRow).where(_mine(actor))) or 0) >= MAX_ARMIES:
                raise PlayError("limit_reached", say("At most {most} armies.", most=MAX_ARMIES))
            row = TableArmyRow(user_id=actor.user_id, name=title, revision=0)
            session.add(row)
        row.army, row.updated_at = army, now
        row.revision += 1
        session.flush()
        return _info(row)


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
    made = {**values, "units": [_numbered(unit, f"{side[0]}{place}") for place, unit in enumerate(units, 1)]}
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


def _info(row: TableArmyRow) -> ArmyInfo:
    return ArmyInfo(row.id, row.name, row.army, row.updated_at, row.revision)
