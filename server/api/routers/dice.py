"""The dice of a campaign: what is published of them, and the salts of your seat (docs/dice.md)."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Response
from pydantic import Field

from server.api.bodies import Body
from server.api.endpoints import CallDep, Endpoints
from server.http.responses import created
from server.play.dice import salts
from server.play.dice.salts import DiceInfo, SaltsInfo

router = Endpoints("dice", "/campaigns/{campaign_id}")


class SaltsGiven(Body):
    """What someone who keeps the salts of their seat sends."""

    salt: Annotated[
        str | None,
        Field(max_length=200, description="The salt of the open phase; before the start that of joining."),
    ] = None
    commitment: Annotated[
        str | None,
        Field(
            max_length=200,
            description="SHA-256 of the salt of the next phase, hexadecimal. The sender keeps the salts.",
            examples=["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
        ),
    ] = None
    kept_by: Annotated[
        Literal["server"] | None, Field(description="Let the server keep the salts that are not committed yet.")
    ] = None


@router.get("/dice", DiceInfo, public=True)
def get_dice(call: CallDep, campaign_id: str) -> Response:
    """Return link 0, the commitments of the seat keys, and those keys that you may know."""
    return call.answer(salts.dice(call.ctx, call.actor, campaign_id))


@router.get("/salts", SaltsInfo)
def get_salts(call: CallDep, campaign_id: str) -> Response:
    """Return how the salts of your seat stand: who keeps them, what is committed, what was sent."""
    return call.answer(salts.read(call.ctx, call.actor, campaign_id))


@router.put("/salts", SaltsInfo, "phase_closed", "deadline_passed", "salt_mismatch", "commitment_made")
def give_salts(call: CallDep, campaign_id: str, body: SaltsGiven) -> Response:
    """Send the salt of the open phase and commit that of the next one, even if you have no orders due."""
    found = salts.give(
        call.ctx, call.actor, campaign_id, salt=body.salt, commitment=body.commitment, kept_by=body.kept_by
    )
    return created(found, 200)
