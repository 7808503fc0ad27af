"""The deadline of an open phase."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from server.store.tables import Campaign, Deadline, Phase


def set_deadline(
    session: Session,
    campaign: Campaign,
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
    place = {"campaign_id": phase.campaign_id, "branch": phase.branch, "phase_number": phase.number}
    seq = max(seqs, default=-1) + 1
    session.add(Deadline(**place, seq=seq, due_at=due, kind=kind, set_at=now, set_by=by, why=why))
    phase.deadline = campaign.deadline = due
    session.flush()
