"""Opening a phase: its deadline, an order set for each living player, with the orders that were prepared for it.

Those were left in advance for the phase, or a seat repeats them. What of them is possible now goes into the order set,
as plain orders that count at the deadline. Repeated orders that are not possible are left out, and their player sees
why; those that can never be possible again end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from sqlalchemy import ColumnElement, and_, delete, or_, select
from sqlalchemy.orm import Session

from server.core import dice_scheme_1
from server.core.errors import INVALID, Problem
from server.play.access import computers, options_of
from server.play.dice import salt_keeping
from server.play.errors import fault
from server.play.notices.notices import Notices
from server.play.options import ASKS_SOME
from server.play.records.phase_dice import scheme_of
from server.play.records.records import set_phase
from server.play.resolution.resolution_rows import Rows
from server.play.tables.battle_opening import open_games
from server.rules.board import ORBIT
from server.rules.orders.sets import check
from server.rules.sight import View, view_for
from server.rules.state import BATTLE_MOVEMENT, BATTLES, MOVEMENT, REPORTS, PlayerId, State
from server.store.position.changes import Changes
from server.store.position.rows import table
from server.store.tables import AdvanceOrders, Campaign, Deadline, OrderSet, Phase, RepeatedOrders, Seat


@dataclass(frozen=True, slots=True)
class Opened:
    """A phase that has been opened."""

    phase: Phase
    awaits: bool
    """It awaits someone's orders; otherwise it may end at once."""


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


def open_next(
    session: Session, campaign: Campaign, seats: Sequence[Seat], state: State, number: int, notices: Notices
) -> Opened:
    """Open the phase a state stands at, as the number of the campaign's branch; tells everyone."""
    changes = Changes()
    opened = begin_next(session, campaign, seats, state, number, notices, changes)
    session.flush()
    changes.write(session.connection())
    return opened


def begin_next(
    session: Session, campaign: Campaign, seats: Sequence[Seat], state: State, number: int, notices: Notices,
    changes: Changes, known: Rows | None = None,
) -> Opened:  # fmt: skip
    """Open a phase as :func:`open_next` does, but add its deadline, order sets and salts to *changes*.

    *known* is what has been read already in the same transaction.
    """
    now = notices.now
    phase = Phase(
        campaign_id=campaign.id,
        branch=campaign.branch,
        number=number,
        turn=state.turn,
        phase=state.phase,
        opened_at=now,
    )
    rhythm = options_of(campaign).deadlines
    phase.deadline = rhythm.due(now, phase.phase)
    session.add(phase)
    set_phase(campaign, phase, phase.deadline)
    place: dict[str, Any] = {"campaign_id": campaign.id, "branch": phase.branch, "phase_number": number}
    kind = "grid" if rhythm.kind == "grid" else "rolling"
    deadline = place | {"seq": 0, "due_at": phase.deadline, "kind": kind, "set_at": now, "set_by": None, "why": ""}
    sealed = (scheme_of(session, campaign) if known is None else known.scheme) != dice_scheme_1.SCHEME
    if sealed:
        waiting = None if known is None else known.waiting
        living = [player.id for player in state.living()]
        salt_keeping.take(session, campaign.id, phase.branch, number, living, now, changes, waiting)
    wanted = wanted_from(state) | dict.fromkeys(computers(campaign, seats), False)
    ahead = NOTHING if known is not None and not known.prepared else prepared(session, campaign.id, state)
    order_sets = [
        _NO_ORDERS
        | place
        | {"player_id": player.id, "wanted": wanted[player.id]}
        | {"salt": "" if sealed else salt_keeping.of_scheme_1()}
        | ahead.order_set(state, player.id, number, now)
        for player in state.living()
    ]
    key = f"opened/{phase.branch}/{number}"
    sitting = [seat for seat in seats if wanted.get(seat.player_id)]
    open_games(session, campaign, seats, state, phase, notices)
    due = None if phase.deadline is None else phase.deadline.isoformat()
    notices.everybody(
        "phase_opened",
        key,
        sitting,
        in_chats=any(wanted.values()),  # what nobody is wanted for passes at once
        turn=phase.turn,
        phase=phase.phase,
        number=number,
        deadline=due,
    )
    changes.insert(table(Deadline), [deadline])
    changes.insert(table(OrderSet), order_sets)
    return Opened(phase, any(wanted.values()))


_NO_ORDERS: dict[str, Any] = {
    "revision": 0, "final": False, "temporary": False, "source": "", "updated_at": None, "updated_by": None,
    "orders": [], "missed": False,
}  # fmt: skip


def wanted_from(state: State) -> dict[PlayerId, bool]:
    """Return for each living player whether they have something to order; alliances alone do not count."""
    wanted = {player.id: state.phase not in ASKS_SOME for player in state.living()}
    found: set[PlayerId] = set()
    if state.phase in (MOVEMENT, BATTLE_MOVEMENT):
        found = {
            detachment.owner
            for detachment in state.detachments.values()
            if not detachment.ready_in and (state.phase == BATTLE_MOVEMENT or detachment.at != ORBIT)
        }
    if state.phase == MOVEMENT:
        found |= {convoy.owner for convoy in state.convoys.values()}
    if state.phase in (BATTLES, REPORTS):
        for battle in state.battles.values():
            if not battle.winner:
                found |= {battle.attacking, battle.defended_by}
    return {id_: asked or id_ in found for id_, asked in wanted.items()}


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
