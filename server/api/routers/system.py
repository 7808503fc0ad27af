"""Whether the server lives, what it is, and what its error codes mean."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from server.api.openapi import error_responses
from server.api.routes import Route
from server.http.context import ServerDep
from server.http.explanations import explanations
from server.http.problems import Refused
from server.http.responses import json_response
from server.play.dice import receipts
from server.store import migrate

health = APIRouter(include_in_schema=False)
router = APIRouter(route_class=Route, tags=["server"])


class ErrorCode(BaseModel):
    """An error code."""

    code: str = Field(examples=["stale_revision"])
    status: int | None = Field(description="HTTP status; null for codes of single orders.", examples=[412])
    title: str = Field(examples=["Somebody changed it since you read it"])
    kind: str = Field(description="`request`, `invalid_order` or `illegal_order`.", examples=["request"])
    why: str = Field(description="The reason.", examples=["Something changed it after you read it."])
    next: str = Field(description="What to do next.", examples=["Read it again, then send the new version's ETag."])


class ErrorCodes(BaseModel):
    """All error codes."""

    items: list[ErrorCode]


class PublicKey(BaseModel):
    """A JSON Web Key."""

    kty: str = Field(examples=["OKP"])
    crv: str = Field(examples=["Ed25519"])
    use: str = Field(examples=["sig"])
    alg: str = Field(examples=["EdDSA"])
    kid: str = Field(description="What receipts call it.", examples=["3f2a90bc11d07e55"])
    x: str = Field(description="The public key, base64url.")


class PublicKeys(BaseModel):
    """The keys of this server."""

    keys: list[PublicKey]


@health.get("/healthz")
async def alive() -> dict[str, str]:
    """Say that the process lives."""
    return {"status": "ok"}


@health.get("/readyz")
def ready(parts: ServerDep) -> dict[str, str]:
    """Say whether requests can be served: the database answers and has the right schema."""
    if parts.hub.draining or parts.hub.closing:
        raise Refused("shutting_down")
    parts.database.check_ready()
    if not migrate.up_to_date(parts.database):
        raise Refused("database_unreachable", "The database has another schema; run `sealed-orders db upgrade`.")
    if parts.hub.deaf:
        raise Refused("database_unreachable", "News do not arrive through the pooler; set SEALED_ORDERS_LISTEN_URL.")
    return {"status": "ready"}


@router.get("/errors", response_model=ErrorCodes, openapi_extra=error_responses(public=True))
def list_errors(request: Request) -> Response:
    """Return every error code and what it means."""
    return json_response(request, {"items": [asdict(code) for code in explanations().values()]})


@router.get("/errors/{code}", response_model=ErrorCode, openapi_extra=error_responses(public=True))
def get_error(request: Request, code: str) -> Response:
    """Explain one error code; problem documents point here."""
    found = explanations().get(code)
    if found is None:
        raise Refused("not_found", "There is no such error code.", field="code", value=code)
    return json_response(request, asdict(found))


@router.get("/keys", response_model=PublicKeys, openapi_extra=error_responses(public=True))
def list_keys(request: Request, parts: ServerDep) -> Response:
    """Return the keys that receipts are signed with, as JSON Web Keys (RFC 7517)."""
    return json_response(request, {"keys": receipts.keys(parts.ctx)})
