"""The number of deadlines a seat has missed, counted again for a branch."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from server.play.records.records import lineage, on_line
from server.store.tables import OrderSet, Phase, Seat


def recount(session: Session, campaign_id: str, branch: int, before: int, seats: Sequence[Seat]) -> None:
    """Set the counts of seats from the branch's phases before number *before*."""
    on = (OrderSet.campaign_id == Phase.campaign_id) & (OrderSet.branch == Phase.branch)
    line = on_line(lineage(session, campaign_id, branch), Phase, Phase.number)
    query = select(OrderSet, Phase.resolved_at).join(Phase, on & (OrderSet.phase_number == Phase.number))
    mine = (Phase.campaign_id == campaign_id, Phase.number < before, line)
    past = session.execute(query.where(*mine).order_by(Phase.number.desc())).all()
    for seat in seats:
        own = [(row, resolved_at) for row, resolved_at in past if row.player_id == seat.player_id]
        joined = seat.joined_at
        own = [] if joined is None else [(row, at) for row, at in own if at is None or at > joined]
        seat.missed = sum(row.missed for row, _ in own)
        seat.missed_in_a_row = 0
        for row, _ in own:
            if row.source not in ("", "bot", "defaults") and not row.missed:
                break
            seat.missed_in_a_row += row.missed
