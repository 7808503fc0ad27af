"""Orders that are there when a phase opens: those left in advance for it, and those that a seat repeats.

What of them is possible now goes into the order set, as plain orders that count at the deadline. Repeated orders that
are not possible are left out and their player sees why; those that can never be possible again end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from sqlalchemy import ColumnElement, and_, delete, or_, select
from sqlalchemy.orm import Session

from server.core.errors import INVALID, Problem
from server.play.errors import fault
from server.rules.orders.sets import check
from server.rules.sight import View, view_for
from server.rules.state import PlayerId, State
from server.store.tables import AdvanceOrders, OrderSet, RepeatedOrders

ADVANCE, REPEATED = "advance", "repeated"
"""Where an order set comes from that was there when its phase opened (:attr:`OrderSet.source`)."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """What seats have prepared for a phase, by seat."""

    advance: Mapping[PlayerId, list[Any]]
    repeated: Mapping[PlayerId, RepeatedOrders]

    def order_set(self, state: State, player: PlayerId, number: int, now: datetime) -> dict[str, Any]:
        """Return what a seat's order set holds of it; nothing if nothing of it is possible."""
        if player not in self.advance and player not in self.repeated:
            return {}
        view = view_for(state, (), player)
        given, source = _possible(view, self.advance.get(player, [])), ADVANCE
        if player in self.repeated:
            again = _repeat(view, self.repeated[player], number)
            source = ADVANCE if player in self.advance else REPEATED
            refused = {problem.order for problem in check(view, [*given, *again])}
            given += [order for place, order in enumerate(again, len(given)) if place not in refused]
        if source == REPEATED and not given:
            return {}
        return {"orders": given, "revision": 1, "temporary": True, "source": source, "updated_at": now}


def prepared(session: Session, campaign_id: str, state: State) -> Prepared:
    """Return what the seats of a campaign have prepared for the phase a state stands at; in advance is taken once."""
    mine = (AdvanceOrders.campaign_id == campaign_id, AdvanceOrders.turn == state.turn,
            AdvanceOrders.phase == state.phase)  # fmt: skip
    advance = {row.player_id: list(row.orders) for row in session.scalars(select(AdvanceOrders).where(*mine))}
    if advance:
        session.execute(delete(AdvanceOrders).where(*mine))
    again = (RepeatedOrders.campaign_id == campaign_id, RepeatedOrders.phase == state.phase)
    rows = session.scalars(select(RepeatedOrders).where(*again))
    return Prepared(advance, {row.player_id: row for row in rows})


NOTHING = Prepared({}, {})


class OrderSetLike(Protocol):
    """An order set, or what its player sees of it."""

    @property
    def source(self) -> str:
        """Where it comes from."""

    @property
    def revision(self) -> int:
        """How often it was written."""


def only_repeated(row: OrderSet | OrderSetLike) -> bool:
    """Return whether an order set is as it was when its phase opened, and holds repeated orders alone."""
    return row.source == REPEATED and row.revision == 1


def untouched() -> ColumnElement[bool]:
    """Return the condition that nobody has written an order set: it is empty, or holds repeated orders alone."""
    return or_(OrderSet.revision == 0, and_(OrderSet.source == REPEATED, OrderSet.revision == 1))


def _possible(view: View, orders: Sequence[Any]) -> list[Any]:
    refused = {problem.order for problem in check(view, orders)}
    return [order for place, order in enumerate(orders) if place not in refused]


def _repeat(view: View, row: RepeatedOrders, number: int) -> list[Any]:
    """Return those of a seat's repeated orders that are possible, and note the others with their reasons."""
    problems: dict[int, Problem] = {}
    for problem in check(view, row.orders):
        problems.setdefault(problem.order, problem)
    ended = {place for place, problem in problems.items() if problem.code in INVALID}
    orders = list(row.orders)
    row.left_out = [
        {"number": number, "order": orders[place], "ended": place in ended, "problem": fault(problem) | {"order": 0}}
        for place, problem in sorted(problems.items())
    ]
    if ended:
        row.orders = [order for place, order in enumerate(orders) if place not in ended]
        row.revision += 1
    return [order for place, order in enumerate(orders) if place not in problems]
