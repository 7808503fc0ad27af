"""Answers to reads: JSON with an ETag of the very bytes the reader gets (never of shared counters)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import orjson
from fastapi import Request, Response

from server.http.problems import Refused

FILE = "application/octet-stream"
SVG, PNG, JPEG = "image/svg+xml", "image/png", "image/jpeg"
STILL = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"}
"""Headers of documents that bring their styles along and load nothing: pictures, sheets, the page of the API."""


class Revised(Protocol):
    """What counts its changes."""

    @property
    def revision(self) -> int:
        """How often it was changed."""


_REVISION = re.compile(r'(?:W/)?"(\d{1,15})"')


def tag(body: bytes) -> str:
    """Return the strong ETag of a body."""
    return tag_of(hashlib.sha256(body).hexdigest())


def tag_of(digest: str) -> str:
    """Return the same for a body whose SHA-256 (hexadecimal) is known."""
    return f'"{digest[:32]}"'


def body_of(content: object) -> bytes:
    """Return *content* as a read sends it."""
    return orjson.dumps(content, default=to_json)


def etag_of(content: object) -> str:
    """Return the ETag that a read of *content* has."""
    return tag(body_of(content))


def json_response(
    request: Request,
    content: object | Callable[[], bytes],
    *,
    etag: str | None = None,
    media_type: str = "application/json",
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return *content* (JSON, or bytes as they are), or 304 where the reader has it already.

    *etag* may be given where it is known without the content, which may then be what makes it.
    """
    body = b"" if callable(content) else content if isinstance(content, bytes) else body_of(content)
    etag = etag or tag(body)
    kept = {"ETag": etag, "Vary": "Authorization, Cookie"} | dict(headers or {})
    if etag_matches(request.headers.get("if-none-match"), etag):
        return Response(status_code=304, headers=kept)
    return Response(content() if callable(content) else body, 200, kept, media_type)


def picture_response(
    request: Request, drawn: bytes, kind: str, name: str, *, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a picture; to someone who takes nothing but bytes (``Accept``), as a file of that *name*."""
    more = {"Vary": "Accept, Authorization, Cookie"} | dict(headers or {})
    if request.headers.get("accept", "").strip().lower() == FILE:
        kind, more["Content-Disposition"] = FILE, f'attachment; filename="{name}"'
    return json_response(request, drawn, media_type=kind, headers=more)


def pictures(kind: str) -> dict[int | str, dict[str, Any]]:
    """Return what the description says of an answer that is a picture."""
    schema = {"type": "string"} if kind == SVG else {"type": "string", "format": "binary"}
    file = {"schema": {"type": "string", "format": "binary"}}
    return {200: {"content": {kind: {"schema": schema, "example": "<svg/>"}, FILE: file}}}


def created(content: object, status: int = 201, *, headers: Mapping[str, str] | None = None) -> Response:
    """Return what a write made or changed."""
    return Response(body_of(content), status, dict(headers or {}), "application/json")


def made(content: object, where: str, *, headers: Mapping[str, str] | None = None) -> Response:
    """Return what a write made, and *where* to read it; for what does not stand in the list it was sent to."""
    return created(content, headers={"Location": where} | dict(headers or {}))


def no_content() -> Response:
    """Return the answer to a write that has nothing to say."""
    return Response(status_code=204)


def etag_matches(given: str | None, etag: str) -> bool:
    """Say whether a list of ETags names this one; weak ones count (as RFC 9110 wants it for reads)."""
    if given is None:
        return False
    return given.strip() == "*" or etag in [tag.strip().removeprefix("W/") for tag in given.split(",")]


def if_match_revision(given: str | None) -> int | None:
    """Return the revision that ``If-Match`` asks for (``"7"``), None where it asks for none."""
    if given is None or given.strip() == "*":
        return None
    if (found := _REVISION.fullmatch(given.strip())) is None:
        raise Refused("stale_revision", "If-Match is not an ETag of this resource.", field="If-Match", value=given)
    return int(found[1])


def revision_of(given: str | None, read: Callable[[], Revised]) -> int | None:
    """Return the revision that ``If-Match`` asks for where the ETag is that of the reader's own bytes.

    *read* returns what the reader would get now; its revision is checked again by the write.
    """
    if given is None or given.strip() == "*" or _REVISION.fullmatch(given.strip()):
        return if_match_revision(given)
    now = read()
    if not etag_matches(given, etag_of(now)):
        raise Refused("stale_revision", field="If-Match", value=given)
    return now.revision


def to_json(value: object) -> Any:
    """Turn what orjson does not know into JSON."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, set | frozenset):
        return sorted(value)
    if hasattr(value, "items"):
        return dict(value.items())
    raise TypeError(f"{type(value).__name__} cannot be sent")
