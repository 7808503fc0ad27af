"""What somebody knows at a record, kept for a while: the one way from a state to a reader."""

from __future__ import annotations

from sqlalchemy.orm import Session

from server.play.context import AppContext
from server.play.errors import not_found
from server.play.records import Record, state_at
from server.rules.sight import GM, SPECTATOR, View, view_for
from server.store.tables import Campaign


def view_at(ctx: AppContext, session: Session, campaign: Campaign, record: Record, viewer: str) -> View:
    """Return what a viewer (player, GM, spectator) knows of the position at a record; without events."""
    state = state_at(ctx, session, campaign, record)
    if viewer not in (*state.players, GM, SPECTATOR):
        raise not_found("as", viewer)
    key = (campaign.id, record.state_hash, viewer)
    return ctx.caches.views.get(key, lambda: view_for(state, (), viewer))


def view_known(ctx: AppContext, campaign_id: str, state_hash: str, viewer: str) -> View | None:
    """Return the same where it is at hand, None where it has to be made."""
    found: View | None = ctx.caches.views.known((campaign_id, state_hash, viewer))
    return found
