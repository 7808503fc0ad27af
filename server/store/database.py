"""The way to the database: one engine, and transactions that either read or write.

SQLite and PostgreSQL behave alike here. ``read()`` sees one moment throughout and cannot write;
``write()`` is one transaction: it saves everything or nothing. On SQLite a writer takes the write lock at
its start (``BEGIN IMMEDIATE``), so what it has read cannot change under it; on PostgreSQL it
locks what it needs, see :func:`lock_campaign` and :func:`lock_campaign_shared`.
"""

from __future__ import annotations

import os
import select as sockets
import sqlite3
import threading
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cached_property
from queue import Empty, SimpleQueue
from typing import Any, Protocol

from sqlalchemy import Connection, Engine, Executable, Row, Select, create_engine, event, select, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError, InvalidatePoolError, TimeoutError
from sqlalchemy.orm import Session
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

from server.store.errors import Busy, StorageError, Unreachable, sorted_out
from server.store.tables import Campaign

BUSY_TIMEOUT = 10.0
"""Seconds a transaction waits for a lock (SQLite: for the write lock) before it fails with :class:`Busy`."""
POOL_SIZE = 10
"""Connections kept open."""
POOL_OVERFLOW = 30
"""Connections opened beyond, so that each of the server's 40 worker threads can have one."""
POOL_TIMEOUT = 30.0
"""Seconds to wait for a free connection."""
TRUSTED = 30.0
"""Seconds after its last use for which a PostgreSQL connection is not asked whether it still lives."""
CONNECT_TIMEOUT = 5
"""Seconds to wait for a PostgreSQL server to answer."""
WAL_LIMIT = 64 * 1024 * 1024
"""Bytes to which SQLite's write-ahead log is cut back after a checkpoint."""


class AlsoWrites(Protocol):
    """What must be kept together with a write."""

    def begin(self, session: Session) -> None:
        """Do what comes first in the transaction."""

    def end(self, session: Session) -> None:
        """Do what comes last in it."""


ALSO_WRITE: ContextVar[AlsoWrites | None] = ContextVar("also_write", default=None)
"""Called at the beginning and at the end of every ``write()`` of the context that is not aside."""

_WRITES = "sealed_orders_writes"
"""Execution option of connections whose transactions write; None: there are no transactions."""
CHANNELS = "channels"
"""In a session's ``info``: the channels to announce at after its commit."""
_NOTIFY = text(
    "SELECT set_config('synchronous_commit', 'off', true), pg_notify(channel, '')"
    " FROM unnest(CAST(:channels AS text[])) AS channel"
)
"""NOTIFY writes nothing that must outlive a crash: transactions with it come one after the other, none for the disk."""
_HAS_CLUSTER = text("SELECT to_regclass('pg_dist_partition') IS NOT NULL")
_SPREAD = text("SELECT 1 FROM pg_dist_partition WHERE logicalrelid = CAST(:name AS regclass) AND partmethod = 'h'")
PAUSE = 0.02
"""Seconds after an announcement until the next: what is due by then is announced at once."""
_USED = "sealed_orders_used"
"""When a connection was given back."""


