"""The tasks in a person's campaigns at a glance: a few statements however many campaigns there are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, and_, func, or_, select
from sqlalchemy.orm import Session

from server.play import access
from server.play.campaigns import takeover
from server.play.context import Actor, AppContext
from server.rules.state import MOVEMENT
from server.store.memberships import ORDER, RUN, among, campaigns_of, with_roles
from server.store.tables import Campaign, Handover, Invitation, Message, MessageRecipient, OrderSet, Phase, Seat

MAX_CAMPAIGNS = 200
"""Campaigns on one dashboard; the newest."""


@dataclass(frozen=True, slots=True)
class DashboardEntry:
    """A campaign one plays in, runs, or stands in for someone in."""

    id: str
    name: str
    status: str
    scenario: str
    gm: bool
    seat: str | None
    """The seat the person orders for: their own, else the first they are substitute for."""
    standing_in: bool
    taken: int
    """Seats someone sits in."""
    seats: int
    turn: int | None
    phase: str | None
    """The open one."""
    deadline: datetime | None
    wanted: bool
    """There is something to order for the seat."""
    handed_in: bool
    final: bool
    players_final: int | None
    """How many are final; None if that is hidden."""
    players: int
    """How many may have something to order."""
    waiting: int | None
    """For a game master who does not play: how many are to order and are not final."""
    unread: int


@dataclass(frozen=True, slots=True)
class PendingOffer:
    """An invitation, or an offer to run a campaign, that was not answered."""

    id: str
    name: str
    scenario: str
    made_at: datetime


def mine(ctx: AppContext, actor: Actor) -> list[DashboardEntry]:
    """Return the campaigns one has to do with, those that wait for one first, then by deadline."""
    actor.require("read")
    with ctx.database.read() as session:
        theirs = campaigns_of(session, [actor.user_id], RUN | ORDER)
        run = with_roles(theirs, RUN)
        shown = or_(Campaign.status != "deleted", among(session, Campaign.id, run))
        known = and_(among(session, Campaign.id, theirs), shown)
        newest = (Campaign.created_at.desc(), Campaign.id)
        found = list(session.scalars(select(Campaign).where(known).order_by(*newest).limit(MAX_CAMPAIGNS)))
        ids = [campaign.id for campaign in found]
        seats = _grouped(session.scalars(select(Seat).where(Seat.campaign_id.in_(ids)).order_by(Seat.number)))
        phases = {phase.campaign_id: phase for phase in session.scalars(_open_phases(ids))}
        sets: dict[str, list[OrderSet]] = {}
        for order_set in session.scalars(_order_sets(ids)):
            sets.setdefault(order_set.campaign_id, []).append(order_set)
        runs = {campaign_id for campaign_id in run if campaign_id in ids}
        unread = _unread(session, actor, found, runs)
        entries = [
            _entry(
                actor,
                campaign,
                seats.get(campaign.id, []),
                phases.get(campaign.id),
                sets.get(campaign.id, []),
                unread,
                gm=campaign.id in runs,
            )
            for campaign in found
        ]
    return sorted(entries, key=_urgency)


def is_newcomer(ctx: AppContext, actor: Actor, campaign_id: str) -> bool:
    """Say whether a person has submitted Movement orders in no other campaign: they are shown how a turn goes."""
    actor.require("read")
    same = and_(
        Phase.campaign_id == OrderSet.campaign_id,
        Phase.branch == OrderSet.branch,
        Phase.number == OrderSet.phase_number,
    )
    moved = select(OrderSet.campaign_id).join(Phase, same).where(
        OrderSet.updated_by == actor.user_id, OrderSet.revision > 0, Phase.phase == MOVEMENT
    )  # fmt: skip
    with ctx.database.read() as session:
        others = [id_ for id_ in campaigns_of(session, [actor.user_id], ["player"]) if id_ != campaign_id]
        theirs = (among(session, OrderSet.campaign_id, others), among(session, Phase.campaign_id, others))
        return session.scalar(moved.where(*theirs).limit(1)) is None


def unread_in(ctx: AppContext, actor: Actor, campaign_id: str) -> int:
    """Return the number of unread messages in a campaign; 0 for people outside it."""
    if not actor.signed_in:
        return 0
    with ctx.database.read() as session:
        found = session.get(Campaign, campaign_id)
        if found is None:
            return 0
        run = {campaign_id} if actor.user_id in access.game_masters_of(session, found) else set[str]()
        return _unread(session, actor, [found], run).get(campaign_id, 0)


def invitations(ctx: AppContext, actor: Actor) -> list[PendingOffer]:
    """Return the campaigns one was asked into by name and can still join, newest first."""
    actor.require("read")
    with ctx.database.read() as session:
        theirs = campaigns_of(session, [actor.user_id], ["invited", "player"])
        asked = [campaign_id for campaign_id, roles in theirs.items() if "player" not in roles]
        joinable = or_(Campaign.status == "open", takeover.can_be_taken_over())
        rows = session.execute(
            select(Campaign, Invitation.made_at)
            .join(Invitation, Invitation.campaign_id == Campaign.id)
            .where(Invitation.user_id == actor.user_id, Invitation.declined_at.is_(None), joinable)
            .where(among(session, Campaign.id, asked))
            .order_by(Invitation.made_at.desc(), Campaign.id)
        )
        return [PendingOffer(campaign.id, campaign.name, campaign.scenario_id, made_at) for campaign, made_at in rows]


def offers(ctx: AppContext, actor: Actor) -> list[PendingOffer]:
    """Return the campaigns one is offered to run, newest first."""
    actor.require("read")
    with ctx.database.read() as session:
        rows = session.execute(
            select(Campaign, Handover.made_at)
            .join(Handover, Handover.campaign_id == Campaign.id)
            .where(among(session, Campaign.id, campaigns_of(session, [actor.user_id], ["offered"])))
            .where(Handover.user_id == actor.user_id, Handover.accepted_at.is_(None))
            .where(Campaign.status.in_(access.NOT_FINISHED))
            .order_by(Handover.made_at.desc(), Campaign.id)
        )
        return [PendingOffer(campaign.id, campaign.name, campaign.scenario_id, made_at) for campaign, made_at in rows]


# --- inside ---


def _open_phases(ids: Sequence[str]) -> Select[Phase]:
    here = and_(
        Campaign.id == Phase.campaign_id, Campaign.branch == Phase.branch, Campaign.phase_number == Phase.number
    )
    is_open = (Phase.resolved_at.is_(None), Campaign.finished_at.is_(None))
    return select(Phase).join(Campaign, here).where(Phase.campaign_id.in_(ids), *is_open)


def _order_sets(ids: Sequence[str]) -> Select[OrderSet]:
    here = and_(
        Campaign.id == OrderSet.campaign_id,
        Campaign.branch == OrderSet.branch,
        Campaign.phase_number == OrderSet.phase_number,
    )
    return select(OrderSet).join(Campaign, here).where(OrderSet.campaign_id.in_(ids))


def _grouped(seats: Iterable[Seat]) -> dict[str, list[Seat]]:
    found: dict[str, list[Seat]] = {}
    for seat in seats:
        found.setdefault(seat.campaign_id, []).append(seat)
    return found


def _unread(session: Session, actor: Actor, found: Sequence[Campaign], run: set[str]) -> dict[str, int]:
    """Count unread messages: a player's to their seat, a game master's to the game master."""
    ids = [campaign.id for campaign in found]
    plays = set(
        session.scalars(select(Seat.campaign_id).where(Seat.campaign_id.in_(run), Seat.user_id == actor.user_id))
    )
    runs = [
        campaign.id
        for campaign in found
        if campaign.gm_user_id == actor.user_id or (campaign.id in run and campaign.id not in plays)
    ]
    mine = and_(Seat.campaign_id == MessageRecipient.campaign_id, Seat.player_id == MessageRecipient.player_id)
    letter = and_(Message.campaign_id == MessageRecipient.campaign_id, Message.id == MessageRecipient.message_id)
    as_player = (
        select(MessageRecipient.campaign_id, func.count())
        .join(Seat, mine)
        .join(Message, letter)
        .where(Seat.campaign_id.in_(ids), Seat.user_id == actor.user_id, MessageRecipient.read_at.is_(None))
        .where(or_(Message.sender.is_(None), Message.sender != MessageRecipient.player_id))
        .group_by(MessageRecipient.campaign_id)
    )
    as_gm = (
        select(Message.campaign_id, func.count())
        .where(Message.campaign_id.in_(runs), Message.to_gm, Message.gm_read_at.is_(None))
        .group_by(Message.campaign_id)
    )
    counts: dict[str, int] = {}
    for query in (as_player, as_gm):
        for campaign_id, count in session.execute(query):
            counts[campaign_id] = counts.get(campaign_id, 0) + count
    return counts


def _entry(
    actor: Actor,
    campaign: Campaign,
    seats: list[Seat],
    phase: Phase | None,
    sets: list[OrderSet],
    unread: dict[str, int],
    *,
    gm: bool,
) -> DashboardEntry:
    own = next((seat for seat in seats if seat.user_id == actor.user_id), None)
    ordered = own or next(
        (seat for seat in seats if seat.stand_in == "user" and seat.stand_in_user_id == actor.user_id), None
    )
    sees_all = gm and own is None
    row = next(
        (order_set for order_set in sets if ordered is not None and order_set.player_id == ordered.player_id), None
    )
    shown = sees_all or (phase is not None and access.options_of(campaign).shows_final_in(phase.phase))
    running = phase is not None and campaign.status in access.UNDER_WAY
    return DashboardEntry(
        id=campaign.id,
        name=campaign.name,
        status=campaign.status,
        scenario=campaign.scenario_id,
        gm=gm,
        seat=ordered.player_id if ordered else None,
        standing_in=ordered is not own,
        taken=sum(seat.user_id is not None for seat in seats),
        seats=len(seats),
        turn=phase.turn if phase and running else None,
        phase=phase.phase if phase and running else None,
        deadline=phase.deadline if phase and running else None,
        wanted=bool(row and row.wanted and running),
        handed_in=bool(row and row.revision),
        final=bool(row and row.final),
        players_final=sum(order_set.final for order_set in sets) if shown else None,
        players=len(sets),
        waiting=sum(order_set.wanted and not order_set.final for order_set in sets) if sees_all else None,
        unread=unread.get(campaign.id, 0),
    )


_ORDER = ("running", "open", "paused", "finished", "archived", "deleted")


def _urgency(entry: DashboardEntry) -> tuple[object, ...]:
    waiting = entry.status == "running" and entry.wanted and not entry.final
    due = entry.deadline.timestamp() if entry.deadline else float("inf")
    return (not waiting, _ORDER.index(entry.status), due, entry.name, entry.id)
