"""Battles of campaigns on the table: what both sides agree on before they meet, and what the campaign takes of it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from fastapi import Response
from pydantic import Field

from server.api.bodies import Body
from server.api.endpoints import CallDep, Endpoints
from server.api.routers.tables import Side
from server.http.responses import created
from server.play.battles import battle_results
from server.play.battles.battle_results import TableReport
from server.play.tables import battle_agreements
from server.play.tables.info import TableInfo
from server.play.tables.setting_up import NewTable

router = Endpoints("table", "/tables/{table_id}")

_REFUSED = ("wrong_status", "forbidden", "limit_reached")
_CALENDAR = {"schema": {"type": "string"}, "example": "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n"}
By = Annotated[Side | None, Field(description="For whom, where one orders for both sides.")]


class MissionProposed(Body):
    """A mission for the battle of a campaign: one of the first three, and what else changes with it."""

    mission: Annotated[str | None, Field(max_length=40, description="Its id.", examples=["scorched_earth"])] = None
    roll: Annotated[str | None, Field(max_length=40, description="A family: the dice draw the mission.")] = None
    agree: Annotated[str | None, Field(max_length=40, description="A family: both propose at the table.")] = None
    table: Annotated[dict[str, Any], Field(max_length=5, description="`width` and `height` in inches, `terrain`.")] = {}  # noqa: RUF012
    settings: Annotated[
        dict[str, Any],
        Field(
            max_length=10,
            description="`secured`, `jop_distance`, ... (docs/tables.md).",
        ),
    ] = {}  # noqa: RUF012
    side: By = None


class DateProposed(Body):
    """When and where to meet."""

    at: Annotated[datetime, Field(strict=False, examples=["2030-03-01T19:00:00+01:00"])]
    place: Annotated[str, Field(max_length=500, examples=["Club room, table 3"])] = ""
    side: By = None


class ProposalAnswered(Body):
    """The reply to a proposal."""

    agree: Annotated[bool, Field(description="False declines it, or takes back one's own.", examples=[True])]
    side: By = None


class ModelsKept(Body):
    """Whether your models stay in their units before the battle."""

    keep: Annotated[bool, Field(examples=[True])] = True
    side: By = None


@router.post("/missions", TableInfo, *_REFUSED, "unknown_mission", "conflict", status=201)
def propose_table_mission(call: CallDep, table_id: str, body: MissionProposed) -> Response:
    """Propose the mission of a campaign's battle; it counts when the other side agrees."""
    given = frozenset(body.model_fields_set) - {"side"}
    new = NewTable(**body.model_dump(exclude={"side"}))
    return created(battle_agreements.propose_mission(call.ctx, call.actor, table_id, new, given, body.side))


@router.post("/dates", TableInfo, *_REFUSED, status=201)
def propose_table_date(call: CallDep, table_id: str, body: DateProposed) -> Response:
    """Propose when and where to fight a campaign's battle. An agreed date may move the phase's deadline behind it."""
    return created(battle_agreements.propose_date(call.ctx, call.actor, table_id, body.at, body.place, body.side))


@router.post("/proposals/{number}", TableInfo, *_REFUSED, "conflict")
def answer_table_proposal(call: CallDep, table_id: str, number: int, body: ProposalAnswered) -> Response:
    """Accept or decline the proposal of the other side, or withdraw your own."""
    return created(
        battle_agreements.answer(call.ctx, call.actor, table_id, number, agree=body.agree, side=body.side), 200
    )


@router.put("/models", TableInfo, *_REFUSED)
def keep_table_models(call: CallDep, table_id: str, body: ModelsKept) -> Response:
    """Leave your models in their units before the battle, or have those of one type moved together (6.2.1.3.1)."""
    return created(battle_agreements.keep_models(call.ctx, call.actor, table_id, body.keep, body.side), 200)


@router.get("/report", TableReport, "wrong_status", "forbidden")
def read_table_report(call: CallDep, table_id: str) -> Response:
    """Return the result that the campaign takes when both sides confirm it: the fields of its battle's report."""
    return call.answer(battle_results.read(call.ctx, call.actor, table_id))


@router.router.head("/meeting.ics", include_in_schema=False)  # calendar programs ask first
@router.get(
    "/meeting.ics", None, "not_found", response_class=Response,
    responses={200: {"content": {"text/calendar": _CALENDAR}, "description": "A date for calendar programs."}},
)  # fmt: skip
def table_meeting(call: CallDep, table_id: str) -> Response:
    """Return the agreed date of a campaign's battle as a file for calendar programs (iCalendar)."""
    content = battle_agreements.to_ics(call.ctx, battle_agreements.of_game(call.ctx, call.actor, table_id))
    headers = {"Cache-Control": "private, no-store", "Content-Disposition": 'attachment; filename="battle.ics"'}
    return Response(content, 200, headers, "text/calendar; charset=utf-8")
