"""The outermost layer: what holds for every request, whatever it is about.

Gives each a request id, refuses floods, bodies that are too large and bytes no text can hold, sets the
security headers, turns our mistakes into a problem document, counts it, and logs one line.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from secrets import token_hex

import structlog
from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.core.sentences import say
from server.http.limits import Limiter, origin
from server.http.logs import logger
from server.http.problems import Refused, too_often

_API_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
_READABLE = ("ETag", "Idempotent-Replayed", "Link", "Location", "RateLimit-Limit", "RateLimit-Remaining",
             "RateLimit-Reset", "Retry-After", "X-Request-Id")  # fmt: skip
"""Headers of answers that such a page may read."""
_ALLOWED = ("Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match", "Last-Event-ID")
PREFIX = "/api/v1"
"""Before every path of the API; its routers do not name it."""
REQUEST_ID = "x-request-id"
_UNKNOWN = "(unknown)"
_RATE_LIMIT = (b"ratelimit-limit", b"ratelimit-remaining", b"ratelimit-reset")
MAX_PICTURE = 8_000_000
"""Bytes of a picture in a story."""


class ApiCORSMiddleware(CORSMiddleware):
    """CORS for paths of the API alone. Without credentials: a browser shows no answer to a request with cookies."""

    def __init__(self, app: object) -> None:
        super().__init__(
            app,  # type: ignore[arg-type]
            allow_origins=("*",),
            allow_methods=_API_METHODS,
            allow_headers=_ALLOWED,
            expose_headers=_READABLE,
            max_age=7200,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] == "http" and scope["path"].startswith("/api/"):
            await super().__call__(scope, receive, send)
        else:
            await self.app(scope, receive, send)


_GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_CAMPAIGN = re.compile(rf"(?:{PREFIX})?/campaigns/(?!new$)(?P<campaign_id>[a-z0-9]{{1,32}})(?:/|$)")
_QUIET = frozenset({"/healthz", "/readyz", "/metrics"})
"""Asked again and again by machines: not logged, not limited, not counted."""
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

SECURITY = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}
"""Headers of every answer; a page may set its own where it needs more."""

_Headers = list[tuple[bytes, bytes]]
_LINK = (
    b"link",
    f'<{PREFIX}/openapi.json>; rel="service-desc"; type="application/json", </api/docs>; rel="service-doc"'.encode(),
)
"""Where the API is described (RFC 8631)."""

RecordRequest = Callable[[str, str, int, float], None]
"""Told of each answer: route, method, status, seconds."""
RenderError = Callable[[Scope, Refused], Response]
"""Makes the answer that tells a refusal in the way the asker reads: a problem document, or a page."""


_log = logger("server.request")


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """What a request must keep to."""

    body: int
    imports: int
    addresses: Limiter
    secure: bool = False

    def body_limit(self, path: str) -> int:
        """Return how many bytes the body may have."""
        if path in (f"{PREFIX}/imports", "/admin/imports"):
            return self.imports
        picture = path.startswith(f"{PREFIX}/stories/") and path.endswith("/pictures")
        return max(self.body, MAX_PICTURE) if picture else self.body


class RequestMiddleware:
    """ASGI middleware; see the module."""

    def __init__(
        self,
        app: ASGIApp,
        limits: RequestLimits,
        count: RecordRequest | None = None,
        clock: Callable[[], float] = time.perf_counter,
        render_error: RenderError = lambda _, refused: refused.response(),
    ) -> None:
        self.app = app
        self.limits = limits
        self.count = count
        self.clock = clock
        self.render_error = render_error
        always = SECURITY | {"Cache-Control": "private, no-cache"}
        if limits.secure:
            always["Strict-Transport-Security"] = "max-age=31536000"
        self.headers = [(name.lower().encode(), value.encode()) for name, value in always.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        request_id = headers.get(REQUEST_ID, "")
        if not _GIVEN_ID.fullmatch(request_id):
            request_id = token_hex(8)
        campaign = _CAMPAIGN.match(scope["path"])
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id, **campaign.groupdict() if campaign else {})
        await _Request(self, scope, request_id).run(headers, receive, send)


class _Request:
    """One request and its answer."""

    def __init__(self, edge: RequestMiddleware, scope: Scope, request_id: str) -> None:
        self.middleware = edge
        self.scope = scope
        self.request_id = request_id
        self.status = 0
        self.begun = edge.clock()
        self.left = edge.limits.body_limit(scope["path"])

    async def run(self, headers: Headers, receive: Receive, send: Send) -> None:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.status = message["status"]
                message["headers"] = self._finished(list(message.get("headers", ())))
            await send(message)

        async def receiving() -> Message:
            message = await receive()
            if message["type"] == "http.request":
                self.left -= len(message.get("body", b""))
                if self.left < 0:
                    raise self._too_large()
            return message

        try:
            if (refusal := self._refusal(headers)) is None:
                await self.middleware.app(self.scope, receiving, sending)
            else:
                await self._discard_body(headers, receive)
                await self._answer(refusal, receive, sending)
        except ClientDisconnect:
            self.status = self.status or 499
        except Exception:
            _log.exception("mistake", path=self._template())
            if not self.status:
                await self._answer(Refused("internal"), receive, sending)
        finally:
            self._note()

    async def _discard_body(self, headers: Headers, receive: Receive) -> None:
        """Read the body of a refused request: a proxy that cannot send it to its end gives 502 instead of the answer.

        It is left where it is if it is longer than any may be (proxies refuse those), or if the client asks first.
        """
        length = headers.get("content-length", "0")
        fits = length.isdecimal() and 0 < int(length[:20]) <= self.middleware.limits.imports
        if fits and "expect" not in headers:
            while (await receive()).get("more_body"):
                pass

    def _refusal(self, headers: Headers) -> Refused | None:
        """Return what forbids the request before anyone looks at it."""
        if "\0" in self.scope["path"] or b"%00" in self.scope.get("query_string", b""):
            return Refused("not_found", "Addresses hold no zero bytes.")
        length = headers.get("content-length", "0")
        if not length.isdecimal():
            return Refused("malformed_header", field="Content-Length")
        if int(length[:20]) > self.left:
            return self._too_large()
        if self.scope["path"] in _QUIET:
            return None
        address = (self.scope.get("client") or ("",))[0]
        if wait := self.middleware.limits.addresses.wait(origin(address)):
            return too_often(wait)
        return None

    def _too_large(self) -> Refused:
        maximum = self.middleware.limits.body_limit(self.scope["path"])
        return Refused(
            "too_large",
            say("A body has at most {most} bytes.", most=maximum),
            value=maximum,
            headers={"Connection": "close"},
        )

    async def _answer(self, refused: Refused, receive: Receive, send: Send) -> None:
        await self.middleware.render_error(self.scope, refused)(self.scope, receive, send)

    def _finished(self, headers: _Headers) -> _Headers:
        """Return the headers an answer goes out with."""
        own = {name for name, _ in headers}
        added = [header for header in self.middleware.headers if header[0] not in own]
        if self.scope["path"].startswith("/api") or self.scope["path"] == "/":
            added += [_LINK, *self._allowance()]
        return [*headers, (REQUEST_ID.encode(), self.request_id.encode()), *added]

    def _allowance(self) -> _Headers:
        """Return how often the account, or else the address, may still ask."""
        limiter, key = self.scope.get("state", {}).get("limited") or (
            self.middleware.limits.addresses,
            origin((self.scope.get("client") or ("",))[0]),
        )
        found = limiter.allowance(key)
        return (
            []
            if found is None
            else [(name, str(value).encode()) for name, value in zip(_RATE_LIMIT, found, strict=True)]
        )

    def _template(self) -> str:
        """Return the path without what was filled in: it may hold an invitation code."""
        if "route" not in self.scope:
            return _UNKNOWN
        return str(self.scope["route"].path)

    def _note(self) -> None:
        if self.scope["path"] in _QUIET:
            return
        took, method, template = self.middleware.clock() - self.begun, self.scope["method"], self._template()
        if self.middleware.count is not None:
            self.middleware.count(template, method if method in _METHODS else "other", self.status, took)
        _log.info("request", method=method, path=template, status=self.status, ms=round(took * 1000, 1))
