"""Problem documents (RFC 9457): the one shape of every answer that is not a success, exceptions included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, cast

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.exc import IntegrityError
from starlette.exceptions import HTTPException
from starlette.routing import Match

from server.core.sentences import say, taken_apart
from server.http.error_codes import ALL_CODES
from server.http.logs import logger
from server.play.errors import PlayError
from server.render.messages import english
from server.store.errors import Busy, Full, StorageError

MEDIA_TYPE = "application/problem+json"
TYPE = "/api/v1/errors/{code}"
"""Where a code is explained; relative to the server."""


ALWAYS_SENT = ConfigDict(json_schema_serialization_defaults_required=True)
"""Fields with a default are in every answer anyway."""
MAX_FAULTS = 50


class Fault(BaseModel):
    """One of several things that are wrong."""

    model_config = ALWAYS_SENT

    code: str = Field(description="Stable word.", examples=["not_adjacent"])
    message: str = Field(description="A sentence for people.", examples=["0405 does not lie next to 0203."])
    field: str = Field("", description="The field at fault, with dots; empty where there is none.", examples=["path.0"])
    value: Any = Field(None, description="The offending value, shortened.")
    template: str = Field(
        "", description="The sentence with its places, for translating it.", examples=["{hex} is not next to {other}."]
    )
    params: dict[str, Any] = Field(
        {}, description="What fills the places: texts, numbers, `{name}` of the ruleset, `{word}` of the rules."
    )
    rule: str = Field("", description="The rulebook's section that forbids it.", examples=["3.1"])
    order: int | None = Field(None, description="The order's place in its set, from 0.")


class ProblemDocument(BaseModel):
    """A problem document (RFC 9457)."""

    model_config = ALWAYS_SENT

    type: str = Field(examples=["/api/v1/errors/stale_revision"])
    title: str = Field(examples=["It has changed since you read it"])
    status: int = Field(examples=[412])
    detail: str = Field("", description="What went wrong this time, for people.")
    template: str = Field("", description="The detail with its places, for translating it.")
    params: dict[str, Any] = Field({}, description="What fills the places.")
    code: str = Field(description="Stable word; see `/api/v1/errors`.", examples=["stale_revision"])
    field: str = Field("", description="The field, parameter or header at fault.")
    value: Any = Field(None, description="The offending value, shortened.")
    problems: Annotated[list[Fault], Field(description="All that is wrong, where it can be more than one thing.")] = []


class Refused(HTTPException):
    """Ends a request with a problem document; for what is wrong with the request as HTTP."""

    def __init__(
        self,
        code: str,
        detail: str = "",
        *,
        field: str = "",
        value: object = None,
        problems: Sequence[Mapping[str, Any]] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(ALL_CODES[code].status, detail, headers)
        self.code = code
        self.field = field
        self.value = value
        self.problems = problems

    def response(self) -> Response:
        """Return the answer: a problem document."""
        known = ALL_CODES[self.code]
        content: dict[str, Any] = {
            "type": TYPE.format(code=self.code),
            "title": known.title,
            "status": known.status,
            "detail": english(self.detail) or f"{known.title}.",
            **taken_apart(self.detail or f"{known.title}."),
            "code": self.code,
            "field": self.field,
            "value": shown(self.value),
            "problems": [whole_fault(problem) for problem in self.problems],
        }
        kept = {"Cache-Control": "no-store"} | ({"WWW-Authenticate": "Bearer"} if known.status == 401 else {})
        kept |= dict(self.headers or {})
        return Response(orjson.dumps(content), known.status, kept, MEDIA_TYPE)


def too_often(wait: int) -> Refused:
    """Return the refusal of someone who asks too often; *wait* is after how many seconds they may come again."""
    told = say("Come again in {wait} s.", wait=wait)
    return Refused("too_many_requests", told, headers={"Retry-After": str(wait)})


def whole_fault(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return one of several faults with every field that it has in the description."""
    empty: dict[str, Any] = {"code": "", "message": "", "field": "", "value": None, "rule": "", "order": None}
    message = given["message"]
    return empty | taken_apart(message) | dict(given) | {"message": english(message)}


def shown(value: object, maximum: int = 80) -> Any:
    """Return a value as it may stand in an answer: short plain JSON, whatever it is."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**53 else "a number out of all bounds"
    if isinstance(value, str):
        text = "".join(character if character.isprintable() else "?" for character in value[: maximum + 1])
        return text if len(text) <= maximum else text[: maximum - 1] + "…"
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else str(value)
    return "a list" if isinstance(value, list | tuple) else "an object"


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
        "message": _message(found, where),
        "field": ".".join(where),
        "value": None if missing else shown(found.get("input")),
    }


def _message(found: Any, where: list[str]) -> str:
    if found["type"] == "missing" and not where:
        return "A body is needed, a JSON object."
    if found["type"] in ("model_attributes_type", "dict_type"):
        return "Must be a JSON object." if where else "The body must be a JSON object."
    return f"{found['msg']}."


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
