"""Your second factor: codes of an authenticator app."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import Field

from server.api.bodies import Body
from server.api.openapi import error_responses
from server.api.routers.accounts import Code, Password
from server.api.routes import Route
from server.http.context import ActorDep, ServerDep
from server.http.responses import created, json_response, no_content
from server.play.accounts import second_factor_setup
from server.play.accounts.second_factor_setup import FactorStatus, NewFactor, RecoveryCodes

router = APIRouter(route_class=Route, tags=["account"], prefix="/me/second-factor")


class FactorWanted(Body):
    """What asking for a second factor needs."""

    password: Annotated[Password | None, Field(description="Not needed where the account has none.")] = None


class CodeGiven(Body):
    """A code of the app, or a recovery code."""

    code: Code


@router.get("", response_model=FactorStatus, openapi_extra=error_responses())
def get_second_factor(request: Request, parts: ServerDep, actor: ActorDep) -> Response:
    """Return whether one signs in with a code, too."""
    return json_response(request, second_factor_setup.status(parts.ctx, actor))


@router.post("", status_code=201, response_model=NewFactor,
             openapi_extra=error_responses("wrong_password", "proof_required", "conflict", secret=True))  # fmt: skip
def begin_second_factor(parts: ServerDep, actor: ActorDep, body: FactorWanted) -> Response:
    """Draw the secret of an authenticator app. It counts once a code is given (`PUT`)."""
    made = second_factor_setup.begin(parts.ctx, actor, body.password)
    return created(made, headers={"Cache-Control": "no-store"})


@router.put(
    "",
    response_model=RecoveryCodes,
    openapi_extra=error_responses("wrong_code", "proof_required", "conflict", secret=True),
)
def confirm_second_factor(parts: ServerDep, actor: ActorDep, body: CodeGiven) -> Response:
    """Switch it on with a code of the app. Returns recovery codes, this once; all other sessions end."""
    made = second_factor_setup.confirm(parts.ctx, actor, body.code)
    return created(made, 200, headers={"Cache-Control": "no-store"})


@router.post("/recovery-codes", status_code=201, response_model=RecoveryCodes,
             openapi_extra=error_responses("wrong_code", "conflict", secret=True))  # fmt: skip
def new_recovery_codes(parts: ServerDep, actor: ActorDep, body: CodeGiven) -> Response:
    """Draw new recovery codes; the ones before are worthless."""
    made = second_factor_setup.new_recovery_codes(parts.ctx, actor, body.code)
    return created(made, headers={"Cache-Control": "no-store"})


@router.delete("", status_code=204, openapi_extra=error_responses("wrong_code", secret=True))
def remove_second_factor(parts: ServerDep, actor: ActorDep, body: CodeGiven) -> Response:
    """Sign in without a code from now on; needs one for the last time."""
    second_factor_setup.switch_off(parts.ctx, actor, body.code)
    return no_content()
