"""Army rosters made elsewhere: read into units for orders and templates, kept nowhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from anyio import to_thread
from fastapi import APIRouter, Request, Response

from server.api.openapi import error_responses
from server.api.routes import Route
from server.http.context import ActorDep, ServerDep
from server.http.responses import FILE, created
from server.play.rosters.reading import read_roster
from server.play.rosters.roster import NOTES, Roster

router = APIRouter(route_class=Route, tags=["account"])

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


@router.post("/rosters", response_model=RosterRead, openapi_extra=error_responses(raw=True, heavy=True) | ROSTER)
async def read_army_roster(request: Request, parts: ServerDep, actor: ActorDep) -> Response:  # noqa: ARG001
    """Read a roster: a file of BattleScribe or New Recruit, a table, a list as text. Nothing is stored of it."""
    actor.require("read")
    return created(_roster_read(await to_thread.run_sync(read_roster, await request.body())), 200)


def _roster_read(roster: Roster) -> RosterRead:
    notes = [RosterNote(note.code, NOTES[note.code], note.what) for note in roster.notes]
    lines = [RosterLine(line.number, line.text, line.kind, line.unit) for line in roster.lines]
    told = (notes, roster.total, roster.sum, roster.beside, lines)
    return RosterRead(roster.format, roster.name, roster.units, roster.carried, *told)
