"""The database side of a read: one statement returns the viewer and the campaign's current position.

Bytes are cached by content (the hash of a position) and viewer. The right to read them is never cached:
every read checks it again, so that a change of seats, a rollback or an edit holds at once in every process.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, and_, bindparam, exists, or_, select
from sqlalchemy.orm import Session

from server.play.access import Rights, orders_for, partners, watching
from server.play.context import Actor, AppContext
from server.play.errors import PlayError, not_found
from server.play.options import stored_options
from server.play.records.records import Record, view_at, view_known
from server.rules.sight import View
from server.store.position.rows import table
from server.store.tables import Campaign, CampaignDice, Handover, Invitation, OrderSet, Seat

OrderRows = dict[str, Row[Any]]
"""Order sets by player."""


@dataclass(frozen=True, slots=True)
class KeptBytes:
    """Bytes that were written for someone, and their digest."""

    body: bytes
    digest: str
    """SHA-256, hexadecimal."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How someone stands to a campaign that has started, and where it stands."""

    campaign_id: str
    rights: Rights
    status: str
    options: dict[str, Any]
    """In stored form; see :func:`server.play.options.stored_options`."""
    number: int
    """Of the phase that is open, or of the last one."""
    turn: int
    phase: str
    """Its kind."""
    deadline: datetime | None
    open: bool
    record: Record
    """The one that holds the position."""
    branch: int
    """The one that is played on."""

    @property
    def state_hash(self) -> str:
        """The hash of the position; for this package alone."""
        return self.record.state_hash


def standing(ctx: AppContext, actor: Actor, campaign_id: str, *, not_begun: str = "wrong_status") -> Standing:
    """Return someone's role in a campaign; raise ``not_found`` for those who may not know of it.

    *not_begun* is the code of the refusal if it has not started.
    """
    rows = ctx.database.ask(_STANDING, _asked(actor, campaign_id))
    return _standing_of(actor, campaign_id, rows, not_begun)


def standing_with_orders(ctx: AppContext, actor: Actor, campaign_id: str) -> tuple[Standing, OrderRows]:
    """Return the same, and the order sets of the seats one orders for, by player."""
    return _with_orders(actor, campaign_id, ctx.database.ask(_STANDING_WITH_ORDERS, _asked(actor, campaign_id)))


def standing_to_write(session: Session, actor: Actor, campaign_id: str) -> tuple[Standing, OrderRows]:
    """Return the same; nobody can end the phase or change the position until the transaction ends."""
    rows = session.connection().execute(_LOCKED, _asked(actor, campaign_id)).all()
    return _with_orders(actor, campaign_id, rows)


def _with_orders(actor: Actor, campaign_id: str, rows: Sequence[Row[Any]]) -> tuple[Standing, OrderRows]:
    sets = {row.player_id: row for row in rows if row.wanted is not None}
    return _standing_of(actor, campaign_id, rows, "phase_closed"), sets


def _asked(actor: Actor, campaign_id: str) -> dict[str, str]:
    """Return what the statement asks for. Nobody's id is empty, not NULL: a cluster's planner drops joins on NULL."""
    return {"campaign": campaign_id, "user": actor.user_id}


def _standing_of(actor: Actor, campaign_id: str, rows: Sequence[Row[Any]], not_begun: str) -> Standing:
    if not rows:
        raise not_found("campaign", campaign_id)
    first = rows[0]
    gm = actor.signed_in and (first.gm_user_id == actor.user_id or bool(first.partner))
    mine = [row for row in rows if row.player_id is not None] if actor.signed_in else []
    if not (gm or actor.admin) and (first.status == "deleted" or not (mine or first.listed or first.asked)):
        raise not_found("campaign", campaign_id)
    own = next((row.player_id for row in mine if row.user_id == actor.user_id), None)
    others = () if own is not None or gm else tuple(row.player_id for row in mine)
    public = first.finished_at is not None and (first.scheme is None or first.published_at is not None)
    options = stored_options(first.options)
    watches = options.out_watches and any(row.watches for row in mine if row.user_id == actor.user_id)
    rights = Rights(gm, own, others, public, options.spectators, watches)
    if first.position_hash is None:
        raise PlayError(not_begun, "The campaign has not begun.", field="status")
    record = Record(
        first.position_branch, first.position_phase, first.position_edit, first.position_hash, first.position_chain
    )
    return Standing(
        campaign_id, rights, first.status, first.options, first.phase_number, first.turn, first.phase, first.deadline,
        first.finished_at is None, record, first.branch,
    )  # fmt: skip


