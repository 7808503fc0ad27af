"""People who want nothing more of someone, and what they tell the operators of them.

A block hides letters of the blocked one, from before and from now on, and refuses their invitations. Announcements and
letters of a game master are never hidden: a campaign cannot be played without them. In an anonymous campaign a block
holds there alone, so that nobody learns from it who someone is elsewhere. The blocked account gets no notification.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.orm import Session

from server.core.sentences import say
from server.play import access, text_input
from server.play.access import Access
from server.play.accounts.accounts import account_named
from server.play.context import Actor, AppContext, check_limit, taken_from
from server.play.errors import PlayError, not_found
from server.store.tables import Block, Campaign, Message, MessageRecipient, PersonReport, Seat, User

GAME_MASTER = "gm"
MAX_BLOCKS = 200
MAX_OPEN_REPORTS = 20
MAX_WHY = 2000


@dataclass(frozen=True, slots=True)
class BlockInfo:
    """Someone one wants nothing of."""

    id: str
    label: str
    """Their name at the place of the block."""
    campaign_id: str | None
    campaign: str | None
    """Where the block holds; None: everywhere."""
    made_at: datetime


@dataclass(frozen=True, slots=True)
class OwnReport:
    """A report to the operators about someone, and whether it is closed."""

    id: str
    campaign_id: str | None
    campaign: str | None
    why: str
    made_at: datetime
    settled_at: datetime | None
    """None: nobody has seen to it yet."""


def block_seat(ctx: AppContext, actor: Actor, campaign_id: str, player_id: str) -> BlockInfo:
    """Want nothing more of who sits there (``gm``: of the game master)."""
    actor.require("orders")
    with ctx.database.write() as session:
        may, user_id, label = _person(session, actor, campaign_id, player_id)
        where = campaign_id if may.options.anonymous else None
        return _info(session, _add(session, actor, user_id, where, label, ctx.now()))


def block_account(ctx: AppContext, actor: Actor, name: str) -> BlockInfo:
    """Want nothing more of the account of that name."""
    actor.require("orders")
    with ctx.database.write() as session:
        user = account_named(session, name)
        return _info(session, _add(session, actor, user.id, None, user.name, ctx.now()))


def unblock(ctx: AppContext, actor: Actor, block_id: str) -> None:
    """Take a block back."""
    actor.require("orders")
    with ctx.database.write() as session:
        row = session.get(Block, block_id)
        if row is None or row.user_id != actor.user_id:
            raise not_found("block", block_id)
        session.delete(row)


def blocks(ctx: AppContext, actor: Actor) -> list[BlockInfo]:
    """Return the accounts a person has blocked, the latest first."""
    actor.require("read")
    with ctx.database.read() as session:
        mine = select(Block).where(Block.user_id == actor.user_id).order_by(Block.made_at.desc(), Block.id)
        return [_info(session, row) for row in session.scalars(mine)]


def report(
    ctx: AppContext, actor: Actor, campaign_id: str, player_id: str, why: str, *, message_id: str | None = None
) -> None:
    """Tell the operators of someone; with *message_id* the words of a letter one got from them go along."""
    actor.require("orders")
    text = text_input.lines(why, "why", MAX_WHY, minimum=1)
    with ctx.database.write() as session:
        may, user_id, _ = _person(session, actor, campaign_id, player_id)
        waiting = (PersonReport.user_id == actor.user_id, PersonReport.settled_at.is_(None))
        told = say("At most {most} reports at a time.", most=MAX_OPEN_REPORTS)
        check_limit(session, PersonReport, waiting, MAX_OPEN_REPORTS, told)
        letter = None if message_id is None else _letter(session, may, message_id, player_id)
        session.add(
            PersonReport(
                user_id=actor.user_id,
                about_user_id=user_id,
                campaign_id=campaign_id,
                message_id=message_id,
                quoted="" if letter is None else letter.body,
                why=text,
                made_at=ctx.now(),
            )
        )


def own_reports(ctx: AppContext, actor: Actor) -> list[OwnReport]:
    """Return a person's reports to the operators, the latest first, without their outcome."""
    actor.require("read")
    with ctx.database.read() as session:
        mine = select(PersonReport).where(PersonReport.user_id == actor.user_id)
        rows = session.scalars(mine.order_by(PersonReport.made_at.desc(), PersonReport.id)).all()
        return [taken_from(row, OwnReport, campaign=_campaign(session, row)) for row in rows]


# --- for the rest of this package ---


