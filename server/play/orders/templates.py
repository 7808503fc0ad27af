"""Detachments that someone has saved to build again, in whatever campaign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select

from server.core.sentences import say
from server.play import text_input
from server.play.context import Actor, AppContext, check_limit, taken_from
from server.play.errors import check_integer, invalid, not_found
from server.rules.orders.fields import MAX_MODELS, MAX_POINTS, MAX_TEXT_LENGTH, MAX_UNITS
from server.rules.ruleset import FLAGS, MOBILITIES, SLOTS
from server.store.tables import Template

MAX_COUNT = 200
MAX_WORD_LENGTH = 60
_FIELDS = ("name", "slot", "models", "points", "mobility", "flags", "bombardment")


@dataclass(frozen=True, slots=True)
class TemplateInfo:
    """A saved detachment as its owner sees it."""

    id: str
    name: str
    ruleset: str
    """Id of the ruleset it was made for; empty: any."""
    detachment_type: str
    """Empty: the standard type."""
    units: tuple[dict[str, Any], ...]
    """As in a ``build_detachment`` order."""
    created_at: datetime
    revision: int


def listed(ctx: AppContext, actor: Actor) -> list[TemplateInfo]:
    """Return the player's templates by name."""
    actor.require("read")
    with ctx.database.read() as session:
        rows = session.scalars(select(Template).where(Template.user_id == actor.user_id))
        return [_info(template) for template in sorted(rows, key=lambda row: (row.name.casefold(), row.id))]


def save(
    ctx: AppContext,
    actor: Actor,
    name: str,
    units: Sequence[Mapping[str, Any]],
    *,
    ruleset: str = "",
    detachment_type: str = "",
) -> TemplateInfo:
    """Save a detachment; one of the same name is replaced."""
    actor.require("orders")
    title = text_input.line(name, "name", MAX_TEXT_LENGTH)
    type_ = text_input.line(detachment_type, "detachment_type", MAX_WORD_LENGTH, minimum=0)
    if not 1 <= len(units) <= MAX_UNITS:
        raise invalid("units", say("From 1 to {most} units.", most=MAX_UNITS), len(units))
    content = {
        "detachment_type": type_,
        "units": [_unit(f"units.{place}", unit) for place, unit in enumerate(units)],
    }
    made_for = text_input.line(ruleset, "ruleset", MAX_WORD_LENGTH, minimum=0)
    now = ctx.now()
    with ctx.database.write() as session:
        mine = Template.user_id == actor.user_id
        row = session.scalar(select(Template).where(mine, Template.name == title).with_for_update())
        if row is None:
            check_limit(session, Template, [mine], MAX_COUNT, say("At most {most} templates.", most=MAX_COUNT))
            row = Template(user_id=actor.user_id, name=title, created_at=now, revision=0)
            session.add(row)
        row.ruleset_id, row.content, row.updated_at = made_for, content, now
        row.revision += 1
        session.flush()
        return _info(row)


def drop(ctx: AppContext, actor: Actor, template_id: str) -> None:
    """Throw a template away."""
    actor.require("orders")
    with ctx.database.write() as session:
        row = session.get(Template, template_id)
        if row is None or row.user_id != actor.user_id:
            raise not_found("template", template_id)
        session.delete(row)


def _unit(where: str, unit: Mapping[str, Any]) -> dict[str, Any]:
    """Return a unit that an order could hold (D-30)."""
    for field in unit:
        if field not in _FIELDS:
            raise invalid(where, "A unit has no such field.", field)
    for field, known in (("slot", SLOTS), ("mobility", MOBILITIES)):
        if unit.get(field) not in known:
            raise invalid(f"{where}.{field}", say("One of {words}.", words=", ".join(known)), unit.get(field))
    made = {
        "name": text_input.line(unit.get("name") or unit["slot"], f"{where}.name", MAX_TEXT_LENGTH),
        "slot": unit["slot"],
        "mobility": unit["mobility"],
        "models": check_integer(f"{where}.models", unit.get("models"), 1, MAX_MODELS),
        "points": check_integer(f"{where}.points", unit.get("points"), 1, MAX_POINTS),
    }
    given = unit.get("flags", [])
    flags = [flag for flag in FLAGS if isinstance(given, list) and flag in given]
    if not isinstance(given, list) or len(flags) != len(given):
        raise invalid(f"{where}.flags", say("A list, each once, of {words}.", words=", ".join(FLAGS)), given)
    if flags:
        made["flags"] = flags
    if unit.get("bombardment"):
        made["bombardment"] = check_integer(f"{where}.bombardment", unit["bombardment"], 0, 2)
    return made


def _info(row: Template) -> TemplateInfo:
    type_, units = row.content["detachment_type"], tuple(row.content["units"])
    return taken_from(row, TemplateInfo, ruleset=row.ruleset_id, detachment_type=type_, units=units)
