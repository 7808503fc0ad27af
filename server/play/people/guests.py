"""Guests: accounts without credentials, for whoever wants to play before they sign up.

The session in their browser is the only key, in campaigns and at the table; a code lets in another device.
A guest's name is unique only among those they play with. One who has not come back for :data:`STAYS` ends; until then
one form makes a whole account of it (:func:`keep`).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain, count
from typing import Any

from sqlalchemy import delete, exists, func, or_, select, update
from sqlalchemy.orm import Session

from server.core.sentences import say
from server.play import access, text_input
from server.play.accounts import names, proof, tokens
from server.play.accounts.accounts import Account, SignedIn, account_of, hash_password, signed_in, taken
from server.play.agenda import AGENDA
from server.play.context import Actor, AppContext, check_limit
from server.play.errors import PlayError, invalid, not_found
from server.play.people import account_closing
from server.play.tables.telling import announce
from server.store.memberships import ASKED, MEMBERSHIPS, among, campaigns_of, run_by
from server.store.tables import (
    ROLES,
    Campaign,
    Seat,
    SeatReader,
    StoryRow,
    TableArmyRow,
    TableGameRow,
    TableSeatRow,
    Token,
    User,
    Visit,
)
from server.store.tables.base import new_id

_OWNED: tuple[tuple[Any, Any], ...] = (
    (TableSeatRow, TableSeatRow.user_id),
    (TableGameRow, TableGameRow.owner_user_id),
    (StoryRow, StoryRow.user_id),
)
"""What an account takes over in addition to the seats, and its owner's state."""
STAYS = timedelta(days=30)
"""How long a guest is remembered after their last visit."""
CODE_LENGTH = 10
CODE_LIFE = timedelta(minutes=10)
"""How long another device may be brought in by a code."""
MAX_DEVICES = 10
_DEVICE = "device"
"""The purpose of a code that brings another device in."""


@dataclass(frozen=True, slots=True)
class DeviceCode:
    """What brings another device of a guest in."""

    code: str
    link: str
    expires_at: datetime


def allowed(ctx: AppContext) -> bool:
    """Say whether people may play without an account: only where everyone may make one."""
    return ctx.settings.sign_up == "open" and ctx.settings.guests_per_day > 0


def create(ctx: AppContext, name: str, *, locale: str = "", browser: str = "") -> SignedIn:
    """Create a guest of that name and sign them in; raise ``sign_up_closed`` if the server allows none."""
    if not allowed(ctx):
        raise PlayError("sign_up_closed")
    title = text_input.name(name, "name")
    names.refuse_own(title)
    language = text_input.locale(locale) if locale else ""
    user = User(id=new_id(), guest=True, name=title, locale=language, created_at=ctx.now())
    with ctx.database.write() as session:
        session.add(user)
        session.flush()
        return signed_in(ctx, session, user, browser)


def keep(ctx: AppContext, actor: Actor, name: str, password: str, *, email: str | None = None) -> Account:
    """Make a guest a whole account; everything they have stays theirs. Seats called like the guest get the new name."""
    actor.require_session(guests=True)
    if not actor.guest:
        raise PlayError("conflict", "You have an account already.")
    title = text_input.name(name, "name")
    hashed, address = hash_password(password), None if email is None else text_input.email(email)
    now = ctx.now()
    with taken(), ctx.database.write() as session:
        user = session.get_one(User, actor.user_id, with_for_update=True)
        if not user.guest:
            raise PlayError("stale_revision")
        names.refuse_lookalike(session, title, user.id)
        before, user.guest = user.name, False
        user.name, user.password_hash, user.email = title, hashed, address
        user.revision += 1
        session.flush()
        _rename_seats(session, user, before)
        until = now + timedelta(days=ctx.settings.session_days)
        session.execute(update(Token).where(Token.user_id == user.id, Token.kind == "session").values(expires_at=until))
        proof.note(session, actor.token_id, now)  # the password was given just now
        tokens.confirm_new(ctx, session, user)
        account = account_of(user)
    ctx.caches.bearers.clear()
    return account


def invite_device(ctx: AppContext, actor: Actor) -> DeviceCode:
    """Return a code with which another device continues as the same guest; it works once, for ten minutes."""
    if not actor.guest:
        actor.require("orders")
        raise PlayError("forbidden", "Only guests need that: with an account one signs in.")
    code, now = new_id()[:CODE_LENGTH], ctx.now()
    until = now + CODE_LIFE
    with ctx.database.write() as session:
        codes = (Token.user_id == actor.user_id, Token.kind == "link", Token.purpose == _DEVICE)
        session.execute(delete(Token).where(*codes))
        devices = (Token.user_id == actor.user_id, Token.kind == "session", Token.revoked_at.is_(None))
        check_limit(session, Token, devices, MAX_DEVICES + 1, say("At most {most} devices.", most=MAX_DEVICES))
        made = {"created_at": now, "expires_at": until}
        session.add(Token(user_id=actor.user_id, hash=tokens.hashed(code), kind="link", purpose=_DEVICE, **made))
    return DeviceCode(code, f"{ctx.settings.public_url}/tables/device/{code}", until)


