"""Practice: a position one may read, opened as a private campaign against computer players."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import Field

from server.api.bodies import Body
from server.api.openapi import error_responses
from server.api.routes import Route
from server.bots.levels import LEVELS, REGULAR
from server.http.context import ActorDep, ServerDep
from server.http.middleware import PREFIX
from server.http.responses import json_response, made
from server.play.campaigns import practice
from server.play.campaigns.campaign_info import CampaignInfo
from server.play.campaigns.practice import NewPractice, PracticeInfo

router = APIRouter(route_class=Route, tags=["history"], prefix="/campaigns/{campaign_id}")


class PracticeWanted(Body):
    """What to practise, and against whom."""

    number: Annotated[
        int | None,
        Field(
            ge=0, le=2**31 - 1, description="Of the finished phase that is meant; null: the last that can be played on."
        ),
    ] = None
    branch: Annotated[int | None, Field(ge=1, le=2**31 - 1, description="A line of play; null: the one played on.")] = (
        None
    )
    as_: str | None = Field(
        None, alias="as", max_length=32, description="As whom one reads the position, where one may."
    )
    seat: str | None = Field(None, max_length=32, description="Whose seat one takes; null: the reader's.")
    name: str = Field("", max_length=400, description="Empty: the campaign's, and the phase.")
    level: str = Field(REGULAR, max_length=32, description=f"How well the others play: {', '.join(LEVELS)}.")
    give_up: bool = Field(False, description="A computer player is out when it was hopeless two turns in a row.")


@router.post("/practice", status_code=201, response_model=CampaignInfo,
             openapi_extra=error_responses("wrong_status"))  # fmt: skip
def practise(parts: ServerDep, actor: ActorDep, campaign_id: str, body: PracticeWanted) -> Response:
    """Open a position as a practice against computer players; what one could not see is invented by dice."""
    campaign = practice.create(parts.ctx, actor, campaign_id, NewPractice(**body.model_dump()))
    return made(campaign, f"{PREFIX}/campaigns/{campaign.id}")


@router.get("/practice", response_model=PracticeInfo, openapi_extra=error_responses(public=True))
def get_practice(request: Request, parts: ServerDep, actor: ActorDep, campaign_id: str) -> Response:
    """Return where a practice comes from, and what was invented of what one sees; all when it is over."""
    return json_response(request, practice.get(parts.ctx, actor, campaign_id))
