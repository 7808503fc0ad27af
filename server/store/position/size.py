"""How large a position is."""

from __future__ import annotations

from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from server.store.tables import DetachmentRow, GarrisonRow, HexRow


def size_of(session: Session, campaign_id: str) -> tuple[int, int]:
    """Return how many forces (detachments and garrisons) and how many hexes a position has."""
    found = session.execute(select(*size_columns(campaign_id))).one()
    return found[0], found[1]


def size_columns(campaign_id: Any) -> tuple[Any, Any]:
    """Return what :func:`size_of` finds as columns of a statement; *campaign_id* may be a column of it."""
    detachments, garrisons, hexes = (
        select(func.count()).where(row.campaign_id == campaign_id).scalar_subquery()
        for row in (DetachmentRow, GarrisonRow, HexRow)
    )
    return detachments + garrisons, hexes