def hidden_seats(session: Session, may: Access) -> list[str]:
    """Return the seats whose letters someone who plays does not want to see."""
    if may.seat is None or may.seat.user_id is None:
        return []
    here = _here(may.campaign.id, anonymous=may.options.anonymous)
    blocked = select(Block.blocked_user_id).where(Block.user_id == may.seat.user_id, here)
    seats = select(Seat.player_id).where(Seat.campaign_id == may.campaign.id, Seat.user_id.in_(blocked))
    return list(session.scalars(seats.order_by(Seat.number)))


def ignoring(session: Session, may: Access, user_id: str | None) -> list[str]:
    """Return the accounts that want no letters of someone in a campaign."""
    here = _here(may.campaign.id, anonymous=may.options.anonymous)
    found = select(Block.user_id).where(Block.blocked_user_id == user_id, here).distinct()
    return list(session.scalars(found.order_by(Block.user_id)))


def check_invitation(session: Session, host: str, guest: str) -> None:
    """Refuse an invitation that its guest does not want."""
    if blocks_invitations(session, host, guest):
        raise PlayError("forbidden", "This account takes no invitations of yours.", field="name")


def blocks_invitations(session: Session, host: str, guest: str) -> bool:
    """Return whether someone takes no invitations of a game master's; a bot takes none that its owner does not."""
    owner = select(User.bot_owner_id).where(User.id == guest).scalar_subquery()
    whose = or_(Block.user_id == guest, Block.user_id == owner)
    mine = (whose, Block.blocked_user_id == host, Block.campaign_id.is_(None))
    return session.scalar(select(Block.id).where(*mine).limit(1)) is not None


# --- inside ---


def _here(campaign_id: str, *, anonymous: bool) -> ColumnElement[bool]:
    """Return which blocks hold in a campaign: in an anonymous one its own alone, else a gap would tell who is who."""
    own = Block.campaign_id == campaign_id
    return own if anonymous else or_(Block.campaign_id.is_(None), own)


def _person(session: Session, actor: Actor, campaign_id: str, player_id: str) -> tuple[Access, str, str]:
    """Return the account in a seat of a campaign in which the person plays, and its name there."""
    may = access.load(session, actor, campaign_id)
    if may.seat is None and not may.gm:
        raise PlayError("forbidden", "You have no seat in this campaign.")
    seat = session.get(Seat, (campaign_id, player_id))
    if player_id != GAME_MASTER and seat is None:
        raise not_found("seat", player_id)
    user_id = may.campaign.gm_user_id if seat is None else seat.user_id
    if user_id is None or user_id == actor.user_id:
        raise PlayError("conflict", "Nobody else sits there.", field="seat", value=player_id)
    label = session.get_one(User, user_id).name if seat is None else seat.name
    return may, user_id, label


def _letter(session: Session, may: Access, message_id: str, player_id: str) -> Message:
    letter = session.get(Message, (may.campaign.id, message_id))
    own = may.seat.player_id if may.seat is not None else None
    got = own is not None and session.get(MessageRecipient, (may.campaign.id, message_id, own)) is not None
    theirs = letter is not None and letter.sender == (None if player_id == GAME_MASTER else player_id)
    if letter is None or not theirs or not (got or (may.reads_letters and letter.to_gm)):
        raise not_found("message", message_id)
    return letter


def _add(session: Session, actor: Actor, blocked: str, where: str | None, label: str, now: datetime) -> Block:
    if blocked == actor.user_id:
        raise PlayError("conflict", "That is your own account.", field="name")
    same = Block.campaign_id.is_(None) if where is None else Block.campaign_id == where
    mine = (Block.user_id == actor.user_id, Block.blocked_user_id == blocked, same)
    before = session.scalars(select(Block).where(*mine).limit(1)).one_or_none()
    if before is not None:
        return before
    own = [Block.user_id == actor.user_id]
    check_limit(session, Block, own, MAX_BLOCKS, say("At most {most} blocks.", most=MAX_BLOCKS))
    row = Block(user_id=actor.user_id, blocked_user_id=blocked, campaign_id=where, label=label, made_at=now)
    session.add(row)
    session.flush()
    return row


def _info(session: Session, row: Block) -> BlockInfo:
    return taken_from(row, BlockInfo, campaign=_campaign(session, row))


def _campaign(session: Session, row: Block | PersonReport) -> str | None:
    """Return what the campaign is called in which it was."""
    campaign = session.get(Campaign, row.campaign_id) if row.campaign_id else None
    return campaign.name if campaign else None
