"""Votes of the players on the end of their campaign."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Request, Response
from pydantic import Field

from server.api.bodies import Body
from server.api.openapi import error_responses
from server.api.pages import Page
from server.api.routes import Route
from server.http.context import ActorDep, ServerDep
from server.http.middleware import PREFIX
from server.http.responses import created, json_response, made, no_content
from server.play.campaigns import votes
from server.play.campaigns.votes import VoteInfo

router = APIRouter(route_class=Route, tags=["campaigns"], prefix="/campaigns/{campaign_id}/votes")
Number = Annotated[int, Path(ge=1, le=2**31)]


class Proposal(Body):
    """An end that players can agree on."""

    about: Literal["draw", "peace", "concede"] = Field(
        description="`draw`: all who are in share the victory. `peace`: victory points decide, as they are. "
        "`concede`: the others concede to a player.",
        examples=["draw"],
    )
    winner: str = Field("", max_length=32, description="The player to whom the others concede.", examples=["p2"])
    why: str = Field("", max_length=10_000, description="For everybody to read.", examples=["We move on."])


class Answer(Body):
    """Whether you agree."""

    agrees: bool


@router.get("", response_model=Page[VoteInfo], openapi_extra=error_responses(public=True))
def list_votes(request: Request, parts: ServerDep, actor: ActorDep, campaign_id: str) -> Response:
    """Return the votes on the end of the campaign, the first one first."""
    return json_response(request, {"items": votes.listed(parts.ctx, actor, campaign_id), "next": None})


@router.post("", status_code=201, response_model=VoteInfo, openapi_extra=error_responses("phase_closed"))
def open_vote(parts: ServerDep, actor: ActorDep, campaign_id: str, body: Proposal) -> Response:
    """Open a vote on the end of the campaign; you agree by it. Those who are absent do not block."""
    found = votes.propose(parts.ctx, actor, campaign_id, body.about, winner=body.winner, why=body.why)
    return made(found, f"{PREFIX}/campaigns/{campaign_id}/votes")


@router.put("/{number}/answer", response_model=VoteInfo, openapi_extra=error_responses("phase_closed"))
def answer_vote(parts: ServerDep, actor: ActorDep, campaign_id: str, number: Number, body: Answer) -> Response:
    """Agree, or not: the vote is carried when all agree, and ends when a player does not."""
    return created(votes.answer(parts.ctx, actor, campaign_id, number, agrees=body.agrees), 200)


@router.delete("/{number}", status_code=204, openapi_extra=error_responses())
def withdraw_vote(parts: ServerDep, actor: ActorDep, campaign_id: str, number: Number) -> Response:
    """Close a vote that you opened."""
    votes.withdraw(parts.ctx, actor, campaign_id, number)
    return no_content()
