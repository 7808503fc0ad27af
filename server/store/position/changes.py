"""Writing the changed rows of all tables of positions by one statement; each kind of database has its own way.

The rows of a phase that go with them (:data:`BESIDE`) take no statement of their own.

PostgreSQL carries out several changes in one statement: a ``WITH`` with a part for each table and kind of change. In
SQLite only triggers do: rows that go into the view ``position_changes``, which keeps nothing, are written to their
tables by its triggers. View and triggers belong to a connection, not to the file, and are made from the tables.

Foreign keys hold when the statement ends, so the order of the tables does not matter.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any, cast

import orjson
from sqlalchemy import Column, Connection, Dialect, LargeBinary, Table, TextClause, text
from sqlalchemy.dialects import postgresql
from sqlalchemy.types import TypeDecorator

from server.store.position.rows import SHEETS, table
from server.store.tables import Deadline, OrderSet, PhaseStanding, Salt

BESIDE = table(Deadline), table(OrderSet), table(PhaseStanding), table(Salt)
"""Tables of a phase whose rows may be written with a position."""

Row = tuple[Any, ...]
"""Values in the order of the table's columns, without the campaign's id; of a deleted row only its key."""


@dataclass(slots=True)
class Changes:
    """What is to be done with the rows of one table."""

    table: Table
    inserted: list[Row] = field(default_factory=list)
    updated: list[Row] = field(default_factory=list)
    deleted: list[Row] = field(default_factory=list)

    @property
    def kinds(self) -> Iterator[tuple[str, Sequence[Row]]]:
        """Yield each kind of change there is, by its word in SQL, with its rows."""
        return ((kind, rows) for kind in _KINDS if (rows := getattr(self, _KINDS[kind])))


_KINDS = {"INSERT": "inserted", "UPDATE": "updated", "DELETE": "deleted"}


def changed_rows(
    connection: Connection, table: Table, new: Iterable[Mapping[str, Any]], old: Iterable[Mapping[str, Any]] = ()
) -> Changes:
    """Return new rows of one of :data:`BESIDE`, and old ones that have changed; each given by its values by column."""
    columns = list(table.c)[1:]
    dialect = connection.dialect

    def rows(given: Iterable[Mapping[str, Any]]) -> list[Row]:
        return [tuple(_kept(column, row[column.name], dialect) for column in columns) for row in given]

    return Changes(table, rows(new), rows(old))


def _kept(column: Column[Any], value: Any, dialect: Dialect) -> Any:
    """Return a value as the database keeps it, times as text."""
    if isinstance(column.type, TypeDecorator):
        value = column.type.process_bind_param(value, dialect)
    return value.isoformat(" ", "microseconds") if isinstance(value, datetime) else value


def write(connection: Connection, changes: Mapping[str, Sequence[Changes]]) -> int:
    """Carry out the changes, by campaign; returns how many rows were touched."""
    if connection.dialect.name == "sqlite":
        given = [
            (campaign_id, change.table.name, change.inserted, change.updated, change.deleted)
            for campaign_id, theirs in changes.items()
            for change in theirs
        ]
        driver: Any = connection.connection.dbapi_connection
        before = driver.total_changes
        connection.execute(_ON_SQLITE, {"changes": _json(given)})
        return int(driver.total_changes - before)
    parts: dict[tuple[Table, str], list[Row]] = {}
    for campaign_id, theirs in changes.items():
        for change in theirs:
            for kind, rows in change.kinds:
                parts.setdefault((change.table, kind), []).extend((campaign_id, *row) for row in rows)
    statement = _on_postgresql(tuple(sorted(parts, key=_place)))
    rows_of = {_name(table, kind): _json(rows) for (table, kind), rows in parts.items()}
    return int(connection.execute(statement, rows_of).scalar_one())


def _json(rows: Sequence[Any]) -> str:
    return orjson.dumps(rows, default=bytes.hex).decode()


# --- PostgreSQL ---

_POSTGRESQL = cast(Any, postgresql.dialect)()


@lru_cache(maxsize=1024)
def _on_postgresql(parts: tuple[tuple[Table, str], ...]) -> TextClause:
    """Return the statement for these tables and kinds of change; it gives the number of rows."""
    names = [_name(*part) for part in parts]
    written = ",\n".join(f"{name} AS ({_part(*part)} RETURNING 1)" for name, part in zip(names, parts, strict=True))
    counted = " + ".join(f"(SELECT count(*) FROM {name})" for name in names)
    return text(f"WITH {written}\nSELECT {counted}")


def _place(part: tuple[Table, str]) -> str:
    """Return what parts are sorted by: the same parts are the same statement, however they came together."""
    return _name(*part)


def _name(table: Table, kind: str) -> str:
    return f"{_KINDS[kind]}_{table.name}"


def _part(table: Table, kind: str) -> str:
    rows = f"jsonb_array_elements(CAST(:{_name(table, kind)} AS JSONB)) AS given (one)"
    campaign, *values = (_on_postgresql_of(table, at) for at in range(len(table.c)))
    return _change(table, kind, campaign, rows, values)


def _on_postgresql_of(table: Table, at: int) -> str:
    """Return the value of the column at that place, the first of which is the campaign's id."""
    type_ = table.c[at].type
    if _binary(type_):
        return f"decode(one ->> {at}, 'hex')"
    return f"CAST(one ->> {at} AS {type_.compile(_POSTGRESQL)})"


