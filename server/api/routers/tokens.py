"""Access tokens and bot accounts."""

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
from server.play.accounts import accounts, open_bots, tokens
from server.play.accounts.accounts import Account
from server.play.accounts.open_bots import MAX_PLAYS_LENGTH, OpenBot
from server.play.accounts.tokens import NewToken, TokenInfo

router = APIRouter(route_class=Route, tags=["account"])

Scopes = Annotated[
    list[str],
    Field(max_length=10, description="Some of `read`, `orders`, `gm`.", examples=[["read", "orders"]]),
]


class TokenWanted(Body):
    """A new access token."""

    name: str = Field(max_length=200, description="What its owner calls it.", examples=["my bot"])
    scopes: Scopes
    days: int | None = Field(None, ge=1, le=3650, description="How long it is valid; null: until revoked.")


class BotWanted(Body):
    """A new bot account."""

    name: str = Field(max_length=200, examples=["Ann's general"])


class BotChanged(Body):
    """What to change of a bot."""

    plays: str | None = Field(
        max_length=MAX_PLAYS_LENGTH,
        description="The games it is open to, for the list of open bots; null takes it off the list.",
        examples=["Frontier, maps for two to four; plays at once"],
    )


@router.get("/me/tokens", response_model=Page[TokenInfo], openapi_extra=error_responses())
def list_tokens(
    request: Request, parts: ServerDep, actor: ActorDep, cursor: Cursor = "", limit: Limit = 50
) -> Response:
    """Return your tokens and sessions that are still good."""
    return json_response(request, cut(tokens.listed(parts.ctx, actor), cursor, limit))


@router.post(
    "/me/tokens",
    status_code=201,
    response_model=NewToken,
    openapi_extra=error_responses("limit_reached", "proof_required", secret=True),
)
def create_token(parts: ServerDep, actor: ActorDep, body: TokenWanted) -> Response:
    """Make an access token; its secret is shown this once."""
    token = tokens.create(parts.ctx, actor, body.name, body.scopes, days=body.days)
    return created(token, headers={"Cache-Control": "no-store"})


@router.delete("/me/tokens/{token_id}", status_code=204, openapi_extra=error_responses())
def revoke_token(parts: ServerDep, actor: ActorDep, token_id: str) -> Response:
    """Create a token or session worthless at once."""
    actor.require("read")
    tokens.revoke(parts.ctx, actor, token_id)
    return no_content()


@router.get("/me/bots", response_model=Page[Account], openapi_extra=error_responses())
def list_bots(request: Request, parts: ServerDep, actor: ActorDep, cursor: Cursor = "", limit: Limit = 50) -> Response:
    """Return your bot accounts."""
    return json_response(request, cut(accounts.bots(parts.ctx, actor), cursor, limit))


@router.post(
    "/me/bots", status_code=201, response_model=Account, openapi_extra=error_responses("limit_reached", "name_taken")
)
def create_bot(parts: ServerDep, actor: ActorDep, body: BotWanted) -> Response:
    """Create an account for a program; it signs in with tokens only."""
    return created(accounts.create_bot(parts.ctx, actor, body.name))


@router.patch("/me/bots/{bot_id}", response_model=Account, openapi_extra=error_responses())
def change_bot(parts: ServerDep, actor: ActorDep, bot_id: str, body: BotChanged) -> Response:
    """List one of your bots as open to games, or take it off the list. Needs a session."""
    return created(open_bots.change(parts.ctx, actor, bot_id, body.plays), 200)


@router.get("/bots", response_model=Page[OpenBot], openapi_extra=error_responses())
def list_open_bots(
    request: Request, parts: ServerDep, actor: ActorDep, cursor: Cursor = "", limit: Limit = 50
) -> Response:
    """Return the bots that are open to games, those seen last first; a game master invites them by name."""
    return json_response(request, cut(open_bots.listed(parts.ctx, actor), cursor, limit))


@router.delete("/me/bots/{bot_id}", status_code=204, openapi_extra=error_responses())
def remove_bot(parts: ServerDep, actor: ActorDep, bot_id: str) -> Response:
    """Close a bot's account; its tokens are worthless at once."""
    accounts.remove_bot(parts.ctx, actor, bot_id)
    return no_content()


@router.get("/me/bots/{bot_id}/tokens", response_model=Page[TokenInfo], openapi_extra=error_responses())
def list_bot_tokens(
    request: Request, parts: ServerDep, actor: ActorDep, bot_id: str, cursor: Cursor = "", limit: Limit = 50
) -> Response:
    """Return the tokens of one of your bots."""
    return json_response(request, cut(tokens.listed(parts.ctx, actor, for_bot=bot_id), cursor, limit))


@router.post(
    "/me/bots/{bot_id}/tokens",
    status_code=201,
    response_model=NewToken,
    openapi_extra=error_responses("limit_reached", "proof_required", secret=True),
)
def create_bot_token(parts: ServerDep, actor: ActorDep, bot_id: str, body: TokenWanted) -> Response:
    """Create a token for one of your bots; its secret is shown this once."""
    token = tokens.create(parts.ctx, actor, body.name, body.scopes, days=body.days, for_bot=bot_id)
    return created(token, headers={"Cache-Control": "no-store"})
