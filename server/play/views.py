"""What somebody knows at a record, kept for a while: the one way from a state to a reader."""

from __future__ import annotations

from sqlalchemy.orm import Session

from server.play.context import Play
from server.play.records import Record, state_at
from server.rules.sight import View, view_for
from server.store.tables import Campaign


def view_at(play: Play, session: Session, campaign: Campaign, record: Record, viewer: str) -> View:
    """Return what a viewer (player, GM, spectator) knows of the position at a record; without events."""
    key = (campaign.id, record.state_hash, viewer)
    return play.caches.views.get(key, lambda: view_for(state_at(play, session, campaign, record), (), viewer))
