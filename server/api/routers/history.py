"""The campaign's past, phase by phase, as one saw it then."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from server.api.openapi import error_responses
from server.api.pages import Cursor, Limit, Page, cut, decode, page
from server.api.routers.map_pictures import Legend, Live, Theme, picture, seat_names
from server.api.routers.view import As
from server.api.routes import Route
from server.bots.diplomacy_action import DiplomacyAction
from server.http.context import ActorDep, ServerDep
from server.http.responses import SVG, json_response, pictures
from server.play.computers import computer_players
from server.play.views import history
from server.play.views.history import BranchInfo, InterventionInfo, PhaseInfo, Standing
from server.render.svg import Options

router = APIRouter(route_class=Route, tags=["history"], prefix="/campaigns/{campaign_id}")

Line = Annotated[
    int | None,
    Query(alias="branch", ge=1, le=2**31, description="A line of play; the one played on where none is named."),
]


@dataclass(frozen=True, slots=True)
class PastPhaseShown:
    """A finished phase as one viewer saw it when it was over."""

    branch: int
    number: int
    turn: int
    phase: str
    viewer: str
    events: list[dict[str, Any]]
    """What happened, as far as the viewer knows."""
    orders: dict[str, Any]
    """The reader's own orders; everyone's after the end."""
    problems: dict[str, Any]
    """The refused ones among them."""
    view: dict[str, Any]
    """The position after the phase: `viewer`, `sees` and `state`."""


@router.get("/phases", response_model=Page[PhaseInfo], openapi_extra=error_responses(public=True))
def list_phases(
    request: Request,
    parts: ServerDep,
    actor: ActorDep,
    campaign_id: str,
    branch: Line = None,
    cursor: Cursor = "",
    limit: Limit = 50,
) -> Response:
    """Return the phases of a branch, first to last, the open one included."""
    key = decode(cursor, (int,))
    after = key[0] if key and abs(key[0]) < 2**31 else -1
    found = history.phases(parts.ctx, actor, campaign_id, branch=branch, after=after, limit=limit + 1)
    return json_response(request, page(found, limit, lambda phase: (phase.number,)))


@router.get("/phases/{number}", response_model=PastPhaseShown, openapi_extra=error_responses(public=True))
def get_phase(
    request: Request,
    parts: ServerDep,
    actor: ActorDep,
    campaign_id: str,
    number: int,
    branch: Line = None,
    as_: As = None,
) -> Response:
    """Return a finished phase: what you know of it, your orders, and the position after it."""
    found = history.past(parts.ctx, actor, campaign_id, _known(number), branch=branch, as_=as_)
    return json_response(request, found.body)


@router.get("/phases/{number}/map.svg", response_class=Response, openapi_extra=error_responses(public=True),
            responses=pictures(SVG))  # fmt: skip
def get_past_picture(
    request: Request,
    parts: ServerDep,
    actor: ActorDep,
    campaign_id: str,
    number: int,
    branch: Line = None,
    as_: As = None,
    legend: Legend = True,
    theme: Theme = "auto",
    live: Live = False,
) -> Response:
    """Return a picture of the position after a finished phase, and of it; as `application/octet-stream` a file."""
    found = history.past(parts.ctx, actor, campaign_id, _known(number), branch=branch, as_=as_)
    names = {} if live else seat_names(parts, actor, campaign_id)
    return picture(
        request, replace(found.view, events=found.events), Options(names=names, legend=legend, theme=theme, live=live)
    )


@router.get("/branches", response_model=Page[BranchInfo], openapi_extra=error_responses(public=True))
def list_branches(
    request: Request, parts: ServerDep, actor: ActorDep, campaign_id: str, cursor: Cursor = "", limit: Limit = 50
) -> Response:
    """Return the branches: a rollback begins another, and the one before stays readable."""
    return json_response(request, cut(history.branches(parts.ctx, actor, campaign_id), cursor, limit))


@router.get("/interventions", response_model=Page[InterventionInfo], openapi_extra=error_responses(public=True))
def list_interventions(
    request: Request, parts: ServerDep, actor: ActorDep, campaign_id: str, cursor: Cursor = "", limit: Limit = 50
) -> Response:
    """Return what game masters did by hand, in the order in which it was done."""
    return json_response(request, cut(history.interventions(parts.ctx, actor, campaign_id), cursor, limit))


@router.get("/standings", response_model=Page[Standing], openapi_extra=error_responses(public=True))
def list_standings(
    request: Request, parts: ServerDep, actor: ActorDep, campaign_id: str, cursor: Cursor = "", limit: Limit = 50
) -> Response:
    """Return every player's standing after each phase, for charts; for others only public information."""
    return json_response(request, cut(history.standings(parts.ctx, actor, campaign_id), cursor, limit))


@dataclass(frozen=True, slots=True)
class PostureShown:
    """How a computer player felt at the end of a turn."""

    seat: str
    turn: int
    posture: str
    """`hopeless`, `defensive`, `normal`, `aggressive` or `overconfident`."""
    score: int
    x: int
    """Failures: the enemies' less its own. Likewise morale and losses below."""
    y: int
    z: int
    diplomacy: tuple[DiplomacyAction, ...] = ()
    """What it did about alliances in the turn, and why."""


@router.get("/postures", response_model=Page[PostureShown], openapi_extra=error_responses(public=True))
def list_postures(
    request: Request, parts: ServerDep, actor: ActorDep, campaign_id: str, cursor: Cursor = "", limit: Limit = 50
) -> Response:
    """Return the computer players' postures turn by turn: to a game master without a seat, after the end to all."""
    found = [
        PostureShown(postures.seat, turn.turn, turn.posture, turn.score, turn.x, turn.y, turn.z, turn.acts)
        for postures in computer_players.postures(parts.ctx, actor, campaign_id)
        for turn in postures.turns
    ]
    return json_response(request, cut(found, cursor, limit))


def _known(number: int) -> int:
    """Return a phase's number as every database can hold it; -1, which no phase has, for others."""
    return number if 0 <= number < 2**31 else -1
