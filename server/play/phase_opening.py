"""Opening a phase: its deadline, an order set for each living player, orders left in advance."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from server.play.access import options_of
from server.play.notices import Notices
from server.rules.board import ORBIT
from server.rules.orders.sets import check
from server.rules.sight import view_for
from server.rules.state import BATTLE_MOVEMENT, BATTLES, MOVEMENT, REPORTS, PlayerId, State
from server.store.tables import AdvanceOrders, Campaign, Deadline, OrderSet, Phase, Seat


def open_next(
    session: Session, campaign: Campaign, seats: Sequence[Seat], state: State, number: int, notices: Notices
) -> Phase:
    """Open the phase a state stands at, as the number of the campaign's branch; tells everybody."""
    now = notices.now
    phase = Phase(
        campaign_id=campaign.id,
        branch=campaign.branch,
        number=number,
        turn=state.turn,
        phase=state.phase,
        opened_at=now,
    )
    session.add(phase)
    campaign.phase_number = number
    session.flush()
    rhythm = options_of(campaign).deadlines
    set_deadline(session, phase, rhythm.due(now), "grid" if rhythm.kind == "grid" else "rolling", now)
    wanted = wanted_from(state)
    in_advance = _left_in_advance(session, campaign.id, state)
    for player in state.living():
        row = OrderSet(
            campaign_id=campaign.id, branch=phase.branch, phase_number=number, player_id=player.id,
            wanted=wanted[player.id], orders=[],
        )  # fmt: skip
        if player.id in in_advance:
            _use(row, state, in_advance[player.id], now)
        session.add(row)
    session.flush()
    key = f"opened/{phase.branch}/{number}"
    sitting = [each for each in seats if wanted.get(each.player_id)]
    due = None if phase.deadline is None else phase.deadline.isoformat()
    notices.everybody("phase_opened", key, sitting, turn=phase.turn, phase=phase.phase, number=number, deadline=due)
    return phase


def set_deadline(
    session: Session,
    phase: Phase,
    due: datetime | None,
    kind: str,
    now: datetime,
    *,
    by: str | None = None,
    why: str = "",
) -> None:
    """Give an open phase a deadline, or take it away; every one it had stays on record."""
    mine = (Deadline.campaign_id == phase.campaign_id, Deadline.branch == phase.branch)
    seqs = session.scalars(select(Deadline.seq).where(*mine, Deadline.phase_number == phase.number)).all()
    session.add(
        Deadline(
            campaign_id=phase.campaign_id,
            branch=phase.branch,
            phase_number=phase.number,
            seq=max(seqs, default=-1) + 1,
            due_at=due,
            kind=kind,
            set_at=now,
            set_by=by,
            why=why,
        )
    )
    phase.deadline = due
    session.flush()


def wanted_from(state: State) -> dict[PlayerId, bool]:
    """Return for each living player whether he has something to order; alliances alone do not count."""
    wanted = {each.id: state.phase not in (MOVEMENT, BATTLE_MOVEMENT, BATTLES, REPORTS) for each in state.living()}
    found: set[PlayerId] = set()
    if state.phase in (MOVEMENT, BATTLE_MOVEMENT):
        found = {each.owner for each in state.detachments.values() if not each.ready_in and _moves(state, each)}
    if state.phase == MOVEMENT:
        found |= {each.owner for each in state.convoys.values()}
    if state.phase in (BATTLES, REPORTS):
        for battle in state.battles.values():
            if not battle.winner:
                found |= {battle.attacking, battle.defended_by}
    return {id_: each or id_ in found for id_, each in wanted.items()}


def _moves(state: State, detachment: Any) -> bool:
    return state.phase == BATTLE_MOVEMENT or detachment.at != ORBIT


def _left_in_advance(session: Session, campaign_id: str, state: State) -> dict[PlayerId, list[Any]]:
    mine = (
        AdvanceOrders.campaign_id == campaign_id,
        AdvanceOrders.turn == state.turn,
        AdvanceOrders.phase == state.phase,
    )
    found = {each.player_id: list(each.orders) for each in session.scalars(select(AdvanceOrders).where(*mine))}
    if found:
        session.execute(delete(AdvanceOrders).where(*mine))
    return found


def _use(row: OrderSet, state: State, orders: list[Any], now: datetime) -> None:
    """Hand in what was left in advance, as far as it is possible now; it counts at the deadline."""
    problems = check(view_for(state, (), row.player_id), orders)
    refused = {each.order for each in problems}
    row.orders = [each for place, each in enumerate(orders) if place not in refused]
    row.revision, row.temporary, row.source, row.updated_at = 1, True, "advance", now
