"""Who asks: a bearer token, or the session cookie of a page."""

from __future__ import annotations

import hashlib
import hmac

from fastapi import Request, Response

from server.api.context import Server
from server.api.limits import origin
from server.api.logs import about
from server.api.problems import Refused, too_often
from server.play import tokens
from server.play.context import NOBODY, Actor
from server.play.errors import PlayError
from server.store.ids import fold

COOKIE = "sealed_orders_session"
CSRF_HEADER = "X-CSRF-Token"
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


def secret_of(request: Request, *, public: bool) -> str | None:
    """Return what somebody shows to say who he is, None where he shows nothing.

    A *public* write (signing in) takes no notice of a cookie: it may be an old one.
    """
    secret = _bearer(request)
    if secret is None and not (public and request.method not in _SAFE):
        secret = request.cookies.get(COOKIE)
        if secret is not None and request.method not in _SAFE:
            _check_csrf(request, secret)
    return secret


def bearer(server: Server, request: Request, secret: str, *, public: bool) -> Actor:
    """Look up whose secret it is. Blocks."""
    try:
        return tokens.authenticate(server.ctx, secret)
    except PlayError:
        if public and "authorization" not in request.headers:
            return NOBODY
        raise


def within_limits(server: Server, actor: Actor) -> Actor:
    """Return who asks, unless he asks too often."""
    if actor.signed_in:
        about(user_id=actor.user_id)
        wait = server.accounts.wait(actor.user_id)
        if wait:
            raise too_often(wait)
    return actor


def csrf_token(secret: str) -> str:
    """Return what a page must send along with every write: known only to pages that may read the session's answer."""
    return hmac.new(secret.encode("utf-8", "surrogatepass"), b"csrf", hashlib.sha256).hexdigest()


def check_sign_in(server: Server, request: Request, name: str = "") -> None:
    """Refuse somebody who tries passwords, names or addresses one after the other.

    Passwords for one *name* are refused whoever tries them, too; so often that few addresses keep nobody out.
    """
    wait = server.sign_ins.wait(origin(request.client.host if request.client else ""))
    if not wait and name:
        wait = server.guesses.wait(fold(name))
    if wait:
        raise too_often(wait)


def set_cookie(server: Server, response: Response, secret: str) -> None:
    """Have the browser keep the session."""
    response.set_cookie(
        COOKIE,
        secret,
        max_age=server.settings.session_days * 86_400,
        httponly=True,
        secure=server.settings.secure,
        samesite="lax",
        path="/",
    )


def drop_cookie(server: Server, response: Response) -> None:
    """Have the browser forget the session."""
    response.delete_cookie(COOKIE, path="/", httponly=True, secure=server.settings.secure, samesite="lax")


def _bearer(request: Request) -> str | None:
    given = request.headers.get("authorization")
    if given is None:
        return None
    scheme, _, secret = given.partition(" ")
    if scheme.lower() != "bearer" or not secret.strip():
        raise Refused("bad_token", "Send `Authorization: Bearer <token>`.", headers={"WWW-Authenticate": "Bearer"})
    return secret.strip()


def _check_csrf(request: Request, secret: str) -> None:
    given = request.headers.get(CSRF_HEADER, "")
    if not hmac.compare_digest(given.encode(), csrf_token(secret).encode()):
        raise Refused("csrf", field=CSRF_HEADER)
