"""What the server's operator does with accounts, from the command line of the machine it runs on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from server.play import text_input
from server.play.accounts import second_factor, tokens
from server.play.accounts.accounts import hash_password, taken
from server.play.context import AppContext
from server.play.errors import PlayError, not_found
from server.store.tables import SecondFactor, User
from server.store.tables.base import fold


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


def users(ctx: AppContext, user_id: str = "") -> list[UserInfo]:
    """Return all accounts by name, or only the one with an id."""
    wanted = select(User).order_by(User.name_key)
    with ctx.database.read() as session:
        found = session.scalars(wanted.where(User.id == user_id) if user_id else wanted)
        factors = set(session.scalars(select(SecondFactor.user_id).where(SecondFactor.confirmed_at.is_not(None))))
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
            )
            for user in found
        ]


def set_password(ctx: AppContext, name: str, password: str) -> None:
    """Set an account's password; its sessions end."""
    hashed = hash_password(password)
    with ctx.database.write() as session:
        user = _named(session, name)
        user.password_hash = hashed
        tokens.revoke_sessions(session, user.id, ctx.now())
    ctx.caches.bearers.clear()


def disable(ctx: AppContext, name: str) -> None:
    """Close an account; its tokens are worthless, in other processes within a second."""
    with ctx.database.write() as session:
        user = _named(session, name)
        user.disabled_at = user.disabled_at or ctx.now()
    ctx.caches.bearers.clear()


def enable(ctx: AppContext, name: str) -> None:
    """Open a closed account again."""
    with ctx.database.write() as session:
        _named(session, name).disabled_at = None


def set_admin(ctx: AppContext, name: str, admin: bool) -> None:
    """Make an account an admin's, or an ordinary one."""
    with ctx.database.write() as session:
        user = _named(session, name)
        if admin and user.bot_owner_id is not None:
            raise PlayError("forbidden", "A bot is no admin.")
        user.admin = admin
        user.revision += 1
    ctx.caches.bearers.clear()


def rename(ctx: AppContext, name: str, new: str) -> str:
    """Give an account another name, any that is free; returns it as it is kept. Its seats keep theirs."""
    with taken(), ctx.database.write() as session:
        user = _named(session, name)
        user.name = text_input.name(new, "name")
        user.revision += 1
        session.flush()
    ctx.caches.bearers.clear()
    return user.name


def set_email(ctx: AppContext, name: str, email: str | None, *, confirmed: bool = True) -> None:
    """Give an account another mail address, or none; it counts as confirmed unless told otherwise."""
    address = None if email is None else text_input.email(email)
    with taken(), ctx.database.write() as session:
        user = _named(session, name)
        user.email, user.email_confirmed_at = address, ctx.now() if address and confirmed else None
        user.revision += 1
        session.flush()


def confirm_email(ctx: AppContext, name: str) -> str:
    """Take an account's address as confirmed; returns it."""
    with taken(), ctx.database.write() as session:
        user = _named(session, name)
        if user.email is None:
            raise PlayError("conflict", "The account has no mail address.", field="name", value=name)
        user.email_confirmed_at = user.email_confirmed_at or ctx.now()
        user.revision += 1
        session.flush()
        return user.email


def reset_second_factor(ctx: AppContext, name: str) -> bool:
    """Take an account's second factor away, for somebody who lost app and codes; returns whether there was one."""
    with ctx.database.read() as session:
        user_id = _named(session, name).id
    return second_factor.reset(ctx, user_id)


def _named(session: Session, name: str) -> User:
    user = session.scalars(select(User).where(User.name_key == fold(name))).one_or_none()
    if user is None:
        raise not_found("name", name)
    return user
