"""Orders for later phases: left for one of them, in case one is away then, or repeated until a seat cancels them.

Neither are orders of a phase. When such a phase opens, those that are possible go into its order set as plain orders
(:mod:`server.play.resolution.phase_opening`), which their player changes and finalises like any others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from server.core.sentences import say
from server.play import access
from server.play.context import Actor, AppContext, check_limit, taken_from
from server.play.errors import check_revision, invalid, not_found
from server.play.records.records import require_open
from server.play.text_input import check_order_list
from server.rules.orders.registry import IN_PHASE
from server.rules.state import ORDER_PHASES
from server.store.tables import AdvanceOrders, RepeatedOrders, Seat

Rows = TypeVar("Rows", AdvanceOrders, RepeatedOrders)
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


MAX_REPEATED = 500
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


def listed(ctx: AppContext, actor: Actor, campaign_id: str, *, seat: str | None = None) -> list[AdvanceInfo]:
    """Return the player's orders in advance, nearest first."""
    found = [_info(row) for row in _of_seat(ctx, actor, campaign_id, seat, AdvanceOrders)]
    return sorted(found, key=lambda given: (given.turn, ORDER_PHASES.index(given.phase)))


def leave(
    ctx: AppContext, actor: Actor, campaign_id: str, turn: int, phase: str, orders: Any, *, revision: int | None = None,
    seat: str | None = None,
) -> AdvanceInfo:  # fmt: skip
    """Leave orders for a later phase. They are checked when it opens; what is possible then counts at its deadline."""
    _check(actor, phase, orders)
    with ctx.database.write() as session:
        may = access.load_shared(session, actor, campaign_id)
        chosen = may.seat_for(seat)
        now_open = require_open(session, may.campaign)
        here = (now_open.phase.turn, ORDER_PHASES.index(now_open.phase.phase))
        if type(turn) is not int or (turn, ORDER_PHASES.index(phase)) <= here or turn > here[0] + MAX_TURNS_AHEAD:
            raise invalid("turn", say("A phase to come, at most {most} turns ahead.", most=MAX_TURNS_AHEAD), turn)
        row = session.get(AdvanceOrders, (campaign_id, chosen.player_id, turn, phase))
        check_revision(revision, row.revision if row else 0)
        if row is None:
            mine = (AdvanceOrders.campaign_id == campaign_id, AdvanceOrders.player_id == chosen.player_id)
            check_limit(session, AdvanceOrders, mine, MAX_SETS, say("At most {most} sets in advance.", most=MAX_SETS))
            key = {"campaign_id": campaign_id, "player_id": chosen.player_id, "turn": turn, "phase": phase}
            row = AdvanceOrders(**key, revision=0, orders=orders, updated_at=ctx.now())
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


def _of_seat(ctx: AppContext, actor: Actor, campaign_id: str, seat: str | None, table: type[Rows]) -> list[Rows]:
    """Return a table's rows of the seat one orders for."""
    actor.require("read")
    with ctx.database.read() as session:
        chosen = access.load(session, actor, campaign_id).seat_for(seat)
        mine = (table.campaign_id == campaign_id, table.player_id == chosen.player_id)
        return list(session.scalars(select(table).where(*mine)))


def _check(actor: Actor, phase: str, orders: Any) -> None:
    """Refuse people who may not order, phases without orders, and anything but a list of orders."""
    actor.require("orders")
    if phase not in ORDER_PHASES:
        raise invalid("phase", say("One of: {words}.", words=", ".join(ORDER_PHASES)), phase)
    check_order_list(orders)


def _info(row: AdvanceOrders) -> AdvanceInfo:
    return taken_from(row, AdvanceInfo, orders=tuple(row.orders))


def listed_repeated(ctx: AppContext, actor: Actor, campaign_id: str, *, seat: str | None = None) -> list[RepeatedInfo]:
    """Return what a seat repeats, by kind of phase."""
    found = [_repeated_info(row) for row in _of_seat(ctx, actor, campaign_id, seat, RepeatedOrders)]
    return sorted(found, key=lambda info: ORDER_PHASES.index(info.phase))


def repeated_in(
    ctx: AppContext, actor: Actor, campaign_id: str, phase: str, *, seat: str | None = None
) -> tuple[Any, ...]:
    """Return the orders that a seat repeats in phases of one kind."""
    rows = listed_repeated(ctx, actor, campaign_id, seat=seat)
    return next((row.orders for row in rows if row.phase == phase), ())


def replace_repeated(
    ctx: AppContext, actor: Actor, campaign_id: str, phase: str, orders: Any, *, revision: int | None = None,
    seat: str | None = None,
) -> RepeatedInfo:  # fmt: skip
    """Say which orders a seat repeats in each phase of one kind; none at all cancels them."""
    _check(actor, phase, orders)
    with ctx.database.write() as session:
        may = access.load_shared(session, actor, campaign_id)
        chosen = may.seat_for(seat)
        require_open(session, may.campaign)
        row = session.get(RepeatedOrders, (campaign_id, chosen.player_id, phase))
        check_revision(revision, row.revision if row else 0)
        return _write(session, chosen, phase, row, _checked(phase, orders), ctx.now())


def change_repeated(
    session: Session, seat: Seat, phase: str, changes: Iterable[tuple[Any, bool]], now: datetime
) -> None:
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
    return _repeated_info(row)


def _checked(phase: str, orders: Sequence[Any]) -> list[Any]:
    """Refuse what cannot be repeated in a phase; two orders to the same thing cannot be, either."""
    if len(orders) > MAX_REPEATED:
        raise invalid("orders", say("At most {most} orders can be repeated.", most=MAX_REPEATED), len(orders))
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


def _repeated_info(row: RepeatedOrders) -> RepeatedInfo:
    return taken_from(row, RepeatedInfo, orders=tuple(row.orders), left_out=tuple(row.left_out))
