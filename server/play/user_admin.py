"""What the server's operator does with accounts, from the command line of the machine it runs on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from server.play import tokens
from server.play.accounts import hash_password
from server.play.context import AppContext
from server.play.errors import not_found
from server.store.ids import fold
from server.store.tables import User


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


def users(ctx: AppContext) -> list[UserInfo]:
    """Return all accounts, by name."""
    with ctx.database.read() as session:
        found = session.scalars(select(User).order_by(User.name_key))
        return [
            UserInfo(
                each.id,
                each.name,
                each.email,
                each.email_confirmed_at is not None,
                each.admin,
                each.bot_owner_id is not None,
                each.disabled_at is not None,
                each.created_at,
            )
            for each in found
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


def _named(session: Session, name: str) -> User:
    user = session.scalars(select(User).where(User.name_key == fold(name))).one_or_none()
    if user is None:
        raise not_found("name", name)
    return user
