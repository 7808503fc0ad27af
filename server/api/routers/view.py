"""What you may know of a campaign now."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from server.api.bodies import Body
from server.api.description.ground import Ruleset, Scenario
from server.api.openapi import error_responses
from server.api.pages import Page
from server.api.routes import Route
from server.http.context import ActorDep, ServerDep
from server.http.problems import Fault, whole_fault
from server.http.responses import created, json_response, tag, tag_of
from server.play.campaigns import catalog
from server.play.errors import fault
from server.play.views import positions, view_changes
from server.play.views.positions import Finality
from server.play.views.view_changes import Replaced, Spliced

router = APIRouter(route_class=Route, tags=["view"], prefix="/campaigns/{campaign_id}")

As = Annotated[
    str | None,
    Query(
        alias="as",
        max_length=32,
        description="As whom to look: a player's id, `gm` or `spectator`; only as oneself before the end.",
    ),
]
Since = Annotated[
    str,
    Query(
        max_length=32,
        description="The ETag, without quotes, of the view one has: of `/view`, or `etag` of the last changes.",
        examples=["5c0a3e8f0d6b4a5f9e1b7d2c8a4f6e03"],
    ),
]
Seat = Annotated[str | None, Query(max_length=32, description="The seat that is to order.")]


@dataclass(frozen=True, slots=True)
class PositionShown:
    """The position as one viewer knows it."""

    campaign_id: str
    branch: int
    number: int
    """Of the phase that is open, or of the last one."""
    turn: int
    phase: str
    deadline: datetime | None
    viewer: str
    sees: list[str]
    """Hexes in sight."""
    state: dict[str, Any]
    """The nouns of the rulebook; what the viewer does not know is not in it."""


@dataclass(frozen=True, slots=True)
class ViewChanges:
    """What makes the view one has into the view as it is now."""

    since: str | None
    """The ETag, without quotes, of the view that these changes belong to; null where `whole` is given."""
    etag: str
    """The ETag, without quotes, of the view as it is now."""
    digest: str
    """SHA-256, hexadecimal, of the bytes of the view as it is now."""
    replaced: list[Replaced]
    """Rows and values that are new or others now."""
    removed: list[list[str]]
    """The paths of rows that are gone."""
    spliced: list[Spliced]
    """Lists that have other entries now."""
    whole: PositionShown | None
    """The view as it is now, where the server does not know what you have, or where that is shorter."""


@dataclass(frozen=True, slots=True)
class LegalOrder:
    """Orders of one kind that may be given."""

    type: str
    order: dict[str, Any]
    """The fields that are settled."""
    choices: dict[str, list[Any]]
    """The values each further field may take."""


@dataclass(frozen=True, slots=True)
class Previewed:
    """What an order would do."""

    says: dict[str, Any]
    """Empty where there is a problem."""
    problems: list[Fault]


class PreviewWanted(Body):
    """An order, and those ahead of it in the set: they may have spent the BP it needs."""

    order: Annotated[Any, Field(examples=[{"type": "guard", "detachment": "5f2c1a90b7de"}])]
    before: list[Any] = Field(default_factory=list, max_length=2000)


@router.get("/view", response_model=PositionShown, openapi_extra=error_responses("wrong_status", public=True))
def get_view(request: Request, parts: ServerDep, actor: ActorDep, campaign_id: str, as_: As = None) -> Response:
    """Return the position as you know it: as a player, the game master or a spectator."""
    found = positions.shown(parts.ctx, actor, campaign_id, as_=as_)
    view_changes.note(parts.ctx, actor, campaign_id, found)
    return json_response(request, lambda: found.body, etag=tag_of(found.etag))


@router.get("/view/changes", response_model=ViewChanges, openapi_extra=error_responses("wrong_status", public=True))
def get_view_changes(
    request: Request, parts: ServerDep, actor: ActorDep, campaign_id: str, since: Since = "", as_: As = None
) -> Response:
    """Return what has changed in the view since one has read it; the whole view where the server does not know that."""
    found = positions.shown(parts.ctx, actor, campaign_id, as_=as_)
    return json_response(request, view_changes.since(parts.ctx, actor, campaign_id, found, since))


@router.get("/board", response_model=Scenario, openapi_extra=error_responses(public=True))
def get_board(request: Request, parts: ServerDep, actor: ActorDep, campaign_id: str) -> Response:
    """Return the campaign's map as its scenario has it (docs/maps.md); it never changes."""
    return json_response(request, catalog.board(parts.ctx, actor, campaign_id))


@router.get("/ruleset", response_model=Ruleset, openapi_extra=error_responses(public=True))
def get_ruleset(request: Request, parts: ServerDep, actor: ActorDep, campaign_id: str) -> Response:
    """Return the campaign's ruleset: costs, tables, factions; it never changes."""
    return json_response(request, catalog.rules(parts.ctx, actor, campaign_id))


@router.get("/finality", response_model=Page[Finality], openapi_extra=error_responses("wrong_status", public=True))
def get_finality(request: Request, parts: ServerDep, actor: ActorDep, campaign_id: str) -> Response:
    """Return whose orders are final, if the campaign shows it."""
    return json_response(request, {"items": positions.finality(parts.ctx, actor, campaign_id), "next": None})


@router.get("/legal-orders", response_model=Page[LegalOrder], openapi_extra=error_responses("phase_closed"))
def get_legal_orders(
    request: Request, parts: ServerDep, actor: ActorDep, campaign_id: str, seat: Seat = None
) -> Response:
    """Return everything you may order now: settled fields, choices for the others, and what explains them."""
    found = positions.legal_shown(parts.ctx, actor, campaign_id, seat=seat)
    return json_response(request, found.body, etag=tag(found.digest.encode()))


@router.post("/preview", response_model=Previewed, openapi_extra=error_responses("phase_closed"))
def preview_order(
    parts: ServerDep, actor: ActorDep, campaign_id: str, body: PreviewWanted, seat: Seat = None
) -> Response:
    """Preview an order from what you can see."""
    found = positions.preview(parts.ctx, actor, campaign_id, body.order, body.before, seat=seat)
    return created({"says": found.said, "problems": [whole_fault(fault(problem)) for problem in found.problems]}, 200)
