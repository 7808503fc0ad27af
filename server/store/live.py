"""Numbered streams of what happens, and how processes learn that there is more.

What is published becomes visible with the transaction it is part of. Readers ask :func:`since` for
what follows the last number they have; a :class:`Listener` only tells them that it is worth asking.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, func, insert, or_, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from server.store.database import Database, translated
from server.store.errors import Unreachable
from server.store.tables import LiveEvent, Stream

CHANNEL = "sealed_orders"
"""PostgreSQL's notification channel. A notification carries the newest :attr:`LiveEvent.id` and nothing else."""
POLL_INTERVAL = 0.25
"""Seconds between two looks at a SQLite file."""


@dataclass(frozen=True, slots=True)
class News:
    """Something to be published on a topic (see :class:`Stream`)."""

    topic: str
    kind: str
    data: Mapping[str, Any] = field(default_factory=dict)


def publish(session: Session, news: Iterable[News], at: datetime) -> int:
    """Number and keep the news, and wake the listeners at the commit; returns the newest id, 0 without news.

    Takes the topics' rows in the order of their names, so that two publishers cannot wait for each other;
    call it once, at the end of a transaction.
    """
    newest = 0
    for each in sorted(news, key=lambda each: each.topic):
        row = {"topic": each.topic, "number": _next(session, each.topic), "kind": each.kind, "data": dict(each.data)}
        newest = session.execute(_KEEP, row | {"at": at}).scalar_one()
    if newest and _postgresql(session):
        session.execute(select(func.pg_notify(CHANNEL, str(newest))))
    return newest


def since(session: Session, after: Mapping[str, int], limit: int = 1000) -> list[LiveEvent]:
    """Return what follows the given number on each of the topics, in the order in which it was published."""
    if not after:
        return []
    wanted = or_(*((LiveEvent.topic == topic) & (LiveEvent.number > number) for topic, number in after.items()))
    return list(session.scalars(select(LiveEvent).where(wanted).order_by(LiveEvent.id).limit(limit)))


def last_numbers(session: Session, topics: Iterable[str]) -> dict[str, int]:
    """Return the last number given out on each topic, 0 where there was none."""
    names = list(topics)
    found = session.execute(select(Stream.topic, Stream.last).where(Stream.topic.in_(names)))
    return dict.fromkeys(names, 0) | dict(found.all())


class Listener:
    """Tells when something was published, by whatever process. One a process; not for several threads."""

    def __init__(self, database: Database) -> None:
        self._sqlite = database.sqlite
        self._lost = _driver_error(database)
        with translated():
            pooled = database.engine.raw_connection()
        connection: Any = pooled.driver_connection
        pooled.detach()
        self._connection = connection
        self._version = -1
        self._seen = 0
        if self._sqlite:
            self._seen = self._newest() or 0
        else:
            connection.autocommit = True
            connection.execute(f"LISTEN {CHANNEL}")

    def wait(self, timeout: float) -> int | None:
        """Return the newest id as soon as there is something new, None after *timeout* seconds without.

        Raises :class:`Unreachable` when the connection is lost; open a new listener then, and ask
        :func:`since` once: what came between was not announced.
        """
        try:
            return self._poll(timeout) if self._sqlite else self._notified(timeout)
        except self._lost as error:
            raise Unreachable(str(error)) from error

    def close(self) -> None:
        """Stop listening."""
        self._connection.close()

    def _notified(self, timeout: float) -> int | None:
        told = self._connection.notifies(timeout=timeout, stop_after=1)
        return max((int(each.payload) for each in told), default=None)

    def _poll(self, timeout: float) -> int | None:
        end = time.monotonic() + timeout
        while (newest := self._newest()) is None and (left := end - time.monotonic()) > 0:
            time.sleep(min(POLL_INTERVAL, left))
        return newest

    def _newest(self) -> int | None:
        """Return the newest id where it is newer than the last one told; asks only where the file has changed."""
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        if version == self._version:
            return None
        self._version = version
        (newest,) = self._connection.execute("SELECT coalesce(max(id), 0) FROM live_events").fetchone()
        if newest <= self._seen:
            return None
        self._seen = newest
        return int(newest)


def _driver_error(database: Database) -> type[Exception]:
    module: Any = database.engine.dialect.dbapi
    error: type[Exception] = module.Error
    return error


def listen(database: Database, interval: float) -> Generator[int | None, None, None]:
    """Yield the newest id each time there is something new, and None each time *interval* seconds pass without."""
    listener = Listener(database)
    try:
        while True:
            yield listener.wait(interval)
    finally:
        listener.close()


def _next(session: Session, topic: str) -> int:
    """Return the topic's next number; its row stays locked until the end, so numbers come in commit order."""
    number: int = session.execute(_COUNT[_postgresql(session)], {"of": topic}).scalar_one()
    return number


def _count(new: Any) -> Any:
    streams: Any = Stream.__table__
    statement = new(streams).values(topic=bindparam("of"), last=1)
    again = statement.on_conflict_do_update(index_elements=[streams.c.topic], set_={"last": streams.c.last + 1})
    return again.returning(streams.c.last)


_events: Any = LiveEvent.__table__
_KEEP = insert(_events).returning(_events.c.id)
_COUNT = (_count(sqlite.insert), _count(postgresql.insert))
"""Made once, like all statements that are wanted with every write: making them takes longer than carrying them out."""


def _postgresql(session: Session) -> bool:
    return session.get_bind().dialect.name == "postgresql"
