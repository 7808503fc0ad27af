"""Running a campaign: handed over to another account, shared, or taken over by a named successor.

Each is offered by a game master and accepted by the account: ``gm`` (to run it instead), ``partner`` (to run it
together, with the same rights) or ``successor`` (to run it once all game masters have been away for a time).
Whoever plays comes in only where the GM plays, and learns nothing by it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, delete, exists, func, select, update
from sqlalchemy.orm import Session

from server.core.sentences import say
from server.play import access, text_input
from server.play.access import Access
from server.play.accounts.accounts import account_named
from server.play.agenda import AGENDA
from server.play.campaigns import takeover
from server.play.context import Actor, AppContext
from server.play.errors import PlayError, invalid, not_found, stands_so
from server.play.notices.notices import Notices, gm_topic, notify_everybody
from server.play.records.records import note_intervention
from server.store.database import lock_campaign
from server.store.memberships import MEMBERSHIPS, among, campaigns_of
from server.store.tables import OFFERS, Campaign, GameMaster, Handover, LiveEvent, Message, Seat, User, Visit
from server.store.tables.base import fold

MAX_REASON_LENGTH = 2000
GM, PARTNER, SUCCESSOR = OFFERS
HANDED_OVER, SUCCEEDED, JOINED, LEFT = "handover", "succession", "gm_joined", "gm_left"
"""Kinds of interventions."""


@dataclass(frozen=True, slots=True)
class GameMasterInfo:
    """An account that runs a campaign, or will if nobody does."""

    name: str
    role: str
    """``gm`` (the first), ``partner`` or ``successor``."""
    since: datetime | None


def game_masters(ctx: AppContext, actor: Actor, campaign_id: str) -> list[GameMasterInfo]:
    """Return who runs a campaign: the first GM, the others, and who would take over. For its game masters."""
    actor.require("gm")
    with ctx.database.read() as session:
        campaign = access.load(session, actor, campaign_id).require_gm().campaign
        found = []
        if campaign.gm_user_id is not None:
            found.append(GameMasterInfo(session.get_one(User, campaign.gm_user_id).name, GM, None))
        rows = select(GameMaster, User.name).join(User, User.id == GameMaster.user_id)
        order = (GameMaster.role, GameMaster.since, User.name)
        for row, name in session.execute(rows.where(GameMaster.campaign_id == campaign_id).order_by(*order)):
            found.append(GameMasterInfo(name, row.role, row.since))
        return found


def offer(ctx: AppContext, actor: Actor, campaign_id: str, name: str, why: str = "", *, role: str = GM) -> None:
    """Ask an account to run the campaign, as *role* says; this withdraws an offer to someone else."""
    actor.require("gm")
    reason = text_input.lines(why, "why", MAX_REASON_LENGTH)
    if role not in OFFERS:
        raise invalid("role", say("One of: {words}.", words=", ".join(OFFERS)), role)
    with ctx.database.write() as session:
        campaign = _going(access.load_exclusive(session, actor, campaign_id).require_gm())
        user = _account(session, campaign, name, role)
        before = access.offer_of(session, campaign_id)
        if before is not None and before.user_id == user.id:
            before.why, before.role = reason, role
            return
        _take_back(session, campaign_id)
        now = ctx.now()
        session.merge(
            Handover(campaign_id=campaign_id, user_id=user.id, made_at=now, why=reason, accepted_at=None, role=role)
        )
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
    """Decline to take the campaign over; its GM is notified."""
    actor.require("gm")
    with ctx.database.write() as session:
        may, offered = _offered(session, actor, campaign_id)
        notices = Notices(session, may.campaign, ctx.now())
        notices.game_master("gm_declined", f"gm_declined/{offered.made_at.isoformat()}", name=actor.name)
        notices.send()
        session.delete(offered)


def accept(ctx: AppContext, actor: Actor, campaign_id: str) -> None:
    """Accept the offer and run the campaign from now on. All players are notified.

    If the GM does not play, a player leaves their seat first. If the GM plays, the player learns nothing that
    the former GM knew: neither messages to the former GM (:mod:`server.play.messages.messages`) nor notices.
    """
    actor.require("gm")
    with ctx.database.write() as session:
        may, offered = _offered(session, actor, campaign_id)
        campaign, now = _going(may), ctx.now()
        if may.seat is not None and not may.options.gm_plays:
            raise PlayError("forbidden", "The game master of this campaign does not play.")
        if offered.role == GM:
            offered.accepted_at = now
            _become(session, campaign, actor, may.seat, now, offered.why, HANDED_OVER)
            return
        if offered.role == SUCCESSOR:
            _forget_successors(session, campaign_id)
        session.merge(GameMaster(campaign_id=campaign_id, user_id=actor.user_id, role=offered.role, since=now))
        session.delete(offered)
        campaign.revision += 1
        session.flush()
        if offered.role == PARTNER:
            _join(session, campaign, actor, now, offered.why)


def leave(ctx: AppContext, actor: Actor, campaign_id: str, name: str) -> None:
    """Have a partner or successor be none any more: themselves, or as a game master.

    The first GM steps down where there is a partner, who is the first GM then; else they hand the campaign over.
    """
    actor.require("gm")
    with ctx.database.write() as session:
        may = access.load_exclusive(session, actor, campaign_id)
        if fold(name) != fold(actor.name):
            may.require_gm()
        user = account_named(session, name)
        row = session.get(GameMaster, (campaign_id, user.id))
        if row is None:
            if user.id != actor.user_id or not _give_up(session, may.campaign, user.id, ctx.now()):
                raise not_found("game master", name)
            return
        _step_down(session, may.campaign, user, row, ctx.now())


def part(session: Session, user_ids: Collection[str], now: datetime) -> None:
    """Let closed accounts run and inherit nothing: their partners continue, the first one as GM.

    A campaign without a partner keeps its GM.
    """
    theirs = campaigns_of(session, user_ids, ["gm", PARTNER, SUCCESSOR])
    here = among(session, GameMaster.campaign_id, theirs)
    mine = select(GameMaster).where(here, GameMaster.user_id.in_(user_ids))
    for row in session.scalars(mine.order_by(GameMaster.campaign_id, GameMaster.user_id)).all():
        campaign = lock_campaign(session, row.campaign_id, wait=True)
        if campaign is not None and campaign.status in access.NOT_FINISHED:
            _step_down(session, campaign, session.get_one(User, row.user_id), row, now)
    run = (among(session, Campaign.id, theirs), Campaign.gm_user_id.in_(user_ids), has_partner(user_ids))
    not_over = Campaign.status.in_(access.NOT_FINISHED)
    for campaign_id in session.scalars(select(Campaign.id).where(*run, not_over).order_by(Campaign.id)).all():
        campaign = lock_campaign(session, campaign_id, wait=True)
        if campaign is not None and campaign.gm_user_id is not None:
            _give_up(session, campaign, campaign.gm_user_id, now, user_ids)


def has_partner(but: Collection[str]) -> ColumnElement[bool]:
    """Return the condition that an account that is not among these runs a campaign beside its first GM."""
    theirs = (GameMaster.campaign_id == Campaign.id, GameMaster.role == PARTNER, GameMaster.user_id.not_in(but))
    return exists().where(*theirs)


def succeed_if_due(ctx: AppContext, campaign_id: str) -> int:
    """Have the successor take over if all game masters have been away too long; return how many did."""
    with ctx.database.write() as session:
        campaign, now = lock_campaign(session, campaign_id, wait=True), ctx.now()
        mine = (GameMaster.campaign_id == campaign_id, GameMaster.role == SUCCESSOR)
        row = session.scalars(select(GameMaster).where(*mine)).first()
        if campaign is None or row is None or campaign.status not in access.NOT_FINISHED:
            return 0
        options = access.options_of(campaign)
        seat = next((seat for seat in access.seats_of(session, campaign_id) if seat.user_id == row.user_id), None)
        if not options.successor_days or (seat is not None and not options.gm_plays):
            return 0
        run = access.game_masters_of(session, campaign)
        seen = session.scalar(select(func.max(Visit.last_seen_at)).where(Visit.user_id.in_(run)))
        if max(seen or row.since, row.since) + timedelta(days=options.successor_days) > now:
            return 0
        user = session.get_one(User, row.user_id)
        session.delete(row)
        session.flush()
        _become(session, campaign, Actor(user.id, user.name), seat, now, "", SUCCEEDED)
        return 1


# --- inside ---


def _become(
    session: Session, campaign: Campaign, actor: Actor, seat: Seat | None, now: datetime, why: str, kind: str
) -> None:
    """Have someone run a campaign instead of its first GM."""
    before, campaign.gm_user_id = campaign.gm_user_id, actor.user_id
    campaign.revision += 1
    partner = session.get(GameMaster, (campaign.id, actor.user_id))
    if partner is not None:
        session.delete(partner)
    if before is not None:
        _remember(session, campaign, before, now)
    seats = access.seats_of(session, campaign.id)
    session.execute(delete(LiveEvent).where(LiveEvent.topic == gm_topic(campaign.id)))
    if seat is not None:
        # who came as a player reads nothing of what was written before; a successor has no offer that says when
        session.merge(Handover(campaign_id=campaign.id, user_id=actor.user_id, made_at=now, why=why, accepted_at=now))
        unread = (Message.campaign_id == campaign.id, Message.to_gm, Message.gm_read_at.is_(None))
        session.execute(update(Message).where(*unread).values(gm_read_at=now))
    if campaign.started_at is not None:
        note_intervention(session, campaign, actor, kind, why, now)
    _notify(session, campaign, actor, before, seats, now)


def _join(session: Session, campaign: Campaign, actor: Actor, now: datetime, why: str) -> None:
    """Announce someone who runs a campaign with its first GM; they are no longer a substitute."""
    if campaign.started_at is not None:
        note_intervention(session, campaign, actor, JOINED, why, now)
    seats = access.seats_of(session, campaign.id)
    _notify(session, campaign, actor, None, seats, now, told=_names(session, campaign))


def _give_up(
    session: Session, campaign: Campaign, user_id: str, now: datetime, but: Collection[str] = ()
) -> bool:  # fmt: skip
    """Have the longest of the partners (*but* these) run a campaign instead of its first GM; False: there is none."""
    if campaign.gm_user_id != user_id or campaign.status not in access.NOT_FINISHED:
        return False
    heirs = [id_ for id_ in access.game_masters_of(session, campaign) if id_ not in (user_id, *but)]
    if not heirs:
        return False
    user = session.get_one(User, heirs[0])
    seat = next((seat for seat in access.seats_of(session, campaign.id) if seat.user_id == user.id), None)
    _become(session, campaign, Actor(user.id, user.name), seat, now, "", SUCCEEDED)
    return True


def _step_down(session: Session, campaign: Campaign, user: User, row: GameMaster, now: datetime) -> None:
    """Have a partner or successor be none any more; the log names them, not who removed them."""
    if row.role == PARTNER:
        _remember(session, campaign, user.id, now)
        if campaign.started_at is not None:
            note_intervention(session, campaign, Actor(user.id, user.name), LEFT, "", now)
    session.delete(row)
    campaign.revision += 1
    session.flush()
    if row.role == PARTNER:
        key = f"gm_left/{campaign.revision}"
        notify_everybody(session, campaign, now, "gm_changed", key, gm=_names(session, campaign))


def _names(session: Session, campaign: Campaign) -> str:
    return ", ".join(access.names_of_game_masters(session, campaign))


def _forget_successors(session: Session, campaign_id: str) -> None:
    mine = (GameMaster.campaign_id == campaign_id, GameMaster.role == SUCCESSOR)
    session.execute(delete(GameMaster).where(*mine))
    AGENDA.touch(session, campaign_id)
    MEMBERSHIPS.touch(session, campaign_id)


def _remember(session: Session, campaign: Campaign, user_id: str, now: datetime) -> None:
    """Note that an account without a seat has seen everything."""
    if all(seat.user_id != user_id for seat in access.seats_of(session, campaign.id)):
        takeover.remember(session, campaign, user_id, takeover.EVERYTHING, now)


def _going(may: Access) -> Campaign:
    if may.campaign.status not in access.NOT_FINISHED:
        raise stands_so(may.campaign.status)
    return may.campaign


def _account(session: Session, campaign: Campaign, name: str, role: str) -> User:
    user = account_named(session, name)
    run = access.game_masters_of(session, campaign)
    if user.id == campaign.gm_user_id or (role != GM and user.id in run):
        raise PlayError("conflict", "That is the game master already.", field="name")
    if user.bot_owner_id is not None:  # its owner may play
        raise PlayError("conflict", "A bot takes no campaign over.", field="name")
    return user


def _offered(session: Session, actor: Actor, campaign_id: str) -> tuple[Access, Handover]:
    """Return a campaign that is offered to someone, and the offer."""
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
    session: Session, campaign: Campaign, actor: Actor, before: str | None, seats: Sequence[Seat], now: datetime,
    *, told: str = "",
) -> None:  # fmt: skip
    """Announce the new GM to all, and tell players whose substitute they were that they no longer have one."""
    key = f"gm_changed/{campaign.revision}"
    notices = Notices(session, campaign, now)
    notices.everybody(
        "gm_changed", key, [seat for seat in seats if seat.user_id != actor.user_id], gm=told or actor.name
    )
    if before is not None and all(seat.user_id != before for seat in seats):
        notices.user(before, "gm_changed", key, gm=actor.name)
    for seat in seats:
        if seat.stand_in_user_id == actor.user_id:
            seat.stand_in, seat.stand_in_user_id = "", None
            if seat.user_id is not None:
                notices.user(seat.user_id, "seat_changed", f"{key}/{seat.player_id}", seat=seat.player_id)
    notices.send()
