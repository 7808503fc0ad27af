"""Table games that close without anybody asking; apart from the rest, since every ticker looks for them."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import select

from server.play.context import AppContext
from server.play.tables.telling import announce
from server.store.tables import TableGameRow

CLOSES_BY_ITSELF = timedelta(days=7)
"""After the last act: who says nothing against a result has confirmed it."""


def close_what_is_over(ctx: AppContext) -> int:
    """Close games whose result nobody has spoken against for a week; called by the ticker. Returns how many."""
    before = ctx.now() - CLOSES_BY_ITSELF
    alone = TableGameRow.campaign_id.is_(None)  # a campaign's battle is settled by its phase
    due = (alone, TableGameRow.status == "over", TableGameRow.last_act_at <= before)
    with ctx.database.read() as session:
        found = session.scalars(select(TableGameRow.id).where(*due)).all()
    for game_id in found:
        with ctx.database.write() as session:
            query = select(TableGameRow).where(TableGameRow.id == game_id, *due).with_for_update()
            row = session.scalars(query).one_or_none()
            if row is not None:
                close(row, ctx.now())
                row.revision += 1
                announce(session, [game_id], "closed", ctx.now(), row.acts)
    return len(found)


def close(row: TableGameRow, now: datetime) -> None:
    """Close a game: nothing can be undone any longer, so the dice may be published."""
    row.status, row.closed_at, row.address = "closed", now, None
