"""Closing an account for good: data that go with it, and data that stay with the campaigns."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, delete, or_, select, update
from sqlalchemy.orm import Session

from server.core.sentences import say
from server.play import access
from server.play.accounts import proof
from server.play.accounts.accounts import check_password
from server.play.campaigns import campaigns, seats
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.game_masters import handover
from server.play.notices.notices import Notices, notify_everybody
from server.store import tables
from server.store.database import lock_campaign
from server.store.groups import OF_CAMPAIGN
from server.store.memberships import MEMBERSHIPS, among, campaigns_of, run_by
from server.store.tables import Block, Campaign, Seat, StoryRow, TableGameRow, TableSeatRow, User
from server.store.tables.base import fold, new_id

_NOT_OVER = Campaign.finished_at.is_(None)


@dataclass(frozen=True, slots=True)
class AffectedCampaign:
    """A campaign that notices when an account is closed."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Closing:
    """The effects of closing an account: for its owner and for their bots, which go with it."""

    runs: tuple[AffectedCampaign, ...]
    """Campaigns without end so far that would lose their game master: they forbid it."""
    leaves: tuple[AffectedCampaign, ...]
    """Campaigns that have not started; seats there are free for others."""
    stood_in: tuple[AffectedCampaign, ...]
    """Campaigns that have; a stand-in orders there."""
    bots: tuple[str, ...]
    """Names of the bots."""
    password: bool
    """It needs the account's password."""


def preview(ctx: AppContext, actor: Actor) -> Closing:
    """Return the effects of closing the account."""
    _check_password(actor)
    with ctx.database.read() as session:
        user = session.get_one(User, actor.user_id)
        mine = select(User).where(User.bot_owner_id == actor.user_id).order_by(User.name_key)
        bots = list(session.scalars(mine))
        user_ids = [user.id, *(user.id for user in bots)]
        return Closing(
            tuple(AffectedCampaign(run.id, run.name) for run in ([] if user.guest else _run(session, user_ids))),
            _seated(session, user_ids, "open"),
            _seated(session, user_ids, *access.UNDER_WAY),
            tuple(user.name for user in bots if user.disabled_at is None),
            user.password_hash is not None,
        )


def close(ctx: AppContext, actor: Actor, password: str | None = None) -> None:
    """Close an account and its bots. Nobody can undo it.

    Needs the password if there is one; with a second factor, or without a password, a fresh proof of identity.

    Seats become empty, as if a game master had put nobody there. Moves and messages stay: they belong to
    the campaigns, and the account is called something else there.
    """
    _check_password(actor)
    if actor.guest:
        end_guest(ctx, actor.user_id)
        return
    known = check_password(ctx, actor, password, "password")
    proof.require(ctx, actor, password=known is not None)
    now = ctx.now()
    with ctx.database.write() as session:
        user_ids = _bots_of(session, actor)
        if runs := _run(session, user_ids):
            told = say(
                "You, or a bot of yours, run: {campaigns}. Hand over, finish or delete that first.",
                campaigns=", ".join(campaign.name for campaign in runs),
            )
            raise PlayError("conflict", told, field="campaigns", value=", ".join(campaign.id for campaign in runs))
        _claim(session, user_ids)
        handover.part(session, user_ids, now)
        _leave_everything(ctx, session, user_ids, now)
        # from here on nothing of theirs can be added: what was in the meantime is seen now
        mine = select(User).where(User.id.in_(user_ids)).order_by(User.id).with_for_update()
        users = {user.id: user for user in session.scalars(mine.execution_options(populate_existing=True))}
        late = _run(session, user_ids) or _concerned(session, user_ids, _NOT_OVER)
        if late or _bots_of(session, actor) != user_ids or users[actor.user_id].password_hash != known:
            raise PlayError("stale_revision")
        for user in users.values():
            _forget(session, user, now)
    ctx.caches.bearers.clear()


