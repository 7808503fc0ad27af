"""Seats: inviting, joining, leaving, being away, stand-ins."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from fastapi import Response
from pydantic import Field

from server.api.bodies import Body
from server.api.endpoints import CallDep, Endpoints
from server.api.pages import Page, PortionDep, cut
from server.http.middleware import PREFIX
from server.http.responses import created, made
from server.play.campaigns import dashboard, seats
from server.play.campaigns.campaign_info import CampaignInfo
from server.play.campaigns.dashboard import PendingOffer
from server.play.campaigns.seats import Invited

router = Endpoints("campaigns")

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


@router.post("/campaigns/{campaign_id}/invitation-code", Invited, status=201, secret=True)
def make_invitation_code(call: CallDep, campaign_id: str) -> Response:
    """Make a new invitation code, shown this once; the one before is worthless. The game master's."""
    code = seats.invite_by_code(call.ctx, call.actor, campaign_id)
    return made(code, f"{PREFIX}/campaigns/{campaign_id}", headers={"Cache-Control": "no-store"})


@router.delete("/campaigns/{campaign_id}/invitation-code")
def withdraw_invitation_code(call: CallDep, campaign_id: str) -> None:
    """Make the invitation code worthless. The game master's."""
    seats.withdraw_code(call.ctx, call.actor, campaign_id)


@router.post("/invitation-codes/look", InvitedTo, public=True, secret=True)
def look_at_invitation_code(call: CallDep, body: Code) -> Response:
    """Say to which campaign a code invites."""
    return created(InvitedTo(seats.campaign_of_code(call.ctx, body.code)), 200)


@router.post("/campaigns/{campaign_id}/invitations")
def invite(call: CallDep, campaign_id: str, body: Asked) -> None:
    """Ask someone into the campaign, by the name of an account or by a mail address. The game master's."""
    seats.invite_user(call.ctx, call.actor, campaign_id, body.name)


@router.get("/me/invitations", Page[PendingOffer])
def list_invitations(call: CallDep, portion: PortionDep) -> Response:
    """Return the campaigns you are asked into and can still join, newest first."""
    return call.answer(cut(dashboard.invitations(call.ctx, call.actor), portion))


@router.delete("/campaigns/{campaign_id}/invitations/mine")
def decline_invitation(call: CallDep, campaign_id: str) -> None:
    """Turn an invitation down."""
    seats.decline(call.ctx, call.actor, campaign_id)


@router.post(
    "/campaigns/{campaign_id}/seats", CampaignInfo, "campaign_full", "seat_taken", "already_joined", "wrong_status",
    "unknown_faction", status=201,
)  # fmt: skip
def join(call: CallDep, campaign_id: str, body: Joining) -> Response:
    """Take a seat; once the campaign runs, take over one that nobody has, with its army."""
    joined = seats.join(
        call.ctx, call.actor, campaign_id, faction=body.faction, seat=body.seat, name=body.name, code=body.code
    )
    return made(joined, f"{PREFIX}/campaigns/{campaign_id}")


@router.delete("/campaigns/{campaign_id}/seats/mine", None, "wrong_status")
def leave(call: CallDep, campaign_id: str) -> None:
    """Give up your seat; once the campaign runs, the stand-in orders until someone takes it."""
    seats.leave(call.ctx, call.actor, campaign_id)


@router.put("/campaigns/{campaign_id}/seats/mine/watching")
def watch_everything(call: CallDep, campaign_id: str) -> None:
    """Watch everything from now on (`as=gm`), once you are out; you take no other seat and write to nobody then."""
    seats.watch(call.ctx, call.actor, campaign_id)


@router.put("/campaigns/{campaign_id}/seats/mine/faction", None, "wrong_status", "unknown_faction")
def choose_faction(call: CallDep, campaign_id: str, body: FactionChosen) -> None:
    """Play another faction; before the start."""
    seats.choose_faction(call.ctx, call.actor, campaign_id, body.faction)


@router.put("/campaigns/{campaign_id}/seats/mine/holiday", None, "too_far_away")
def go_on_holiday(call: CallDep, campaign_id: str, body: Holiday) -> None:
    """Be away until then (null: back again): the stand-in orders, and no deadline counts as missed."""
    seats.go_away(call.ctx, call.actor, campaign_id, body.until)


@router.put("/campaigns/{campaign_id}/stand-in")
def choose_stand_in(call: CallDep, campaign_id: str, body: StandIn) -> None:
    """Say who orders when you do not; the game master may say it for any seat."""
    seats.choose_stand_in(
        call.ctx, call.actor, campaign_id, body.stand_in, substitute=body.substitute, seat=body.seat, level=body.level
    )
