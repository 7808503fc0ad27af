"""Many campaigns on a server's database that fall due at the same moment: a few are played, the rest are copies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Table, and_, insert, literal, select, true, update

from server.play.agenda import AGENDA
from server.play.campaigns.campaigns import NewCampaign
from server.play.context import AppContext
from server.store.database import Database
from server.store.tables import Base, Campaign, Phase
from tests.play.campaigns import Club, gathered

_OPTIONS = {"deadlines": {"kind": "rolling", "hours": 24}}


@dataclass(frozen=True, slots=True)
class Storm:
    """Campaigns whose orders are in and that wait for their deadline."""

    clubs: tuple[Club, ...]
    """Those that were played; copies have the same people."""
    ids: tuple[str, ...]
    """All campaigns."""


def brewed(
    ctx: AppContext, clubs: int, copies: int, *, phases: int = 0, options: Mapping[str, Any] | None = None,
    name: str = "",
) -> Storm:  # fmt: skip
    """Make so many clubs of four and so many copies of each; everybody has ordered, nobody is final.

    *name* tells the people from those of another storm.
    """
    played = tuple(_club(ctx, f"{number}{name}", phases, {**_OPTIONS, **(options or {})}) for number in range(clubs))
    ids = [club.id for club in played]
    with ctx.database.write() as session:
        for club in played:
            ids += copied(session.connection(), club.id, copies)
        for campaign_id in ids:
            AGENDA.touch(session, campaign_id)
    return Storm(played, tuple(ids))


def let_loose(database: Database, ids: Sequence[str], at: datetime) -> None:
    """Give the open phases of campaigns the same deadline."""
    with database.write() as session:
        mine = (Phase.campaign_id.in_(ids), Phase.resolved_at.is_(None))
        session.execute(update(Phase).where(*mine).values(deadline=at))
        session.execute(update(Campaign).where(Campaign.id.in_(ids)).values(deadline=at))
        for campaign_id in ids:
            AGENDA.touch(session, campaign_id)


def copied(connection: Connection, campaign_id: str, count: int) -> list[str]:
    """Copy what a campaign is made of, each row of a table in one statement."""
    campaigns_: Any = Campaign.__table__
    found = [f"{campaign_id}{number:03}" for number in range(count)]
    for new in found:
        values = {"id": literal(new), "invite_hash": literal(None)}
        _copy(connection, campaigns_, values, campaigns_.c.id == campaign_id)
    for table in Base.metadata.sorted_tables:
        if "campaign_id" in table.primary_key.columns:
            each_new = and_(table.c.campaign_id == campaign_id, campaigns_.c.id.in_(found))
            _copy(connection, table, {"campaign_id": campaigns_.c.id}, each_new, table.join(campaigns_, true()))
    return found


def _copy(connection: Connection, table: Table, changed: Mapping[str, Any], which: Any, among: Any = None) -> None:
    columns = [changed.get(column.name, column) for column in table.c]
    rows = select(*columns).select_from(table if among is None else among).where(which)
    connection.execute(insert(table).from_select([*table.c.keys()], rows))


def _club(ctx: AppContext, number: str, phases: int, options: Mapping[str, Any]) -> Club:
    new = NewCampaign(f"Club {number}", "four-corners", options=dict(options))
    names = [f"Player {place} of {number}" for place in range(1, 5)]
    made = gathered(ctx, f"Game master {number}", new, names)
    for _ in range(phases):
        made.play_phase()
    for seat in made.players:
        made.order(seat, final=False)
    return made
