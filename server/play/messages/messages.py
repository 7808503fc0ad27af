"""What people say to each other: messages between seats, to all, to the GM; announcements; declarations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, exists, or_, select
from sqlalchemy.orm import Session

from server.core.sentences import say
from server.play import access, text_input
from server.play.access import Access
from server.play.accounts import blocking
from server.play.context import Actor, AppContext, taken_from
from server.play.errors import PlayError, invalid, not_found, stands_so
from server.play.notices.notices import Notices, notify_everybody
from server.store.tables import Declaration, Handover, Message, MessageRecipient, Phase

ALL, GAME_MASTER = "all", "gm"
MAX_LENGTH = 10_000
MAX_PAGE_SIZE = 201
"""One more than a page has: it says whether another follows."""
DECLARATIONS = ("alliance", "alliance_ended", "war", "truce", "statement")


@dataclass(frozen=True, slots=True)
class MessageInfo:
    """A message as someone who may read it sees it."""

    id: str
    sender: str | None
    """The seat; None: the GM."""
    to: tuple[str, ...]
    """Seats, ``all`` or ``gm``; of what went to several seats the reader sees all of them."""
    announcement: bool
    in_character: bool
    subject: str
    body: str
    reply_to: str | None
    turn: int
    phase: str
    sent_at: datetime
    read_at: datetime | None
    """When the reader has read it; None for what they sent themselves."""


@dataclass(frozen=True, slots=True)
class DeclarationInfo:
    """A diplomatic declaration."""

    id: str
    player_id: str
    toward: str | None
    kind: str
    public: bool
    body: str
    turn: int
    phase: str
    made_at: datetime


def send(
    ctx: AppContext,
    actor: Actor,
    campaign_id: str,
    to: Sequence[str],
    body: str,
    *,
    subject: str = "",
    in_character: bool = False,
    reply_to: str | None = None,
    as_gm: bool = False,
    seat: str | None = None,
) -> MessageInfo:
    """Write to seats, to ``all`` or to ``gm``; with *as_gm* as the game master."""
    actor.require("orders")
    text = text_input.lines(body, "body", MAX_LENGTH, minimum=1)
    title = text_input.line(subject, "subject", 200, minimum=0)
    with ctx.database.write() as session:
        may = access.load(session, actor, campaign_id)
        if may.watches:
            raise PlayError("forbidden", "You watch everything, so you can no longer write to players.")
        sender = None if as_gm and may.require_gm() else may.seat_for(seat).player_id
        seats = {seat.player_id: seat for seat in access.seats_of(session, campaign_id)}
        targets = _targets(to, seats)
        if reply_to is not None and not _may_read(session, may, reply_to):
            raise not_found("reply_to", reply_to)
        message = _new(ctx, session, may, sender, targets, text, title, in_character, reply_to)
        notices = Notices(session, may.campaign, ctx.now())
        chosen = seats if ALL in targets else {target: seats[target] for target in targets if target in seats}
        ignoring = blocking.ignoring(session, may, seats[sender].user_id) if sender is not None else []
        for player_id, recipient in chosen.items():
            session.add(MessageRecipient(message_id=message.id, player_id=player_id, campaign_id=campaign_id))
            if player_id != sender and recipient.user_id not in ignoring:
                notices.seat(recipient, "message", f"message/{message.id}/{player_id}", message=message.id)
        if message.to_gm:
            notices.game_master("message", f"message/{message.id}/gm", message=message.id)
        session.flush()
        notices.send()
        return _info(message, sorted(chosen), None)


def announce(ctx: AppContext, actor: Actor, campaign_id: str, body: str, *, subject: str = "") -> MessageInfo:
    """Tell everyone something as the GM; spectators and webhooks, too."""
    actor.require("gm")
    text = text_input.lines(body, "body", MAX_LENGTH, minimum=1)
    title = text_input.line(subject, "subject", 200, minimum=0)
    with ctx.database.write() as session:
        may = access.load(session, actor, campaign_id).require_gm()
        message = _new(ctx, session, may, None, (ALL,), text, title, False, None)
        message.announcement = True
        seats = access.seats_of(session, campaign_id)
        session.add_all(
            MessageRecipient(message_id=message.id, player_id=seat.player_id, campaign_id=campaign_id) for seat in seats
        )
        session.flush()
        key = f"announcement/{message.id}"
        notify_everybody(session, may.campaign, ctx.now(), "announcement", key, message=message.id)
        return _info(message, [], None)


def listed(
    ctx: AppContext, actor: Actor, campaign_id: str, *, before: str | None = None, limit: int = 50
) -> list[MessageInfo]:
    """Return the visible messages, newest first; *before* is the last message of the page before."""
    with ctx.database.read() as session:
        may = access.load(session, actor, campaign_id).require_visible()
        own, gm = _own(may), may.reads_letters
        query = select(Message).where(Message.campaign_id == campaign_id, _readable(session, may, gm=gm))
        if before is not None:
            last = session.get(Message, (campaign_id, before))
            if last is None or not _may_read(session, may, before):
                raise invalid("before", "There is no such message.", before)
            query = query.where(
                or_(Message.sent_at < last.sent_at, and_(Message.sent_at == last.sent_at, Message.id < last.id))
            )
        order = (Message.sent_at.desc(), Message.id.desc())
        found = list(session.scalars(query.order_by(*order).limit(max(1, min(limit, MAX_PAGE_SIZE)))))
        return _infos(session, campaign_id, found, own, gm=gm)


def read(ctx: AppContext, actor: Actor, campaign_id: str, message_id: str) -> MessageInfo:
    """Return a visible message."""
    with ctx.database.read() as session:
        may = access.load(session, actor, campaign_id).require_visible()
        message = session.get(Message, (campaign_id, message_id))
        if message is None or not _may_read(session, may, message_id):
            raise not_found("message", message_id)
        return _infos(session, campaign_id, [message], _own(may), gm=may.reads_letters)[0]


def mark_read(ctx: AppContext, actor: Actor, campaign_id: str, message_id: str) -> None:
    """Mark a message as read."""
    actor.require("orders")
    with ctx.database.write() as session:
        may = access.load(session, actor, campaign_id)
        message = session.get(Message, (campaign_id, message_id))
        if message is None or not _may_read(session, may, message_id):
            raise not_found("message", message_id)
        for player_id in _own(may):
            row = session.get(MessageRecipient, (campaign_id, message_id, player_id))
            if row is not None and row.read_at is None:
                row.read_at = ctx.now()
        if may.reads_letters and message.to_gm and message.gm_read_at is None:
            message.gm_read_at = ctx.now()


def declare(
    ctx: AppContext, actor: Actor, campaign_id: str, kind: str, *, toward: str | None = None, public: bool = False,
    body: str = "", seat: str | None = None,
) -> DeclarationInfo:  # fmt: skip
    """Declare something to a player, or to everyone. Words only: alliances in force come from orders (D-04)."""
    actor.require("orders")
    if kind not in DECLARATIONS:
        raise invalid("kind", say("One of: {words}.", words=", ".join(DECLARATIONS)), kind)
    text = text_input.lines(body, "body", MAX_LENGTH)
    with ctx.database.write() as session:
        may = access.load(session, actor, campaign_id)
        player = may.seat_for(seat).player_id
        seats = {seat.player_id: seat for seat in access.seats_of(session, campaign_id)}
        if toward is not None and (toward not in seats or toward == player):
            raise invalid("toward", "Another player of this campaign.", toward)
        turn, phase = _when(session, may)
        row = Declaration(
            campaign_id=campaign_id,
            player_id=player,
            toward=toward,
            kind=kind,
            public=public or toward is None,
            body=text,
            turn=turn,
            phase=phase,
            made_at=ctx.now(),
        )
        session.add(row)
        session.flush()
        notices = Notices(session, may.campaign, ctx.now())
        if row.public:
            notices.everybody("declaration", f"declaration/{row.id}", seats.values(), declaration=row.id)
        else:
            notices.seat(seats[str(toward)], "declaration", f"declaration/{row.id}", declaration=row.id)
        notices.send()
        return taken_from(row, DeclarationInfo)


def declarations(ctx: AppContext, actor: Actor, campaign_id: str) -> list[DeclarationInfo]:
    """Return the visible declarations, oldest first."""
    with ctx.database.read() as session:
        may = access.load(session, actor, campaign_id).require_visible()
        own = _own(may)
        known: ColumnElement[bool] = Declaration.public | Declaration.player_id.in_(own) | Declaration.toward.in_(own)
        query = select(Declaration).where(Declaration.campaign_id == campaign_id)
        if not (may.sees_all or may.over):
            query = query.where(known)
        found = session.scalars(query.order_by(Declaration.made_at, Declaration.id))
        return [taken_from(row, DeclarationInfo) for row in found]


# --- inside ---


def _targets(to: Sequence[str], seats: Any) -> tuple[str, ...]:
    if isinstance(to, str) or not to or len(to) > len(seats) + 2:
        raise invalid("to", "A list of seats, all, or gm.")
    for addressee in to:
        if addressee not in seats and addressee not in (ALL, GAME_MASTER):
            raise invalid("to", "A seat of this campaign, all, or gm.", addressee)
    return tuple(dict.fromkeys(to))


def _new(
    ctx: AppContext, session: Session, may: Access, sender: str | None, targets: Sequence[str], text: str, subject: str,
    in_character: bool, reply_to: str | None,
) -> Message:  # fmt: skip
    turn, phase = _when(session, may)
    message = Message(
        campaign_id=may.campaign.id,
        sender=sender,
        to_all=ALL in targets,
        to_gm=GAME_MASTER in targets,
        in_character=in_character,
        reply_to=reply_to,
        subject=subject,
        body=text,
        turn=turn,
        phase=phase,
        sent_at=ctx.now(),
    )
    session.add(message)
    session.flush()
    return message


def _when(session: Session, may: Access) -> tuple[int, str]:
    campaign = may.campaign
    if campaign.status in ("archived", "deleted"):
        raise stands_so(campaign.status)
    phase = session.get(Phase, (campaign.id, campaign.branch, campaign.phase_number))
    return (phase.turn, phase.phase) if phase is not None else (0, "")


def _own(may: Access) -> list[str]:
    """Return the seat whose letters one reads; a substitute orders, but does not read letters."""
    return [may.seat.player_id] if may.seat is not None else []


def _readable(session: Session, may: Access, *, gm: bool) -> ColumnElement[bool]:
    own = _own(may)
    its = (MessageRecipient.campaign_id == may.campaign.id, MessageRecipient.message_id == Message.id)
    got = exists().where(*its, MessageRecipient.player_id.in_(own))
    parts: list[ColumnElement[bool]] = [Message.announcement.is_(True), Message.sender.in_(own), got]
    if gm:
        mine = or_(Message.to_gm.is_(True), Message.sender.is_(None), Message.to_all.is_(True))
        parts.append(and_(mine, *_since(session, may)))
    hidden = blocking.hidden_seats(session, may)
    wanted = or_(Message.sender.is_(None), Message.sender.not_in(hidden))
    return and_(or_(*parts), wanted) if hidden else or_(*parts)


def _since(session: Session, may: Access) -> Sequence[ColumnElement[bool]]:
    """A GM who plays does not read what went to and from the one they took the campaign over from."""
    if not may.gm or may.seat is None:
        return ()
    took = session.get(Handover, (may.campaign.id, may.campaign.gm_user_id))
    return () if took is None or took.accepted_at is None else (Message.sent_at >= took.accepted_at,)


def _may_read(session: Session, may: Access, message_id: str) -> bool:
    wanted = (
        Message.id == message_id,
        Message.campaign_id == may.campaign.id,
        _readable(session, may, gm=may.reads_letters),
    )
    return session.scalar(select(Message.id).where(*wanted)) is not None


def _infos(
    session: Session, campaign_id: str, found: Sequence[Message], own: Sequence[str], *, gm: bool
) -> list[MessageInfo]:
    ids = [message.id for message in found]
    recipients: dict[str, list[str]] = {}
    read: dict[str, datetime | None] = {}
    here = (MessageRecipient.campaign_id == campaign_id, MessageRecipient.message_id.in_(ids))
    for row in session.scalars(select(MessageRecipient).where(*here).order_by(MessageRecipient.player_id)):
        recipients.setdefault(row.message_id, []).append(row.player_id)
        if row.player_id in own:
            read[row.message_id] = row.read_at
    return [
        _info(
            message,
            recipients.get(message.id, []),
            read.get(message.id) or (message.gm_read_at if gm and not own else None),
        )
        for message in found
    ]


def _info(message: Message, recipients: Sequence[str], read_at: datetime | None) -> MessageInfo:
    to = [ALL] if message.to_all else list(recipients)
    return taken_from(message, MessageInfo, to=(*to, *([GAME_MASTER] if message.to_gm else [])), read_at=read_at)
