"""The headers of requests and responses, each described once."""

from __future__ import annotations

from typing import Any

from server.api.description.plain import Schema, integer, text


def _parameter(name: str, description: str, example: str, **schema: Any) -> dict[str, Any]:
    schema = {"type": "string"} | schema
    return {
        "name": name, "in": "header", "required": False, "description": description, "schema": schema,
        "example": example,
    }  # fmt: skip


PARAMETERS: dict[str, dict[str, Any]] = {
    "IfMatch": _parameter(
        "If-Match",
        "The ETag that you read. If it was changed meanwhile, you get 412 and nothing is written. "
        "A thing's `revision` in quotes does as well.",
        '"7"',
    ),
    "IfNoneMatch": _parameter(
        "If-None-Match",
        "The ETag that you have. You get 304 if nothing has changed for you.",
        '"5d41402abc4b2a76b9719d911017c592"',
    ),
    "IdempotencyKey": _parameter(
        "Idempotency-Key",
        "Any text of 1 to 200 visible ASCII characters that is new for each write. The same request "
        "with the same key gets the same answer again, and nothing is done twice.",
        "7d3f1c9e-turn-4-orders",
        minLength=1,
        maxLength=200,
        pattern="^[!-~]+$",
    ),
    "CsrfToken": _parameter(
        "X-CSRF-Token",
        "With a session's cookie only: the `csrf_token` of the session.",
        "b94d27b9934d3e08a52e52d7da7dabfa",
    ),
}
"""Headers of requests, by the name of their component."""


def _header(description: str, schema: Schema, *, required: bool = False) -> dict[str, Any]:
    return {"description": description, "schema": schema} | ({"required": True} if required else {})


HEADERS: dict[str, dict[str, Any]] = {
    "ETag": _header("Of your own bytes; send it as `If-None-Match` or `If-Match`.", text('"7"'), required=True),
    "IdempotentReplayed": _header(
        "`true`: this is the answer that the same key got before.", {"type": "string", "const": "true"}
    ),
    "Location": _header("Where to read what was made.", text("/api/v1/me/bots"), required=True),
    "RateLimitLimit": _header("Requests a minute that you may make.", integer(600)),
    "RateLimitRemaining": _header("Requests that you may make at once now.", integer(299)),
    "RateLimitReset": _header("Seconds until you have all of them again.", integer(1)),
    "RequestId": _header("Names this request in the server's log.", text("9f86d081884c7d65"), required=True),
    "Link": _header(
        "Where this description is (RFC 8631).", text('</api/v1/openapi.json>; rel="service-desc"'), required=True
    ),
    "RetryAfter": _header("After how many seconds to come again.", integer(5)),
    "WWWAuthenticate": _header("How to sign in.", text("Bearer"), required=True),
    "SetCookie": _header("The session, for pages.", text("sealed_orders_session=so_x; HttpOnly")),
    "ContentDisposition": _header("A name for the file.", text('attachment; filename="x.campaign"')),
}
"""Headers of responses, by the name of their component."""
NAMES = {
    "IdempotentReplayed": "Idempotent-Replayed",
    "RateLimitLimit": "RateLimit-Limit",
    "RateLimitRemaining": "RateLimit-Remaining",
    "RateLimitReset": "RateLimit-Reset",
    "RequestId": "X-Request-Id",
    "RetryAfter": "Retry-After",
    "WWWAuthenticate": "WWW-Authenticate",
    "SetCookie": "Set-Cookie",
    "ContentDisposition": "Content-Disposition",
}
"""How a component is called on the wire, where that is another name."""
ALWAYS = ("Link", "RequestId", "RateLimitLimit", "RateLimitRemaining", "RateLimitReset")


def parameter(name: str) -> dict[str, str]:
    """Refer to a header of requests."""
    return {"$ref": f"#/components/parameters/{name}"}


def headers(*names: str) -> dict[str, Any]:
    """Refer to headers of a response, those that every response has among them."""
    every = dict.fromkeys((*names, *ALWAYS))
    return {NAMES.get(name, name): {"$ref": f"#/components/headers/{name}"} for name in every}
