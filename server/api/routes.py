"""How every endpoint is called: its caller known, its body read strictly, its write done once for each key."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import Any

from anyio import to_thread
from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.datastructures import Headers

from server.api import idempotency
from server.api.bodies import StrictRequest
from server.api.context import Server, server_of
from server.api.handlers import from_play
from server.api.idempotency import Write
from server.api.logs import logger
from server.api.problems import Refused
from server.api.signing import caller
from server.play.context import Who
from server.play.errors import PlayError
from server.store.database import ALSO_WRITE
from server.store.errors import StorageError

RAW_BODY = "x-raw-body"
"""Mark (in ``openapi_extra``) of operations whose body is not JSON."""
SECRET = "x-secret"
"""Mark of operations whose question or answer holds a secret: nothing of them is kept."""
PUBLIC = "x-public"
"""Mark of operations that need nobody to be signed in."""

_log = logger("server.request")

Serve = Callable[[Request], Coroutine[Any, Any, Response]]


class Route(APIRoute):
    """Our kind of route."""

    def get_route_handler(self) -> Serve:
        """Return what serves a request."""
        serve = super().get_route_handler()
        marks = self.openapi_extra or {}

        async def handle(request: Request) -> Response:
            strict = StrictRequest(request.scope, request.receive)
            if RAW_BODY not in marks:
                _check_media_type(strict.headers)
            body = b"" if request.method == "GET" else await strict.body()
            server = server_of(request)
            write, known = await to_thread.run_sync(partial(_arrive, server, strict, body, marks))
            if known is not None:
                return known
            return await (serve(strict) if write is None else _once(server, write, serve, strict))

        return handle


def _arrive(
    server: Server, request: Request, body: bytes, marks: Mapping[str, Any]
) -> tuple[Write | None, Response | None]:
    """Find out who asks, and whether he asked the same before; returns the answer he got then."""
    try:
        request.state.who = who = caller(server, request, public=PUBLIC in marks)
    except PlayError as error:
        refused = from_play(error)
        refused.headers = {"WWW-Authenticate": "Bearer"}
        raise refused from error
    if request.method == "GET":
        _must_read(who)
        return None, None
    owner = who.user_id or f"address {request.client.host if request.client else ''}"
    write = idempotency.write_of(request, owner, body, secret=SECRET in marks)
    if write is None:
        return None, None
    return write, idempotency.earlier(server.database, write, server.play.now())


def _must_read(who: Who) -> None:
    """A token for other things reads nothing, not even what everybody may."""
    if who.signed_in and "read" not in who.scopes:
        raise Refused("missing_scope", field="scope", value="read")


async def _once(server: Server, write: Write, serve: Serve, request: Request) -> Response:
    now, life = server.play.now(), idempotency.life(server.settings.idempotency_hours)
    token = ALSO_WRITE.set(lambda session: write.note(session, now, life))
    try:
        response = await serve(request)
    finally:
        ALSO_WRITE.reset(token)
    try:
        await to_thread.run_sync(write.answered, server.database, response)
    except StorageError as error:  # what was asked is done: only who asks again is told less
        _log.warning("an answer could not be kept", why=str(error))
    return response


def _check_media_type(headers: Headers) -> None:
    """Refuse a body that is not JSON."""
    if headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers:
        return
    given = headers.get("content-type", "").partition(";")[0].strip().lower()
    if given != "application/json":
        raise Refused("unsupported_media_type", field="Content-Type", value=given)
