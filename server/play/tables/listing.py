"""One's own table games, page by page."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, and_, exists, or_, select, tuple_
from sqlalchemy.orm import Session

from server.core.sentences import say
from server.play.context import Actor, AppContext
from server.play.errors import invalid
from server.play.tables.access import load
from server.play.tables.info import TableInfo, info
from server.store.memberships import among
from server.store.tables import (
    SIDES,
    TABLE_STATUSES,
    Membership,
    Seat,
    TableBattleRow,
    TableGameRow,
    TableResultRow,
    TableSeatRow,
)


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
    ways = [here, owns & ~seat & TableGameRow.archived.is_(archived)]
    wanted: list[ColumnElement[bool]] = []
    if status is not None:
        wanted.append(TableGameRow.status == status)
    if after is not None:
        at, id_ = after
        later = (TableGameRow.created_at == at) & (TableGameRow.id < id_)
        wanted.append(or_(TableGameRow.created_at < at, later))
    newest = (TableGameRow.created_at.desc(), TableGameRow.id.desc())
    with ctx.database.read() as session:
        if seats := seats_with_games(session, actor.user_id):
            ways.append(_battle_of(seats, archived))
        wanted.append(or_(*ways))
        ids = session.scalars(select(TableGameRow.id).where(*wanted).order_by(*newest).limit(limit)).all()
        results = {
            row.game_id: row for row in session.scalars(select(TableResultRow).where(TableResultRow.game_id.in_(ids)))
        }
        return [info(load(session, actor, id_), results.get(id_)) for id_ in ids]


def seats_with_games(session: Session, user_id: str) -> list[tuple[str, str]]:
    """Return campaign and player of someone's seats in campaigns with games on the table.

    Two statements: games are the server's and seats their campaign's, and those may be on other machines.
    """
    plays = (Membership.user_id == user_id, Membership.role == "player")
    games = select(TableGameRow.campaign_id).join(Membership, Membership.campaign_id == TableGameRow.campaign_id)
    here = among(session, Seat.campaign_id, list(session.scalars(games.where(*plays).distinct())))
    seats = select(Seat.campaign_id, Seat.player_id).where(Seat.user_id == user_id, here)
    return [(campaign_id, player_id) for campaign_id, player_id in session.execute(seats)]


def _battle_of(seats: Sequence[tuple[str, str]], archived: bool) -> ColumnElement[bool]:
    """Return the condition that a game is the battle of a campaign in which one of some seats plays a side."""
    campaign = TableGameRow.campaign_id
    red = and_(tuple_(campaign, TableBattleRow.red_player).in_(seats), TableSeatRow.side == SIDES[0])
    blue = and_(tuple_(campaign, TableBattleRow.blue_player).in_(seats), TableSeatRow.side == SIDES[1])
    return exists().where(
        TableBattleRow.game_id == TableGameRow.id,
        TableSeatRow.game_id == TableGameRow.id,
        or_(red, blue),
        TableSeatRow.archived.is_(archived),
    )
