"""Many campaigns on a server's database that fall due at the same moment: a few are played, the rest are copies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, insert, literal, null, select, true, union_all, update

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
    found = [f"{campaign_id}{number:03}" for number in range(count)]
    if not found:
        return []
    new = union_all(*(select(literal(id_).label("id")) for id_ in found)).subquery("new")
    for table in Base.metadata.sorted_tables:
        column = table.c.id if table.name == "campaigns" else table.c.get("campaign_id")
        if column is not None and column.primary_key:
            changed: dict[str, Any] = {column.name: new.c.id, "invite_hash": null()}
            columns = [changed.get(each.name, each) for each in table.c]
            rows = select(*columns).select_from(table.join(new, true())).where(column == campaign_id)
            connection.execute(insert(table).from_select([*table.c.keys()], rows))
    return found


def _club(ctx: AppContext, number: str, phases: int, options: Mapping[str, Any]) -> Club:
    new = NewCampaign(f"Club {number}", "four-corners", options=dict(options))
    names = [f"Player {place} of {number}" for place in range(1, 5)]
    made = gathered(ctx, f"Game master {number}", new, names)
    for _ in range(phases):
        made.play_phase()
    for seat in made.players:
        made.order(seat, final=False)
    return made
