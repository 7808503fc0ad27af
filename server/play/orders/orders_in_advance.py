"""Orders left for a later phase, in case one is away then."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select

from server.core.sentences import say
from server.play import access
from server.play.context import Actor, AppContext
from server.play.errors import PlayError, check_revision, invalid, not_found
from server.play.records.records import open_phase
from server.play.text_input import check_order_list
from server.rules.state import ORDER_PHASES
from server.store.tables import AdvanceOrders

MAX_SETS = 40
MAX_TURNS_AHEAD = 20


@dataclass(frozen=True, slots=True)
class AdvanceInfo:
    """Orders for a phase that is still to come."""

    player_id: str
    turn: int
    phase: str
    revision: int
    updated_at: datetime
    orders: tuple[Any, ...]


def listed(ctx: AppContext, actor: Actor, campaign_id: str, *, seat: str | None = None) -> list[AdvanceInfo]:
    """Return the player's orders in advance, nearest first."""
    actor.require("read")
    with ctx.database.read() as session:
        chosen = access.load(session, actor, campaign_id).seat_for(seat)
        mine = (AdvanceOrders.campaign_id == campaign_id, AdvanceOrders.player_id == chosen.player_id)
        found = [_info(row) for row in session.scalars(select(AdvanceOrders).where(*mine))]
    return sorted(found, key=lambda given: (given.turn, ORDER_PHASES.index(given.phase)))


def leave(
    ctx: AppContext, actor: Actor, campaign_id: str, turn: int, phase: str, orders: Any, *, revision: int | None = None,
    seat: str | None = None,
) -> AdvanceInfo:  # fmt: skip
    """Leave orders for a later phase. They are checked when it opens; what is possible then counts at its deadline."""
    actor.require("orders")
    if phase not in ORDER_PHASES:
        raise invalid("phase", say("One of: {words}.", words=", ".join(ORDER_PHASES)), phase)
    check_order_list(orders)
    with ctx.database.write() as session:
        may = access.load_shared(session, actor, campaign_id)
        chosen = may.seat_for(seat)
        now_open = open_phase(session, may.campaign)
        if now_open is None:
            raise PlayError("phase_closed")
        here = (now_open.phase.turn, ORDER_PHASES.index(now_open.phase.phase))
        if type(turn) is not int or (turn, ORDER_PHASES.index(phase)) <= here or turn > here[0] + MAX_TURNS_AHEAD:
            raise invalid("turn", say("A phase to come, at most {most} turns ahead.", most=MAX_TURNS_AHEAD), turn)
        row = session.get(AdvanceOrders, (campaign_id, chosen.player_id, turn, phase))
        check_revision(revision, row.revision if row else 0)
        if row is None:
            mine = (AdvanceOrders.campaign_id == campaign_id, AdvanceOrders.player_id == chosen.player_id)
            if (session.scalar(select(func.count()).where(*mine)) or 0) >= MAX_SETS:
                raise PlayError("limit_reached", say("At most {most} sets in advance.", most=MAX_SETS))
            row = AdvanceOrders(
                campaign_id=campaign_id,
                player_id=chosen.player_id,
                turn=turn,
                phase=phase,
                revision=0,
                orders=orders,
                updated_at=ctx.now(),
            )
            session.add(row)
        row.orders, row.updated_at = orders, ctx.now()
        row.revision += 1
        session.flush()
        return _info(row)


def drop(ctx: AppContext, actor: Actor, campaign_id: str, turn: int, phase: str, *, seat: str | None = None) -> None:
    """Take orders left in advance away."""
    actor.require("orders")
    with ctx.database.write() as session:
        chosen = access.load_shared(session, actor, campaign_id).seat_for(seat)
        mine = (AdvanceOrders.campaign_id == campaign_id, AdvanceOrders.player_id == chosen.player_id)
        left = session.scalars(select(AdvanceOrders).where(*mine, AdvanceOrders.phase == phase))
        row = next((row for row in left if row.turn == turn), None)  # no database compares with any number
        if row is None:
            raise not_found("turn", turn)
        session.delete(row)


def _info(row: AdvanceOrders) -> AdvanceInfo:
    return AdvanceInfo(row.player_id, row.turn, row.phase, row.revision, row.updated_at, tuple(row.orders))