def end_guest(ctx: AppContext, user_id: str) -> None:
    """End a guest who did not come back, or wants to leave: seats become vacant, and games without others are deleted.

    If others play in the guest's campaign, the player who has been there longest becomes its game master.
    """
    now = ctx.now()
    with ctx.database.write() as session:
        _claim(session, [user_id])
        handover.part(session, [user_id], now)
        for found in _run(session, [user_id]):
            campaign = lock_campaign(session, found.id, wait=True)
            if campaign is not None:
                _hand_on(session, campaign, user_id, now)
        _leave_everything(ctx, session, [user_id], now)
        user = session.get_one(User, user_id, with_for_update=True)
        if user.guest:
            _forget(session, user, now)
    ctx.caches.bearers.clear()


# --- inside ---

_BELONGINGS: tuple[Any, ...] = (
    tables.PushSubscription, tables.Token, tables.SecondFactor, Block, tables.PersonReport, tables.Outbox,
    tables.Webhook, tables.NotificationSetting, tables.Invitation, tables.MailInvitation, tables.Handover,
    tables.Template, tables.TableArmyRow, tables.TableMissionRow, tables.TurnNote, tables.HexPin, tables.Holiday,
    tables.GameMaster, tables.AccountHold,
)  # fmt: skip
"""Data deleted with an account."""
_KEPT = frozenset({"id", "name", "name_key", "bot_owner_id", "created_at", "disabled_at", "revision"})
"""The columns of an account that stay when it is closed."""


def _check_password(actor: Actor) -> None:
    actor.require_session(guests=True)
    if actor.bot:
        raise PlayError("forbidden", "A bot's account is closed by its owner.")


def _bots_of(session: Session, actor: Actor) -> list[str]:
    """Return the account's id and those of its bots."""
    found = select(User.id).where(or_(User.id == actor.user_id, User.bot_owner_id == actor.user_id)).order_by(User.id)
    return list(session.scalars(found))


def _run(session: Session, user_ids: Sequence[str]) -> list[Campaign]:
    """Return the running campaigns without another game master."""
    alone = (run_by(session, user_ids), ~handover.has_partner(user_ids))
    found = select(Campaign).where(Campaign.status.in_(access.NOT_FINISHED), *alone)
    return list(session.scalars(found.order_by(Campaign.name, Campaign.id)))


def _seated(session: Session, user_ids: Sequence[str], *statuses: str) -> tuple[AffectedCampaign, ...]:
    """Return the campaigns of that status in which they have a seat."""
    here = among(session, Campaign.id, campaigns_of(session, user_ids))
    found = select(Campaign.id, Campaign.name).join(Seat, Seat.campaign_id == Campaign.id).where(here).distinct()
    mine = found.where(Seat.user_id.in_(user_ids), Campaign.status.in_(statuses)).order_by(Campaign.name, Campaign.id)
    return tuple(AffectedCampaign(id_, name) for id_, name in session.execute(mine))


def _concerned(session: Session, user_ids: Sequence[str], *seats: ColumnElement[bool]) -> list[str]:
    """Return the campaigns in which they sit, or stand in, in such *seats*; in the order in which they are claimed."""
    here = among(session, Campaign.id, campaigns_of(session, user_ids))
    ours = or_(Seat.user_id.in_(user_ids), Seat.stand_in_user_id.in_(user_ids))
    found = select(Campaign.id).join(Seat, Seat.campaign_id == Campaign.id).where(here, ours, *seats)
    return list(session.scalars(found.distinct().order_by(Campaign.id)))


def _claim(session: Session, user_ids: Sequence[str]) -> None:
    """Claim the campaigns they play in or run, all in one order, so that two who leave never wait for each other."""
    for campaign_id in campaigns_of(session, user_ids):
        lock_campaign(session, campaign_id, wait=True)


