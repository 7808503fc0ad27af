"""Seats that change hands in a campaign that has started: given up, taken over, given to another player.

Whoever comes into a seat knows what the seat knows. So nobody takes over a seat who has known more than that: an
account that had another seat, was a substitute or saw everything (:class:`server.store.tables.SeatReader`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, CompoundSelect, and_, delete, exists, select, union
from sqlalchemy.orm import Session

from server.play import access
from server.play.access import EVERYTHING as EVERYTHING
from server.play.access import UNDER_WAY, Access
from server.play.context import Actor, AppContext
from server.play.dice import salt_keeping
from server.play.errors import PlayError, not_found
from server.play.notices.notices import Notices
from server.play.options import Options
from server.play.records.records import Open, note_intervention, open_phase, set_deadline, state_at
from server.play.resolution.phase_opening import wanted_from
from server.store.tables import (
    AdvanceOrders,
    Campaign,
    Invitation,
    OrderSet,
    PlayerRow,
    RepeatedOrders,
    Seat,
    SeatReader,
    User,
    Vote,
)

TAKEN = "take_over"
"""The kind of intervention that says that someone sat down in a free seat."""


# --- seats that someone can take ---


def free_seats(session: Session, campaign: Campaign, options: Options, seats: Iterable[Seat]) -> list[Seat]:
    """Return the seats that someone can take: before the start the empty ones, then those of players who are in."""
    empty = [seat for seat in seats if seat.user_id is None]
    if campaign.status == "open" or not empty:
        return empty
    if campaign.status not in UNDER_WAY or not options.take_over or options.practice:
        return []
    gone = out(session, [campaign.id])
    return [seat for seat in empty if (campaign.id, seat.player_id) not in gone]


def out(session: Session, campaign_ids: Collection[str]) -> set[tuple[str, str]]:
    """Return the players of campaigns who are eliminated, each with the campaign."""
    mine = (PlayerRow.campaign_id.in_(campaign_ids), PlayerRow.eliminated)
    return {(id_, player) for id_, player in session.execute(select(PlayerRow.campaign_id, PlayerRow.id).where(*mine))}


def maybe_joinable() -> CompoundSelect[str]:
    """Return the statement for campaigns that have not started, or have an empty seat: few, and by index.

    Whether someone can take such a seat is another question (:func:`can_be_taken_over`).
    """
    return union(
        select(Campaign.id).where(Campaign.status == "open"), select(Seat.campaign_id).where(Seat.user_id.is_(None))
    )


def can_be_taken_over(of_these: Callable[[Any], ColumnElement[bool]] | None = None) -> ColumnElement[bool]:
    """Return the condition that a campaign has started and someone can take a seat in it.

    *of_these* returns the condition that a column holds one of a few campaigns: only their seats are read then.
    """
    its_player = and_(PlayerRow.campaign_id == Seat.campaign_id, PlayerRow.id == Seat.player_id)
    empty = exists().where(Seat.campaign_id == Campaign.id, Seat.user_id.is_(None), its_player, ~PlayerRow.eliminated)
    if of_these is not None:
        empty = empty.where(of_these(Seat.campaign_id), of_these(PlayerRow.campaign_id))
    allowed = Campaign.options["take_over"].as_boolean()
    return and_(Campaign.status.in_(UNDER_WAY), allowed, ~Campaign.options["practice"].as_boolean(), empty)


# --- changing hands ---


def take_over(
    ctx: AppContext, session: Session, actor: Actor, may: Access, wanted: str | None, name: str | None
) -> None:
    """Sit down in a seat of a campaign that has started: the *wanted* one, or the first that is free.

    Raise ``wrong_status`` if no seat is free, ``seat_taken`` if this seat is not, ``forbidden`` for an account that has
    known more than the seat knows.
    """
    campaign, now = may.campaign, ctx.now()
    if campaign.gm_user_id == actor.user_id or may.gm:
        raise PlayError("forbidden", "A game master without a seat sees everything, and takes none any more.")
    seats = access.seats_of(session, campaign.id)
    # whose own seat is out has nothing left to gain by what it knew
    lost = {player for _, player in out(session, [campaign.id])}
    known = _known_before(session, campaign.id, actor.user_id, seats) - lost
    seat = _chosen(free_seats(session, campaign, may.options, seats), seats, wanted, known)
    if known - {seat.player_id}:
        raise PlayError(
            "forbidden", "You have known more of this campaign than this seat knows, so you cannot take it over."
        )
    comes_back = seat.player_id in known
    sit_down(ctx, session, campaign, seat, session.get_one(User, actor.user_id), may.options, name=name)
    made = note_intervention(session, campaign, actor, TAKEN, "", now, seat=seat.player_id)
    notices = Notices(session, campaign, now)
    key = f"seat/{made.branch}/{made.phase_number}/{made.seq}"
    others = [other for other in seats if other is not seat]
    notices.everybody("seat_changed", key, others, seat=seat.player_id)
    if not comes_back:
        give_time(session, campaign, may.options, notices)
    notices.send()


def sit_down(
    ctx: AppContext, session: Session, campaign: Campaign, seat: Seat, user: User, options: Options,
    *, name: str | None = None,
) -> None:  # fmt: skip
    """Put an account into a seat. Orders that are there stay, but nothing is final by the predecessor's word."""
    get_up(session, campaign, seat, ctx.now())
    dismiss_substitute(session, campaign, seat, ctx.now())
    seat.user_id, seat.joined_at = user.id, ctx.now()
    if name is not None:
        seat.name = name
    elif not options.anonymous:
        seat.name = user.name
    campaign.revision += 1
    session.flush()
    now_open = open_phase(session, campaign)
    row = _orders(session, now_open, seat)
    if now_open is not None and row is not None:
        state = state_at(ctx, session, campaign, now_open.record)
        row.wanted = wanted_from(state).get(seat.player_id, False)
        row.revision += row.final and row.revision > 0
        row.final = False
    salt_keeping.hand_over(session, campaign.id, seat.player_id, ctx.now())


