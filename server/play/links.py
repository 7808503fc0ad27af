"""Links mailed to people: to sign in or up without a password, to confirm an address, to set a new password.

A link is signed with the server's own key and names a row of ``tokens``; the outbox holds only that row's
id, so no secret lies in it. :func:`text_of` makes the link when the mail is written.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from itsdangerous import BadSignature, URLSafeSerializer
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from server.play import text_input, tokens
from server.play.accounts import (
    SignedIn,
    by_email,
    hash_password,
    new_user,
    signed_in,
    taken,
)
from server.play.context import Actor, AppContext
from server.play.errors import PlayError, invalid, not_found
from server.store import outbox
from server.store.ids import fold
from server.store.tables import ServerValue, Token, User

PURPOSES = ("sign_in", "sign_up", "confirm", "reset")
LIFETIMES = {
    "sign_in": timedelta(minutes=30),
    "sign_up": timedelta(hours=24),
    "confirm": timedelta(days=7),
    "reset": timedelta(hours=1),
}
MAX_OPEN_LINKS = 3
"""Links to one address within :data:`_WINDOW`; more are silently not sent."""
_WINDOW = timedelta(minutes=15)
_KEY = "link_key"


@dataclass(frozen=True, slots=True)
class LinkInfo:
    """What an unused link is for."""

    purpose: str
    email: str
    """Empty: it was handed over, not mailed."""


def request_link(ctx: AppContext, email: str, *, reset: bool = False) -> None:
    """Have a link mailed: to sign in (or set a new password), or to sign up where the address is new.

    Says nothing about whether there is an account.
    """
    address = text_input.email(email)
    with ctx.database.write() as session:
        user = by_email(session, address)
        claimed = _unconfirmed(session, address) if user is None else None
        if user is not None:
            _send(ctx, session, "reset" if reset else "sign_in", address, user.id)
        elif claimed is not None:
            _send(ctx, session, "confirm", address, claimed.id)
        elif ctx.settings.sign_up == "open" and not reset:
            _send(ctx, session, "sign_up", address, None)


def confirm_new(ctx: AppContext, session: Session, user: User) -> None:
    """Have a link mailed to the address that somebody gave at sign-up; it counts once that is followed."""
    if user.email is not None:
        _send(ctx, session, "confirm", user.email, user.id)


def _unconfirmed(session: Session, address: str) -> User | None:
    """Return the one account that gave an address and has not confirmed it; None where several claim it."""
    mine = (User.email_key == fold(address), User.email_confirmed_at.is_(None), User.disabled_at.is_(None))
    found = list(session.scalars(select(User).where(*mine).limit(2)))
    return found[0] if len(found) == 1 else None


def request_confirmation(ctx: AppContext, actor: Actor, email: str) -> None:
    """Set one's address and have a link mailed there; it counts once that is followed."""
    actor.require_session()
    address = text_input.email(email)
    with ctx.database.write() as session:
        user = session.get_one(User, actor.user_id)
        if user.email != address:
            user.email, user.email_confirmed_at = address, None
            user.revision += 1
        _send(ctx, session, "confirm", address, user.id)


def describe_link(ctx: AppContext, link: str) -> LinkInfo:
    """Return what a link is for without using it: mail programs follow links, people press buttons."""
    with ctx.database.read() as session:
        token = _unused(ctx, session, link)
        return LinkInfo(token.purpose, token.email or "")


def use_link(
    ctx: AppContext, link: str, *, name: str | None = None, password: str | None = None, browser: str = ""
) -> SignedIn:
    """Follow a link, once: signs in and confirms the address it went to.

    A link to sign up makes the account, with *name*; one to reset sets *password*.
    """
    info = describe_link(ctx, link)
    hashed = None if password is None else hash_password(password)
    if info.purpose == "reset" and hashed is None:
        raise invalid("password", "A new password is needed.")
    new = None
    if info.purpose == "sign_up":
        if name is None:
            raise invalid("name", "A name is needed.")
        new = new_user(ctx, name, email=info.email)
        new.password_hash = hashed
    with taken(), ctx.database.write() as session:
        token = _unused(ctx, session, link)
        used = update(Token).where(Token.id == token.id, Token.used_at.is_(None)).values(used_at=ctx.now())
        if session.execute(used.returning(Token.id)).scalar_one_or_none() is None:
            raise PlayError("bad_link")
        user = _follow(ctx, session, token, new, hashed)
        done = signed_in(ctx, session, user, browser)
    ctx.caches.bearers.clear()
    return done


