"""Secrets people and programs sign in with: created, found, listed, revoked. Only their hashes are stored."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, func, or_, select, update
from sqlalchemy.orm import Session

from server.core.sentences import say
from server.play import text_input
from server.play.accounts import holds, proof
from server.play.context import SCOPES, Actor, AppContext
from server.play.errors import PlayError, invalid, not_found
from server.store import upserts
from server.store.errors import StorageError
from server.store.tables import Token, User, Visit
from server.store.tables.base import UtcDateTime

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
        with suppress(StorageError):  # on a full disk people still read
            _note_use(ctx, found.id, found.user_id, now)
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
        count = session.scalar(select(func.count()).where(Token.user_id == owner, *living("personal", now)))
        if (count or 0) >= MAX_TOKENS:
            raise PlayError("limit_reached", say("An account has at most {most} tokens.", most=MAX_TOKENS))
        expires = None if days is None else now + timedelta(days=days)
        return add(session, owner, "personal", now, expires, name=label, scopes=wanted)


def listed(ctx: AppContext, actor: Actor, *, for_bot: str | None = None) -> list[TokenInfo]:
    """Return the valid tokens and sessions of the person or their bot, newest first."""
    actor.require("read")
    with ctx.database.read() as session:
        owner = _holder(session, actor, for_bot)
        good = (Token.user_id == owner, Token.kind.in_(PREFIXES), *living(None, ctx.now()))
        return [_info(token) for token in session.scalars(select(Token).where(*good).order_by(Token.created_at.desc()))]


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
    return NewToken(_info(token), secret)


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
        holds.is_banned(user.c.id, user.c.bot_owner_id, bindparam("now", type_=UtcDateTime())).label("banned"),
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


def _note_use(ctx: AppContext, token_id: str, user_id: str, now: datetime) -> None:
    with ctx.database.write() as session:
        session.execute(update(Token).where(Token.id == token_id).values(last_used_at=now))
        note_visit(session, user_id, now)


def note_visit(session: Session, user_id: str, now: datetime) -> None:
    """Note that an account is here."""
    connection = session.connection()
    connection.execute(_VISIT[connection.dialect.name], {"user_id": user_id, "last_seen_at": now})


def _seen(new: Any) -> Any:
    return new.on_conflict_do_update(index_elements=["user_id"], set_={"last_seen_at": new.excluded.last_seen_at})


_VISIT = upserts.by_dialect(Visit, _seen)


def _scopes(given: Sequence[str]) -> tuple[str, ...]:
    unknown = [scope for scope in given if scope not in SCOPES]
    if isinstance(given, str) or unknown or not given:
        raise invalid(
            "scopes", say("One or more of: {words}.", words=", ".join(SCOPES)), unknown[0] if unknown else None
        )
    return tuple(scope for scope in SCOPES if scope in given)


def _holder(session: Session, actor: Actor, for_bot: str | None) -> str:
    if for_bot is None:
        return actor.user_id
    return own_bot(session, actor, for_bot).id


def own_bot(session: Session, actor: Actor, bot_id: str) -> User:
    """Return one of the person's bots that is not closed, else refuse (``not_found``)."""
    bot = session.get(User, bot_id)
    if bot is None or bot.bot_owner_id != actor.user_id or bot.disabled_at:
        raise not_found("bot", bot_id)
    return bot


def _info(token: Token) -> TokenInfo:
    return TokenInfo(
        token.id, token.kind, token.name, token.scopes, token.created_at, token.expires_at, token.last_used_at
    )