def get_up(session: Session, campaign: Campaign, seat: Seat, now: datetime) -> None:
    """Empty a seat, without its count of missed deadlines; whoever had it has known what it knows.

    Its repeated orders end: the next player has not chosen them.
    """
    mine = (RepeatedOrders.campaign_id == campaign.id, RepeatedOrders.player_id == seat.player_id)
    session.execute(delete(RepeatedOrders).where(*mine))
    if seat.user_id is not None:
        remember(session, campaign, seat.user_id, seat.player_id, now)
        invited = session.get(Invitation, (campaign.id, seat.user_id))
        if invited is not None:  # a bot that accepts invitations does not come back to the seat it has left
            invited.declined_at = now
    open_vote = select(Vote).where(Vote.campaign_id == campaign.id, Vote.outcome == "")
    for vote in session.scalars(open_vote):  # nobody is bound by the predecessor's word
        vote.answers = {player: yes for player, yes in vote.answers.items() if player != seat.player_id}
    seat.user_id, seat.joined_at, seat.holiday_until, seat.last_seen_at = None, None, None, None
    seat.missed = seat.missed_in_a_row = 0
    campaign.revision += 1
    session.flush()


def dismiss_substitute(session: Session, campaign: Campaign, seat: Seat, now: datetime) -> None:
    """Have no account order for a seat in its player's place any more."""
    if seat.stand_in == "user":
        if seat.stand_in_user_id is not None:
            remember(session, campaign, seat.stand_in_user_id, seat.player_id, now)
        seat.stand_in, seat.stand_in_user_id = "", None


def remember(session: Session, campaign: Campaign, user_id: str, player_id: str, now: datetime) -> None:
    """Note that an account has known what a seat knows (:data:`EVERYTHING`: all there is)."""
    if campaign.started_at is not None:
        session.merge(SeatReader(campaign_id=campaign.id, user_id=user_id, player_id=player_id, until=now))


def give_time(session: Session, campaign: Campaign, options: Options, notices: Notices) -> None:
    """Move the deadline of the open phase so that a newcomer has the time the campaign gives them.

    Pages and programs show it; nobody is mailed, since nobody has less time than before.
    """
    now_open = open_phase(session, campaign)
    if now_open is None or now_open.phase.deadline is None:
        return
    phase = now_open.phase
    due: datetime | None = campaign.paused_at or notices.now  # of a pause the rest is added when it ends
    for _ in range(options.newcomer_deadlines):
        due = None if due is None else options.deadlines.due(due, phase.phase)
    if due is not None and options.newcomer_deadlines and due > now_open.phase.deadline:
        set_deadline(session, campaign, phase, due, "extended", notices.now)
        key = f"newcomer/{phase.branch}/{phase.number}/{due.timestamp():.0f}"
        notices.everybody("deadline_changed", key, in_chats=False, deadline=due.isoformat())


def drop_orders(session: Session, campaign: Campaign, seat: Seat) -> None:
    """Have the orders of a seat count no more: those of the open phase, and those left in advance."""
    row = _orders(session, open_phase(session, campaign), seat)
    if row is not None:
        row.orders, row.revision, row.final, row.temporary, row.source = [], 0, False, False, ""
    mine = (AdvanceOrders.campaign_id == campaign.id, AdvanceOrders.player_id == seat.player_id)
    session.execute(delete(AdvanceOrders).where(*mine))


# --- inside ---


def _orders(session: Session, now_open: Open | None, seat: Seat) -> OrderSet | None:
    if now_open is None:
        return None
    phase = now_open.phase
    key = (seat.campaign_id, phase.branch, phase.number, seat.player_id)
    return session.get(OrderSet, key, populate_existing=True)


def _chosen(free: list[Seat], seats: list[Seat], wanted: str | None, known: set[str]) -> Seat:
    if wanted is not None and all(seat.player_id != wanted for seat in seats):
        raise not_found("seat", wanted)
    if not free:
        raise PlayError("wrong_status", "The campaign takes no players any more.", field="status")
    if wanted is None:
        return next((seat for seat in free if seat.player_id in known), free[0])
    found = next((seat for seat in free if seat.player_id == wanted), None)
    if found is None:
        raise PlayError("seat_taken", field="seat", value=wanted)
    return found


def _known_before(session: Session, campaign_id: str, user_id: str, seats: Iterable[Seat]) -> set[str]:
    """Return the seats an account has known, or knows as a substitute."""
    mine = (SeatReader.campaign_id == campaign_id, SeatReader.user_id == user_id)
    known = set(session.scalars(select(SeatReader.player_id).where(*mine)))
    serving = {seat.player_id for seat in seats if seat.stand_in == "user" and seat.stand_in_user_id == user_id}
    return known | serving
