"""Battles: this turn's list, and the results of tabletop battles."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from server.api.bodies import Body
from server.api.openapi import error_responses
from server.api.pages import Page
from server.api.routers.view import As
from server.api.routes import Route
from server.http.context import ActorDep, ServerDep
from server.http.middleware import PREFIX
from server.http.responses import created, if_match_revision, json_response, made
from server.play.battles import battles
from server.play.battles.battles import BattleInfo, ReportInfo

router = APIRouter(route_class=Route, tags=["battles"], prefix="/campaigns/{campaign_id}")

Result = Annotated[
    dict[str, Any],
    Field(
        max_length=20,
        description="`winner` and, where there were any, `retreated` (a player) and `losses` by unit: `lost`, "
        "`destroyed`, `damaged`, `immobilised`, `broken` (it broke and left the table), `returned` (it counts as "
        "destroyed, but came back). Lists of unit ids say who fought: `took_part` (left out: all units of the primary "
        "forces that may fight; named, also those of supporters that came in), `withheld`, "
        "`bombarded` (only bombarded: half its cost counts for VP); a unit stands in one of them. `works` says how "
        "many of each defence of the stronghold were lost.",
        examples=[
            {"winner": "p1", "losses": {"5f2c1a90b7de/2": {"lost": 3}}},
            {
                "winner": "p2",
                "withheld": ["5f2c1a90b7de/1"],
                "bombarded": ["5f2c1a90b7de/3"],
                "works": {"watchtower": 1},
            },
        ],
    ),
]
Seat = Annotated[str | None, Query(max_length=32, description="The seat one speaks for, where one has several.")]
_CLOSED = ("phase_closed", "deadline_passed", "report_closed")


class Reported(Body):
    """A result."""

    result: Result
    note: str = Field("", max_length=20_000, description="What people should know about it.")


class Answered(Body):
    """What the other side says of it."""

    text: str = Field("", max_length=20_000, examples=["That was the unit on the left."])


class Decided(Body):
    """A decision."""

    result: Result
    why: str = Field("", max_length=20_000, description="For everybody to read.")


@router.get("/battles", response_model=Page[BattleInfo], openapi_extra=error_responses(public=True))
def list_battles(request: Request, parts: ServerDep, actor: ActorDep, campaign_id: str, as_: As = None) -> Response:
    """Return this turn's battles that you know of. Order your preferences with `fight`; forces are in the view."""
    return json_response(request, {"items": battles.listed(parts.ctx, actor, campaign_id, as_=as_), "next": None})


@router.post("/battles/{hex}/reports", status_code=201, response_model=ReportInfo,
             openapi_extra=error_responses("report_refused", *_CLOSED))  # fmt: skip
def report_battle(
    parts: ServerDep, actor: ActorDep, campaign_id: str, hex: str, body: Reported, seat: Seat = None
) -> Response:
    """Report the result of a battle on the table; it counts when the other side confirms it."""
    found = battles.report(parts.ctx, actor, campaign_id, hex, body.result, note=body.note, seat=seat)
    return made(found, f"{PREFIX}/campaigns/{campaign_id}/battles")


@router.post("/reports/{report_id}/confirm", response_model=ReportInfo,
             openapi_extra=error_responses(*_CLOSED, if_match=True))  # fmt: skip
def confirm_report(
    request: Request,
    parts: ServerDep,
    actor: ActorDep,
    campaign_id: str,
    report_id: str,
    body: Answered,
    seat: Seat = None,
) -> Response:
    """Confirm what the other side reported: it is settled."""
    revision = if_match_revision(request.headers.get("if-match"))
    found = battles.answer(
        parts.ctx, actor, campaign_id, report_id, confirm=True, text=body.text, revision=revision, seat=seat
    )
    return created(found, 200, headers={"ETag": f'"{found.revision}"'})


@router.post("/reports/{report_id}/dispute", response_model=ReportInfo,
             openapi_extra=error_responses(*_CLOSED, if_match=True))  # fmt: skip
def dispute_report(
    request: Request,
    parts: ServerDep,
    actor: ActorDep,
    campaign_id: str,
    report_id: str,
    body: Answered,
    seat: Seat = None,
) -> Response:
    """Dispute what the other side reported: the game master decides, or the dice at the deadline."""
    revision = if_match_revision(request.headers.get("if-match"))
    found = battles.answer(
        parts.ctx, actor, campaign_id, report_id, confirm=False, text=body.text, revision=revision, seat=seat
    )
    return created(found, 200, headers={"ETag": f'"{found.revision}"'})


@router.put("/gm/battles/{hex}", response_model=ReportInfo,
            openapi_extra=error_responses("report_refused", *_CLOSED))  # fmt: skip
def decide_battle(parts: ServerDep, actor: ActorDep, campaign_id: str, hex: str, body: Decided) -> Response:
    """Enter or overrule a result; shown to everyone."""
    return created(battles.decide(parts.ctx, actor, campaign_id, hex, body.result, body.why), 200)
