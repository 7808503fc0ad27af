"""Detachments for orders: rosters made elsewhere, which are read and kept nowhere, and saved ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from anyio import to_thread
from fastapi import Response
from pydantic import Field

from server.api.bodies import Body
from server.api.endpoints import CallDep, Endpoints
from server.api.pages import Page, PortionDep, cut
from server.http.responses import FILE, created
from server.play.orders import templates
from server.play.orders.templates import TemplateInfo
from server.play.rosters.reading import read_roster
from server.play.rosters.roster import NOTES, Roster

router = Endpoints("account")

_FILE = {"schema": {"type": "string", "format": "binary"}}
ROSTER = {"requestBody": {"required": True, "content": {FILE: _FILE}}}


@dataclass(frozen=True, slots=True)
class RosterNote:
    """Something about a roster that its owner should look at."""

    code: str
    message: str
    what: str
    """The unit, line or number that is meant; empty: all of it."""


@dataclass(frozen=True, slots=True)
class RosterLine:
    """What a line of a pasted list was taken for."""

    number: int
    """From 1."""
    text: str
    kind: str
    unit: int | None
    """Which of the units that the list names it belongs to, from 0; null where to none."""


@dataclass(frozen=True, slots=True)
class RosterRead:
    """A roster as read."""

    format: str
    """`battlescribe`, `new_recruit` or `table`."""
    name: str
    units: list[dict[str, Any]]
    """As in a `build_detachment` order."""
    carried: list[str]
    """What each of the units carries, as the roster says; empty where it does not."""
    notes: list[RosterNote]
    total: int | None
    """Points that the roster itself says it has; null where it says nothing."""
    sum: int
    """Points of its units, as the roster has them."""
    beside: int
    """Points of the roster that belong to no unit; `notes` name them."""
    lines: list[RosterLine]
    """Of a pasted list."""


@router.post("/rosters", RosterRead, raw=True, heavy=True, extra=ROSTER)
async def read_army_roster(call: CallDep) -> Response:
    """Read a roster: a file of BattleScribe or New Recruit, a table, a list as text. Nothing is stored of it."""
    call.actor.require("read")
    return created(_roster_read(await to_thread.run_sync(read_roster, await call.request.body())), 200)


def _roster_read(roster: Roster) -> RosterRead:
    notes = [RosterNote(note.code, NOTES[note.code], note.what) for note in roster.notes]
    lines = [RosterLine(line.number, line.text, line.kind, line.unit) for line in roster.lines]
    told = (notes, roster.total, roster.sum, roster.beside, lines)
    return RosterRead(roster.format, roster.name, roster.units, roster.carried, *told)


saved = Endpoints("account", "/me/templates")

_UNIT = {"name": "Boyz", "slot": "troops", "models": 10, "points": 100, "mobility": "infantry"}


class TemplateWanted(Body):
    """A detachment to save."""

    name: Annotated[str, Field(max_length=200, examples=["Fast column"])]
    units: Annotated[list[dict[str, Any]], Field(max_length=200, examples=[[_UNIT]])]
    ruleset: Annotated[str, Field(max_length=100)] = ""
    detachment_type: Annotated[str, Field(max_length=100)] = ""


@saved.get("", Page[TemplateInfo])
def list_templates(call: CallDep, portion: PortionDep) -> Response:
    """Return the detachments one has saved, by name."""
    return call.answer(cut(templates.listed(call.ctx, call.actor), portion))


@saved.post("", TemplateInfo, "limit_reached", status=201)
def save_template(call: CallDep, body: TemplateWanted) -> Response:
    """Save a detachment to build again; one of the same name is replaced."""
    found = templates.save(
        call.ctx, call.actor, body.name, body.units, ruleset=body.ruleset, detachment_type=body.detachment_type
    )
    return created(found)


@saved.delete("/{template_id}")
def drop_template(call: CallDep, template_id: str) -> None:
    """Throw a saved detachment away."""
    templates.drop(call.ctx, call.actor, template_id)
