"""One's own table games, page by page."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, and_, exists, or_, select

from server.core.sentences import say
from server.play.context import Actor, AppContext
from server.play.errors import invalid
from server.play.tables.access import load
from server.play.tables.info import TableInfo, info
from server.store.tables import SIDES, TABLE_STATUSES, Seat, TableBattleRow, TableGameRow, TableResultRow, TableSeatRow


def mine(
    ctx: AppContext, actor: Actor, *, status: str | None = None, archived: bool = False, limit: int = 50,
    after: tuple[datetime, str] | None = None,
) -> list[TableInfo]:  # fmt: skip
    """Return games one plays or made, newest first, at most *limit*; *after* is the sort key of the one before."""
    actor.require("read")
    if status is not None and status not in TABLE_STATUSES:
        raise invalid("status", say("One of {words}.", words=", ".join(TABLE_STATUSES)), status)
    sits, owns = TableSeatRow.user_id == actor.user_id, TableGameRow.owner_user_id == actor.user_id
    seat = exists().where(TableSeatRow.game_id == TableGameRow.id, sits)
    here = exists().where(TableSeatRow.game_id == TableGameRow.id, sits, TableSeatRow.archived.is_(archived))
    ways = [here, owns & ~seat & TableGameRow.archived.is_(archived), _battle_of(actor.user_id, archived)]
    wanted = [or_(*ways)]
    if status is not None:
        wanted.append(TableGameRow.status == status)
    if after is not None:
        at, id_ = after
        later = (TableGameRow.created_at == at) & (TableGameRow.id < id_)
        wanted.append(or_(TableGameRow.created_at < at, later))
    newest = (TableGameRow.created_at.desc(), TableGameRow.id.desc())
    with ctx.database.read() as session:
        ids = session.scalars(select(TableGameRow.id).where(*wanted).order_by(*newest).limit(limit)).all()
        results = {
            row.game_id: row for row in session.scalars(select(TableResultRow).where(TableResultRow.game_id.in_(ids)))
        }
        return [info(load(session, actor, id_), results.get(id_)) for id_ in ids]


def _battle_of(user_id: str, archived: bool) -> ColumnElement[bool]:
    """Return the condition that a game is the battle of a campaign in which someone plays a side."""
    red = and_(Seat.player_id == TableBattleRow.red_player, TableSeatRow.side == SIDES[0])
    blue = and_(Seat.player_id == TableBattleRow.blue_player, TableSeatRow.side == SIDES[1])
    return exists().where(
        TableBattleRow.game_id == TableGameRow.id,
        Seat.campaign_id == TableGameRow.campaign_id,
        Seat.user_id == user_id,
        TableSeatRow.game_id == TableGameRow.id,
        or_(red, blue),
        TableSeatRow.archived.is_(archived),
    )
