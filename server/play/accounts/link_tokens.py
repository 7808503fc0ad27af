"""The rows behind mailed links.

A link is signed with the server's own key and names a row of ``tokens``; the outbox holds only that row's
id, so no secret lies in it. :func:`text_of` composes the link when the email is written.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from hashlib import sha256

from itsdangerous import BadSignature, URLSafeSerializer
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from server.play.accounts import tokens
from server.play.context import AppContext
from server.play.errors import PlayError
from server.store import outbox
from server.store.tables import ServerValue, Token, User
from server.store.tables.base import fold

LIFETIMES = {
    "sign_in": timedelta(minutes=30),
    "sign_up": timedelta(hours=24),
    "confirm": timedelta(days=7),
    "reset": timedelta(hours=1),
    "undo": timedelta(hours=72),
}
MAX_OPEN_LINKS = 3
"""Links to one address within :data:`_WINDOW`; more are silently not sent."""
_WINDOW = timedelta(minutes=15)
_KEY = "link_key"


def confirm_new(ctx: AppContext, session: Session, user: User) -> None:
    """Have a link mailed to the address that someone gave at sign-up; it counts once that is followed."""
    if user.email is not None:
        send(ctx, session, "confirm", user.email, user.id)


def text_of(ctx: AppContext, token_id: str) -> str:
    """Return the link of a row of ``tokens``; for the writer of the mail."""
    with ctx.database.read() as session:
        return signer(session).dumps(token_id)


def send(
    ctx: AppContext, session: Session, purpose: str, email: str, user_id: str | None, *, mailed: bool = True,
    back: str = "", new_email: str = "",
) -> None:  # fmt: skip
    """Have a link mailed, unless too many are open for this address; do only the work of it where not *mailed*.

    *back* is the page that it leads to. A link to undo a change, to *new_email*, is always mailed: nobody may use up
    the others to keep it back.
    """
    now = ctx.now()
    recent = (Token.kind == "link", Token.email == fold(email), Token.created_at > now - _WINDOW)
    if purpose != "undo" and (session.scalar(select(func.count()).where(*recent)) or 0) >= MAX_OPEN_LINKS:
        return
    token = create(session, purpose, email, user_id, now, LIFETIMES[purpose] if mailed else timedelta())
    more = {name: value for name, value in (("next", back), ("new_email", new_email)) if value}
    outbox.put(
        session,
        "mail",
        f"link/{token.id}",
        {"about": "link", "purpose": purpose, "to": email, "token_id": token.id, **more},
        now,
        user_id=user_id,
        sent=not mailed,
    )


def create(
    session: Session, purpose: str, email: str | None, user_id: str | None, now: datetime, valid: timedelta
) -> Token:
    """Return a new link's row; *valid* is how long it can be followed."""
    token = Token(
        user_id=user_id,
        hash=secrets.token_hex(32),
        kind="link",
        purpose=purpose,
        name=(email or "") if purpose == "undo" else "",
        email=None if email is None else fold(email),
        created_at=now,
        expires_at=now + valid,
    )
    session.add(token)
    session.flush()
    token.hash = tokens.hashed(signer(session, make=True).dumps(token.id))
    session.flush()
    return token


def unused(ctx: AppContext, session: Session, link: str) -> Token:
    """Return a link's row; refuse (``bad_link``) one that is unknown, used, revoked or expired."""
    if not isinstance(link, str) or len(link) > 300:
        raise PlayError("bad_link")
    try:
        token_id = signer(session).loads(link)
    except (BadSignature, LookupError, ValueError):
        raise PlayError("bad_link") from None
    mine = (Token.id == str(token_id), Token.hash == tokens.hashed(link), Token.kind == "link")
    token = session.scalars(select(Token).where(*mine)).one_or_none()
    expired = token is None or token.expires_at is None or token.expires_at <= ctx.now()
    if token is None or expired or token.used_at is not None or token.revoked_at is not None:
        raise PlayError("bad_link")
    return token


def signer(session: Session, *, make: bool = False) -> URLSafeSerializer:
    """Return the signer with the server's key, made with the first link."""
    kept = session.get(ServerValue, _KEY)
    if kept is None:
        if not make:
            raise LookupError("no link was ever made")
        kept = ServerValue(name=_KEY, value=secrets.token_bytes(32))
        session.add(kept)
        session.flush()
    return URLSafeSerializer(kept.value, salt="link", signer_kwargs={"digest_method": sha256})
