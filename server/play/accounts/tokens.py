"""Secrets people and programs sign in with: created, found, listed, revoked. Only their hashes are stored.

A mailed link is signed with the server's own key and names a row of ``tokens``; the outbox holds only that row's id, so
no secret lies in it. :func:`link_text` composes the link when the email is written.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from itsdangerous import BadSignature, URLSafeSerializer
from sqlalchemy import ColumnElement, Select, bindparam, exists, func, or_, select, update
from sqlalchemy.orm import Session

from server.core.sentences import say
from server.play import text_input
from server.play.accounts import proof
from server.play.context import SCOPES, Actor, AppContext, check_limit, kept_value, taken_from
from server.play.errors import PlayError, invalid, not_found
from server.store import outbox, upserts
from server.store.errors import StorageError
from server.store.tables import AccountHold, ServerValue, Token, User, Visit
from server.store.tables.base import UtcDateTime, fold

PREFIXES = {"session": "sos_", "personal": "sot_"}
"""A secret begins with its kind, so that scanners find leaked ones."""
MAX_TOKENS = 50
MAX_DAYS = 3650
_NOTE_USE_EVERY = timedelta(minutes=5)
_CACHE_SECONDS = timedelta(seconds=1)
"""How long a secret that was good is not looked up again. This process forgets it when anything is revoked here;
what is revoked by another process holds after this time."""


@dataclass(frozen=True, slots=True)
class TokenInfo:
    """A token as its owner sees it; never the secret."""

    id: str
    kind: str
    """``personal`` or ``session``."""
    name: str
    scopes: tuple[str, ...]
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token just made. The secret is shown this once."""

    info: TokenInfo
    secret: str


BAN, APPROVAL = "ban", "approval"
CONFIRM = "confirm"
"""Why an account waits that is let in as soon as its address is confirmed."""
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


def authenticate(ctx: AppContext, secret: str) -> Actor:
    """Return who the bearer of a secret is; ``bad_token`` for unknown, expired and revoked ones alike."""
    if (believed := known(ctx, secret)) is not None:
        return believed
    now, key = ctx.now(), hashed(secret)
    with ctx.database.read() as session:
        found = session.execute(_BEARER, {"of_hash": key, "now": now}).first()
    good = found is not None and found.kind in PREFIXES and not (found.revoked_at or found.disabled_at or found.banned)
    if found is None or not good or (found.expires_at is not None and found.expires_at <= now):
        raise PlayError("bad_token")
    if found.last_used_at is None or now - found.last_used_at > _NOTE_USE_EVERY:
        with suppress(StorageError), ctx.database.write() as session:  # on a full disk people still read
            session.execute(update(Token).where(Token.id == found.id).values(last_used_at=now))
            note_visit(session, found.user_id, now)
    everything = found.kind == "session"
    scopes = SCOPES if everything else found.scopes
    bot = found.bot_owner_id is not None
    actor = Actor(found.user_id, found.name, found.admin, bot, scopes, found.id, everything, found.guest)
    ctx.caches.bearers.put(key, (actor, min(now + _CACHE_SECONDS, found.expires_at or now + _CACHE_SECONDS)))
    return actor


def known(ctx: AppContext, secret: str) -> Actor | None:
    """Return who the bearer of a secret is where that was found out a moment ago; waits for nothing."""
    kept: tuple[Actor, datetime] | None = ctx.caches.bearers.known(hashed(secret))
    return kept[0] if kept is not None and timedelta(0) < kept[1] - ctx.now() <= _CACHE_SECONDS else None


def create(
    ctx: AppContext,
    actor: Actor,
    name: str,
    scopes: Sequence[str],
    *,
    days: int | None = None,
    for_bot: str | None = None,
) -> NewToken:
    """Create a personal access token for the person or their bot; *days* None: valid until revoked.

    Needs a fresh proof of identity (``proof_required``): a token outlives the session that made it.
    """
    actor.require_session()
    proof.require(ctx, actor)
    label = text_input.line(name, "name", 80)
    wanted = _scopes(scopes)
    if days is not None and not (isinstance(days, int) and 1 <= days <= MAX_DAYS):
        raise invalid("days", say("From 1 to {most} days.", most=MAX_DAYS), days)
    now = ctx.now()
    with ctx.database.write() as session:
        owner = _holder(session, actor, for_bot)
        mine = (Token.user_id == owner, *living("personal", now))
        check_limit(session, Token, mine, MAX_TOKENS, say("An account has at most {most} tokens.", most=MAX_TOKENS))
        expires = None if days is None else now + timedelta(days=days)
        return add(session, owner, "personal", now, expires, name=label, scopes=wanted)


