"""Tables of the server that follow from campaigns' own rows, so that nobody has to look through all campaigns.

Each is written in the transaction that changes what it follows from: changes of mapped objects are seen here, and a
statement of its own calls :meth:`Derived.touch`. The campaigns' rows decide; :func:`differences` compares.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import and_, bindparam, delete, event, func, inspect, select, text
from sqlalchemy.orm import Session

from server.store import upserts
from server.store.database import Database
from server.store.tables import Base, Campaign

A_BATCH = 1000
"""Campaigns that are compared in one transaction."""
WRITING = 2
"""Key of PostgreSQL's advisory lock: a transaction writes what follows from a campaign."""

Key = tuple[str, ...]
"""The primary key of a row, which begins with the campaign."""
Entries = Mapping[Key, Any]
"""Rows by their keys: the value of the column beside the key, None if the table has none."""


def _equal(_: Key, said: object, has: object) -> bool:
    return said == has


class Derived:
    """A table whose rows follow from campaigns' rows.

    *causes*: the columns it follows from, by class. *said* returns what the rows of some campaigns say. *same* compares
    that with the table's value; either may be :data:`MISSING`.
    """

    def __init__(
        self,
        table: type[Base],
        causes: Mapping[type[Any], tuple[str, ...]],
        said: Callable[[Session, Sequence[str]], Entries],
        same: Callable[[Key, Any, Any], bool] = _equal,
    ) -> None:
        self.said = said
        self.causes = causes
        self.name = table.__tablename__
        self._same = same
        own: Any = table.__table__
        self._table = own
        self._key = [column.name for column in self._table.primary_key]
        self._value = next((column.name for column in self._table.c if not column.primary_key), None)
        mine = and_(*(self._table.c[name] == bindparam(f"of_{name}") for name in self._key))
        self._delete = delete(self._table).where(mine)
        self._put = upserts.by_dialect(table, self._over)
        event.listen(Session, "after_flush", self._note_changes)
        event.listen(Session, "before_commit", self._follow)

    def touch(self, session: Session, *campaign_ids: str) -> None:
        """Have the rows of campaigns written at the end of the transaction: what they follow from has changed."""
        session.info.setdefault(self.name, set()).update(campaign_ids)

    def kept(self, session: Session, campaign_ids: Collection[str]) -> Entries:
        """Return what the table has of some campaigns."""
        keys = [self._table.c[name] for name in self._key]
        value = [] if self._value is None else [self._table.c[self._value]]
        rows = session.execute(select(*keys, *value).where(self._table.c.campaign_id.in_(campaign_ids)))
        return {tuple(row[: len(keys)]): row[-1] if value else None for row in rows}

    def differences(self, database: Database) -> list[str]:
        """Return the differences between the table and the campaigns' rows, a sentence each."""
        found = []
        for campaign_ids in _batches(database):
            with database.read() as session:
                said, has = self.said(session, campaign_ids), self.kept(session, campaign_ids)
            for key in sorted(said.keys() | has.keys()):
                pair = (said.get(key, MISSING), has.get(key, MISSING))
                if not self._same(key, *pair):
                    expected, there = map(_shown, pair)
                    of, *rest = key
                    found.append(f"{self.name}: of {of} it has {' '.join(rest)}: {there}, its rows say {expected}")
        with database.read() as session:
            gone = session.scalars(self._nobodys()).all()
        return [*found, *(f"{self.name}: it has {of}, which is no campaign" for of in gone)]

    def rebuild(self, database: Database) -> int:
        """Write the table again from the campaigns' rows; return how many rows it has."""
        with database.write() as session:
            self.touch(session, *session.scalars(self._nobodys()))
        for campaign_ids in _batches(database):
            with database.write() as session:
                self.touch(session, *campaign_ids)
        with database.read() as session:
            return session.scalar(select(func.count()).select_from(self._table)) or 0

    def _nobodys(self) -> Any:
        of = self._table.c.campaign_id
        return select(of).where(of.not_in(select(Campaign.id))).distinct()

    def _over(self, new: Any) -> Any:
        if self._value is None:
            return new.on_conflict_do_nothing()
        return new.on_conflict_do_update(index_elements=self._key, set_={self._value: new.excluded[self._value]})

    def _note_changes(self, session: Session, *_: object) -> None:
        for changed in (*session.new, *session.dirty, *session.deleted):
            names = self.causes.get(type(changed))
            if names is None:
                continue
            state: Any = inspect(changed)
            moved = changed in session.new or changed in session.deleted
            if moved or any(state.attrs[name].history.has_changes() for name in names):
                self.touch(session, changed.id if type(changed) is Campaign else changed.campaign_id)

    def _follow(self, session: Session) -> None:
        """Write the rows of the campaigns that the transaction has changed. Called at its end, before the commit."""
        if session.new or session.dirty or session.deleted:
            session.flush()
        campaign_ids = sorted(session.info.pop(self.name, ()))
        if campaign_ids:
            _lock(session, campaign_ids)
            before = self.kept(session, campaign_ids)
            self._write(session, before, self.said(session, campaign_ids))

    def _write(self, session: Session, before: Entries, after: Entries) -> None:
        connection = session.connection()
        if gone := sorted(before.keys() - after.keys()):
            names = [f"of_{name}" for name in self._key]
            connection.execute(self._delete, [dict(zip(names, key, strict=True)) for key in gone])
        new = sorted(key for key, value in after.items() if key not in before or before[key] != value)
        if new:
            value = [] if self._value is None else [self._value]
            names = [*self._key, *value]
            rows = [dict(zip(names, (*key, after[key]), strict=False)) for key in new]
            connection.execute(self._put[connection.dialect.name], rows)


MISSING = object()
"""There is no such row."""


def _shown(value: Any) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    return "nothing" if value is MISSING else "a row"


def _batches(database: Database) -> Iterator[list[str]]:
    last = ""
    while True:
        with database.read() as session:
            query = select(Campaign.id).where(Campaign.id > last).order_by(Campaign.id).limit(A_BATCH)
            found = list(session.scalars(query))
        if not found:
            return
        yield found
        last = found[-1]


def _lock(session: Session, campaign_ids: Sequence[str]) -> None:
    """Have writers of the same campaigns come one after the other: each then sees what the one before wrote."""
    if session.connection().dialect.name == "postgresql":
        session.connection().execute(_LOCK, {"key": WRITING, "of": list(campaign_ids)})


_LOCK = text("SELECT count(pg_advisory_xact_lock(:key, hashtext(id))) FROM unnest(CAST(:of AS text[])) AS id")
