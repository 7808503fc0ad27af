"""The tasks in a person's campaigns at a glance, in a few statements; and finding campaigns, page by page."""

from __future__ import annotations

import base64
import binascii
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

import orjson
from sqlalchemy import ColumnElement, Select, and_, bindparam, exists, func, or_, select, union_all
from sqlalchemy.orm import Session

from server.core.sentences import say
from server.play import access
from server.play.access import UNDER_WAY, options_of, orders_for
from server.play.campaigns import takeover
from server.play.context import Actor, AppContext, taken_from
from server.play.errors import invalid
from server.play.records.records import of_phase
from server.rules.state import MOVEMENT
from server.store.memberships import ASKED, ORDER, RUN, among, campaigns_of, with_roles
from server.store.tables import (
    STATUSES,
    Campaign,
    GameMaster,
    Handover,
    Invitation,
    Message,
    MessageRecipient,
    OrderSet,
    Phase,
    Seat,
)

OfCampaign = TypeVar("OfCampaign", Seat, OrderSet)
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


MAX_PAGE_SIZE = 200


@dataclass(frozen=True, slots=True)
class CampaignSummary:
    """A campaign in a list."""

    id: str
    name: str
    status: str
    scenario: str
    ruleset: str
    seats: int
    taken: int
    created_at: datetime
    free: int
    """Seats that someone can take."""
    yours: bool
    """One plays in it, stands in for someone there, or runs it."""


@dataclass(frozen=True, slots=True)
class CampaignPage:
    """A page of the matching campaigns, newest first."""

    items: tuple[CampaignSummary, ...]
    next: str | None
    """Cursor of the page after; None: this is the last."""


def mine(ctx: AppContext, actor: Actor) -> list[DashboardEntry]:
    """Return the campaigns one has to do with, those that wait for one first, then by deadline."""
    actor.require("read")
    with ctx.database.read() as session:
        theirs = campaigns_of(session, [actor.user_id], RUN | ORDER)
        run = with_roles(theirs, RUN)
        known = _shown(session, among(session, Campaign.id, with_roles(theirs, ORDER)), run)
        newest = (Campaign.created_at.desc(), Campaign.id)
        found = list(session.scalars(select(Campaign).where(known).order_by(*newest).limit(MAX_CAMPAIGNS)))
        ids = [campaign.id for campaign in found]
        seats = _grouped(session.scalars(select(Seat).where(Seat.campaign_id.in_(ids)).order_by(Seat.number)))
        phases = {phase.campaign_id: phase for phase in session.scalars(_open_phases(ids))}
        sets = _grouped(session.scalars(_order_sets(ids)))
        unread = Counter[str]()
        for campaign_id, count in session.execute(_UNREAD, {"campaigns": ids, "user": actor.user_id}):
            unread[campaign_id] += count
        entries = [
            _entry(
                actor,
                campaign,
                seats.get(campaign.id, []),
                phases.get(campaign.id),
                sets.get(campaign.id, []),
                unread,
                gm=campaign.id in run,
            )
            for campaign in found
        ]
    return sorted(entries, key=_urgency)


def is_newcomer(ctx: AppContext, actor: Actor, campaign_id: str) -> bool:
    """Say whether a person has submitted Movement orders in no other campaign: they are shown how a turn goes."""
    actor.require("read")
    with ctx.database.read() as session:
        others = [id_ for id_ in campaigns_of(session, [actor.user_id], ["player"]) if id_ != campaign_id]
        if not others:
            return True
        moved = select(OrderSet.campaign_id).join(Phase, and_(*of_phase(OrderSet, Phase))).where(
            OrderSet.updated_by == actor.user_id, OrderSet.revision > 0, Phase.phase == MOVEMENT,
            among(session, OrderSet.campaign_id, others), among(session, Phase.campaign_id, others),
        )  # fmt: skip
        return session.scalar(moved.limit(1)) is None


def unread_in(ctx: AppContext, actor: Actor, campaign_id: str) -> int:
    """Return the number of unread messages in a campaign; 0 for people outside it."""
    return sum(row.unread for row in ctx.database.ask(_UNREAD, {"campaigns": [campaign_id], "user": actor.user_id}))