# --- SQLite ---

_ON_SQLITE = text(
    "INSERT INTO position_changes SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'),"
    " json_extract(value, '$[2]'), json_extract(value, '$[3]'), json_extract(value, '$[4]') FROM json_each(:changes)"
)


def define(connection: sqlite3.Connection) -> None:
    """Give a connection the view that changes go into, and its triggers."""
    connection.create_function("from_hex", 1, bytes.fromhex, deterministic=True)
    connection.execute(
        "CREATE TEMP VIEW position_changes AS"
        " SELECT '' AS campaign_id, '' AS name, '' AS inserted, '' AS updated, '' AS deleted"
    )
    for one in (*(sheet.table for sheet in SHEETS), *BESIDE):
        connection.execute(_trigger(one))


@lru_cache
def _trigger(table: Table) -> str:
    values = [_on_sqlite_of(table, at) for at in range(len(table.c) - 1)]
    parts = [
        _change(table, kind, "NEW.campaign_id", _rows_on_sqlite(f"NEW.{rows}"), values)
        for kind, rows in _KINDS.items()
        if _may(table, kind)
    ]
    return (
        f"CREATE TEMP TRIGGER write_{table.name} INSTEAD OF INSERT ON position_changes"
        f" WHEN NEW.name = '{table.name}' BEGIN {'; '.join(parts)}; END"
    )


def _rows_on_sqlite(given: str) -> str:
    """Return the rows as SQLite looks at each of them once: without the limit, once for each row of the campaign."""
    return f"(SELECT value FROM json_each({given}) LIMIT -1) AS given"


def _may(table: Table, kind: str) -> bool:
    """Say whether there is such a change: rows that are all key are never updated, the campaign's one never deleted."""
    keys = len(table.primary_key)
    return kind == "INSERT" or (keys < len(table.c) if kind == "UPDATE" else keys > 1)


def _on_sqlite_of(table: Table, at: int) -> str:
    value = f"json_extract(value, '$[{at}]')"
    return f"from_hex({value})" if _binary(table.c[at + 1].type) else value


# --- both ---


def _binary(type_: Any) -> bool:
    return isinstance(type_.impl_instance if isinstance(type_, TypeDecorator) else type_, LargeBinary)


def _change(table: Table, kind: str, campaign: str, rows: str, values: Sequence[str]) -> str:
    """Return the statement for one table: *rows* is where the rows stand, *values* what each column takes of one."""
    columns = [f'"{column.name}"' for column in table.c][1:]
    if kind == "INSERT":
        return (
            f"INSERT INTO {table.name} (campaign_id, {', '.join(columns)})"
            f" SELECT {campaign}, {', '.join(values)} FROM {rows}"
        )
    keys = len(table.primary_key) - 1
    if kind == "DELETE":
        these = f"SELECT {campaign}, {', '.join(values[:keys])} FROM {rows}"
        return f"DELETE FROM {table.name} WHERE (campaign_id, {', '.join(columns[:keys])}) IN ({these})"
    named = list(zip(columns, values, strict=True))
    this = [f"{table.name}.{column} = {value}" for column, value in named[:keys]]
    where = " AND ".join([f"{table.name}.campaign_id = {campaign}", *this])
    new = ", ".join(f"{column} = {value}" for column, value in named[keys:])
    return f"UPDATE {table.name} SET {new} FROM {rows} WHERE {where}"