def _leave_everything(ctx: AppContext, session: Session, user_ids: Sequence[str], now: datetime) -> None:
    """Empty the seats of accounts, take their names back, and delete what is theirs alone."""
    for campaign_id in _concerned(session, user_ids):
        campaign = lock_campaign(session, campaign_id, wait=True)
        if campaign is not None:
            _leave(ctx, session, campaign, user_ids, now)
    session.execute(update(TableSeatRow).where(TableSeatRow.user_id.in_(user_ids)).values(user_id=None, name=""))
    session.execute(update(TableGameRow).where(TableGameRow.owner_user_id.in_(user_ids)).values(owner_user_id=None))
    session.execute(delete(StoryRow).where(StoryRow.user_id.in_(user_ids), StoryRow.campaign_id.is_(None)))
    session.execute(update(StoryRow).where(StoryRow.user_id.in_(user_ids)).values(user_id=None, name=""))
    theirs = campaigns_of(session, user_ids)
    for belonging in _BELONGINGS:
        mine = belonging.user_id.in_(user_ids)
        if belonging.__tablename__ in OF_CAMPAIGN:
            mine &= among(session, belonging.campaign_id, theirs)
        session.execute(delete(belonging).where(mine))
    MEMBERSHIPS.touch(session, *theirs)
    session.execute(delete(Block).where(Block.blocked_user_id.in_(user_ids)))


def _hand_on(session: Session, campaign: Campaign, user_id: str, now: datetime) -> None:
    """Give a campaign that a guest ran to another of its players; delete it if there is none."""
    others = (Seat.campaign_id == campaign.id, Seat.user_id != user_id, User.bot_owner_id.is_(None))
    players = select(Seat.user_id).join(User, User.id == Seat.user_id).where(*others)
    heir = session.scalar(players.order_by(User.guest, Seat.joined_at, Seat.number).limit(1))
    campaign.revision += 1
    if heir is None:
        campaign.status, campaign.deleted_at, campaign.gm_user_id = "deleted", now, None
        return
    campaign.gm_user_id = heir
    named = session.get_one(User, heir).name
    notify_everybody(session, campaign, now, "gm_changed", f"gm_changed/{campaign.revision}", gm=named)


def _leave(ctx: AppContext, session: Session, campaign: Campaign, user_ids: Collection[str], now: datetime) -> None:
    """Empty the seats, remove their names and substitutes, and notify the players affected."""
    campaigns.hide_names(ctx, session, campaign, user_ids)
    notices = Notices(session, campaign, now)
    for seat in access.seats_of(session, campaign.id):
        leaves = seat.user_id in user_ids and campaign.finished_at is None
        if not leaves and seat.stand_in_user_id not in user_ids:
            continue
        if seat.stand_in == "user":
            seat.stand_in, seat.stand_in_user_id = "", None
        if leaves:
            seats.vacate(session, campaign, seat, now)
        if campaign.status in access.UNDER_WAY:
            _notify(notices, seat, leaves=leaves)
    notices.send()
    session.flush()


def _notify(notices: Notices, seat: Seat, *, leaves: bool) -> None:
    """Tell everyone of a seat that is empty now, and whoever sits there of a substitute who is gone."""
    key = f"seat/{notices.campaign.id}/{seat.player_id}/{new_id()}"
    if leaves:
        notices.everybody("seat_changed", key, seat=seat.player_id)
        told = access.game_masters_of(notices.session, notices.campaign)
    else:
        told = [seat.user_id] if seat.user_id is not None else []
    for user_id in told:
        notices.user(user_id, "seat_changed", key, seat=seat.player_id)


def _forget(session: Session, user: User, now: datetime) -> None:
    """Leave of an account what records refer to: a row with a name that says nothing. All else is as in a new one."""
    user.name = _neutral(session)
    for column in User.__table__.columns:
        if column.name not in _KEPT:
            setattr(user, column.name, getattr(column.default, "arg", None))
    user.disabled_at = user.disabled_at or now
    user.revision += 1
    session.flush()


def _neutral(session: Session) -> str:
    while True:
        name = f"former player {new_id()[:4]}"
        if session.scalar(select(User.id).where(User.name_key == fold(name))) is None:
            return name
