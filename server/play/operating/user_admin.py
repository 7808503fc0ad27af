"""What the server's operator does with accounts: on the machine it runs on, or as an admin on a page.

*by* is the admin, who names an account by its id; None: on the machine itself, named by its name.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from server.play import audit, text_input
from server.play.accounts import second_factor, tokens
from server.play.accounts.accounts import hash_password, taken
from server.play.accounts.tokens import APPROVAL, BAN
from server.play.context import Actor, AppContext, taken_from
from server.play.errors import PlayError, invalid, not_found
from server.store.tables import AccountHold, SecondFactor, User
from server.store.tables.base import fold

MAX_BAN = 3650
"""Days that a ban lasts at most; for good, an account is closed."""


@dataclass(frozen=True, slots=True)
class UserInfo:
    """An account as the operator sees it."""

    id: str
    name: str
    email: str | None
    email_confirmed: bool
    admin: bool
    bot: bool
    disabled: bool
    created_at: datetime
    second_factor: bool
    banned_until: datetime | None = None
    """It cannot sign in before."""
    awaits_approval: bool = False
    """It is new, and an admin has to let it in."""


def users(ctx: AppContext, user_id: str = "") -> list[UserInfo]:
    """Return all accounts by name, or only the one with an id."""
    wanted = select(User).order_by(User.name_key)
    with ctx.database.read() as session:
        found = session.scalars(wanted.where(User.id == user_id) if user_id else wanted)
        factors = set(session.scalars(select(SecondFactor.user_id).where(SecondFactor.confirmed_at.is_not(None))))
        held = select(AccountHold).where(or_(AccountHold.until.is_(None), AccountHold.until > ctx.now()))
        holds_of = {(row.user_id, row.kind): row for row in session.scalars(held)}
        return [
            taken_from(
                user,
                UserInfo,
                email_confirmed=user.email_confirmed_at is not None,
                bot=user.bot_owner_id is not None,
                disabled=user.disabled_at is not None,
                second_factor=user.id in factors,
                banned_until=holds_of[user.id, BAN].until if (user.id, BAN) in holds_of else None,
                awaits_approval=(user.id, APPROVAL) in holds_of,
            )
            for user in found
        ]


@contextmanager
def _held(ctx: AppContext, by: Actor | None, who: str, *, not_own: bool = False) -> Iterator[tuple[Session, User]]:
    """Hold an account in one transaction; refuse everyone but admins, and with *not_own* an admin's own account."""
    if by is not None and by.require_admin().user_id == who and not_own:
        raise PlayError("conflict", "That is your own account.", field="user", value=who)
    with taken(), ctx.database.write() as session:
        yield session, _named(session, who) if by is None else _of_id(session, who)


def ban(ctx: AppContext, by: Actor | None, who: str, days: int, why: str = "") -> datetime:
    """Ban an account for so many days: it cannot sign in, its tokens and bots do nothing; returns until when.

    Its seats stay, and their stand-ins order.
    """
    now = ctx.now()
    with _held(ctx, by, who, not_own=True) as (session, user):
        if type(days) is not int or not 1 <= days <= MAX_BAN:
            raise invalid("days", "From 1 to 3650 days.", days)
        reason, until = text_input.lines(why, "why", 2000), now + timedelta(days=days)
        if user.admin:
            raise PlayError("conflict", "An admin cannot be banned. Make the account an ordinary one first.")
        session.merge(AccountHold(user_id=user.id, kind=BAN, made_at=now, until=until, why=reason))
        tokens.revoke_sessions(session, user.id, now)
        audit.note(session, by, "ban", user.name, now, f"{until:%Y-%m-%d %H:%M} UTC. {reason}".strip())
    ctx.caches.bearers.clear()
    return until


def lift_ban(ctx: AppContext, by: Actor | None, who: str) -> None:
    """Let a banned account sign in again."""
    _release(ctx, by, who, BAN, "lift_ban", "The account is not banned.")


def approve(ctx: AppContext, by: Actor | None, who: str) -> None:
    """Let a new account in."""
    _release(ctx, by, who, APPROVAL, "approve", "The account does not wait for approval.")


