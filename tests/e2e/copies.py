"""Copies of a filled database, so that the same campaign can be played twice."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.engine import URL

from server.store import copying, migrate
from server.store.distribute import distribute
from tests.store import databases


@contextmanager
def copied(kind: str, url: URL, name: str) -> Iterator[URL]:
    """A copy of a database nobody is connected to, gone afterwards."""
    with databases.empty(kind, name) as copy:
        if kind == "sqlite":
            with sqlite3.connect(str(url.database)) as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.close()
            shutil.copyfile(str(url.database), Path(str(copy.database)))
        elif databases.CITUS:
            migrate.upgrade(copy)
            distribute(copy)
            copying.copy(url, copy)
        else:
            databases._administer(
                f"DROP DATABASE {copy.database}", f"CREATE DATABASE {copy.database} TEMPLATE {url.database}"
            )
        yield copy