def view_of(ctx: AppContext, now: Standing, viewer: str) -> View:
    """Return what a viewer knows of the position; shared, so it must not be changed."""
    known = view_known(ctx, now.campaign_id, now.state_hash, viewer)
    if known is not None:
        return known
    with ctx.database.read() as session:
        campaign = session.get(Campaign, now.campaign_id)
        if campaign is None:  # deleted since
            raise not_found("campaign", now.campaign_id)
        return view_at(ctx, session, campaign, now.record, viewer)


def known(ctx: AppContext, campaign_id: str, state_hash: str, viewer: str, kind: str) -> KeptBytes | None:
    """Return what was written of a position for a viewer, None where it has to be written."""
    found: KeptBytes | None = ctx.caches.bodies.known((campaign_id, state_hash, viewer, kind))
    return found


def keep(ctx: AppContext, campaign_id: str, state_hash: str, viewer: str, kind: str, body: bytes) -> KeptBytes:
    """Keep what was written of a position for a viewer; returns it with its digest."""
    written = KeptBytes(body, hashlib.sha256(body).hexdigest())
    ctx.caches.bodies.put((campaign_id, state_hash, viewer, kind), written)
    return written


def _standing(*, with_orders: bool = False) -> Any:
    """Return the statement. Each table is asked by the campaign's id, so that a cluster sees one machine has it all."""
    here: Any = bindparam("campaign")
    to: Any = bindparam("user")
    campaign, seat, dice = (table(row) for row in (Campaign, Seat, CampaignDice))
    mine = and_(seat.c.campaign_id == campaign.c.id, orders_for(to))
    joined = campaign.outerjoin(dice, dice.c.campaign_id == campaign.c.id).outerjoin(seat, mine)
    invitation, offer = table(Invitation), table(Handover)
    invited = exists().where(invitation.c.campaign_id == here, invitation.c.user_id == to)
    offered = exists().where(offer.c.campaign_id == here, offer.c.user_id == to, offer.c.accepted_at.is_(None))
    columns = [
            *(campaign.c[name] for name in _OF_CAMPAIGN), or_(invited, offered).label("asked"),
            partners(to, here).label("partner"), dice.c.scheme, dice.c.published_at, seat.c.player_id, seat.c.user_id,
            watching(to, here, seat.c.player_id).label("watches"),
    ]  # fmt: skip
    if with_orders:
        sets = table(OrderSet)
        joined = joined.outerjoin(
            sets,
            and_(
                sets.c.campaign_id == campaign.c.id,
                sets.c.branch == campaign.c.branch,
                sets.c.phase_number == campaign.c.phase_number,
                sets.c.player_id == seat.c.player_id,
            ),
        )
        names = ("wanted", "revision", "final", "temporary", "source", "salt", "updated_at", "orders", "receipts")
        columns += [sets.c[name] for name in names]
    query = select(*columns).select_from(joined).where(campaign.c.id == here)
    return query.order_by(seat.c.number)


_OF_CAMPAIGN = (
    "status", "listed", "gm_user_id", "options", "finished_at", "branch", "phase_number", "turn", "phase", "deadline",
    "position_hash", "position_chain", "position_branch", "position_phase", "position_edit",
)  # fmt: skip
_STANDING, _STANDING_WITH_ORDERS = _standing(), _standing(with_orders=True)
_LOCKED = _STANDING_WITH_ORDERS.with_for_update(read=True, of=table(Campaign))
"""Made once: they are asked with every read."""
