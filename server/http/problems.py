"""Problem documents (RFC 9457): the one shape of every answer that is not a success."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import orjson
from fastapi import Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from server.core.sentences import say, taken_apart
from server.http.error_codes import ALL_CODES, Code
from server.render.messages import english

MEDIA_TYPE = "application/problem+json"
TYPE = "/api/v1/errors/{code}"
"""Where a code is explained; relative to the server."""


ALWAYS_SENT = ConfigDict(json_schema_serialization_defaults_required=True)
"""Fields with a default are in every answer anyway."""


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
    title: str = Field(examples=["Somebody changed it since you read it"])
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
        """Return the answer."""
        known = ALL_CODES[self.code]
        return document(
            self.code,
            known,
            self.detail,
            field=self.field,
            value=self.value,
            problems=self.problems,
            headers=self.headers,
        )


def too_often(wait: int) -> Refused:
    """Return the refusal of someone who asks too often; *wait* is after how many seconds they may come again."""
    told = say("Come again in {wait} s.", wait=wait)
    return Refused("too_many_requests", told, headers={"Retry-After": str(wait)})


def document(
    code: str,
    known: Code,
    detail: str = "",
    *,
    field: str = "",
    value: object = None,
    problems: Sequence[Mapping[str, Any]] = (),
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return a problem document as a response."""
    content: dict[str, Any] = {
        "type": TYPE.format(code=code),
        "title": known.title,
        "status": known.status,
        "detail": english(detail) or f"{known.title}.",
        **taken_apart(detail or f"{known.title}."),
        "code": code,
        "field": field,
        "value": shown(value),
        "problems": [whole_fault(problem) for problem in problems],
    }
    kept = {"Cache-Control": "no-store"} | ({"WWW-Authenticate": "Bearer"} if known.status == 401 else {})
    kept |= dict(headers or {})
    return Response(orjson.dumps(content), known.status, kept, MEDIA_TYPE)


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
