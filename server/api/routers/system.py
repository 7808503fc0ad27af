"""Whether the server lives, what it is, and what its error codes mean."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field

from server.api.endpoints import CallDep, Endpoints
from server.http.context import ServerDep
from server.http.error_codes import explanations
from server.http.problems import Refused
from server.play.dice import receipts
from server.store import migrate

health = APIRouter(include_in_schema=False)
router = Endpoints("server")


class ErrorCode(BaseModel):
    """An error code."""

    code: str = Field(examples=["stale_revision"])
    status: int | None = Field(description="HTTP status; null for codes of single orders.", examples=[412])
    title: str = Field(examples=["It has changed since you read it"])
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


@router.get("/errors", ErrorCodes, public=True)
def list_errors(call: CallDep) -> Response:
    """Return every error code and what it means."""
    return call.answer({"items": [asdict(code) for code in explanations().values()]})


@router.get("/errors/{code}", ErrorCode, public=True)
def get_error(call: CallDep, code: str) -> Response:
    """Explain one error code; problem documents point here."""
    found = explanations().get(code)
    if found is None:
        raise Refused("not_found", "There is no such error code.", field="code", value=code)
    return call.answer(asdict(found))


@router.get("/keys", PublicKeys, public=True)
def list_keys(call: CallDep) -> Response:
    """Return the keys that receipts are signed with, as JSON Web Keys (RFC 7517)."""
    return call.answer({"keys": receipts.keys(call.ctx)})
