"""What only the campaign's game master may do; all of it is written down and shown to everyone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Response
from pydantic import Field

from server.api.bodies import Body
from server.api.endpoints import CallDep, Endpoints
from server.api.pages import Page
from server.http.middleware import PREFIX
from server.http.problems import Fault, whole_fault
from server.http.responses import created, made
from server.play.edits.edits import Change
from server.play.game_masters import game_master, handover, phoned_in, rollback
from server.play.game_masters.game_master import AdvancePreview, Edit
from server.play.game_masters.handover import GameMasterInfo
from server.play.game_masters.rollback import RollbackPreview
from server.play.orders.orders import OrderSetInfo

router = Endpoints("game master", "/campaigns/{campaign_id}/gm")

Why = Annotated[str, Field(max_length=10_000, description="For everybody to read.", examples=["Ann is ill."])]
Edits = Annotated[
    list[Any],
    Field(
        max_length=1000,
        description="Edits of the nouns, one after the other (docs/api.md, Editing the position).",
        examples=[[{"do": "set", "what": "store", "hex": "0405", "bp": 500}]],
    ),
]


class Advance(Body):
    """Which phase to end."""

    number: int = Field(ge=0, le=2**31, examples=[4])
    why: Why = ""


class Due(Body):
    """A new deadline for the open phase."""

    due: Annotated[datetime | None, Field(strict=False, examples=["2026-08-01T20:00:00Z"])]
    why: Why = ""


class ReadingsWanted(Body):
    """Which version of the rules versions the next turn begins with."""

    version: int = Field(ge=0, le=2**31, description="0: the campaign stays with its own.", examples=[2])
    why: Why = ""


class EditsWanted(Body):
    """A change of the position."""

    edits: Edits
    why: Why


class EditsChecked(Body):
    """Edits to look at."""

    edits: Edits


class Offering(Body):
    """The new game master."""

    name: str = Field(max_length=200, description="Name of the account.", examples=["Hal"])
    why: Why = ""
    role: Literal["gm", "partner", "successor"] = Field(
        "gm", description="`gm`: instead. `partner`: together, with the same rights. `successor`: if nobody is there."
    )


class Leaving(Body):
    """The game master or successor who steps down."""

    name: str = Field(max_length=200, description="Name of the account.", examples=["Hal"])


class NewPlayer(Body):
    """The account that takes the seat."""

    name: str | None = Field(None, max_length=200, description="Name of the account; null: nobody.", examples=["Cat"])
    why: Why = ""
    drop_orders: bool = Field(False, description="The orders of the player who had the seat do not count.")


class OrdersEntered(Body):
    """Orders for a player who cannot hand them in."""

    orders: Annotated[list[Any], Field(max_length=5000)]
    final: bool = Field(False, description="They shall count: the phase ends with the last who says so.")
    number: int | None = Field(None, ge=0, le=2**31, description="The phase they are meant for.", examples=[4])
    why: Why = ""


Earlier = Annotated[int, Field(ge=1, le=2**31, description="The phase to play anew.", examples=[12])]


class RollBack(Body):
    """Where to go back to."""

    number: Earlier
    why: Why


class RollBackChecked(Body):
    """Where you would go back to."""

    number: Earlier


@dataclass(frozen=True, slots=True)
class NewBranch:
    """The branch that began."""

    branch: int


@dataclass(frozen=True, slots=True)
class EditsSeen:
    """What edits would do."""

    problems: list[Fault]
    """All that is wrong; empty where they can be made."""
    changes: list[Change]
    """All that would change, where nothing is wrong."""


@router.post("/advance", None, "wrong_phase", "wrong_status", "phase_closed")
def advance_phase(call: CallDep, campaign_id: str, body: Advance) -> None:
    """Resolve the open phase now, with the orders there are."""
    game_master.advance(call.ctx, call.actor, campaign_id, number=body.number, why=body.why)


@router.post("/advance/check", AdvancePreview, "phase_closed", "too_far_away")
def check_advance(call: CallDep, campaign_id: str) -> Response:
    """Return the players whose orders are missing, and the orders that would count if the phase ended now."""
    return created(game_master.preview_advance(call.ctx, call.actor, campaign_id), 200)


@router.put("/deadline", None, "phase_closed", "too_far_away")
def set_deadline(call: CallDep, campaign_id: str, body: Due) -> None:
    """Move the open phase's deadline, or take it away (null)."""
    game_master.set_due(call.ctx, call.actor, campaign_id, body.due, body.why)


