"""How an account signs in: access tokens, bot accounts, the second factor."""

from __future__ import annotations

from typing import Annotated

from fastapi import Response
from pydantic import Field

from server.api.bodies import Body
from server.api.endpoints import CallDep, Endpoints
from server.api.pages import Page, PortionDep, cut
from server.api.routers.accounts import Code, Password
from server.http.responses import created
from server.play.accounts import accounts, second_factor_setup, tokens
from server.play.accounts.accounts import MAX_PLAYS_LENGTH, Account, OpenBot
from server.play.accounts.second_factor_setup import FactorStatus, NewFactor, RecoveryCodes
from server.play.accounts.tokens import NewToken, TokenInfo

router = Endpoints("account")

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


@router.get("/me/tokens", Page[TokenInfo])
def list_tokens(call: CallDep, portion: PortionDep) -> Response:
    """Return your tokens and sessions that are still good."""
    return call.answer(cut(tokens.listed(call.ctx, call.actor), portion))


@router.post("/me/tokens", NewToken, "limit_reached", "proof_required", status=201, secret=True)
def create_token(call: CallDep, body: TokenWanted) -> Response:
    """Make an access token; its secret is shown this once."""
    token = tokens.create(call.ctx, call.actor, body.name, body.scopes, days=body.days)
    return created(token, headers={"Cache-Control": "no-store"})


@router.delete("/me/tokens/{token_id}")
def revoke_token(call: CallDep, token_id: str) -> None:
    """Create a token or session worthless at once."""
    call.actor.require("read")
    tokens.revoke(call.ctx, call.actor, token_id)


@router.get("/me/bots", Page[Account])
def list_bots(call: CallDep, portion: PortionDep) -> Response:
    """Return your bot accounts."""
    return call.answer(cut(accounts.bots(call.ctx, call.actor), portion))


@router.post("/me/bots", Account, "limit_reached", "name_taken", status=201)
def create_bot(call: CallDep, body: BotWanted) -> Response:
    """Create an account for a program; it signs in with tokens only."""
    return created(accounts.create_bot(call.ctx, call.actor, body.name))


@router.patch("/me/bots/{bot_id}", Account)
def change_bot(call: CallDep, bot_id: str, body: BotChanged) -> Response:
    """List one of your bots as open to games, or take it off the list. Needs a session."""
    return created(accounts.change_open_bot(call.ctx, call.actor, bot_id, body.plays), 200)


@router.get("/bots", Page[OpenBot])
def list_open_bots(call: CallDep, portion: PortionDep) -> Response:
    """Return the bots that are open to games, those seen last first; a game master invites them by name."""
    return call.answer(cut(accounts.open_bots(call.ctx, call.actor), portion))


@router.delete("/me/bots/{bot_id}")
def remove_bot(call: CallDep, bot_id: str) -> None:
    """Close a bot's account; its tokens are worthless at once."""
    accounts.remove_bot(call.ctx, call.actor, bot_id)


@router.get("/me/bots/{bot_id}/tokens", Page[TokenInfo])
def list_bot_tokens(call: CallDep, bot_id: str, portion: PortionDep) -> Response:
    """Return the tokens of one of your bots."""
    return call.answer(cut(tokens.listed(call.ctx, call.actor, for_bot=bot_id), portion))


@router.post("/me/bots/{bot_id}/tokens", NewToken, "limit_reached", "proof_required", status=201, secret=True)
def create_bot_token(call: CallDep, bot_id: str, body: TokenWanted) -> Response:
    """Create a token for one of your bots; its secret is shown this once."""
    token = tokens.create(call.ctx, call.actor, body.name, body.scopes, days=body.days, for_bot=bot_id)
    return created(token, headers={"Cache-Control": "no-store"})


second_factor = Endpoints("account", "/me/second-factor")


class FactorWanted(Body):
    """What asking for a second factor needs."""

    password: Annotated[Password | None, Field(description="Not needed where the account has none.")] = None


class CodeGiven(Body):
    """A code of the app, or a recovery code."""

    code: Code


@second_factor.get("", FactorStatus)
def get_second_factor(call: CallDep) -> Response:
    """Return whether one signs in with a code, too."""
    return call.answer(second_factor_setup.status(call.ctx, call.actor))


@second_factor.post("", NewFactor, "wrong_password", "proof_required", "conflict", status=201, secret=True)
def begin_second_factor(call: CallDep, body: FactorWanted) -> Response:
    """Draw the secret of an authenticator app. It counts once a code is given (`PUT`)."""
    made = second_factor_setup.begin(call.ctx, call.actor, body.password)
    return created(made, headers={"Cache-Control": "no-store"})


@second_factor.put("", RecoveryCodes, "wrong_code", "proof_required", "conflict", secret=True)
def confirm_second_factor(call: CallDep, body: CodeGiven) -> Response:
    """Switch it on with a code of the app. Returns recovery codes, this once; all other sessions end."""
    made = second_factor_setup.confirm(call.ctx, call.actor, body.code)
    return created(made, 200, headers={"Cache-Control": "no-store"})


@second_factor.post("/recovery-codes", RecoveryCodes, "wrong_code", "conflict", status=201, secret=True)
def new_recovery_codes(call: CallDep, body: CodeGiven) -> Response:
    """Draw new recovery codes; the ones before are worthless."""
    made = second_factor_setup.new_recovery_codes(call.ctx, call.actor, body.code)
    return created(made, headers={"Cache-Control": "no-store"})


@second_factor.delete("", None, "wrong_code", secret=True)
def remove_second_factor(call: CallDep, body: CodeGiven) -> None:
    """Sign in without a code from now on; needs one for the last time."""
    second_factor_setup.switch_off(call.ctx, call.actor, body.code)