def take_device(ctx: AppContext, code: str, *, browser: str = "") -> SignedIn:
    """Let a device continue as the guest whose code it has: it gets a session of its own."""
    now = ctx.now()
    with ctx.database.write() as session:
        mine = (Token.hash == tokens.hashed("".join(code.split()).lower()), Token.purpose == _DEVICE)
        row = session.scalars(select(Token).where(*mine, Token.expires_at > now).with_for_update()).one_or_none()
        user = None if row is None or row.used_at is not None else session.get(User, row.user_id)
        if row is None or user is None or not user.guest:
            raise not_found("code", code)
        row.used_at = now
        return signed_in(ctx, session, user, browser)


def claim(ctx: AppContext, actor: Actor, token: str) -> int:
    """Let an account take over everything of a guest, by the guest's token. Returns how many table games it were."""
    actor.require("orders").require_account()
    with ctx.database.read() as session:
        found = select(User).join(Token, Token.user_id == User.id).where(Token.hash == tokens.hashed(token), User.guest)
        guest = session.scalars(found.where(Token.kind == "session", Token.revoked_at.is_(None))).one_or_none()
        if guest is None:
            raise invalid("guest_token", "This is no token of a guest.")
    return hand_over(ctx, Actor(guest.id, guest.name, guest=True), actor.user_id)


def hand_over(ctx: AppContext, guest: Actor, account_id: str) -> int:
    """Let an account take over what a guest has, and end the guest; returns how many games on the table it were.

    The guest's seat falls vacant where the account has, or had, to do with the campaign: it would know too much.
    """
    if not guest.guest or guest.user_id == account_id:
        return 0
    with ctx.database.write() as session:
        own = campaigns_of(session, [account_id], frozenset(ROLES) - ASKED)
        theirs = campaigns_of(session, [guest.user_id])
        new = [campaign_id for campaign_id in theirs if campaign_id not in own]
        mine = (among(session, Seat.campaign_id, new), Seat.user_id == guest.user_id)
        session.execute(
            update(Seat).where(*mine).values(user_id=account_id).execution_options(synchronize_session=False)
        )
        sits = select(TableSeatRow.game_id).where(TableSeatRow.user_id == guest.user_id)
        own_games = select(TableGameRow.id).where(TableGameRow.owner_user_id == guest.user_id)
        games = sorted({*session.scalars(sits), *session.scalars(own_games)})
        session.execute(
            update(Campaign).where(run_by(session, [guest.user_id])).values(gm_user_id=account_id)
            .execution_options(synchronize_session=False)
        )  # fmt: skip
        for row, owner in _OWNED:
            session.execute(update(row).where(owner == guest.user_id).values({owner.key: account_id}))
        _take_armies(session, guest.user_id, account_id)
        session.execute(
            update(TableGameRow).where(TableGameRow.id.in_(games)).values(revision=TableGameRow.revision + 1)
        )
        announce(session, games, "seats", ctx.now())
        saw = (among(session, SeatReader.campaign_id, new), SeatReader.user_id == guest.user_id)
        for reader in session.scalars(select(SeatReader).where(*saw)):
            reader.user_id = account_id
        seated = exists().where(Seat.campaign_id == Campaign.id, Seat.user_id == account_id)
        touched = among(session, Campaign.id, {**own, **theirs}) & or_(Campaign.gm_user_id == account_id, seated)
        session.execute(
            update(Campaign).where(touched).values(revision=Campaign.revision + 1)
            .execution_options(synchronize_session=False)
        )  # fmt: skip
        AGENDA.touch(session, *theirs)
        MEMBERSHIPS.touch(session, *theirs)
    account_closing.end_guest(ctx, guest.user_id)
    return len(games)


def end_forgotten(ctx: AppContext) -> int:
    """End the guests who did not come back; called by the ticker. Returns how many."""
    before = ctx.now() - STAYS
    visited = func.coalesce(Visit.last_seen_at, User.created_at)
    with ctx.database.read() as session:
        found = select(User.id).outerjoin(Visit, Visit.user_id == User.id).where(User.guest, visited <= before)
        due = session.scalars(found.where(User.disabled_at.is_(None)).order_by(User.id)).all()
    for user_id in due:
        account_closing.end_guest(ctx, user_id)
    return len(due)


def _take_armies(session: Session, guest_id: str, user_id: str) -> None:
    """Hand over the armies; one whose name the account has already gets a number behind it."""
    known = set(session.scalars(select(TableArmyRow.name).where(TableArmyRow.user_id == user_id)))
    for army in session.scalars(select(TableArmyRow).where(TableArmyRow.user_id == guest_id)):
        names_ = chain([army.name], (f"{army.name} {number}" for number in count(2)))
        army.name = next(name for name in names_ if name not in known)
        known.add(army.name)
        army.user_id = user_id


def _rename_seats(session: Session, user: User, before: str) -> None:
    """Call the seats that were called like the guest by the new name, where nobody else there is called that."""
    here = among(session, Seat.campaign_id, campaigns_of(session, [user.id], ["player"]))
    mine = select(Seat, Campaign).join(Campaign, Campaign.id == Seat.campaign_id).where(here)
    for seat, campaign in session.execute(mine.where(Seat.user_id == user.id, Seat.name == before)):
        others = [other.name for other in access.seats_of(session, campaign.id) if other is not seat]
        if names.skeleton(user.name) not in map(names.skeleton, others):
            seat.name = user.name
            campaign.revision += 1
