"""What a read asks of the database: one statement says as whom somebody reads, and what is current.

Bytes are kept by what was written (the hash of a position) and for whom. Nobody keeps whether somebody may have them:
that is asked anew with every read, so that a change of seats, a rollback or an edit holds at once in every process.
Where anything is out of the ordinary, there is no answer here, and the usual way is taken.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, and_, bindparam, or_, select
from sqlalchemy.orm import Session

from server.play.access import Rights
from server.play.context import Actor, AppContext
from server.play.options import options_from
from server.store.tables import Campaign, CampaignDice, OrderSet, Seat


@dataclass(frozen=True, slots=True)
class Written:
    """Bytes that were written for somebody, and their digest."""

    body: bytes
    digest: str
    """SHA-256, hexadecimal."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How somebody stands to a campaign, and how far it has come."""

    rights: Rights
    branch: int
    number: int
    """Of the phase that is open, or of the last one."""
    turn: int
    phase: str
    """Its kind."""
    deadline: datetime | None
    open: bool
    state_hash: str
    """Of the position."""


def standing(session: Session, actor: Actor, campaign_id: str) -> Standing | None:
    """Return how somebody stands to a campaign that has begun; None where only the usual way can tell."""
    asked = {"campaign": campaign_id, "user": actor.user_id or None}
    return _standing_of(actor, session.connection().execute(_STANDING, asked).all())


def standing_with_orders(
    session: Session, actor: Actor, campaign_id: str
) -> tuple[Standing, dict[str, Row[Any]]] | None:
    """Return the same, and the order sets of the seats one orders for, by player."""
    asked = {"campaign": campaign_id, "user": actor.user_id or None}
    rows = session.connection().execute(_STANDING_WITH_ORDERS, asked).all()
    found = _standing_of(actor, rows)
    return None if found is None else (found, {row.player_id: row for row in rows if row.wanted is not None})


def _standing_of(actor: Actor, rows: Sequence[Row[Any]]) -> Standing | None:
    if not rows:
        return None
    first = rows[0]
    gm = actor.signed_in and first.gm_user_id == actor.user_id
    mine = [row for row in rows if row.player_id is not None] if actor.signed_in else []
    known = gm or bool(mine) or actor.admin or first.listed
    if first.status == "deleted" or not known or first.position_hash is None:
        return None
    own = next((row.player_id for row in mine if row.user_id == actor.user_id), None)
    others = () if own is not None or gm else tuple(row.player_id for row in mine)
    public = first.finished_at is not None and (first.scheme is None or first.published_at is not None)
    rights = Rights(gm, own, others, public, options_from(first.options).spectators)
    return Standing(
        rights, first.branch, first.phase_number, first.turn, first.phase, first.deadline, first.finished_at is None,
        first.position_hash,
    )  # fmt: skip


def known(ctx: AppContext, campaign_id: str, state_hash: str, viewer: str, kind: str) -> Written | None:
    """Return what was written of a position for a viewer, None where it has to be written."""
    found: Written | None = ctx.caches.bodies.known((campaign_id, state_hash, viewer, kind))
    return found


def keep(ctx: AppContext, campaign_id: str, state_hash: str, viewer: str, kind: str, body: bytes) -> Written:
    """Keep what was written of a position for a viewer; returns it with its digest."""
    written = Written(body, hashlib.sha256(body).hexdigest())
    ctx.caches.bodies.put((campaign_id, state_hash, viewer, kind), written)
    return written


def _standing(*, with_orders: bool = False) -> Any:
    campaign, seat, dice = (_table(table) for table in (Campaign, Seat, CampaignDice))
    stands_in = and_(seat.c.stand_in == "user", seat.c.stand_in_user_id == bindparam("user"))
    mine = and_(seat.c.campaign_id == campaign.c.id, or_(seat.c.user_id == bindparam("user"), stands_in))
    joined = campaign.outerjoin(dice, dice.c.campaign_id == campaign.c.id).outerjoin(seat, mine)
    columns = [
            campaign.c.status, campaign.c.listed, campaign.c.gm_user_id, campaign.c.options, campaign.c.finished_at,
            campaign.c.branch, campaign.c.phase_number, campaign.c.turn, campaign.c.phase, campaign.c.deadline,
            campaign.c.position_hash, dice.c.scheme, dice.c.published_at, seat.c.player_id, seat.c.user_id,
    ]  # fmt: skip
    if with_orders:
        mine = _table(OrderSet)
        joined = joined.outerjoin(
            mine,
            and_(
                mine.c.campaign_id == campaign.c.id,
                mine.c.branch == campaign.c.branch,
                mine.c.phase_number == campaign.c.phase_number,
                mine.c.player_id == seat.c.player_id,
            ),
        )
        names = ("wanted", "revision", "final", "temporary", "source", "salt", "updated_at", "orders")
        columns += [mine.c[name] for name in names]
    query = select(*columns).select_from(joined).where(campaign.c.id == bindparam("campaign"))
    return query.order_by(seat.c.number)


def _table(of: Any) -> Any:
    return of.__table__


_STANDING, _STANDING_WITH_ORDERS = _standing(), _standing(with_orders=True)
"""Made once: they are asked with every read."""
