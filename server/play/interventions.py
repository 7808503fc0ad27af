"""What a game master did by hand, written down for everybody to read."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from server.play.context import Actor
from server.store.tables import Campaign, Intervention


def note(
    session: Session, campaign: Campaign, actor: Actor, kind: str, why: str, now: datetime, **public: Any
) -> Intervention:
    """Write down what a GM did by hand; everybody may read it."""
    mine = (Intervention.campaign_id == campaign.id, Intervention.branch == campaign.branch)
    seqs = session.scalars(select(Intervention.seq).where(*mine, Intervention.phase_number == campaign.phase_number))
    made = Intervention(
        campaign_id=campaign.id, branch=campaign.branch, phase_number=campaign.phase_number,
        seq=max(seqs, default=-1) + 1, kind=kind, made_at=now, made_by=actor.user_id or None, why=why, public=public,
        details={},
    )  # fmt: skip
    session.add(made)
    session.flush()
    return made
