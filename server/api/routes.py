"""How every endpoint is called: its caller known, its body read strictly, its write done once for each key."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial, wraps
from inspect import Parameter, signature
from typing import Any

from anyio import to_thread
from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.datastructures import Headers

from server.api import idempotency
from server.api.bodies import StrictRequest
from server.api.context import ActorDep, Server, ServerDep, actor_of, server_of
from server.api.handlers import from_play
from server.api.idempotency import Write
from server.api.logs import logger
from server.api.middleware import PREFIX
from server.api.problems import Refused
from server.api.signing import bearer, secret_of, within_limits
from server.play import tokens
from server.play.context import NOBODY, Actor
from server.play.errors import PlayError
from server.store.database import ALSO_WRITE
from server.store.errors import StorageError

RAW_BODY = "x-raw-body"
"""Mark (in ``openapi_extra``) of operations whose body is not JSON."""
TEXT_BODY = "x-text-body"
"""Mark of operations whose body may be text instead of JSON: it is then in ``request.state.text``."""
SECRET = "x-secret"
"""Mark of operations whose question or answer holds a secret: nothing of them is kept."""
PUBLIC = "x-public"
"""Mark of operations that need nobody to be signed in."""

_log = logger("server.request")

Serve = Callable[[Request], Coroutine[Any, Any, Response]]

_GIVEN: tuple[tuple[Any, Callable[[Request], object]], ...] = ((ServerDep, server_of), (ActorDep, actor_of))
"""Kinds of parameters that every request brings along, and where they come from."""


class Route(APIRoute):
    """Our kind of route, ready to be put on an app: its path is the whole one, its endpoint is the operation's id."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        options["generate_unique_id_function"] = _id
        super().__init__(PREFIX + path, _given(endpoint), **options)

    def get_route_handler(self) -> Serve:
        """Return what serves a request."""
        serve = super().get_route_handler()
        marks = self.openapi_extra or {}

        async def handle(request: Request) -> Response:
            strict = StrictRequest(request.scope, request.receive)
            if TEXT_BODY in marks and _media_type(strict.headers) == "text/plain":
                strict = await _with_text(request, marks[TEXT_BODY])
            elif RAW_BODY not in marks:
                _check_media_type(strict.headers)
            body = b"" if request.method == "GET" else await strict.body()
            server = server_of(request)
            strict.state.actor = actor = await _actor(server, strict, public=PUBLIC in marks)
            if request.method == "GET":
                _must_read(actor)
                return await serve(strict)
            owner = actor.user_id or f"address {request.client.host if request.client else ''}"
            write = idempotency.write_of(strict, owner, body, secret=SECRET in marks)
            return await (serve(strict) if write is None else _once(server, write, serve, strict))

        return handle


def _id(route: APIRoute) -> str:
    return route.name


def _given(endpoint: Callable[..., Any]) -> Callable[..., Any]:
    """Return an endpoint that takes from the request what every request brings along.

    Dependencies would do the same, but FastAPI works out anew with each request what they depend on.
    """
    wanted = signature(endpoint, eval_str=True)
    take = {name: take for name, each in wanted.parameters.items() for kind, take in _GIVEN if each.annotation == kind}
    if not take:
        return endpoint
    left = [each for name, each in wanted.parameters.items() if name not in take]
    asks = "request" in wanted.parameters
    if not asks:
        left.append(Parameter("request", Parameter.KEYWORD_ONLY, annotation=Request))

    @wraps(endpoint)
    def call(request: Request, **values: Any) -> Any:
        if asks:
            values["request"] = request
        return endpoint(**values, **{name: of(request) for name, of in take.items()})

    call.__signature__ = wanted.replace(parameters=left)  # type: ignore[attr-defined]
    return call


async def _actor(server: Server, request: Request, *, public: bool) -> Actor:
    """Return who asks, within his limits; looks him up only where nobody knows him any more."""
    secret = secret_of(request, public=public)
    if secret is None:
        return NOBODY
    actor = tokens.known(server.ctx, secret)
    if actor is None:
        actor = await to_thread.run_sync(partial(_looked_up, server, request, secret, public=public))
    return within_limits(server, actor)


def _looked_up(server: Server, request: Request, secret: str, *, public: bool) -> Actor:
    try:
        return bearer(server, request, secret, public=public)
    except PlayError as error:
        refused = from_play(error)
        refused.headers = {"WWW-Authenticate": "Bearer"}
        raise refused from error


def _must_read(actor: Actor) -> None:
    """A token for other things reads nothing, not even what everybody may."""
    if actor.signed_in and "read" not in actor.scopes:
        raise Refused("missing_scope", field="scope", value="read")


async def _once(server: Server, write: Write, serve: Serve, request: Request) -> Response:
    """Do a write that has a key, or return the answer it got before."""
    now, life = server.ctx.now(), idempotency.life(server.settings.idempotency_hours)
    known = await to_thread.run_sync(idempotency.earlier, server.database, write, now)
    if known is not None:
        return known
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


async def _with_text(request: Request, stands_in: Any) -> StrictRequest:
    """Return a request whose body is text as one with the JSON that stands in for it."""
    body = await request.body()
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refused("malformed_json", "The text is not UTF-8.") from error
    headers = [(name, value) for name, value in request.scope["headers"] if name != b"content-type"]
    scope = {**request.scope, "headers": [*headers, (b"content-type", b"application/json")]}
    strict = StrictRequest(scope, request.receive)
    strict._body, strict._strict = body, stands_in
    strict.state.text = text
    return strict


def _media_type(headers: Headers) -> str:
    return headers.get("content-type", "").partition(";")[0].strip().lower()


def _check_media_type(headers: Headers) -> None:
    """Refuse a body that is not JSON."""
    if headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers:
        return
    given = _media_type(headers)
    if given != "application/json":
        raise Refused("unsupported_media_type", field="Content-Type", value=given)
