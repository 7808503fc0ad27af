"""Every error code of the HTTP layer: its status, and what it means in one line.

What ``play`` refuses has codes of its own; :mod:`server.api.refusals` says which statuses they get. What is
wrong with single orders has the rules' codes (:mod:`server.rules.errors`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


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
        "not_signed_in": Code(401, "Sign in or send a token first"),
        "bad_token": Code(401, "The token or session is unknown, expired or revoked"),
        "wrong_password": Code(401, "Name and password do not belong together"),
        "missing_scope": Code(403, "The token lacks the scope for this"),
        "csrf": Code(403, "A write with a cookie needs its X-CSRF-Token header"),
        "forbidden": Code(403, "That is not yours to do"),
        "not_found": Code(404, "There is nothing here that you may know of"),
        "method_not_allowed": Code(405, "This address does not know that method"),
        "not_acceptable": Code(406, "There is no answer in a form you accept"),
        "conflict": Code(409, "That does not go with how things stand"),
        "idempotency_in_progress": Code(409, "The same request is being carried out just now"),
        "gone": Code(410, "That was here once and is gone"),
        "stale_revision": Code(412, "Somebody changed it since you read it"),
        "too_large": Code(413, "The body is too large"),
        "unsupported_media_type": Code(415, "The body must be application/json"),
        "invalid_request": Code(422, "Something in the request is not understood"),
        "orders_refused": Code(422, "Some of the orders cannot be accepted"),
        "idempotency_key_reused": Code(422, "The key was used for another request"),
        "too_many_requests": Code(429, "Too many requests"),
        "too_many_streams": Code(429, "Too many open event streams"),
        "headers_too_large": Code(431, "A header is too long"),
        "internal": Code(500, "The server made a mistake"),
        "busy": Code(503, "The server is busy; try again"),
        "database_unreachable": Code(503, "The database does not answer; try again later"),
        "shutting_down": Code(503, "The server is about to stop; try again"),
        "disk_full": Code(507, "The server has no room left; nothing was kept"),
    }
)
"""Codes that arise here."""
