"""What the server's operator does with accounts, from the command line of the machine it runs on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from server.play import audit, text_input
from server.play.accounts import second_factor, tokens
from server.play.accounts.accounts import hash_password, taken
from server.play.accounts.holds import APPROVAL, BAN
from server.play.context import Actor, AppContext
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
            UserInfo(
                user.id,
                user.name,
                user.email,
                user.email_confirmed_at is not None,
                user.admin,
                user.bot_owner_id is not None,
                user.disabled_at is not None,
                user.created_at,
                user.id in factors,
                holds_of[user.id, BAN].until if (user.id, BAN) in holds_of else None,
                (user.id, APPROVAL) in holds_of,
            )
            for user in found
        ]


def ban(ctx: AppContext, name: str, days: int, why: str = "", *, by: Actor | None = None) -> datetime:
    """Ban an account for so many days: it cannot sign in, its tokens and bots do nothing; returns until when.

    Its seats stay, and their stand-ins order.
    """
    if type(days) is not int or not 1 <= days <= MAX_BAN:
        raise invalid("days", "From 1 to 3650 days.", days)
    reason = text_input.lines(why, "why", 2000)
    now = ctx.now()
    until = now + timedelta(days=days)
    with ctx.database.write() as session:
        user = _named(session, name)
        if user.admin:
            raise PlayError("conflict", "An admin cannot be banned. Make the account an ordinary one first.")
        session.merge(AccountHold(user_id=user.id, kind=BAN, made_at=now, until=until, why=reason))
        tokens.revoke_sessions(session, user.id, now)
        audit.note(session, by, "ban", user.name, now, f"{until:%Y-%m-%d %H:%M} UTC. {reason}".strip())
    ctx.caches.bearers.clear()
    return until


def lift_ban(ctx: AppContext, name: str, *, by: Actor | None = None) -> None:
    """Let a banned account sign in again."""
    with ctx.database.write() as session:
        if not _released(ctx, session, name, BAN, "lift_ban", by):
            raise PlayError("conflict", "The account is not banned.", field="name", value=name)


def approve(ctx: AppContext, name: str, *, by: Actor | None = None) -> None:
    """Let a new account in."""
    with ctx.database.write() as session:
        if not _released(ctx, session, name, APPROVAL, "approve", by):
            raise PlayError("conflict", "The account does not wait for approval.", field="name", value=name)


def _released(ctx: AppContext, session: Session, name: str, kind: str, act: str, by: Actor | None) -> bool:
    """Say whether an account was held that way; then it is no longer, and the audit log has it."""
    user = _named(session, name)
    row = session.get(AccountHold, (user.id, kind))
    if row is None:
        return False
    session.delete(row)
    audit.note(session, by, act, user.name, ctx.now())
    return True


def set_password(ctx: AppContext, name: str, password: str) -> None:
    """Set an account's password; its sessions end."""
    hashed = hash_password(password)
    with ctx.database.write() as session:
        user = _named(session, name)
        user.password_hash = hashed
        tokens.revoke_sessions(session, user.id, ctx.now())
        audit.note(session, None, "set_password", user.name, ctx.now())
    ctx.caches.bearers.clear()


def disable(ctx: AppContext, name: str, *, by: Actor | None = None) -> None:
    """Close an account; its tokens are worthless, in other processes within a second."""
    with ctx.database.write() as session:
        user = _named(session, name)
        user.disabled_at = user.disabled_at or ctx.now()
        audit.note(session, by, "close", user.name, ctx.now())
    ctx.caches.bearers.clear()


def enable(ctx: AppContext, name: str, *, by: Actor | None = None) -> None:
    """Open a closed account again."""
    with ctx.database.write() as session:
        user = _named(session, name)
        user.disabled_at = None
        audit.note(session, by, "open", user.name, ctx.now())


def set_admin(ctx: AppContext, name: str, admin: bool, *, by: Actor | None = None) -> None:
    """Make an account an admin's, or an ordinary one."""
    with ctx.database.write() as session:
        user = _named(session, name)
        if admin and user.bot_owner_id is not None:
            raise PlayError("forbidden", "A bot is no admin.")
        user.admin = admin
        user.revision += 1
        audit.note(session, by, "make_admin" if admin else "unmake_admin", user.name, ctx.now())
    ctx.caches.bearers.clear()


def rename(ctx: AppContext, name: str, new: str, *, by: Actor | None = None) -> str:
    """Rename an account to any free name; return the stored form. Its seats keep their names."""
    with taken(), ctx.database.write() as session:
        user = _named(session, name)
        before, user.name = user.name, text_input.name(new, "name")
        user.revision += 1
        audit.note(session, by, "rename", before, ctx.now(), user.name)
        session.flush()
    ctx.caches.bearers.clear()
    return user.name


def set_email(
    ctx: AppContext, name: str, email: str | None, *, confirmed: bool = True, by: Actor | None = None
) -> None:
    """Give an account another mail address, or none; it counts as confirmed unless told otherwise."""
    address = None if email is None else text_input.email(email)
    with taken(), ctx.database.write() as session:
        user = _named(session, name)
        user.email, user.email_confirmed_at = address, ctx.now() if address and confirmed else None
        user.revision += 1
        audit.note(session, by, "set_email", user.name, ctx.now())
        session.flush()


def confirm_email(ctx: AppContext, name: str, *, by: Actor | None = None) -> str:
    """Take an account's address as confirmed; returns it."""
    with taken(), ctx.database.write() as session:
        user = _named(session, name)
        if user.email is None:
            raise PlayError("conflict", "The account has no mail address.", field="name", value=name)
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
