"""Seats: inviting, joining, leaving, being away, stand-ins."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response
from pydantic import Field

from server.api.bodies import Body
from server.api.openapi import error_responses
from server.api.pages import Cursor, Limit, Page, cut
from server.api.routes import Route
from server.http.context import ActorDep, ServerDep
from server.http.middleware import PREFIX
from server.http.responses import created, json_response, made, no_content
from server.play.campaigns import dashboard, seats
from server.play.campaigns.campaign_info import CampaignInfo
from server.play.campaigns.dashboard import PendingOffer
from server.play.campaigns.seats import Invited

router = APIRouter(route_class=Route, tags=["campaigns"])

Faction = Annotated[str, Field(max_length=100, examples=["orks"])]
Seat = Annotated[str | None, Field(max_length=32, description="A seat's id; null: the first free one.")]


class Joining(Body):
    """A seat you would like."""

    faction: Annotated[str | None, Field(max_length=100, examples=["orks"])] = Field(
        None, description="Needed before the start; a seat that you take over later keeps its army."
    )
    seat: Seat = None
    name: str | None = Field(None, max_length=200, description="What the others call the seat.", examples=["Red"])
    code: str | None = Field(None, max_length=200, description="The invitation code, where one is needed.")


class FactionChosen(Body):
    """A faction."""

    faction: Faction


class Holiday(Body):
    """A holiday."""

    until: Annotated[datetime | None, Field(strict=False, examples=["2026-08-01T12:00:00Z"])] = None


class StandIn(Body):
    """The stand-in for a player without orders."""

    stand_in: Literal["", "defaults", "bot", "user"] = Field(
        description="`defaults` (D-10), `bot`, `user` (a substitute), or empty: as the campaign says.", examples=["bot"]
    )
    substitute: str | None = Field(None, max_length=200, description="Name of the substitute's account, with `user`.")
    seat: str | None = Field(None, max_length=32, description="Another's seat, for the game master.")
    level: Literal["", "recruit", "regular", "veteran", "marshal"] = Field(
        "", description="How well the computer player plays; empty: as the campaign says.", examples=["veteran"]
    )


class Asked(Body):
    """Someone to invite."""

    name: str = Field(max_length=254, description="Name of the account, or a mail address.", examples=["Ben"])


class Code(Body):
    """An invitation code."""

    code: str = Field(max_length=200, examples=["Jx3k_9sPq2LmAb7t"])


@dataclass(frozen=True, slots=True)
class InvitedTo:
    """Where a code invites to."""

    campaign_id: str


@router.post("/campaigns/{campaign_id}/invitation-code", status_code=201, response_model=Invited,
             openapi_extra=error_responses(secret=True))  # fmt: skip
def make_invitation_code(parts: ServerDep, actor: ActorDep, campaign_id: str) -> Response:
    """Make a new invitation code, shown this once; the one before is worthless. The game master's."""
    code = seats.invite_by_code(parts.ctx, actor, campaign_id)
    return made(code, f"{PREFIX}/campaigns/{campaign_id}", headers={"Cache-Control": "no-store"})


@router.delete("/campaigns/{campaign_id}/invitation-code", status_code=204, openapi_extra=error_responses())
def withdraw_invitation_code(parts: ServerDep, actor: ActorDep, campaign_id: str) -> Response:
    """Make the invitation code worthless. The game master's."""
    seats.withdraw_code(parts.ctx, actor, campaign_id)
    return no_content()


@router.post(
    "/invitation-codes/look", response_model=InvitedTo, openapi_extra=error_responses(public=True, secret=True)
)
def look_at_invitation_code(parts: ServerDep, body: Code) -> Response:
    """Say to which campaign a code invites."""
    return created(InvitedTo(seats.campaign_of_code(parts.ctx, body.code)), 200)


@router.post("/campaigns/{campaign_id}/invitations", status_code=204, openapi_extra=error_responses())
def invite(parts: ServerDep, actor: ActorDep, campaign_id: str, body: Asked) -> Response:
    """Ask someone into the campaign, by the name of an account or by a mail address. The game master's."""
    seats.invite_user(parts.ctx, actor, campaign_id, body.name)
    return no_content()


@router.get("/me/invitations", response_model=Page[PendingOffer], openapi_extra=error_responses())
def list_invitations(
    request: Request, parts: ServerDep, actor: ActorDep, cursor: Cursor = "", limit: Limit = 50
) -> Response:
    """Return the campaigns you are asked into and can still join, newest first."""
    return json_response(request, cut(dashboard.invitations(parts.ctx, actor), cursor, limit))


@router.delete("/campaigns/{campaign_id}/invitations/mine", status_code=204, openapi_extra=error_responses())
def decline_invitation(parts: ServerDep, actor: ActorDep, campaign_id: str) -> Response:
    """Turn an invitation down."""
    seats.decline(parts.ctx, actor, campaign_id)
    return no_content()


@router.post("/campaigns/{campaign_id}/seats", status_code=201, response_model=CampaignInfo,
             openapi_extra=error_responses("campaign_full", "seat_taken", "already_joined", "wrong_status",
                                   "unknown_faction"))  # fmt: skip
def join(parts: ServerDep, actor: ActorDep, campaign_id: str, body: Joining) -> Response:
    """Take a seat; once the campaign runs, take over one that nobody has, with its army."""
    joined = seats.join(
        parts.ctx, actor, campaign_id, faction=body.faction, seat=body.seat, name=body.name, code=body.code
    )
    return made(joined, f"{PREFIX}/campaigns/{campaign_id}")


@router.delete("/campaigns/{campaign_id}/seats/mine", status_code=204, openapi_extra=error_responses("wrong_status"))
def leave(parts: ServerDep, actor: ActorDep, campaign_id: str) -> Response:
    """Give up your seat; once the campaign runs, the stand-in orders until someone takes it."""
    seats.leave(parts.ctx, actor, campaign_id)
    return no_content()


@router.put("/campaigns/{campaign_id}/seats/mine/watching", status_code=204, openapi_extra=error_responses())
def watch_everything(parts: ServerDep, actor: ActorDep, campaign_id: str) -> Response:
    """Watch everything from now on (`as=gm`), once you are out; you take no other seat and write to nobody then."""
    seats.watch(parts.ctx, actor, campaign_id)
    return no_content()


@router.put("/campaigns/{campaign_id}/seats/mine/faction", status_code=204,
            openapi_extra=error_responses("wrong_status", "unknown_faction"))  # fmt: skip
def choose_faction(parts: ServerDep, actor: ActorDep, campaign_id: str, body: FactionChosen) -> Response:
    """Play another faction; before the start."""
    seats.choose_faction(parts.ctx, actor, campaign_id, body.faction)
    return no_content()


@router.put(
    "/campaigns/{campaign_id}/seats/mine/holiday", status_code=204, openapi_extra=error_responses("too_far_away")
)
def go_on_holiday(parts: ServerDep, actor: ActorDep, campaign_id: str, body: Holiday) -> Response:
    """Be away until then (null: back again): the stand-in orders, and no deadline counts as missed."""
    seats.go_away(parts.ctx, actor, campaign_id, body.until)
    return no_content()


@router.put("/campaigns/{campaign_id}/stand-in", status_code=204, openapi_extra=error_responses())
def choose_stand_in(parts: ServerDep, actor: ActorDep, campaign_id: str, body: StandIn) -> Response:
    """Say who orders when you do not; the game master may say it for any seat."""
    seats.choose_stand_in(
        parts.ctx, actor, campaign_id, body.stand_in, substitute=body.substitute, seat=body.seat, level=body.level
    )
    return no_content()