class Database:
    """Two kinds of transaction, and the engines they run on.

    On SQLite each kind has connections of its own: to let one that reads write, or to forbid it again, has SQLite
    prepare all its statements again, which took a quarter of a resolution.
    """

    def __init__(
        self, url: str | URL, *, pool_size: int = POOL_SIZE, max_overflow: int = POOL_OVERFLOW, prepare: bool = True,
        listen_url: str | URL = "",
    ) -> None:  # fmt: skip
        """Open nothing yet. Without *prepare*, PostgreSQL keeps no statements; *listen_url* is for LISTEN alone."""
        self.url = normalised(url)
        self.engine = _engine(self.url, pool_size, max_overflow, prepare=prepare)
        self._listening = self.engine if listen_url in ("", self.url) else single_engine(listen_url)
        reading: dict[str, Any] = {_WRITES: False}
        readers = self.engine
        if self.sqlite:
            readers = _engine(self.url, pool_size, max_overflow, writes=False)
        else:
            reading |= {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        self.engines = tuple(dict.fromkeys((self.engine, readers)))
        """That of ``write()`` first; on PostgreSQL it is the only one."""
        self._reading = readers.execution_options(**reading)
        self._writing = self.engine.execution_options(**{_WRITES: True})
        single: dict[str, Any] = {_WRITES: None} if self.sqlite else {"isolation_level": "AUTOCOMMIT"}
        self._single = readers.execution_options(**single)
        self._turn = threading.Lock() if self.sqlite else None
        """Writers of this process queue here: SQLite itself only lets them poll for its write lock."""
        self._due: SimpleQueue[str] = SimpleQueue()
        """Channels to announce at."""
        self._announcing = ThreadPoolExecutor(1, "announcing")

    @property
    def sqlite(self) -> bool:
        """True on SQLite, false on PostgreSQL."""
        return self.url.get_backend_name() == "sqlite"

    @cached_property
    def spread(self) -> bool:
        """True where campaigns are spread over the machines of a cluster; asked once."""
        if self.sqlite or not self.ask(_HAS_CLUSTER, {})[0][0]:
            return False
        return bool(self.ask(_SPREAD, {"name": Campaign.__tablename__}))

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A transaction that sees the database as it is at its first statement; writing in it is an error.

        It ends with a commit: a rollback would have psycopg forget the statements a connection has prepared.
        """
        with translated(), Session(self._reading, autoflush=False, expire_on_commit=False) as session:
            yield session
            session.expunge_all()
            session.commit()

    def ask(self, statement: Executable, values: Mapping[str, Any]) -> Sequence[Row[Any]]:
        """Return the rows of one statement, which needs no transaction: to begin and end one are two more ways there.

        *values* are what its parameters stand for.
        """
        with translated(), self._single.connect() as connection:
            return connection.execute(statement, values).all()

    @contextmanager
    def write(self, *, aside: bool = False) -> Iterator[Session]:
        """A transaction that is committed at the end, or undone when an exception leaves it.

        *aside*: it only prepares a write, so :data:`ALSO_WRITE` is not called.
        Raises :class:`Busy`, :class:`Full` or :class:`Unreachable`; trying again is the caller's decision.
        Rows that were read stay readable after the commit.
        """
        with self._in_turn(), translated(), Session(self._writing, expire_on_commit=False) as session, session.begin():
            session.connection()  # begin at once: on SQLite this takes the write lock
            also = None if aside else ALSO_WRITE.get()
            if also is not None:
                also.begin(session)
            yield session
            if also is not None:
                also.end(session)
        if channels := session.info.pop(CHANNELS, None):
            self.announce(channels)

    def announce(self, channels: Collection[str]) -> None:
        """Wake who listens at some of PostgreSQL's channels, soon: a thread does it, and nobody waits for it.

        If that fails, they look on their own after a time.
        """
        for channel in channels:
            self._due.put(channel)
        with suppress(RuntimeError):  # closed: who listens looks on their own
            self._announcing.submit(self._notify)

    def _notify(self) -> None:
        """Announce at once at all channels that are due."""
        due = set()
        with suppress(Empty):
            while True:
                due.add(self._due.get_nowait())
        if due:
            with suppress(DBAPIError, StorageError):
                self.ask(_NOTIFY, {"channels": sorted(due)})
            time.sleep(PAUSE)

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        if self._turn is None:
            yield
            return
        if not self._turn.acquire(timeout=BUSY_TIMEOUT):
            raise Busy(f"another transaction has been writing for {BUSY_TIMEOUT:g} seconds")
        try:
            yield
        finally:
            self._turn.release()

    def listening_connection(self) -> Any:
        """Return a connection of the driver that is the caller's own, for news."""
        with translated():
            pooled = self._listening.raw_connection()
        connection = pooled.driver_connection
        pooled.detach()
        return connection

    def check_ready(self) -> None:
        """Raise :class:`StorageError` unless the database answers."""
        with self.read() as session:
            session.execute(text("SELECT 1"))

    def close(self) -> None:
        """Announce what is due, and close all connections that are not in use."""
        self._announcing.shutdown()
        for engine in self.engines:
            engine.dispose()


def normalised(url: str | URL) -> URL:
    """Return the URL with our driver; :class:`ValueError` for databases that cannot be used.

    ``postgres://`` and ``postgresql://`` mean psycopg 3. SQLite needs a file: several threads share it.
    """
    parsed = make_url(url)
    backend = "postgresql" if parsed.drivername == "postgres" else parsed.get_backend_name()
    if backend == "postgresql":
        return parsed.set(drivername="postgresql+psycopg")
    if backend != "sqlite":
        raise ValueError(f"the database must be SQLite or PostgreSQL, not {backend}")
    if parsed.database in (None, "", ":memory:") or parsed.query.get("mode") == "memory":
        raise ValueError("SQLite needs a file, e.g. sqlite:///campaigns.db")
    return parsed.set(drivername="sqlite")


def lock_campaign(session: Session, campaign_id: str, *, wait: bool = False) -> Campaign | None:
    """Return the campaign, locked against every other claim and hold until the transaction ends.

    None when there is none of that id or, unless *wait*, someone else has it just now. In
    SQLite every ``write()`` excludes all others already.
    """
    query = select(Campaign).where(Campaign.id == campaign_id).execution_options(populate_existing=True)
    return session.scalars(_claiming(query, wait=wait)).one_or_none()


def claim(session: Session, campaign_ids: Sequence[str], *, wait: bool) -> list[str]:
    """Lock campaigns as :func:`lock_campaign` does, without reading them; return the ids of those that are locked."""
    query = select(Campaign.id).where(Campaign.id.in_(campaign_ids)).order_by(Campaign.id)
    return list(session.scalars(_claiming(query, wait=wait)))


def _claiming(query: Select[Any], *, wait: bool) -> Select[Any]:
    # FOR NO KEY UPDATE: messages and the like may still be added meanwhile, which FOR UPDATE forbids
    return query.with_for_update(key_share=True, skip_locked=not wait)


def lock_campaign_shared(session: Session, campaign_id: str) -> Campaign | None:
    """Return the campaign, which nobody can claim until the transaction ends; others may hold it, too.

    For writes that only need the phase to stay open, like handing in orders. Waits for a claim
    to end. None when there is none of that id.
    """
    query = select(Campaign).where(Campaign.id == campaign_id).execution_options(populate_existing=True)
    return session.scalars(query.with_for_update(read=True)).one_or_none()


@contextmanager
def translated() -> Iterator[None]:
    """Turn the driver's exception into our error if it is one of those."""
    try:
        yield
    except DBAPIError as error:
        known = sorted_out(error)
        if known is None:
            raise
        raise known from error
    except TimeoutError as error:
        raise Busy("all connections are in use") from error


# --- engines ---


def _engine(url: URL, pool_size: int, max_overflow: int, *, writes: bool = True, prepare: bool = True) -> Engine:
    pool: dict[str, Any] = {
        "pool_size": pool_size,
        "max_overflow": max_overflow,
        "pool_timeout": POOL_TIMEOUT,
        "hide_parameters": True,  # errors are logged, and orders and secrets must not be
    }
    if url.get_backend_name() == "sqlite":
        # isolation_level None: the driver begins no transactions of its own, _begin does
        arguments = {"isolation_level": None, "timeout": BUSY_TIMEOUT, "check_same_thread": False}
        engine = create_engine(url, connect_args=arguments, **pool)
        event.listen(engine, "do_connect", _keep_private)
        event.listen(engine, "connect", _tune)
        if not writes:
            event.listen(engine, "connect", _let_only_read)
        event.listen(engine, "begin", _begin)
        return engine
    # the connection used last comes first: its server process has prepared and seen what is asked for all the time
    engine = _postgresql(url, prepare=prepare, pool_use_lifo=True, **pool)
    event.listen(engine, "connect", _limit_waiting)
    event.listen(engine, "checkin", _note_the_time)
    event.listen(engine, "checkout", validate_on_checkout)
    return engine


def _postgresql(url: URL, *, prepare: bool = True, **more: Any) -> Engine:
    arguments = {"connect_timeout": CONNECT_TIMEOUT} | ({} if prepare else {"prepare_threshold": None})
    try:
        engine = create_engine(url, connect_args=arguments, **more)
    except ModuleNotFoundError as error:
        raise Unreachable("PostgreSQL needs the extra: pip install sealed-orders[postgresql]") from error
    engine.dialect.use_insertmanyvalues_wo_returning = True  # many rows in a statement, not a statement for each
    return engine


def make_private(path: str) -> None:
    """Make a file that is not there yet readable by its owner only; SQLite gives its log the rights of the file."""
    with suppress(OSError):  # one that is there keeps its rights; SQLite says why a file cannot be made
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _keep_private(_dialect: Any, _entry: ConnectionPoolEntry, arguments: list[Any], _options: dict[str, Any]) -> None:
    make_private(arguments[0])


def _tune(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    try:
        _log_ahead(cursor)
        # FULL, not NORMAL: after a power cut NORMAL may lose the last commits, and with them orders
        # that were acknowledged, or a phase whose mails have gone out already
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.execute(f"PRAGMA busy_timeout = {int(BUSY_TIMEOUT * 1000)}")
        cursor.execute(f"PRAGMA journal_size_limit = {WAL_LIMIT}")
    finally:
        cursor.close()


def _log_ahead(cursor: sqlite3.Cursor) -> None:
    """Use a write-ahead log. While others give the same new file one, SQLite refuses at once, so ask again."""
    end = time.monotonic() + BUSY_TIMEOUT
    while True:
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorname != "SQLITE_BUSY" or time.monotonic() > end:
                raise
            time.sleep(0.01)
        else:
            return


def _let_only_read(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    connection.execute("PRAGMA query_only = ON")


def _limit_waiting(connection: Any, _entry: ConnectionPoolEntry) -> None:
    """Let PostgreSQL give up on a lock as SQLite does."""
    connection.execute(f"SET lock_timeout = {int(BUSY_TIMEOUT * 1000)}")
    connection.commit()


def _note_the_time(_connection: Any, entry: ConnectionPoolEntry) -> None:
    entry.info[_USED] = time.monotonic()


def validate_on_checkout(connection: Any, entry: ConnectionPoolEntry, _fairy: Any) -> None:
    """Have the pool open another connection where the server has ended this one.

    A server that ends a connection says so, and the system says so for one that dies: there is something to read
    though nothing was asked. One that was idle for long is asked, for a network may drop it without a word.
    """
    used = entry.info.get(_USED)  # None: it has just been opened
    try:
        if used is not None and (time.monotonic() - used > TRUSTED or _has_said_something(connection)):
            connection.execute("SELECT 1")
            connection.rollback()
    except connection.OperationalError as error:
        raise InvalidatePoolError from error


def _has_said_something(connection: Any) -> bool:
    watch = sockets.poll()
    watch.register(connection.fileno(), sockets.POLLIN)
    return bool(watch.poll(0))


def _tune_for_migrations(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    connection.execute("PRAGMA foreign_keys = OFF")
    # a table that was made anew gets its name back while views that read it find none of that name
    connection.execute("PRAGMA legacy_alter_table = ON")


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get(_WRITES, True)
    if writes is not None:
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def single_engine(url: str | URL) -> Engine:
    """Return an engine for migrations: a connection at a time, SQLite without foreign keys.

    Tables that are rebuilt would take their children with them were foreign keys on.
    """
    parsed = normalised(url)
    if parsed.get_backend_name() != "sqlite":
        return _postgresql(parsed, poolclass=NullPool, hide_parameters=True)
    arguments = {"isolation_level": None, "timeout": BUSY_TIMEOUT}
    engine = create_engine(parsed, poolclass=NullPool, hide_parameters=True, connect_args=arguments)
    event.listen(engine, "do_connect", _keep_private)
    event.listen(engine, "connect", _tune)
    event.listen(engine, "connect", _tune_for_migrations)
    event.listen(engine, "begin", _begin)
    return engine
