"""The usual write of an order set, with as few statements as it takes: nothing is asked of a server more often.

A player who sits in a running campaign, whose phase is open and was not edited: one statement finds all a write has to
know, another writes (on PostgreSQL with the news). Whatever is not usual (a substitute, a rollback, an edit, a deadline
that has passed, a stale revision, ...) raises :class:`NotOnFastPath`: the caller goes the long way of
:mod:`server.play.orders.orders`, which does the same and names the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, Table, Update, bindparam, exists, select, update
from sqlalchemy.orm import Session

from server.play.context import Actor
from server.play.options import options_from
from server.store.live import News, publish, publishing, row_of
from server.store.tables import Campaign, Intervention, OrderSet, Phase, Seat


@dataclass(frozen=True, slots=True)
class FastPathOrders:
    """The open phase, and what is in it of one player's order set."""

    options: Any
    """The campaign's, as they are kept."""
    branch: int
    number: int
    turn: int
    phase: str
    deadline: datetime | None
    player_id: str
    state_hash: str
    """Of the position the phase began from."""
    wanted: bool
    revision: int
    final: bool
    salt: str

    @property
    def show_final(self) -> bool:
        """Players see who has declared their orders final in this phase."""
        return options_from(self.options).shows_final_in(self.phase)


class NotOnFastPath(Exception):
    """Something is out of the ordinary; undoes the transaction."""


def find(session: Session, actor: Actor, campaign_id: str, seat: str | None) -> FastPathOrders:
    """Return where a player stands; nobody can end the phase until the transaction ends."""
    row = session.connection().execute(_FOUND, {"campaign": campaign_id, "user": actor.user_id}).first()
    if row is None or (seat is not None and seat != row.player_id):
        raise NotOnFastPath
    return FastPathOrders(*row)


def write(
    session: Session, campaign_id: str, found: FastPathOrders, news: Sequence[News], now: datetime, **values: Any
) -> None:
    """Change the set, count its revision and publish the news, unless somebody has changed it meanwhile."""
    connection = session.connection()
    given = {f"new_{name}": value for name, value in values.items()}
    given |= {
        "of_campaign": campaign_id,
        "of_branch": found.branch,
        "of_phase": found.number,
        "of_player": found.player_id,
        "seen": found.revision,
    }
    if connection.dialect.name == "postgresql" and len(news) == 1:  # in one go: each statement is a way there and back
        if connection.execute(_WRITE_AND_TELL, given | row_of(news[0], now)).first() is None:
            raise NotOnFastPath
    else:
        if connection.execute(_WRITE, given).rowcount != 1:
            raise NotOnFastPath
        publish(session, news, now)


def _statement() -> Select[Any]:
    campaign, seat, phase, mine = (_table(table) for table in (Campaign, Seat, Phase, OrderSet))
    before, edit = phase.alias("before"), _table(Intervention)
    edited = exists().where(
        edit.c.campaign_id == phase.c.campaign_id,
        edit.c.branch == phase.c.branch,
        edit.c.phase_number == phase.c.number,
        edit.c.chain_hash.is_not(None),
    )
    return select(
        campaign.c.options,
        phase.c.branch,
        phase.c.number,
        phase.c.turn,
        phase.c.phase,
        phase.c.deadline,
        seat.c.player_id,
        before.c.state_hash,
        mine.c.wanted,
        mine.c.revision,
        mine.c.final,
        mine.c.salt,
    ).where(
        campaign.c.id == bindparam("campaign"),
        campaign.c.status == "running",
        seat.c.campaign_id == campaign.c.id,
        seat.c.user_id == bindparam("user"),
        phase.c.campaign_id == campaign.c.id,
        phase.c.branch == campaign.c.branch,
        phase.c.number == campaign.c.phase_number,
        phase.c.resolved_at.is_(None),
        before.c.campaign_id == campaign.c.id,
        before.c.branch == campaign.c.branch,
        before.c.number == campaign.c.phase_number - 1,
        before.c.state_hash.is_not(None),
        mine.c.campaign_id == campaign.c.id,
        mine.c.branch == campaign.c.branch,
        mine.c.phase_number == campaign.c.phase_number,
        mine.c.player_id == seat.c.player_id,
        ~edited,
    )


def _write() -> Update:
    mine = _table(OrderSet)
    changed = ("orders", "temporary", "source", "salt", "final", "updated_at", "updated_by")
    return (
        update(mine)
        .values(
            revision=mine.c.revision + 1,
            **{name: bindparam(f"new_{name}", type_=mine.c[name].type) for name in changed},
        )
        .where(
            mine.c.campaign_id == bindparam("of_campaign"),
            mine.c.branch == bindparam("of_branch"),
            mine.c.phase_number == bindparam("of_phase"),
            mine.c.player_id == bindparam("of_player"),
            mine.c.revision == bindparam("seen"),
        )
    )


def _table(of: Any) -> Table:
    table: Table = of.__table__
    return table


_FOUND = _statement().with_for_update(read=True, of=_table(Campaign))
_WRITE = _write()
_WRITE_AND_TELL = publishing(_WRITE.returning(_table(OrderSet).c.revision).cte("written"))
