"""Where campaigns stand, found out from their phases, edits and branches: what the pointer in their row must equal."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from server.play.agenda import AGENDA
from server.store.database import Database
from server.store.memberships import MEMBERSHIPS
from server.store.tables import Branch, Campaign, Intervention, Phase

COLUMNS = [column.name for column in Campaign.__table__.c if "derived" in column.info]


def check_derived(database: Database) -> None:
    """Fail where agenda or memberships say something else than the campaigns' rows do."""
    assert AGENDA.differences(database) + MEMBERSHIPS.differences(database) == []


def check_pointers(database: Database) -> None:
    """Fail where a campaign's row says something else than its phases and edits do."""
    with database.read() as session:
        for campaign in session.scalars(select(Campaign)):
            assert pointer_of(campaign) == joined(session, campaign), campaign.name


def pointer_of(campaign: Campaign) -> dict[str, Any]:
    return {name: getattr(campaign, name) for name in COLUMNS}


def joined(session: Session, campaign: Campaign) -> dict[str, Any]:
    """Return the same from the other tables."""
    found: dict[str, Any] = dict.fromkeys(COLUMNS)
    phase = session.get(Phase, (campaign.id, campaign.branch, campaign.phase_number))
    if phase is None:
        return found
    is_open = phase.resolved_at is None
    found |= {"turn": phase.turn, "phase": phase.phase}
    found["deadline"] = phase.deadline if is_open and campaign.finished_at is None else None
    mine = (Intervention.campaign_id == campaign.id, Intervention.branch == phase.branch,
            Intervention.phase_number == phase.number, Intervention.chain_hash.is_not(None))  # fmt: skip
    edits = session.scalars(select(Intervention).where(*mine).order_by(Intervention.seq)).all() if is_open else ()
    if edits:
        record: Any = edits[-1]
        place = (record.branch, record.phase_number, record.seq)
    else:
        record = _resolved(session, campaign.id, phase.branch, phase.number - 1 if is_open else phase.number)
        place = (record.branch, record.number, None)
    found |= dict(zip(("position_branch", "position_phase", "position_edit"), place, strict=True))
    return found | {"position_hash": record.state_hash, "position_chain": record.chain_hash}


def _resolved(session: Session, campaign_id: str, branch: int, number: int) -> Phase:
    """Return a phase of a branch, or of the one that it left."""
    while (phase := session.get(Phase, (campaign_id, branch, number))) is None:
        before = session.get_one(Branch, (campaign_id, branch)).from_branch
        assert before is not None, number
        branch = before
    return phase
