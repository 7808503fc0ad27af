"""What one may know of a campaign now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from server.api.bodies import Body
from server.api.context import ActorDep, Server, ServerDep
from server.api.openapi import error_responses
from server.api.pages import Page
from server.api.problems import Fault
from server.api.responses import created, json_response
from server.api.routes import Route
from server.play import campaigns, catalog, positions
from server.play.context import Actor
from server.play.errors import fault
from server.play.positions import Finality
from server.render.svg import Options, draw
from server.rules.sight import View

router = APIRouter(route_class=Route, tags=["view"], prefix="/campaigns/{campaign_id}")

As = Annotated[
    str | None,
    Query(
        alias="as",
        max_length=32,
        description="As whom to look: a player's id, `gm` or `spectator`; only as oneself before the end.",
    ),
]
Legend = Annotated[bool, Query(description="Whether what the signs mean stands beside the map.")]
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
class LegalOrder:
    """Orders of one kind that may be given."""

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
    """Return the position as one knows it: as a player, the game master or a spectator."""
    found = positions.position(parts.ctx, actor, campaign_id, as_=as_)
    head = {
        "campaign_id": found.campaign_id,
        "branch": found.branch,
        "number": found.number,
        "turn": found.turn,
        "phase": found.phase,
        "deadline": found.deadline,
    }
    # the body is an object of its own; both are written as one
    return json_response(request, orjson.dumps(head)[:-1] + b"," + found.body[1:])


@router.get("/map.svg", response_class=Response, openapi_extra=error_responses("wrong_status", public=True),
            responses={200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}}})  # fmt: skip
def get_picture(
    request: Request, parts: ServerDep, actor: ActorDep, campaign_id: str, as_: As = None, legend: Legend = True
) -> Response:
    """Return a picture of the position as one knows it."""
    found = positions.position(parts.ctx, actor, campaign_id, as_=as_)
    return picture(request, found.view, seat_names(parts, actor, campaign_id), legend=legend)


def seat_names(parts: Server, actor: Actor, campaign_id: str) -> dict[str, str]:
    """Return what the players are called in this campaign, by their ids."""
    return {each.player_id: each.name for each in campaigns.get(parts.ctx, actor, campaign_id).seats}


def picture(request: Request, view: View, names: Mapping[str, str], *, legend: bool) -> Response:
    """Return a view as a picture that cannot do anything, wherever it is shown."""
    policy = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:"}
    drawn = draw(view, Options(names=names, legend=legend)).encode()
    return json_response(request, drawn, media_type="image/svg+xml", headers=policy)


@router.get("/board", response_model=dict[str, Any], openapi_extra=error_responses(public=True))
def get_board(request: Request, parts: ServerDep, actor: ActorDep, campaign_id: str) -> Response:
    """Return the campaign's map as its scenario has it (docs/maps.md); it never changes."""
    return json_response(request, catalog.board(parts.ctx, actor, campaign_id))


@router.get("/ruleset", response_model=dict[str, Any], openapi_extra=error_responses(public=True))
def get_ruleset(request: Request, parts: ServerDep, actor: ActorDep, campaign_id: str) -> Response:
    """Return the campaign's ruleset: costs, tables, factions; it never changes."""
    return json_response(request, catalog.rules(parts.ctx, actor, campaign_id))


@router.get("/finality", response_model=Page[Finality], openapi_extra=error_responses("wrong_status", public=True))
def get_finality(request: Request, parts: ServerDep, actor: ActorDep, campaign_id: str) -> Response:
    """Return who has declared his orders final, as far as the campaign shows it."""
    return json_response(request, {"items": positions.finality(parts.ctx, actor, campaign_id), "next": None})


@router.get("/legal-orders", response_model=Page[LegalOrder], openapi_extra=error_responses("phase_closed"))
def get_legal_orders(
    request: Request, parts: ServerDep, actor: ActorDep, campaign_id: str, seat: Seat = None
) -> Response:
    """Return everything one may order now: settled fields, choices for the others, and what explains them."""
    found = positions.legal(parts.ctx, actor, campaign_id, seat=seat)
    return json_response(request, {"items": [{"choices": {}} | each for each in found], "next": None})


@router.post("/preview", response_model=Previewed, openapi_extra=error_responses("phase_closed"))
def preview_order(
    parts: ServerDep, actor: ActorDep, campaign_id: str, body: PreviewWanted, seat: Seat = None
) -> Response:
    """Say what an order would do, as far as one can know."""
    found = positions.preview(parts.ctx, actor, campaign_id, body.order, body.before, seat=seat)
    return created({"says": found.said, "problems": [fault(each) for each in found.problems]}, 200)
