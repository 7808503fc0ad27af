"""A campaign goes from one game master to another: offered by the one, taken over by the other."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, update
from sqlalchemy.orm import Session

from server.play import access, text_input
from server.play.access import Access
from server.play.accounts.accounts import account_named
from server.play.campaigns import takeover
from server.play.context import Actor, AppContext
from server.play.errors import PlayError, not_found, stands_so
from server.play.notices.notices import Notices, gm_topic
from server.play.records.records import note_intervention
from server.store.tables import Campaign, Handover, LiveEvent, Message, Seat, User

MAX_REASON_LENGTH = 2000


def offer(ctx: AppContext, actor: Actor, campaign_id: str, name: str, why: str = "") -> None:
    """Offer the campaign to an account; an offer to somebody else is taken back."""
    actor.require("gm")
    reason = text_input.lines(why, "why", MAX_REASON_LENGTH)
    with ctx.database.write() as session:
        campaign = _going(access.load_exclusive(session, actor, campaign_id).require_gm())
        user = _account(session, campaign, name)
        before = access.offer_of(session, campaign_id)
        if before is not None and before.user_id == user.id:
            before.why = reason
            return
        _take_back(session, campaign_id)
        now = ctx.now()
        session.merge(Handover(campaign_id=campaign_id, user_id=user.id, made_at=now, why=reason, accepted_at=None))
        notices = Notices(session, campaign, now)
        notices.user(user.id, "gm_offered", f"gm_offered/{now.isoformat()}", why=reason)
        notices.send()


def take_back(ctx: AppContext, actor: Actor, campaign_id: str) -> None:
    """Offer the campaign to nobody any more."""
    actor.require("gm")
    with ctx.database.write() as session:
        access.load_exclusive(session, actor, campaign_id).require_gm()
        _take_back(session, campaign_id)


def decline(ctx: AppContext, actor: Actor, campaign_id: str) -> None:
    """Do not take the campaign over; its GM is told."""
    actor.require("gm")
    with ctx.database.write() as session:
        may, offered = _offered(session, actor, campaign_id)
        notices = Notices(session, may.campaign, ctx.now())
        notices.game_master("gm_declined", f"gm_declined/{offered.made_at.isoformat()}", name=actor.name)
        notices.send()
        session.delete(offered)


def accept(ctx: AppContext, actor: Actor, campaign_id: str) -> None:
    """Become the campaign's GM: from now on, and instead of the one before. Everybody is told.

    Where the GM does not play, a player gives up their seat first. Where the GM does, the player learns nothing of what
    the former GM knew: neither letters to the former GM (:mod:`server.play.messages.messages`) nor notices.
    """
    actor.require("gm")
    with ctx.database.write() as session:
        may, offered = _offered(session, actor, campaign_id)
        campaign, now = _going(may), ctx.now()
        if may.seat is not None and not may.options.gm_plays:
            raise PlayError("forbidden", "The game master of this campaign does not play.")
        before, campaign.gm_user_id, offered.accepted_at = campaign.gm_user_id, actor.user_id, now
        campaign.revision += 1
        seats = access.seats_of(session, campaign_id)
        session.execute(delete(LiveEvent).where(LiveEvent.topic == gm_topic(campaign_id)))
        if may.seat is not None:
            unread = (Message.campaign_id == campaign_id, Message.to_gm, Message.gm_read_at.is_(None))
            session.execute(update(Message).where(*unread).values(gm_read_at=now))
        if before is not None and all(seat.user_id != before for seat in seats):
            takeover.remember(session, campaign, before, takeover.EVERYTHING, now)
        if campaign.started_at is not None:
            note_intervention(session, campaign, actor, "handover", offered.why, now)
        _notify(session, campaign, actor, before, seats, now)


# --- inside ---


def _going(may: Access) -> Campaign:
    if may.campaign.status not in access.NOT_FINISHED:
        raise stands_so(may.campaign.status)
    return may.campaign


def _account(session: Session, campaign: Campaign, name: str) -> User:
    user = account_named(session, name)
    if user.id == campaign.gm_user_id:
        raise PlayError("conflict", "That is the game master already.", field="name")
    if user.bot_owner_id is not None:  # its owner may play
        raise PlayError("conflict", "A bot takes no campaign over.", field="name")
    return user


def _offered(session: Session, actor: Actor, campaign_id: str) -> tuple[Access, Handover]:
    """Return a campaign that is offered to somebody, and the offer."""
    may = access.load_exclusive(session, actor, campaign_id)
    found = access.offer_of(session, campaign_id)
    if found is None or found.user_id != actor.user_id:
        raise not_found("offer")
    return may, found


def _take_back(session: Session, campaign_id: str) -> None:
    if (before := access.offer_of(session, campaign_id)) is not None:
        session.delete(before)
        session.flush()


def _notify(
    session: Session, campaign: Campaign, actor: Actor, before: str | None, seats: Sequence[Seat], now: datetime
) -> None:
    """Tell everybody of the new GM, and those the GM stood in for that they have no substitute any more."""
    key = f"gm_changed/{campaign.revision}"
    notices = Notices(session, campaign, now)
    notices.everybody("gm_changed", key, [seat for seat in seats if seat.user_id != actor.user_id], gm=actor.name)
    if before is not None and all(seat.user_id != before for seat in seats):
        notices.user(before, "gm_changed", key, gm=actor.name)
    for seat in seats:
        if seat.stand_in_user_id == actor.user_id:
            seat.stand_in, seat.stand_in_user_id = "", None
            if seat.user_id is not None:
                notices.user(seat.user_id, "seat_changed", f"{key}/{seat.player_id}", seat=seat.player_id)
    notices.send()