def _release(ctx: AppContext, by: Actor | None, who: str, kind: str, act: str, message: str) -> None:
    """Hold an account no longer that way, and write it down; refuse where it was not."""
    with _held(ctx, by, who) as (session, user):
        row = session.get(AccountHold, (user.id, kind))
        if row is None:
            raise PlayError("conflict", message, field="name", value=user.name)
        session.delete(row)
        audit.note(session, by, act, user.name, ctx.now())


def set_password(ctx: AppContext, name: str, password: str) -> None:
    """Set an account's password; its sessions end."""
    hashed = hash_password(password)
    with _held(ctx, None, name) as (session, user):
        user.password_hash = hashed
        tokens.revoke_sessions(session, user.id, ctx.now())
        audit.note(session, None, "set_password", user.name, ctx.now())
    ctx.caches.bearers.clear()


def disable(ctx: AppContext, by: Actor | None, who: str) -> None:
    """Close an account; its seats stay, its tokens are worthless, in other processes within a second."""
    with _held(ctx, by, who, not_own=True) as (session, user):
        user.disabled_at = user.disabled_at or ctx.now()
        audit.note(session, by, "close", user.name, ctx.now())
    ctx.caches.bearers.clear()


def enable(ctx: AppContext, by: Actor | None, who: str) -> None:
    """Open a closed account again."""
    with _held(ctx, by, who) as (session, user):
        user.disabled_at = None
        audit.note(session, by, "open", user.name, ctx.now())


def set_admin(ctx: AppContext, by: Actor | None, who: str, admin: bool) -> None:
    """Make an account an admin's, or an ordinary one."""
    with _held(ctx, by, who, not_own=True) as (session, user):
        if admin and user.bot_owner_id is not None:
            raise PlayError("forbidden", "A bot is no admin.")
        user.admin = admin
        user.revision += 1
        audit.note(session, by, "make_admin" if admin else "unmake_admin", user.name, ctx.now())
    ctx.caches.bearers.clear()


def rename(ctx: AppContext, by: Actor | None, who: str, new: str) -> str:
    """Rename an account to any free name; return the stored form. Its seats keep their names."""
    with _held(ctx, by, who) as (session, user):
        before, user.name = user.name, text_input.name(new, "name")
        user.revision += 1
        audit.note(session, by, "rename", before, ctx.now(), user.name)
        session.flush()
    ctx.caches.bearers.clear()
    return user.name


def set_email(ctx: AppContext, by: Actor | None, who: str, email: str | None, *, confirmed: bool = True) -> None:
    """Give an account another mail address, or none. It cannot sign in by one that is not *confirmed*."""
    with _held(ctx, by, who) as (session, user):
        user.email = None if email is None else text_input.email(email)
        user.email_confirmed_at = ctx.now() if user.email and confirmed else None
        user.revision += 1
        audit.note(session, by, "set_email", user.name, ctx.now())
        session.flush()


def confirm_email(ctx: AppContext, by: Actor | None, who: str) -> str:
    """Take an account's address as confirmed; returns it."""
    with _held(ctx, by, who) as (session, user):
        if user.email is None:
            raise PlayError("conflict", "The account has no mail address.", field="name", value=user.name)
        user.email_confirmed_at = user.email_confirmed_at or ctx.now()
        user.revision += 1
        audit.note(session, by, "confirm_email", user.name, ctx.now())
        session.flush()
        return user.email


def reset_second_factor(ctx: AppContext, name: str) -> bool:
    """Take an account's second factor away, for someone who lost app and codes; returns whether there was one."""
    with ctx.database.read() as session:
        user_id = _named(session, name).id
    return second_factor.reset(ctx, user_id)


def _named(session: Session, name: str) -> User:
    user = session.scalars(select(User).where(User.name_key == fold(name))).one_or_none()
    if user is None:
        raise not_found("name", name)
    return user


def _of_id(session: Session, user_id: str) -> User:
    user = session.get(User, user_id)
    if user is None:
        raise not_found("user", user_id)
    return user
