"""How every endpoint is called: its caller known, its body read strictly, its write done once for each key."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator
from datetime import timedelta
from functools import partial
from typing import Any

from anyio import to_thread
from fastapi import Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from starlette.datastructures import Headers

from server.api import idempotency
from server.api.bodies import StrictRequest
from server.api.idempotency import Write
from server.core.sentences import say
from server.http.context import Server, server_of
from server.http.limits import HEAVY_WAIT
from server.http.logs import logger
from server.http.problems import Refused, from_play, shown, too_often
from server.http.signing import bearer, secrets_of, within_limits
from server.play.accounts import tokens
from server.play.context import NOBODY, Actor
from server.play.errors import PlayError
from server.store.errors import StorageError

RAW_BODY = "x-raw-body"
"""Mark (in ``openapi_extra``) of operations whose body is not JSON."""
TEXT_BODY = "x-text-body"
"""Mark of operations whose body may be text instead of JSON: it is then in ``request.state.text``."""
SECRET = "x-secret"
"""Mark of operations whose question or answer holds a secret: nothing of them is stored."""
PUBLIC = "x-public"
"""Mark of operations that need nobody to be signed in."""
ADMIN = "x-admin"
"""Mark of operations that only admins may ask for; anyone else is refused before what they ask is read."""
HEAVY = "x-heavy"
"""Mark of operations that take much time or memory: few of them are done at a time."""
GUESTS = "x-guests"
"""Mark of operations at the table, for which a guest may be signed in by their older cookie, too."""

_log = logger("server.request")

Serve = Callable[[Request], Coroutine[Any, Any, Response]]


class Route(APIRoute):
    """The route class of the API's routers."""

    def get_route_handler(self) -> Serve:
        """Return what serves a request."""
        marks = self.openapi_extra or {}
        served = super().get_route_handler()
        serve = partial(_in_room, served) if HEAVY in marks else served
        known = frozenset(_query_names(self.dependant))

        async def handle(request: Request) -> Response:
            server = server_of(request)
            request.state.actor = actor = await _actor(server, request, public=PUBLIC in marks, guests=GUESTS in marks)
            if not actor.signed_in and (PUBLIC not in marks or RAW_BODY in marks):
                raise Refused("not_signed_in")  # strangers upload nothing
            if ADMIN in marks:
                _must_be_admin(actor)
            if request.scope["query_string"]:
                _check_query(request, known)
            strict = StrictRequest(request.scope, request.receive)
            if request.method in ("GET", "HEAD"):
                _must_read(actor)
                return await serve(strict)
            if TEXT_BODY in marks and _media_type(strict.headers) == "text/plain":
                strict = await _with_text(request, marks[TEXT_BODY])
            elif RAW_BODY not in marks:
                _check_media_type(strict.headers)
            body = await strict.body()
            write = idempotency.write_of(strict, owner_of(request, actor), body, secret=SECRET in marks)
            return await (answer(strict) if write is None else _once(server, write, answer, strict))

        async def answer(request: Request) -> Response:
            response = await serve(request)
            if response.status_code == 201 and "location" not in response.headers:
                response.headers["Location"] = request.url.path  # what was made stands in the list it was sent to
            return response

        return handle


def owner_of(request: Request, actor: Actor) -> str:
    """Return whose a request is: an account's or an address's."""
    return actor.user_id or f"address {request.client.host if request.client else ''}"


async def _actor(server: Server, request: Request, *, public: bool, guests: bool) -> Actor:
    """Return who asks, within their limits; looks them up only where nobody knows them any more."""
    actor = NOBODY
    for secret in secrets_of(request, public=public, guests=guests):
        known = tokens.known(server.ctx, secret)
        if known is None:
            known = await to_thread.run_sync(partial(_looked_up, server, request, secret, public=public))
        actor = known
        if actor is not NOBODY:
            break
    if actor.user_id:
        request.state.limited = (server.accounts, actor.user_id)
    return within_limits(server, actor)


def _looked_up(server: Server, request: Request, secret: str, *, public: bool) -> Actor:
    try:
        return bearer(server, request, secret, public=public)
    except PlayError as error:
        raise from_play(error) from error


async def _in_room(serve: Serve, request: Request) -> Response:
    """Do heavy work, unless too much of it is being done."""
    with server_of(request).heavy.at_work(owner_of(request, request.state.actor)) as room:
        if not room:
            raise too_often(HEAVY_WAIT)
        return await serve(request)


def _must_read(actor: Actor) -> None:
    """A token for other things reads nothing, not even what everyone may."""
    if actor.signed_in and "read" not in actor.scopes:
        raise Refused("missing_scope", field="scope", value="read")


def _must_be_admin(actor: Actor) -> None:
    try:
        actor.require_admin()
    except PlayError as error:
        raise from_play(error) from error


def _query_names(dependant: Dependant) -> Iterator[str]:
    """Yield the parameters that an endpoint and what it depends on take from the query."""
    yield from (field.alias for field in dependant.query_params)
    for dependency in dependant.dependencies:
        yield from _query_names(dependency)


def _check_query(request: Request, known: frozenset[str]) -> None:
    """Refuse parameters that the address does not know, or knows once: a typing error must not go unnoticed."""
    given = [name for name, _ in request.query_params.multi_items()]
    faults = []
    for name in dict.fromkeys(given):
        if name not in known:
            message = say("This address has no parameter {name}.", name=shown(name))
            faults.append({"code": "unknown_field", "message": message, "field": str(shown(name)), "value": None})
        elif given.count(name) > 1:
            message = say("The parameter {name} comes twice.", name=name)
            faults.append({"code": "bad_value", "message": message, "field": name, "value": None})
    if faults:
        first = faults[0]
        raise Refused("invalid_request", str(first["message"]), field=str(first["field"]), problems=faults)


async def _once(server: Server, write: Write, serve: Serve, request: Request) -> Response:
    """Do a write that has a key, or return the answer it got before."""
    now, life = server.ctx.now(), timedelta(hours=server.settings.idempotency_hours)
    known = await to_thread.run_sync(idempotency.earlier, server.database, write, now)
    if known is not None:
        return known
    with idempotency.noting(write, now, life):
        response = await serve(request)
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