def listed(ctx: AppContext, actor: Actor, *, for_bot: str | None = None) -> list[TokenInfo]:
    """Return the valid tokens and sessions of the person or their bot, newest first."""
    actor.require("read")
    with ctx.database.read() as session:
        owner = _holder(session, actor, for_bot)
        good = (Token.user_id == owner, Token.kind.in_(PREFIXES), *living(None, ctx.now()))
        found = session.scalars(select(Token).where(*good).order_by(Token.created_at.desc()))
        return [taken_from(token, TokenInfo) for token in found]


def revoke(ctx: AppContext, actor: Actor, token_id: str) -> None:
    """Revoke a token or session of the person or their bot; in other processes within a second."""
    if token_id != actor.token_id:
        actor.require_session()
    with ctx.database.write() as session:
        token = session.get(Token, token_id)
        owner = session.get(User, token.user_id) if token is not None and token.user_id else None
        mine = owner is not None and actor.user_id in (owner.id, owner.bot_owner_id)
        if token is None or not mine or token.kind not in PREFIXES:
            raise not_found("token", token_id)
        token.revoked_at = token.revoked_at or ctx.now()
    ctx.caches.bearers.clear()


# --- for the rest of this package ---


def add(
    session: Session,
    user_id: str,
    kind: str,
    now: datetime,
    expires: datetime | None,
    *,
    name: str = "",
    scopes: tuple[str, ...] = (),
) -> NewToken:
    """Make a token of any kind but links."""
    secret = PREFIXES[kind] + secrets.token_urlsafe(32)
    token = Token(
        user_id=user_id,
        hash=hashed(secret),
        kind=kind,
        name=name,
        scopes=scopes,
        created_at=now,
        expires_at=expires,
        proved_at=now if kind == "session" else None,
    )
    session.add(token)
    session.flush()
    return NewToken(taken_from(token, TokenInfo), secret)


def revoke_sessions(session: Session, user_id: str, now: datetime, *, but: str = "") -> None:
    """End all sessions of a user, but for one."""
    others = (Token.user_id == user_id, Token.kind == "session", Token.revoked_at.is_(None), Token.id != but)
    session.execute(update(Token).where(*others).values(revoked_at=now))


def hashed(secret: str) -> str:
    """Return the stored hash of a secret. It is random and long, so a fast hash is enough."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def expiry(ctx: AppContext, actor: Actor) -> datetime | None:
    """Return when the token that someone signs in with expires; None: never."""
    with ctx.database.read() as session:
        return session.scalar(select(Token.expires_at).where(Token.id == actor.token_id))


def is_banned(
    user_id: ColumnElement[str], owner_id: ColumnElement[str], now: ColumnElement[datetime]
) -> ColumnElement[bool]:
    """Return the condition that an account, or the owner of a bot, is banned."""
    whose = or_(AccountHold.user_id == user_id, AccountHold.user_id == owner_id)
    return exists().where(whose, AccountHold.kind == BAN, or_(AccountHold.until.is_(None), AccountHold.until > now))


def _bearer() -> Select[Any]:
    token: Any = Token.__table__
    user: Any = User.__table__
    return select(
        token.c.id,
        token.c.user_id,
        token.c.kind,
        token.c.scopes,
        token.c.expires_at,
        token.c.revoked_at,
        token.c.last_used_at,
        user.c.name,
        user.c.admin,
        user.c.bot_owner_id,
        user.c.guest,
        user.c.disabled_at,
        is_banned(user.c.id, user.c.bot_owner_id, bindparam("now", type_=UtcDateTime())).label("banned"),
    ).where(user.c.id == token.c.user_id, token.c.hash == bindparam("of_hash"))


_BEARER = _bearer()
"""Made once: it is asked with every request."""


def living(kind: str | None, now: datetime) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions that a token is neither revoked nor expired, and of the kind if there is a *kind*."""
    good: tuple[ColumnElement[bool], ...] = (
        Token.revoked_at.is_(None),
        or_(Token.expires_at.is_(None), Token.expires_at > now),
    )
    return good if kind is None else (Token.kind == kind, *good)


