"""Guests: accounts without credentials, for whoever wants to play before they sign up.

The session in their browser is the only key. A guest's name is unique only among those they play with. One who has
not come back for :data:`STAYS` ends; until then one form makes a whole account of it (:func:`keep`).
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy import func, or_, select, union, update
from sqlalchemy.orm import Session

from server.play import access, text_input
from server.play.accounts import link_tokens, names, proof
from server.play.accounts.accounts import Account, SignedIn, account_of, hash_password, signed_in, taken
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.people import account_closing
from server.store.tables import (
    Campaign,
    GameMaster,
    Seat,
    SeatReader,
    StoryRow,
    TableGameRow,
    TableSeatRow,
    Token,
    User,
    Visit,
)
from server.store.tables.base import new_id

_OWNED: tuple[tuple[Any, Any], ...] = (
    (Campaign, Campaign.gm_user_id),
    (TableSeatRow, TableSeatRow.user_id),
    (TableGameRow, TableGameRow.owner_user_id),
    (StoryRow, StoryRow.user_id),
)
"""What an account takes over besides the seats, and where its owner stands."""
STAYS = timedelta(days=30)
"""How long a guest is remembered after their last visit."""


def allowed(ctx: AppContext) -> bool:
    """Say whether people may play without an account: only where everyone may make one."""
    return ctx.settings.sign_up == "open" and ctx.settings.guests_per_day > 0


def create(ctx: AppContext, name: str, *, locale: str = "en", browser: str = "") -> SignedIn:
    """Make a guest of that name and sign them in; ``sign_up_closed`` where there are none."""
    if not allowed(ctx):
        raise PlayError("sign_up_closed")
    title = text_input.name(name, "name")
    names.refuse_own(title)
    language = text_input.line(locale, "locale", 20)
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
        link_tokens.confirm_new(ctx, session, user)
        account = account_of(user)
    ctx.caches.bearers.clear()
    return account


def hand_over(ctx: AppContext, guest: Actor, account: Account) -> None:
    """Let an account that the guest has signed in to take over what they have, and end the guest.

    The guest's seat falls vacant where the account has, or had, to do with the campaign: it would know too much.
    """
    if not guest.guest or guest.user_id == account.id:
        return
    with ctx.database.write() as session:
        ours = union(
            select(Seat.campaign_id).where(or_(Seat.user_id == account.id, Seat.stand_in_user_id == account.id)),
            select(SeatReader.campaign_id).where(SeatReader.user_id == account.id),
            select(GameMaster.campaign_id).where(GameMaster.user_id == account.id),
            select(Campaign.id).where(Campaign.gm_user_id == account.id),
        )
        own = set(session.scalars(ours))
        mine = (Seat.user_id == guest.user_id, Seat.campaign_id.not_in(own))
        session.execute(
            update(Seat).where(*mine).values(user_id=account.id).execution_options(synchronize_session=False)
        )
        for row, owner in _OWNED:
            session.execute(update(row).where(owner == guest.user_id).values({owner.key: account.id}))
        known = select(SeatReader).where(SeatReader.user_id == guest.user_id, SeatReader.campaign_id.not_in(own))
        for reader in session.scalars(known):
            reader.user_id = account.id
        seated = select(Seat.campaign_id).where(Seat.user_id == account.id)
        touched = or_(Campaign.gm_user_id == account.id, Campaign.id.in_(seated))
        session.execute(
            update(Campaign).where(touched).values(revision=Campaign.revision + 1)
            .execution_options(synchronize_session=False)
        )  # fmt: skip
    account_closing.end_guest(ctx, guest.user_id)


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


def _rename_seats(session: Session, user: User, before: str) -> None:
    """Call the seats that were called like the guest by the new name, where nobody else there is called that."""
    mine = select(Seat, Campaign).join(Campaign, Campaign.id == Seat.campaign_id)
    for seat, campaign in session.execute(mine.where(Seat.user_id == user.id, Seat.name == before)):
        others = [other.name for other in access.seats_of(session, campaign.id) if other is not seat]
        if names.skeleton(user.name) not in map(names.skeleton, others):
            seat.name = user.name
            campaign.revision += 1
