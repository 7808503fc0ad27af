"""Orders that a seat repeats until it cancels them: the same order again in each phase of its kind.

They are not orders of a phase. When such a phase opens, those that are possible go into its order set as plain orders
(:mod:`server.play.resolution.prepared_orders`), which their player changes and finalises like any others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from server.core.sentences import say
from server.play import access
from server.play.context import Actor, AppContext
from server.play.errors import PlayError, check_revision, invalid
from server.play.records.records import open_phase
from server.play.text_input import check_order_list
from server.rules.orders.registry import IN_PHASE
from server.rules.state import ORDER_PHASES
from server.store.tables import RepeatedOrders, Seat

MAX_ORDERS = 500
"""Orders that a seat repeats in phases of one kind."""


@dataclass(frozen=True, slots=True)
class RepeatedInfo:
    """The orders that a seat repeats in each phase of one kind."""

    player_id: str
    phase: str
    revision: int
    """0: none so far. The ETag."""
    updated_at: datetime | None
    orders: tuple[Any, ...]
    left_out: tuple[dict[str, Any], ...] = ()
    """Those that were not possible when such a phase last opened: ``number`` of that phase, ``order``, ``problem``, and
    whether it has ``ended`` for good."""


def listed(ctx: AppContext, actor: Actor, campaign_id: str, *, seat: str | None = None) -> list[RepeatedInfo]:
    """Return what a seat repeats, by kind of phase."""
    actor.require("read")
    with ctx.database.read() as session:
        chosen = access.load(session, actor, campaign_id).seat_for(seat)
        mine = (RepeatedOrders.campaign_id == campaign_id, RepeatedOrders.player_id == chosen.player_id)
        found = [_info(row) for row in session.scalars(select(RepeatedOrders).where(*mine))]
    return sorted(found, key=lambda info: ORDER_PHASES.index(info.phase))


def in_phase(
    ctx: AppContext, actor: Actor, campaign_id: str, phase: str, *, seat: str | None = None
) -> tuple[Any, ...]:
    """Return the orders that a seat repeats in phases of one kind."""
    rows = listed(ctx, actor, campaign_id, seat=seat)
    return next((row.orders for row in rows if row.phase == phase), ())


def replace(
    ctx: AppContext, actor: Actor, campaign_id: str, phase: str, orders: Any, *, revision: int | None = None,
    seat: str | None = None,
) -> RepeatedInfo:  # fmt: skip
    """Say which orders a seat repeats in each phase of one kind; none at all cancels them."""
    actor.require("orders")
    if phase not in ORDER_PHASES:
        raise invalid("phase", say("One of: {words}.", words=", ".join(ORDER_PHASES)), phase)
    check_order_list(orders)
    with ctx.database.write() as session:
        may = access.load_shared(session, actor, campaign_id)
        chosen = may.seat_for(seat)
        if open_phase(session, may.campaign) is None:
            raise PlayError("phase_closed")
        row = session.get(RepeatedOrders, (campaign_id, chosen.player_id, phase))
        check_revision(revision, row.revision if row else 0)
        return _write(session, chosen, phase, row, _checked(phase, orders), ctx.now())


def change(session: Session, seat: Seat, phase: str, changes: Iterable[tuple[Any, bool]], now: datetime) -> None:
    """Have a seat repeat orders (True) or repeat them no longer (False), in the transaction that stores its orders."""
    row = session.get(RepeatedOrders, (seat.campaign_id, seat.player_id, phase), populate_existing=True)
    wanted = list(row.orders) if row else []
    for order, repeats in changes:
        wanted = [other for other in wanted if not _same(phase, other, order)]
        if repeats:
            wanted.append(order)
    if wanted != (list(row.orders) if row else []):
        _write(session, seat, phase, row, _checked(phase, wanted), now)


def _write(
    session: Session, seat: Seat, phase: str, row: RepeatedOrders | None, orders: list[Any], now: datetime
) -> RepeatedInfo:
    if row is None:
        row = RepeatedOrders(
            campaign_id=seat.campaign_id, player_id=seat.player_id, phase=phase, revision=0, left_out=[], orders=[],
            updated_at=now,
        )  # fmt: skip
        session.add(row)
    row.orders, row.updated_at = orders, now
    row.revision += 1
    session.flush()
    return _info(row)


def _checked(phase: str, orders: Sequence[Any]) -> list[Any]:
    """Refuse what cannot be repeated in a phase; two orders to the same thing cannot be, either."""
    if len(orders) > MAX_ORDERS:
        raise invalid("orders", say("At most {most} orders can be repeated.", most=MAX_ORDERS), len(orders))
    for place, order in enumerate(orders):
        kind = IN_PHASE.get(_type(order), {}).get(phase)
        if kind is None or not kind.REPEATS:
            raise invalid(f"orders.{place}", "This order cannot be repeated.", _type(order))
        if "as" in order:
            raise invalid(f"orders.{place}.as", "A repeated order cannot name what it creates.", order["as"])
        if any(_same(phase, order, earlier) for earlier in orders[:place]):
            raise invalid(f"orders.{place}", "Another repeated order says the same, or is for the same force.")
    return list(orders)


def _type(order: Any) -> str:
    given = order.get("type") if isinstance(order, Mapping) else None
    return given if isinstance(given, str) else ""


def _same(phase: str, one: Any, other: Any) -> bool:
    """Return whether an order takes another's place: an equal one, or one to the same force where it has only one."""
    return bool(one == other or (phase in _ONE_EACH and _subject(one) and _subject(one) == _subject(other)))


_ONE_EACH = ("movement", "battle_movement")
"""Phases in which a detachment or convoy has one order (D-39a)."""


def _subject(order: Any) -> Any:
    return (order.get("convoy") or order.get("detachment")) if isinstance(order, Mapping) else None


def _info(row: RepeatedOrders) -> RepeatedInfo:
    return RepeatedInfo(row.player_id, row.phase, row.revision, row.updated_at, tuple(row.orders), tuple(row.left_out))