def note_visit(session: Session, user_id: str, now: datetime) -> None:
    """Note that an account is here."""
    connection = session.connection()
    connection.execute(_VISIT[connection.dialect.name], {"user_id": user_id, "last_seen_at": now})


_VISIT = upserts.by_dialect(
    Visit,
    lambda new: new.on_conflict_do_update(index_elements=["user_id"], set_={"last_seen_at": new.excluded.last_seen_at}),
)


def _scopes(given: Sequence[str]) -> tuple[str, ...]:
    unknown = [scope for scope in given if scope not in SCOPES]
    if isinstance(given, str) or unknown or not given:
        raise invalid(
            "scopes", say("One or more of: {words}.", words=", ".join(SCOPES)), unknown[0] if unknown else None
        )
    return tuple(scope for scope in SCOPES if scope in given)


def _holder(session: Session, actor: Actor, for_bot: str | None) -> str:
    return actor.user_id if for_bot is None else own_bot(session, actor, for_bot).id


def own_bot(session: Session, actor: Actor, bot_id: str) -> User:
    """Return one of the person's bots that is not closed, else refuse (``not_found``)."""
    bot = session.get(User, bot_id)
    if bot is None or bot.bot_owner_id != actor.user_id or bot.disabled_at:
        raise not_found("bot", bot_id)
    return bot


def check_hold(session: Session, user: User, now: datetime) -> None:
    """Refuse an account that cannot sign in now: ``banned``, ``awaits_approval`` or ``confirm_address``."""
    ban = session.get(AccountHold, (user.id, BAN))
    if ban is not None and (ban.until is None or ban.until > now):
        raise PlayError("banned", field="until", value=None if ban.until is None else ban.until.isoformat())
    waits = session.get(AccountHold, (user.id, APPROVAL))
    if waits is None:
        return
    if waits.why != CONFIRM:
        raise PlayError("awaits_approval")
    if user.email_confirmed_at is None:
        raise PlayError("confirm_address")
    session.delete(waits)


def hold(session: Session, user: User, why: str, now: datetime) -> str:
    """Have a new account wait: for an admin, or for its address to be confirmed. Returns the code that says so."""
    session.add(AccountHold(user_id=user.id, kind=APPROVAL, made_at=now, until=None, why=why))
    return "confirm_address" if why == CONFIRM else "awaits_approval"


def confirm_new(ctx: AppContext, session: Session, user: User) -> None:
    """Have a link mailed to the address that someone gave at sign-up; it counts once that is followed."""
    if user.email is not None:
        send_link(ctx, session, "confirm", user.email, user.id)


def link_text(ctx: AppContext, token_id: str) -> str:
    """Return the link of a row of ``tokens``; for the writer of the mail."""
    with ctx.database.read() as session:
        return link_signer(session).dumps(token_id)


def send_link(
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
    token = create_link(session, purpose, email, user_id, now, LIFETIMES[purpose] if mailed else timedelta())
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


def create_link(
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
    token.hash = hashed(link_signer(session, make=True).dumps(token.id))
    session.flush()
    return token


def unused_link(ctx: AppContext, session: Session, link: str) -> Token:
    """Return a link's row; refuse (``bad_link``) one that is unknown, used, revoked or expired."""
    if not isinstance(link, str) or len(link) > 300:
        raise PlayError("bad_link")
    try:
        token_id = link_signer(session).loads(link)
    except (BadSignature, LookupError, ValueError):
        raise PlayError("bad_link") from None
    mine = (Token.id == str(token_id), Token.hash == hashed(link), Token.kind == "link")
    token = session.scalars(select(Token).where(*mine)).one_or_none()
    expired = token is None or token.expires_at is None or token.expires_at <= ctx.now()
    if token is None or expired or token.used_at is not None or token.revoked_at is not None:
        raise PlayError("bad_link")
    return token


def link_signer(session: Session, *, make: bool = False) -> URLSafeSerializer:
    """Return the signer with the server's key, made with the first link."""
    if not make and session.get(ServerValue, _KEY) is None:
        raise LookupError("no link was ever made")
    key = kept_value(session, _KEY, lambda: secrets.token_bytes(32))
    return URLSafeSerializer(key, salt="link", signer_kwargs={"digest_method": sha256})
