"""Blocked people, and reports on them to the operators."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import Field

from server.api.bodies import Body
from server.api.openapi import error_responses
from server.api.pages import Cursor, Limit, Page, cut
from server.api.routes import Route
from server.http.context import ActorDep, ServerDep
from server.http.responses import created, json_response, no_content
from server.play.accounts import blocking
from server.play.accounts.blocking import MAX_WHY, BlockInfo, OwnReport

router = APIRouter(route_class=Route, tags=["people"])


class BlockWanted(Body):
    """An account you have blocked."""

    name: Annotated[str, Field(max_length=200, description="Of the account.", examples=["Mallory"])]


class PersonReportWanted(Body):
    """What the operators should know of someone."""

    why: Annotated[str, Field(max_length=2 * MAX_WHY, examples=["They threaten me in every letter."])]
    message_id: str | None = Field(
        None, max_length=64, description="A message one got from them: its words go along with the report."
    )


@router.get("/me/blocks", response_model=Page[BlockInfo], openapi_extra=error_responses())
def list_blocks(
    request: Request, parts: ServerDep, actor: ActorDep, cursor: Cursor = "", limit: Limit = 50
) -> Response:
    """Return the accounts you have blocked, the latest first."""
    return json_response(request, cut(blocking.blocks(parts.ctx, actor), cursor, limit))


@router.post("/me/blocks", status_code=201, response_model=BlockInfo, openapi_extra=error_responses("limit_reached"))
def block_account(parts: ServerDep, actor: ActorDep, body: BlockWanted) -> Response:
    """Block the account of that name: you see none of their messages, and they cannot invite you. They do not hear."""
    return created(blocking.block_account(parts.ctx, actor, body.name))


@router.delete("/me/blocks/{block_id}", status_code=204, openapi_extra=error_responses())
def unblock(parts: ServerDep, actor: ActorDep, block_id: str) -> Response:
    """Take a block back: their messages are there again."""
    blocking.unblock(parts.ctx, actor, block_id)
    return no_content()


@router.get("/me/reports", response_model=Page[OwnReport], openapi_extra=error_responses())
def list_own_reports(
    request: Request, parts: ServerDep, actor: ActorDep, cursor: Cursor = "", limit: Limit = 50
) -> Response:
    """Return your reports of people, the latest first, and whether the operators have settled them."""
    return json_response(request, cut(blocking.own_reports(parts.ctx, actor), cursor, limit))


@router.put("/campaigns/{campaign_id}/people/{player_id}/block", response_model=BlockInfo,
            openapi_extra=error_responses("limit_reached"))  # fmt: skip
def block_person(parts: ServerDep, actor: ActorDep, campaign_id: str, player_id: str) -> Response:
    """Block the player in a seat (`gm`: the game master). In an anonymous campaign the block holds there alone."""
    return created(blocking.block_seat(parts.ctx, actor, campaign_id, player_id), 200)


@router.post("/campaigns/{campaign_id}/people/{player_id}/reports", status_code=204,
             openapi_extra=error_responses("limit_reached"))  # fmt: skip
def report_person(
    parts: ServerDep, actor: ActorDep, campaign_id: str, player_id: str, body: PersonReportWanted
) -> Response:
    """Tell the operators of the server about someone (`gm`: the game master). Nobody else learns of it."""
    blocking.report(parts.ctx, actor, campaign_id, player_id, body.why, message_id=body.message_id)
    return no_content()
