"""Authenticates a request: by a bearer token, or by the session cookie of a page."""

from __future__ import annotations

import hashlib
import hmac

from fastapi import Request, Response

from server.http.context import Server
from server.http.limits import origin
from server.http.logs import about
from server.http.problems import Refused, too_often
from server.play.accounts import tokens
from server.play.context import NOBODY, Actor
from server.play.errors import PlayError
from server.store.tables.base import fold

COOKIE = "sealed_orders_session"
GUEST_COOKIE = "sealed_orders_guest"
"""Where browsers keep the session of guests at a table who came when these had a cookie of their own."""
MOST_DAYS = 400
"""How long browsers keep a cookie at most."""
CSRF_HEADER = "X-CSRF-Token"
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


def secrets_of(request: Request, *, public: bool, guests: bool = False) -> list[str]:
    """Return what someone shows to say who they are, what counts first in front; nothing where they show nothing.

    A *public* write (signing in) takes no notice of a cookie: it may be an old one. At the table, where *guests* may
    ask, it does, and a guest's older cookie counts where the session has ended or there is none.
    """
    if (secret := _bearer(request)) is not None:
        return [secret]
    if public and not guests and request.method not in _SAFE:
        return []
    names = (COOKIE, GUEST_COOKIE) if guests else (COOKIE,)
    found = [request.cookies[name] for name in names if request.cookies.get(name)]
    return found if request.method in _SAFE else _of_our_pages(request, found)


def bearer(server: Server, request: Request, secret: str, *, public: bool) -> Actor:
    """Look up whose secret it is. Blocks."""
    try:
        return tokens.authenticate(server.ctx, secret)
    except PlayError:
        if public and "authorization" not in request.headers:
            return NOBODY
        raise


def at_the_table(server: Server, request: Request) -> Actor:
    """Return who asks at a table. Blocks."""
    return asking(server, request, public=True, guests=True)


def asking(server: Server, request: Request, *, public: bool, guests: bool = False) -> Actor:
    """Return the account that a request's credentials belong to now. Blocks."""
    found = (
        bearer(server, request, secret, public=public) for secret in secrets_of(request, public=public, guests=guests)
    )
    return next((actor for actor in found if actor is not NOBODY), NOBODY)


def within_limits(server: Server, actor: Actor) -> Actor:
    """Return who asks, unless they ask too often."""
    if actor.user_id:
        about(user_id=actor.user_id)
        if wait := server.accounts.wait(actor.user_id):
            raise too_often(wait)
    return actor


def csrf_token(secret: str) -> str:
    """Return what a page must send along with every write: known only to pages that may read the session's answer."""
    return hmac.new(secret.encode("utf-8", "surrogatepass"), b"csrf", hashlib.sha256).hexdigest()


def check_sign_in(server: Server, request: Request, name: str = "") -> None:
    """Refuse someone who tries passwords, names or addresses one after the other.

    Passwords for one *name* are refused from any address, too; so often that few addresses keep nobody out.
    """
    wait = server.sign_ins.wait(origin(request.client.host if request.client else ""))
    if not wait and name:
        wait = server.guesses.wait(fold(name))
    if wait:
        raise too_often(wait)


def check_guest(server: Server, request: Request) -> None:
    """Refuse an address from which too many guests came today."""
    wait = server.guests.wait(origin(request.client.host if request.client else ""))
    if wait:
        raise too_often(wait)


def set_cookie(server: Server, response: Response, secret: str, *, guest: bool = False) -> None:
    """Have the browser keep the session; a *guest*'s, for which there is no other key, as long as browsers may."""
    response.set_cookie(
        COOKIE,
        secret,
        max_age=(MOST_DAYS if guest else server.settings.session_days) * 86_400,
        httponly=True,
        secure=server.settings.secure,
        samesite="lax",
        path="/",
    )


def drop_cookie(server: Server, response: Response) -> None:
    """Have the browser forget the session."""
    response.delete_cookie(COOKIE, path="/", httponly=True, secure=server.settings.secure, samesite="lax")


def _bearer(request: Request) -> str | None:
    if (given := request.headers.get("authorization")) is None:
        return None
    scheme, _, secret = given.partition(" ")
    if scheme.lower() != "bearer" or not secret.strip():
        raise Refused("bad_token", "Send `Authorization: Bearer <token>`.")
    return secret.strip()


def _of_our_pages(request: Request, secrets: list[str]) -> list[str]:
    """Return the secrets for which one of our pages sent this write; refuse it if there are some and none fits."""
    given = request.headers.get(CSRF_HEADER, "").encode()
    ours = [secret for secret in secrets if hmac.compare_digest(given, csrf_token(secret).encode())]
    if secrets and not ours:
        raise Refused("csrf", field=CSRF_HEADER)
    return ours