def sign_in_link(ctx: AppContext, name: str, *, valid: timedelta = LIFETIMES["sign_in"]) -> str:
    """Return a link that signs an account in, once; for the operator, who hands it over instead of a mail."""
    with ctx.database.write() as session:
        user = session.scalars(select(User).where(User.name_key == fold(name))).one_or_none()
        if user is None or user.disabled_at is not None:
            raise not_found("name", name)
        token = _new(session, "sign_in", None, user.id, ctx.now(), valid)
        return _signer(session).dumps(token.id)


def text_of(ctx: AppContext, token_id: str) -> str:
    """Return the link of a row of ``tokens``; for whoever writes the mail."""
    with ctx.database.read() as session:
        return _signer(session).dumps(token_id)


def _follow(ctx: AppContext, session: Session, token: Token, new: User | None, hashed: str | None) -> User:
    if new is not None:
        if by_email(session, token.email or ""):
            raise PlayError("email_taken", field="email")
        session.add(new)
        user = new
    else:
        found = session.get(User, token.user_id) if token.user_id else None
        elsewhere = token.email is not None and found is not None and fold(found.email or "") != fold(token.email)
        if found is None or found.disabled_at is not None or elsewhere:
            raise PlayError("bad_link")
        user = found
    if token.email is not None:
        user.email_confirmed_at = user.email_confirmed_at or ctx.now()
    if token.purpose == "reset":
        user.password_hash = hashed
        tokens.revoke_sessions(session, user.id, ctx.now())
    return user


def _send(ctx: AppContext, session: Session, purpose: str, email: str, user_id: str | None) -> None:
    now = ctx.now()
    recent = (Token.kind == "link", Token.email == fold(email), Token.created_at > now - _WINDOW)
    if (session.scalar(select(func.count()).where(*recent)) or 0) >= MAX_OPEN_LINKS:
        return
    token = _new(session, purpose, email, user_id, now, LIFETIMES[purpose])
    outbox.put(
        session,
        "mail",
        f"link/{token.id}",
        {"about": "link", "purpose": purpose, "to": email, "token_id": token.id},
        now,
        user_id=user_id,
    )


def _new(
    session: Session, purpose: str, email: str | None, user_id: str | None, now: datetime, valid: timedelta
) -> Token:
    token = Token(
        user_id=user_id,
        hash=secrets.token_hex(32),
        kind="link",
        purpose=purpose,
        email=None if email is None else fold(email),
        created_at=now,
        expires_at=now + valid,
    )
    session.add(token)
    session.flush()
    token.hash = tokens.hashed(_signer(session, make=True).dumps(token.id))
    session.flush()
    return token


def _unused(ctx: AppContext, session: Session, link: str) -> Token:
    if not isinstance(link, str) or len(link) > 300:
        raise PlayError("bad_link")
    try:
        token_id = _signer(session).loads(link)
    except (BadSignature, LookupError, ValueError):
        raise PlayError("bad_link") from None
    mine = (Token.id == str(token_id), Token.hash == tokens.hashed(link), Token.kind == "link")
    token = session.scalars(select(Token).where(*mine)).one_or_none()
    expired = token is None or token.expires_at is None or token.expires_at <= ctx.now()
    if token is None or expired or token.used_at is not None or token.revoked_at is not None:
        raise PlayError("bad_link")
    return token


def _signer(session: Session, *, make: bool = False) -> URLSafeSerializer:
    """Return the signer with the server's key, made with the first link."""
    kept = session.get(ServerValue, _KEY)
    if kept is None:
        if not make:
            raise LookupError("no link was ever made")
        kept = ServerValue(name=_KEY, value=secrets.token_bytes(32))
        session.add(kept)
        session.flush()
    return URLSafeSerializer(kept.value, salt="link", signer_kwargs={"digest_method": sha256})
