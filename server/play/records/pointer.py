"""Where a campaign stands: its row says which phase is open until when, and which record holds the position.

These functions alone write that, in the transaction that opens or ends a phase, moves its deadline or changes the
position.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from server.store.tables import Campaign, Deadline, Phase


@dataclass(frozen=True, slots=True)
class Record:
    """Where a state was written down."""

    branch: int
    number: int
    """Of the phase."""
    edit: int | None
    """Which edit of the position during the phase; None: the phase itself, resolved."""
    state_hash: str
    chain_hash: str


def current_record(campaign: Campaign) -> Record:
    """Return the record that holds the position of a campaign that has started."""
    if campaign.position_hash is None or campaign.position_branch is None or campaign.position_phase is None:
        raise LookupError(f"the campaign {campaign.id} has no position")
    return Record(
        campaign.position_branch, campaign.position_phase, campaign.position_edit, campaign.position_hash,
        campaign.position_chain or "",
    )  # fmt: skip


def set_position(campaign: Campaign, record: Record) -> None:
    """Say that a record holds the position."""
    campaign.position_branch, campaign.position_phase, campaign.position_edit = (
        record.branch,
        record.number,
        record.edit,
    )
    campaign.position_hash, campaign.position_chain = record.state_hash, record.chain_hash


def set_phase(campaign: Campaign, phase: Phase, deadline: datetime | None) -> None:
    """Say which phase is open, or was the last one (then without a deadline)."""
    campaign.branch, campaign.phase_number = phase.branch, phase.number
    campaign.turn, campaign.phase, campaign.deadline = phase.turn, phase.phase, deadline


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