def invitations(ctx: AppContext, actor: Actor) -> list[PendingOffer]:
    """Return the campaigns one was asked into by name and can still join, newest first."""
    actor.require("read")
    with ctx.database.read() as session:
        theirs = campaigns_of(session, [actor.user_id], ["invited", "player"])
        asked = [campaign_id for campaign_id, roles in theirs.items() if "player" not in roles]

        def of_these(column: Any) -> ColumnElement[bool]:
            return among(session, column, asked)

        joinable = or_(Campaign.status == "open", takeover.can_be_taken_over(of_these))
        rows = session.execute(
            select(Campaign, Invitation.made_at)
            .join(Invitation, Invitation.campaign_id == Campaign.id)
            .where(Invitation.user_id == actor.user_id, Invitation.declined_at.is_(None), joinable)
            .where(of_these(Campaign.id), of_these(Invitation.campaign_id))
            .order_by(Invitation.made_at.desc(), Campaign.id)
        )
        return [PendingOffer(campaign.id, campaign.name, campaign.scenario_id, made_at) for campaign, made_at in rows]


def offers(ctx: AppContext, actor: Actor) -> list[PendingOffer]:
    """Return the campaigns one is offered to run, newest first."""
    actor.require("read")
    with ctx.database.read() as session:
        offered = campaigns_of(session, [actor.user_id], ["offered"])

        def of_these(column: Any) -> ColumnElement[bool]:
            return among(session, column, offered)

        rows = session.execute(
            select(Campaign, Handover.made_at)
            .join(Handover, Handover.campaign_id == Campaign.id)
            .where(of_these(Campaign.id), of_these(Handover.campaign_id))
            .where(Handover.user_id == actor.user_id, Handover.accepted_at.is_(None))
            .where(Campaign.status.in_(access.NOT_FINISHED))
            .order_by(Handover.made_at.desc(), Campaign.id)
        )
        return [PendingOffer(campaign.id, campaign.name, campaign.scenario_id, made_at) for campaign, made_at in rows]


# --- inside ---


def _shown(session: Session, known: ColumnElement[bool], run: Collection[str]) -> ColumnElement[bool]:
    """Return the condition for campaigns that are *known*, but not deleted, and all that one runs.

    Each part names its campaigns: a cluster does not look for ids within a part that names others.
    """
    return or_(and_(known, Campaign.status != "deleted"), among(session, Campaign.id, run))


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


def _grouped(rows: Iterable[OfCampaign]) -> dict[str, list[OfCampaign]]:
    found: dict[str, list[OfCampaign]] = {}
    for row in rows:
        found.setdefault(row.campaign_id, []).append(row)
    return found


def _unread() -> Any:
    """Return the statement for unread messages by campaign: a player's to their seat, a game master's to the GM.

    A game master who plays reads none of those to the GM, but for the first one. Each part names the campaigns for all
    of its tables: a cluster asks all of its machines otherwise.
    """
    user: Any = bindparam("user")
    here: Any = bindparam("campaigns", expanding=True)
    mine = and_(Seat.campaign_id == MessageRecipient.campaign_id, Seat.player_id == MessageRecipient.player_id)
    letter = and_(Message.campaign_id == MessageRecipient.campaign_id, Message.id == MessageRecipient.message_id)
    as_player = (
        select(MessageRecipient.campaign_id, func.count().label("unread"))
        .join(Seat, mine)
        .join(Message, letter)
        .where(Seat.campaign_id.in_(here), MessageRecipient.campaign_id.in_(here), Message.campaign_id.in_(here))
        .where(Seat.user_id == user, MessageRecipient.read_at.is_(None))
        .where(or_(Message.sender.is_(None), Message.sender != MessageRecipient.player_id))
        .group_by(MessageRecipient.campaign_id)
    )
    plays = exists().where(Seat.campaign_id == Message.campaign_id, Seat.campaign_id.in_(here), Seat.user_id == user)
    beside = and_(access.partners(user, Message.campaign_id).where(GameMaster.campaign_id.in_(here)), ~plays)
    as_gm = (
        select(Message.campaign_id, func.count())
        .join(Campaign, Campaign.id == Message.campaign_id)
        .where(Message.campaign_id.in_(here), Campaign.id.in_(here), Message.to_gm, Message.gm_read_at.is_(None))
        .where(or_(Campaign.gm_user_id == user, beside))
        .group_by(Message.campaign_id)
    )
    return union_all(as_player, as_gm)


