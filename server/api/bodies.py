"""Reading bodies strictly: JSON as RFC 8259 has it, and only what every database can keep."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import orjson
from fastapi import Request
from pydantic import BaseModel, ConfigDict

from server.core.sentences import say
from server.http.problems import Refused

MAX_NAMES, MAX_IN_OBJECT = 50_000, 10_000
"""Names in the objects of a body together, and in one of them."""
_ESCAPED_ZERO = b"\\u0000"


class Body(BaseModel):
    """Base of all request bodies: unknown fields are refused, and false is not a number."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


def given(body: BaseModel) -> dict[str, Any]:
    """Return the fields that were sent; null counts as not sent."""
    return body.model_dump(exclude_none=True)


class StrictRequest(Request):
    """A request whose JSON is read strictly: no NaN, no lone surrogates, no zero bytes, no name twice in an object."""

    async def json(self) -> Any:
        """Return what the body holds."""
        if not hasattr(self, "_strict"):
            self._strict = parse(await self.body())
        return self._strict


def parse(body: bytes) -> Any:
    """Return what a JSON text holds, or refuse it."""
    try:
        found = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        detail = f"Line {error.lineno}, column {error.colno}: {error.msg}."
        raise Refused("malformed_json", detail) from error
    try:
        json.loads(body, object_pairs_hook=_Names().once)
    except (RecursionError, ValueError) as error:
        raise Refused("malformed_json", str(error)[:200]) from error
    if _ESCAPED_ZERO in body and _holds_zero(found):
        raise Refused("malformed_json", "A text holds a zero byte.")
    return found


class _Names:
    """Counts the names in a body's objects."""

    def __init__(self) -> None:
        self._count = 0

    def once(self, pairs: list[tuple[str, Any]]) -> None:
        """Refuse a name that comes twice: one program would take the first value, another the last. And too many."""
        names = {name for name, _ in pairs}
        if len(names) < len(pairs):
            twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
            raise ValueError(f"An object has the name {twice!r} twice.")
        self._count += len(pairs)
        if len(pairs) > MAX_IN_OBJECT or self._count > MAX_NAMES:
            told = say("A body has at most {most} names, and an object {each}.", most=MAX_NAMES, each=MAX_IN_OBJECT)
            raise Refused("too_large", told)


def _holds_zero(value: Any) -> bool:
    todo = [value]
    while todo:
        each = todo.pop()
        if isinstance(each, str):
            if "\0" in each:
                return True
        elif isinstance(each, dict):
            todo += [*each.keys(), *each.values()]
        elif isinstance(each, list):
            todo += each
    return False
