"""Guests: people who play at a table without an account. Their device keeps a token, the server its hash."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain, count
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from server.core.sentences import say
from server.play import text_input
from server.play.accounts import tokens
from server.play.context import Actor, AppContext
from server.play.errors import PlayError, invalid, not_found
from server.play.tables.telling import announce
from server.store.tables import (
    StoryRow,
    TableArmyRow,
    TableGameRow,
    TableGuestDeviceRow,
    TableGuestRow,
    TableSeatRow,
)
from server.store.tables.base import new_id

MAX_NAME_LENGTH = 40
CODE_LENGTH = 10
CODE_LIFE = timedelta(minutes=10)
"""How long another device may be brought in by a code."""
MAX_DEVICES = 10
_OWNED: tuple[tuple[Any, str, Any], ...] = (
    (TableSeatRow, "user_id", TableSeatRow.guest_id),
    (TableGameRow, "owner_user_id", TableGameRow.owner_guest_id),
    (StoryRow, "user_id", StoryRow.guest_id),
)
"""What an account takes over, and where its owner stands."""


@dataclass(frozen=True, slots=True)
class DeviceCode:
    """What brings another device of a guest in."""

    code: str
    link: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class NewGuest:
    """A guest just made. The token is shown this once."""

    id: str
    name: str
    token: str


def create(ctx: AppContext, name: str) -> NewGuest:
    """Make a guest of that name."""
    title, now = text_input.name(name, "name", MAX_NAME_LENGTH), ctx.now()
    token = tokens.GUEST_PREFIX + secrets.token_urlsafe(32)
    row = TableGuestRow(name=title, token_hash=tokens.hashed(token), created_at=now, last_seen_at=now)
    with ctx.database.write() as session:
        session.add(row)
        session.flush()
        return NewGuest(row.id, title, token)


def invite_device(ctx: AppContext, actor: Actor) -> DeviceCode:
    """Return a code with which another device goes on as the same guest; it is good once, for ten minutes."""
    if not actor.guest_id:
        raise PlayError("forbidden", "Only guests need that: with an account one signs in.")
    code, until = new_id()[:CODE_LENGTH], ctx.now() + CODE_LIFE
    with ctx.database.write() as session:
        mine = TableGuestDeviceRow.guest_id == actor.guest_id
        session.execute(delete(TableGuestDeviceRow).where(mine, TableGuestDeviceRow.expires_at.is_not(None)))
        if (session.scalar(select(func.count()).select_from(TableGuestDeviceRow).where(mine)) or 0) >= MAX_DEVICES:
            raise PlayError("limit_reached", say("At most {most} devices.", most=MAX_DEVICES))
        session.add(TableGuestDeviceRow(guest_id=actor.guest_id, secret_hash=tokens.hashed(code), expires_at=until))
    return DeviceCode(code, f"{ctx.settings.public_url}/tables/device/{code}", until)


def take_device(ctx: AppContext, code: str) -> NewGuest:
    """Let a device go on as the guest whose code it has: it gets a token of its own."""
    token = tokens.GUEST_PREFIX + secrets.token_urlsafe(32)
    with ctx.database.write() as session:
        known = TableGuestDeviceRow.secret_hash == tokens.hashed("".join(code.split()).lower())
        row = session.scalars(
            select(TableGuestDeviceRow).where(known, TableGuestDeviceRow.expires_at > ctx.now()).with_for_update()
        ).one_or_none()
        if row is None:
            raise not_found("code", code)
        row.secret_hash, row.expires_at = tokens.hashed(token), None
        guest = session.get_one(TableGuestRow, row.guest_id)
        return NewGuest(guest.id, guest.name, token)


def claim(ctx: AppContext, actor: Actor, token: str) -> int:
    """Let an account take over everything of a guest: games, seats, saved armies. Returns how many games it were."""
    actor.require("orders")
    now = ctx.now()
    with ctx.database.write() as session:
        found = select(TableGuestRow).where(tokens.of_guest(tokens.hashed(token))).with_for_update()
        guest = session.scalars(found).one_or_none()
        if guest is None or not token.startswith(tokens.GUEST_PREFIX):
            raise invalid("guest_token", "This is no token of a guest.")
        mine = select(TableSeatRow.game_id).where(TableSeatRow.guest_id == guest.id)
        own = select(TableGameRow.id).where(TableGameRow.owner_guest_id == guest.id)
        games = sorted({*session.scalars(mine), *session.scalars(own)})
        for row, user, column in _OWNED:
            session.execute(update(row).where(column == guest.id).values({user: actor.user_id, column.key: None}))
        session.execute(
            update(TableGameRow).where(TableGameRow.id.in_(games)).values(revision=TableGameRow.revision + 1)
        )
        _take_armies(session, guest.id, actor.user_id)
        session.delete(guest)
        announce(session, games, "seats", now)
    ctx.caches.bearers.clear()
    return len(games)


def _take_armies(session: Session, guest_id: str, user_id: str) -> None:
    """Hand over the armies; one whose name the account has already gets a number behind it."""
    known = set(session.scalars(select(TableArmyRow.name).where(TableArmyRow.user_id == user_id)))
    for army in session.scalars(select(TableArmyRow).where(TableArmyRow.guest_id == guest_id)):
        names = chain([army.name], (f"{army.name} {number}" for number in count(2)))
        army.name = next(name for name in names if name not in known)
        known.add(army.name)
        army.user_id, army.guest_id = user_id, None