_UNREAD = _unread()
"""Made once: it is asked with every page of a campaign."""


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
    return taken_from(
        campaign,
        DashboardEntry,
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


def find(
    ctx: AppContext,
    actor: Actor,
    *,
    text: str = "",
    status: str | None = None,
    mine: bool = False,
    joinable: bool = False,
    cursor: str | None = None,
    limit: int = 50,
) -> CampaignPage:
    """Return visible campaigns whose name holds *text*; only the person's own with *mine*.

    *joinable*: only those that have not started, and those in which someone can take a seat over.
    """
    if type(limit) is not int or not 1 <= limit <= MAX_PAGE_SIZE:
        raise invalid("limit", say("From 1 to {most}.", most=MAX_PAGE_SIZE), limit)
    if status is not None and status not in STATUSES:
        raise invalid("status", say("One of: {words}.", words=", ".join(STATUSES)), status)
    query = select(Campaign)
    if status is not None:
        query = query.where(Campaign.status == status)
    if joinable:
        query = query.where(Campaign.id.in_(takeover.maybe_joinable()))
        query = query.where(or_(Campaign.status == "open", takeover.can_be_taken_over()))
    if text:
        query = query.where(Campaign.name.icontains(text, autoescape=True))
    if cursor is not None:
        at, id_ = _read(cursor)
        query = query.where(or_(Campaign.created_at < at, and_(Campaign.created_at == at, Campaign.id < id_)))
    with ctx.database.read() as session:
        theirs = campaigns_of(session, [actor.user_id]) if actor.signed_in else {}
        run = with_roles(theirs, RUN)
        known = among(session, Campaign.id, with_roles(theirs, ORDER if mine else ORDER | ASKED))
        query = query.where(_shown(session, known if mine else or_(Campaign.listed, known), run))
        rows = list(session.scalars(query.order_by(Campaign.created_at.desc(), Campaign.id.desc()).limit(limit + 1)))
        page = rows[:limit]
        ids = [campaign.id for campaign in page]
        seats: dict[str, list[tuple[bool, bool, bool]]] = {}
        told = (Seat.campaign_id, Seat.player_id, Seat.user_id.is_not(None), orders_for(actor.user_id))
        gone = takeover.out(session, ids)
        for campaign_id, player_id, taken, mine_ in session.execute(select(*told).where(Seat.campaign_id.in_(ids))):
            in_ = (campaign_id, player_id) not in gone
            seats.setdefault(campaign_id, []).append((taken, bool(mine_), in_))
    items = [_found(campaign, seats.get(campaign.id, []), runs=campaign.id in run) for campaign in page]
    return CampaignPage(tuple(items), _cursor(page[-1]) if len(rows) > limit else None)


def _found(campaign: Campaign, seats: list[tuple[bool, bool, bool]], *, runs: bool) -> CampaignSummary:
    yours = runs or any(mine for _, mine, _ in seats)
    options = options_of(campaign)
    takes_over = campaign.status in UNDER_WAY and options.take_over and not options.practice
    free = sum(not taken and in_ for taken, _, in_ in seats) if campaign.status == "open" or takes_over else 0
    taken = sum(taken for taken, *_ in seats)
    scenario, ruleset = campaign.scenario_id, campaign.ruleset_id
    return taken_from(
        campaign,
        CampaignSummary,
        scenario=scenario,
        ruleset=ruleset,
        seats=len(seats),
        taken=taken,
        free=free,
        yours=yours,
    )


def _cursor(last: Campaign) -> str:
    return base64.urlsafe_b64encode(orjson.dumps([last.created_at.isoformat(), last.id])).decode().rstrip("=")


def _read(cursor: str) -> tuple[datetime, str]:
    try:
        at, id_ = orjson.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        instant = datetime.fromisoformat(at)
        if instant.tzinfo is None or not isinstance(id_, str):
            raise ValueError
    except (ValueError, TypeError, binascii.Error):
        raise invalid("cursor", "That is no cursor of this list.", cursor[:80]) from None
    return instant, id_
