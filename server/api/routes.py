"""How every endpoint is called: bodies read strictly, writes done once for each idempotency key."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute

from server.api.bodies import StrictRequest
from server.api.problems import Refused

RAW_BODY = "x-raw-body"
"""Mark (in ``openapi_extra``) of operations whose body is not JSON."""


class Route(APIRoute):
    """Our kind of route."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return what serves a request."""
        serve = super().get_route_handler()
        raw = RAW_BODY in (self.openapi_extra or {})

        async def strictly(request: Request) -> Response:
            if not raw:
                _check_media_type(request)
            return await serve(StrictRequest(request.scope, request.receive))

        return strictly


def _check_media_type(request: Request) -> None:
    """Refuse a body that is not JSON."""
    headers = request.headers
    if headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers:
        return
    given = headers.get("content-type", "").partition(";")[0].strip().lower()
    if given != "application/json":
        raise Refused("unsupported_media_type", field="Content-Type", value=given)
