"""Long lists in pages: an opaque cursor says where the last one ended.

A cursor holds the sort key of the last item, so pages stay right while things are added and deleted, and
it is worthless elsewhere: it grants nothing that the request could not ask for anyway.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar

import orjson
from fastapi import Depends, Query
from pydantic import BaseModel, Field

from server.http.problems import ALWAYS_SENT, Refused

T = TypeVar("T")
MAX_COUNT = 200
USUAL = 50
_MAX_TEXT_LENGTH = 512

Limit = Annotated[int, Query(ge=1, le=MAX_COUNT, description="How many at most.")]
Cursor = Annotated[
    str, Query(max_length=_MAX_TEXT_LENGTH, description="`next` of the page before; left out for the first page.")
]


class Page(BaseModel, Generic[T]):
    """A part of a list."""

    model_config = ALWAYS_SENT

    items: list[T]
    next: str | None = Field(None, description="Cursor of the next page; null on the last.")


@dataclass(frozen=True, slots=True)
class Portion:
    """The requested part of a list."""

    cursor: str
    limit: int

    def after(self, *kinds: type) -> tuple[Any, ...] | None:
        """Return the sort key that the page before ended with, whose parts must be of those kinds; None: none."""
        return decode(self.cursor, kinds)


async def _portion(cursor: Cursor = "", limit: Limit = USUAL) -> Portion:
    return Portion(cursor, limit)


PortionDep = Annotated[Portion, Depends(_portion)]
"""Parameter of endpoints that answer with a :class:`Page`."""


def encode(key: Sequence[str | int]) -> str:
    """Return the cursor for a sort key."""
    return base64.urlsafe_b64encode(orjson.dumps(list(key))).rstrip(b"=").decode()


def decode(cursor: str, kinds: Sequence[type]) -> tuple[Any, ...] | None:
    """Return the sort key, whose parts must be of those kinds; None for an empty cursor."""
    if not cursor:
        return None
    try:
        key = orjson.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True))
    except (ValueError, binascii.Error):
        key = None
    if not isinstance(key, list) or [type(part) for part in key] != list(kinds) or "\0" in str(key):
        raise Refused("invalid_request", "That is no cursor of this list.", field="cursor", value=cursor)
    return tuple(key)


def page(found: Sequence[T], limit: int, key: Callable[[T], Sequence[str | int]]) -> dict[str, Any]:
    """Return a page of at most *limit* items; *found* is one longer where more follow."""
    more = len(found) > limit
    items = list(found[:limit])
    return {"items": items, "next": encode(key(items[-1])) if more else None}


def cut(found: Sequence[T], asked: Portion) -> dict[str, Any]:
    """Return a page of a list that is small enough to be made as a whole; the cursor counts."""
    start = asked.after(int)
    first = start[0] if start and 0 <= start[0] <= len(found) else 0
    last = first + asked.limit
    return {"items": list(found[first:last]), "next": encode((last,)) if last < len(found) else None}
