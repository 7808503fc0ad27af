"""Error codes: those of HTTP itself, and which status each refusal of ``play`` gets, the only place where the two meet.

Problems of single orders have the rules' codes (:mod:`server.core.errors`). ``explanations.toml`` says why each code
refuses something, and what to do next, for ``/errors/{code}``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from server.core.errors import ILLEGAL, INVALID
from server.play.errors import REFUSALS

REQUEST = "request"


@dataclass(frozen=True, slots=True)
class Code:
    """A stable error code."""

    status: int
    title: str
    """The same for every occurrence, ends without a full stop."""


CODES: Mapping[str, Code] = MappingProxyType(
    {
        "malformed_json": Code(400, "The body is not JSON"),
        "malformed_header": Code(400, "A header cannot be understood"),
        "csrf": Code(403, "A write with a cookie needs its X-CSRF-Token header"),
        "method_not_allowed": Code(405, "This address does not know that method"),
        "idempotency_in_progress": Code(409, "The same request is being carried out just now"),
        "already_done": Code(409, "It was done before, and its answer is not kept"),
        "unsupported_media_type": Code(415, "The body must be application/json"),
        "idempotency_key_reused": Code(422, "The key was used for another request"),
        "too_many_requests": Code(429, "Too many requests"),
        "too_many_streams": Code(429, "Too many open event streams"),
        "internal": Code(500, "The server made a mistake"),
        "database_unreachable": Code(503, "The database does not answer; try again later"),
        "shutting_down": Code(503, "The server is about to stop; try again"),
        "disk_full": Code(507, "The server has no room left; nothing was kept"),
    }
)


STATUSES: Mapping[str, int] = MappingProxyType(
    {
        "unauthenticated": 401,
        "forbidden": 403,
        "not_found": 404,
        "conflict": 409,
        "gone": 410,
        "stale": 412,
        "too_large": 413,
        "invalid": 422,
        "limited": 409,
        "busy": 503,
    }
)
"""The status of each kind of refusal."""

ALL_CODES: Mapping[str, Code] = MappingProxyType(
    {code: Code(STATUSES[refusal.kind], refusal.title) for code, refusal in REFUSALS.items()} | dict(CODES)
)
"""Every code an answer can have."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """An error code, explained."""

    code: str
    status: int | None
    """HTTP status; None for codes of single orders."""
    title: str
    kind: str
    """``request``, ``invalid_order`` or ``illegal_order``."""
    why: str
    next: str


@cache
def explanations() -> Mapping[str, Explanation]:
    """Return the explanation of every code: those of requests first, then those of orders."""
    texts = tomllib.loads(files("server.http").joinpath("explanations.toml").read_text("utf-8"))
    codes = [*ALL_CODES, *sorted((INVALID | ILLEGAL) - ALL_CODES.keys())]
    return MappingProxyType({code: _explanation(code, texts[code]) for code in codes})


def _explanation(code: str, text: Mapping[str, str]) -> Explanation:
    if (known := ALL_CODES.get(code)) is not None:
        return Explanation(code, known.status, known.title, REQUEST, **text)
    kind = "invalid_order" if code in INVALID else "illegal_order"
    return Explanation(code, None, code.replace("_", " ").capitalize(), kind, **text)
