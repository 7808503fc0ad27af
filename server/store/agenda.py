"""The agenda: due times over all campaigns. An index of the campaigns' own rows, and nothing else.

Reads go by its index alone, so a campaign that waits costs nothing. Each due entry is checked against the
campaign's rows before anything is done (:mod:`server.play.agenda` writes the rows).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import and_, func, or_, select, union_all
from sqlalchemy.orm import Session

from server.store import shards
from server.store.database import Database
from server.store.tables import AgendaRow

TAKING = 1
"""Key of PostgreSQL's advisory lock: a process does what is due of a campaign."""
_AHEAD = 500
"""The most rows to examine for some that no other process has taken."""


class Due(NamedTuple):
    """Something that is due."""

    campaign_id: str
    kind: str


def kinds_due(session: Session, until: Mapping[str, datetime]) -> set[str]:
    """Return the kinds of which something is due: one look by index for each, however much there is."""
    row = AgendaRow.__table__
    each = (select(row.c.kind).where(row.c.kind == kind, row.c.at <= before).limit(1) for kind, before in until.items())
    looks = union_all(*(select(one.subquery()) for one in each))
    return set(session.scalars(looks))


def due(session: Session, until: Mapping[str, datetime], limit: int | None = None) -> list[Due]:
    """Return what is due, in the order of its time. *until*: for each kind that counts, up to when."""
    query = select(AgendaRow.campaign_id, AgendaRow.kind).where(_due(until)).order_by(AgendaRow.at)
    return [Due(*row) for row in session.execute(query.limit(limit))]


def next_at(session: Session, kind: str, after: datetime) -> datetime | None:
    """Return when something of that kind is due next."""
    found: datetime | None = session.scalar(
        select(func.min(AgendaRow.at)).where(AgendaRow.kind == kind, AgendaRow.at > after)
    )
    return found


@contextmanager
def taking(
    database: Database, until: Mapping[str, datetime], limit: int, *, but_not: Collection[str] = (),
    only: str | None = None,
) -> Iterator[list[str]]:  # fmt: skip
    """Take campaigns for as long as the block lasts; on SQLite, which has one writer at a time, look for some."""
    if database.sqlite:
        with database.read() as session:
            found = take(session, until, limit, but_not=but_not, only=only)
        yield found
    else:
        with database.write() as session:
            yield take(session, until, limit, but_not=but_not, only=only, spread=database.spread)


def take(
    session: Session, until: Mapping[str, datetime], limit: int, *, but_not: Collection[str] = (),
    only: str | None = None, spread: bool = False,
) -> list[str]:  # fmt: skip
    """Take campaigns in which something is due and that no other process has taken, the oldest first.

    *spread*: of the oldest, those of the same shard of a cluster follow each other.

    The work itself changes these very rows, in other transactions. So it is not they that are locked but a number that
    stands for the campaign, in the same way: what is locked is skipped, and locks end with their connection.
    """
    row = AgendaRow.__table__
    query: Any = select(row.c.campaign_id, row.c.at).where(_due(until))
    if but_not:
        query = query.where(row.c.campaign_id.not_in(sorted(but_not)))
    if only is not None:
        query = query.where(row.c.campaign_id == only)
    if session.connection().dialect.name == "sqlite":
        # processes that cannot keep work from each other had better begin with different pieces
        rows = session.execute(query.order_by(func.random()).limit(limit)).all()
    else:
        ahead = query.order_by(row.c.at).limit(_AHEAD).subquery()
        if spread:
            ahead = select(ahead).order_by(shards.of(ahead.c.campaign_id)).limit(_AHEAD).subquery()
        free = func.pg_try_advisory_xact_lock(TAKING, func.hashtext(ahead.c.campaign_id))
        rows = session.execute(select(ahead).where(free).limit(limit)).all()
    return list(dict.fromkeys(found.campaign_id for found in rows))


def _due(until: Mapping[str, datetime]) -> Any:
    kind, at = AgendaRow.__table__.c.kind, AgendaRow.__table__.c.at
    return or_(*(and_(kind == name, at <= before) for name, before in until.items()))
