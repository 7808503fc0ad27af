"""Pages of other servers may use the API: anonymously, or with a token in a header, but never with cookies."""

from __future__ import annotations

from starlette.middleware.cors import CORSMiddleware
from starlette.types import Receive, Scope, Send

_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
_READABLE = ("ETag", "Idempotent-Replayed", "Link", "Location", "RateLimit-Limit", "RateLimit-Remaining",
             "RateLimit-Reset", "Retry-After", "X-Request-Id")  # fmt: skip
"""Headers of answers that such a page may read."""
_ALLOWED = ("Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match", "Last-Event-ID")


class ApiCORSMiddleware(CORSMiddleware):
    """CORS for paths of the API alone. Without credentials: a browser shows no answer to a request with cookies."""

    def __init__(self, app: object) -> None:
        super().__init__(
            app,  # type: ignore[arg-type]
            allow_origins=("*",),
            allow_methods=_METHODS,
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