@router.put("/readings", Edit, "phase_closed")
def choose_readings(call: CallDep, campaign_id: str, body: ReadingsWanted) -> Response:
    """Have the campaign take a later rules version when its next turn begins. Everyone is notified."""
    return created(game_master.choose_readings(call.ctx, call.actor, campaign_id, body.version, body.why), 200)


@router.post("/edits", Edit, "edits_refused", "phase_closed", status=201)
def edit_position(call: CallDep, campaign_id: str, body: EditsWanted) -> Response:
    """Change the position: all of it or, with every problem named, nothing. Orders stay, but are not final any more."""
    found = game_master.edit(call.ctx, call.actor, campaign_id, body.edits, body.why)
    return made(found, f"{PREFIX}/campaigns/{campaign_id}/interventions")


@router.post("/edits/check", EditsSeen, "phase_closed", "too_far_away")
def check_edits(call: CallDep, campaign_id: str, body: EditsChecked) -> Response:
    """Say what is wrong with edits, or all that they would change, without making them."""
    found = game_master.preview_edits(call.ctx, call.actor, campaign_id, body.edits)
    return created({"problems": [whole_fault(fault) for fault in found.problems], "changes": found.changes}, 200)


@router.put("/seats/{player_id}", None, "already_joined")
def replace_player(call: CallDep, campaign_id: str, player_id: str, body: NewPlayer) -> None:
    """Put someone else into a seat, or nobody: then its stand-in orders."""
    game_master.replace_player(
        call.ctx, call.actor, campaign_id, player_id, body.name, body.why, drop_orders=body.drop_orders
    )


@router.put(
    "/seats/{player_id}/orders", OrderSetInfo, "orders_refused", "phase_closed", "wrong_phase", "deadline_passed",
    "conflict",
)  # fmt: skip
def enter_orders(call: CallDep, campaign_id: str, player_id: str, body: OrdersEntered) -> Response:
    """Hand in orders for a player who gives them another way, who gets the receipt. Not over orders they handed in."""
    done = phoned_in.enter(
        call.ctx, call.actor, campaign_id, player_id, body.orders, why=body.why, final=body.final, number=body.number
    )
    return created(replace(done, salt=""), 200)


@router.put("/offer", None, "wrong_status")
def offer_campaign(call: CallDep, campaign_id: str, body: Offering) -> None:
    """Ask an account to be the game master instead; someone asked before is not any more."""
    handover.offer(call.ctx, call.actor, campaign_id, body.name, body.why, role=body.role)


@router.get("/all", Page[GameMasterInfo])
def list_game_masters(call: CallDep, campaign_id: str) -> Response:
    """Return who runs the campaign, the first game master first, and who would take over."""
    found = handover.game_masters(call.ctx, call.actor, campaign_id)
    return call.answer({"items": found, "next": None})


@router.post("/leave")
def remove_game_master(call: CallDep, campaign_id: str, body: Leaving) -> None:
    """Have a partner or successor be none any more; step down yourself (the first game master for a partner)."""
    handover.leave(call.ctx, call.actor, campaign_id, body.name)


@router.delete("/offer")
def take_offer_back(call: CallDep, campaign_id: str) -> None:
    """Ask nobody any more to be the game master instead."""
    handover.take_back(call.ctx, call.actor, campaign_id)


@router.get("/orders", Page[OrderSetInfo], "phase_closed", "too_far_away")
def list_order_sets(call: CallDep, campaign_id: str) -> Response:
    """Return everyone's orders for the open phase, where the campaign lets its game master see them."""
    return call.answer({"items": game_master.order_sets(call.ctx, call.actor, campaign_id), "next": None})


@router.post("/rollback/check", RollbackPreview, "wrong_status", "chain_used_up")
def check_rollback(call: CallDep, campaign_id: str, body: RollBackChecked) -> Response:
    """Say what a rollback would do: which phase would be open again, and which would no longer count."""
    return created(rollback.preview(call.ctx, call.actor, campaign_id, body.number), 200)


@router.post("/rollback", NewBranch, "wrong_status", "chain_used_up", status=201)
def roll_back(call: CallDep, campaign_id: str, body: RollBack) -> Response:
    """Play on from an earlier phase, on a new branch; what was played since stays readable."""
    branch = NewBranch(rollback.roll_back(call.ctx, call.actor, campaign_id, body.number, body.why))
    return made(branch, f"{PREFIX}/campaigns/{campaign_id}/branches")
