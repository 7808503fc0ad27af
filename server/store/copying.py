"""Moving everything from one database to another of either kind: every row of every table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, Integer, Table, bindparam, func, insert, select, update
from sqlalchemy.engine import URL

from server.store import migrate
from server.store.database import Database
from server.store.errors import MigrationError, StorageError
from server.store.in_use import refuse_if_in_use
from server.store.tables import Base

BATCH = 500
"""Rows read and written at a time."""

Progress = Callable[[int, int], None]
"""Called with how many tables are copied, and how many there are."""


class NotEmpty(StorageError):
    """The database that everything should go to holds something already; nothing was changed."""


def copy(source: str | URL, target: str | URL, progress: Progress | None = None) -> dict[str, int]:
    """Copy all rows and compare both sides; returns how many rows each table has.

    One transaction: the target has everything or nothing. Raises :class:`StorageError` where someone uses the
    source, its schema is not this program's, or the target holds anything.
    """
    if wrong := migrate.mismatch(migrate.current(source), exactly=True):
        raise MigrationError(wrong)
    refuse_if_in_use(source)
    migrate.upgrade(target)
    tables = Base.metadata.sorted_tables
    before, counts = Database(source), {}
    try:
        with before.read() as session, migrate.locked(target) as after:
            taken = [table.name for table in tables if after.execute(select(table).limit(1)).first() is not None]
            if taken:
                raise NotEmpty(f"the database to copy to is not empty: it has rows in {', '.join(taken)}")
            for number, table in enumerate(tables, 1):
                counts[str(table.name)] = _copy(table, session.connection(), after)
                if progress is not None:
                    progress(number, len(tables))
    finally:
        before.close()
    return counts


def _copy(table: Table, before: Connection, after: Connection) -> int:
    """Copy a table; what its rows refer to among themselves is filled in when all are there."""
    inner = [key.parent for key in table.foreign_keys if key.column.table is table and not key.parent.primary_key]
    there, count, references = 0, 0, []
    for rows in before.execute(select(table).execution_options(yield_per=BATCH)).mappings().partitions():
        given = [dict(row) for row in rows]
        there, count = there + _sum(row.values() for row in given), count + len(given)
        references += [_reference(table, row, column) for row in given for column in inner if row[column.name]]
        after.execute(insert(table), [row | dict.fromkeys((column.name for column in inner), None) for row in given])
    for column in inner:
        mine = [reference for reference in references if column.name in reference]
        if mine:
            key = [column == bindparam(f"key_{column.name}") for column in table.primary_key]
            after.execute(update(table).where(*key).values({column: bindparam(column.name)}), mine)
    _number_on(table, after)
    arrived = _sum(after.execute(select(table).execution_options(yield_per=BATCH)))
    if arrived != there:
        raise MigrationError(f"what arrived in {table.name} is not what was sent; nothing was kept")
    return count


def _reference(table: Table, row: dict[str, Any], column: Any) -> dict[str, Any]:
    return {f"key_{key.name}": row[key.name] for key in table.primary_key} | {column.name: row[column.name]}


def _sum(rows: Iterable[Iterable[Any]]) -> int:
    """Return a number that is the same for the same rows in whatever order."""
    found = 0
    for row in rows:
        found += int.from_bytes(sha256(repr(tuple(row)).encode()).digest()[:16])
    return found


def _number_on(table: Table, connection: Connection) -> None:
    """Let PostgreSQL give the next row the number after the last; SQLite does so automatically."""
    key, *others = table.primary_key.columns
    if connection.dialect.name == "postgresql" and not others and isinstance(key.type, Integer):
        newest = connection.execute(select(func.max(key))).scalar_one()
        if newest is not None:
            connection.execute(select(func.setval(func.pg_get_serial_sequence(table.name, key.name), newest)))
