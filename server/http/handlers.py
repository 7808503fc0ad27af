"""What becomes of exceptions: each a problem document."""

from __future__ import annotations

from typing import Any, cast

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import IntegrityError
from starlette.exceptions import HTTPException
from starlette.routing import Match

from server.http.logs import logger
from server.http.problems import Refused, shown
from server.play.errors import PlayError
from server.store.errors import Busy, Full, StorageError

_log = logger("server.request")
_STATUSES = {
    400: "malformed_json",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    415: "unsupported_media_type",
}
_CODES = {"missing": "missing_field", "extra_forbidden": "unknown_field"}
"""Names for what pydantic finds; everything else is a bad value."""
MAX_FAULTS = 50
BUSY_HEADERS = {"Retry-After": "5"}
"""Headers of the answer to a request that came while too many others were doing the same."""


def install(app: FastAPI) -> None:
    """Register the handlers."""
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(PlayError, _refused_by_play)
    app.add_exception_handler(IntegrityError, _in_the_way)
    app.add_exception_handler(RequestValidationError, _not_understood)
    app.add_exception_handler(StorageError, _storage)


async def _refused(_request: Request, error: Exception) -> Response:
    return cast(Refused, error).response()


async def _refused_by_play(_request: Request, error: Exception) -> Response:
    return from_play(cast(PlayError, error)).response()


def from_play(error: PlayError) -> Refused:
    """Return a refusal of a use case as one of HTTP."""
    return Refused(
        error.code,
        error.message,
        field=error.field,
        value=error.value,
        problems=error.problems,
        headers=BUSY_HEADERS if error.kind == "busy" else None,
    )


async def _in_the_way(_request: Request, error: Exception) -> Response:
    """Two requests wanted the same unique thing at the same moment, and this one came second."""
    _log.warning("in the way", why=str(cast(IntegrityError, error).orig).partition("\n")[0])
    return Refused("conflict", "Somebody did the same at the same moment.").response()


async def _http(request: Request, error: Exception) -> Response:
    known = cast(HTTPException, error)
    code = _STATUSES.get(known.status_code, "conflict" if known.status_code < 500 else "internal")
    headers = {"Allow": _methods(request)} if known.status_code == 405 else known.headers
    return Refused(code, headers=headers).response()


def _methods(request: Request) -> str:
    """Return the methods of an address; each of its routes knows no more than its own."""
    routes = request.app.router.routes  # a group that may serve the address is among them by now
    asked = ({**request.scope, "method": method} for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"))
    known = (scope["method"] for scope in asked if any(route.matches(scope)[0] is Match.FULL for route in routes))
    return ", ".join(known)


async def _not_understood(_request: Request, error: Exception) -> Response:
    found = cast(RequestValidationError, error).errors()[:MAX_FAULTS]
    if any(error["type"] == "json_invalid" for error in found):
        return Refused("malformed_json").response()
    faults = [_fault(error) for error in found]
    first = faults[0]
    return Refused(
        "invalid_request", first["message"], field=first["field"], value=first["value"], problems=faults
    ).response()


def _fault(found: Any) -> dict[str, Any]:
    place = [str(part) for part in found["loc"]]
    where = place[1:] if place[:1] in (["body"], ["query"], ["path"], ["header"]) else place
    missing = found["type"] == "missing"
    return {
        "code": _CODES.get(found["type"], "bad_value"),
        "message": f"{found['msg']}." if where or not missing else "A body is needed, a JSON object.",
        "field": ".".join(where),
        "value": None if missing else shown(found.get("input")),
    }


async def _storage(_request: Request, error: Exception) -> Response:
    return in_storage(cast(StorageError, error)).response()


def in_storage(error: StorageError) -> Refused:
    """Return what to say when the database cannot keep something; the log says why."""
    if isinstance(error, Full):
        _log.error("disk full")
        return Refused("disk_full", "Nothing of your request was kept. Try again when there is room.")
    if isinstance(error, Busy):
        return Refused("busy", headers={"Retry-After": "1"})
    _log.error("database", why=str(error))
    return Refused("database_unreachable", headers={"Retry-After": "5"})
