"""Finds connections to a database that is about to be replaced or moved."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.engine import URL

from server.store.database import normalised, single_engine, translated
from server.store.errors import Occupied

_OTHERS = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
AND NOT starts_with(application_name, 'citus_internal')
"""
"""Connections of programs; the machines of a Citus cluster always have some to each other."""


def refuse_if_in_use(url: str | URL) -> None:
    """Raise :class:`Occupied` while another process has the database open: what it writes meanwhile would be lost.

    A PostgreSQL server counts its connections. SQLite lets nobody leave the write-ahead log while others have the
    file open; who is alone enters it again with the next transaction.
    """
    parsed = normalised(url)
    if parsed.get_backend_name() == "sqlite":
        _must_be_alone(Path(str(parsed.database)))
        return
    engine = single_engine(parsed)
    try:
        with translated(), engine.connect() as connection:
            others = connection.execute(text(_OTHERS)).scalar_one()
    finally:
        engine.dispose()
    if others:
        raise Occupied(f"the database {parsed.database} has {others} other connections: stop the server first")


def _must_be_alone(path: Path) -> None:
    if not path.is_file():
        return
    with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as connection:
        try:
            connection.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorname.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
                raise Occupied(f"another process has {path} open: stop the server first") from None
            raise
