"""Numbered streams of what happens, and how processes learn that there is more.

A published event becomes visible with its transaction. Readers ask :func:`since` for
what follows the last number they have; a :class:`Listener` only tells them that it is worth asking.

PostgreSQL has a channel for each topic, so it wakes only the processes that follow one. NOTIFY comes after the commit,
from a thread that announces all that is due: transactions with notifications are committed one after the other. A
process that is killed in between has notified nobody, so followers also look after a time without news.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2s
from typing import Any

from sqlalchemy import JSON, Integer, Text, bindparam, column, func, insert, or_, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from server.store.database import CHANNELS, Database
from server.store.errors import Unreachable
from server.store.tables import LiveEvent, Stream

POLL_INTERVAL = 0.05
"""Seconds between two looks at a SQLite file."""


@dataclass(frozen=True, slots=True)
class News:
    """Something to be published on a topic (see :class:`Stream`)."""

    topic: str
    kind: str
    data: Mapping[str, Any] = field(default_factory=dict)


def publish(session: Session, news: Iterable[News], at: datetime) -> int:
    """Number and keep the news, and wake the listeners after the commit; returns the newest id, 0 without news.

    Takes the topics' rows in the order of their names, so that two publishers cannot wait for each other;
    call it once, at the end of a transaction.
    """
    rows = [_row_of(message, at) for message in sorted(news, key=lambda item: item.topic)]
    if not rows:
        return 0
    connection = session.connection()
    on_postgresql = connection.dialect.name == "postgresql"
    if on_postgresql:
        session.info.setdefault(CHANNELS, set()).update(channel(row["of"]) for row in rows)
    if on_postgresql and len(rows) == 1:  # count and keep in one: each statement is a way there and back
        return int(connection.execute(_PUBLISH, rows[0]).scalar_one())
    if on_postgresql:
        given = [{"topic": row["of"], "place": place, **_plain(row)} for place, row in enumerate(rows)]
        return int(connection.execute(_PUBLISH_MANY, {"rows": given}).scalar_one())
    many = Counter(row["of"] for row in rows)
    last = dict(connection.execute(_COUNT_MANY, [{"topic": of, "last": more} for of, more in many.items()]).all())
    for row in reversed(rows):
        row["number"] = last[row["of"]]
        last[row["of"]] -= 1
    return int(max(connection.scalars(_KEEP, rows)))


def _row_of(news: News, at: datetime) -> dict[str, Any]:
    """Return what the statements that publish are executed with."""
    return {"of": news.topic, "kind": news.kind, "data": dict(news.data), "at": at}


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


def channel(topic: str) -> str:
    """Return the channel by which PostgreSQL tells that there is something new on a topic."""
    return f"so_{blake2s(topic.encode(), digest_size=10).hexdigest()}"


class Listener:
    """Tells when something was published on some topics, by whatever process; on SQLite on any topic.

    One a process; not for several threads.
    """

    def __init__(self, database: Database, topics: Iterable[str] = ()) -> None:
        self._sqlite = database.sqlite
        self._lost = _driver_error(database)
        self._connection = connection = database.listening_connection()
        self._version = -1
        self._seen = 0
        if self._sqlite:
            self._seen = self._newest() or 0
        else:
            connection.autocommit = True
        self._channels: set[str] = set()
        self.follow(topics)

    def follow(self, topics: Iterable[str]) -> bool:
        """Listen to these topics and no others; says whether some are new: ask :func:`since` once then."""
        if self._sqlite:
            return False
        wanted = {channel(topic) for topic in topics}
        new, gone = sorted(wanted - self._channels), sorted(self._channels - wanted)
        if new or gone:
            try:
                self._connection.execute(";".join([*map("LISTEN {}".format, new), *map("UNLISTEN {}".format, gone)]))
            except self._lost as error:
                raise Unreachable(str(error)) from error
            self._channels = wanted
        return bool(new)

    def wait(self, timeout: float) -> bool:
        """Return true as soon as there is something new, false after *timeout* seconds without.

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

    def _notified(self, timeout: float) -> bool:
        return any(True for _ in self._connection.notifies(timeout=timeout, stop_after=1))

    def _poll(self, timeout: float) -> bool:
        end = time.monotonic() + timeout
        while not (newer := self._newest()) and (left := end - time.monotonic()) > 0:
            time.sleep(min(POLL_INTERVAL, left))
        return bool(newer)

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


def arrive(database: Database, patience: float = 10.0) -> bool:
    """Say whether news reach a listener: behind a pooler they may not, and nothing else would tell."""
    if database.sqlite:
        return True
    listener = Listener(database, [""])
    try:
        database.announce([channel("")])
        return listener.wait(patience)
    finally:
        listener.close()


def _driver_error(database: Database) -> type[Exception]:
    module: Any = database.engine.dialect.dbapi
    error: type[Exception] = module.Error
    return error


def _counting(statement: Any) -> Any:
    """Return the statement for topics' last numbers; their rows stay locked, so numbers come in commit order."""
    streams: Any = Stream.__table__
    more = {"last": streams.c.last + statement.excluded.last}
    return statement.on_conflict_do_update(index_elements=[streams.c.topic], set_=more).returning(*streams.c)


def _publishing() -> Any:
    """Return the statement that publishes one on PostgreSQL; it is executed with :func:`_row_of`."""
    counted = _counting(postgresql.insert(Stream).values(topic=bindparam("of"), last=1)).cte("counted")
    given = {"topic": bindparam("of", type_=_events.c.topic.type), "number": counted.c.last}
    given |= {name: bindparam(name, type_=_events.c[name].type) for name in ("kind", "data", "at")}
    kept = insert(_events).from_select(list(given), select(*given.values())).returning(_events.c.id).cte("kept")
    return select(kept.c.id)


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    return {"kind": row["kind"], "data": row["data"], "at": row["at"].isoformat()}


def _publishing_many() -> Any:
    """Return the statement that publishes several on PostgreSQL; ``rows`` are in the order of their topics."""
    streams: Any = Stream.__table__
    columns: list[Any] = [column("topic", Text), column("place", Integer), column("kind", Text), column("data", JSON),
               column("at", _events.c.at.type)]  # fmt: skip
    rows = func.json_to_recordset(bindparam("rows", type_=JSON)).table_valued(*columns).render_derived(with_types=True)
    given = select(rows).cte("given")
    topics: Any = select(given.c.topic, func.count()).group_by(given.c.topic).order_by(given.c.topic)
    counted = _counting(postgresql.insert(streams).from_select(["topic", "last"], topics)).cte("counted")
    left = func.count().over(partition_by=given.c.topic)
    place = func.row_number().over(partition_by=given.c.topic, order_by=given.c.place)
    one = (
        select(given.c.topic, (counted.c.last - left + place).label("number"), given.c.kind, given.c.data, given.c.at)
        .join(counted, counted.c.topic == given.c.topic)
        .order_by(given.c.place)
    )
    kept = insert(_events).from_select(["topic", "number", "kind", "data", "at"], one).returning(_events.c.id)
    return select(func.max(kept.cte("kept").c.id))


_events: Any = LiveEvent.__table__
_KEEP = insert(_events).values(topic=bindparam("of")).returning(_events.c.id)
_COUNT_MANY = _counting(sqlite.insert(Stream))
_PUBLISH_MANY = _publishing_many()
_PUBLISH = _publishing()
"""Built once, like all statements that every write needs: building one takes longer than executing it."""
