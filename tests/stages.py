"""Stages: what takes long to play is played once in each test process; who comes later begins with a copy of it.

Only where the database is empty: then it makes no difference to what follows.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Hashable
from contextlib import closing
from typing import Any, TypeVar

from sqlalchemy import func, select

from server.play.context import AppContext, utc_now
from server.store.clock import DatabaseClock
from server.store.database import Database
from server.store.tables import User
from server.store.tables.base import Base
from tests.store import databases

T = TypeVar("T")
Restore = Callable[[Database], None]

_kept: dict[Hashable, tuple[Any, Restore]] = {}
"""What was told of each stage, and what sets it up again."""


def staged(ctx: AppContext, name: Hashable, prepare: Callable[[], T]) -> T:
    """Return what *prepare* gives, which is called only where nothing of that name is kept that was made the same way.

    The name alone must say what is prepared; the result must not be changed. Addresses that differ
    in each test (of the database, of a mail server) are in none of the rows.
    """
    if _somebody_is_here(ctx.database):
        return prepare()
    now = None if ctx.clock is utc_now or isinstance(ctx.clock, DatabaseClock) else ctx.clock()
    key = (name, now, ctx.database.sqlite, ctx.settings.model_dump_json(exclude={"database_url", "smtp_port"}))
    if key in _kept:
        _kept[key][1](ctx.database)
    else:
        _kept[key] = prepare(), _keep(ctx.database)
    told: T = _kept[key][0]
    return told


def _somebody_is_here(database: Database) -> bool:
    with database.read() as session:
        return bool(session.scalar(select(func.count()).select_from(User)))


def _keep(database: Database) -> Restore:
    return _keep_file(database) if database.sqlite else _keep_rows(database)


def _keep_file(database: Database) -> Restore:
    kept = sqlite3.connect(":memory:", check_same_thread=False)
    with closing(sqlite3.connect(str(database.url.database))) as file:
        file.backup(kept)

    def restore(to: Database) -> None:
        with closing(sqlite3.connect(str(to.url.database))) as file:
            kept.backup(file)

    return restore


def _keep_rows(database: Database) -> Restore:
    with database.engine.connect() as connection:
        kept = [
            (table, [dict(row) for row in connection.execute(table.select()).mappings()])
            for table in Base.metadata.sorted_tables
        ]

    def restore(to: Database) -> None:
        with to.engine.begin() as connection:
            for table in reversed(Base.metadata.sorted_tables):  # a server that starts writes a beat
                connection.execute(table.delete())
            for table, rows in kept:
                if rows:
                    connection.execute(table.insert(), rows)
                    databases.count_on(connection, table)

    return restore
