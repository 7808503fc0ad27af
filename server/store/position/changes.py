"""Rows of positions and phases that are written together: a statement for each table and kind of change.

PostgreSQL gets the rows of all changes as arrays, a column each, so that they are one way there and, on a cluster, one
from machine to machine.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from sqlalchemy import (
    ARRAY,
    Column,
    Connection,
    Executable,
    Table,
    Text,
    bindparam,
    column,
    delete,
    func,
    insert,
    update,
)

from server.store.errors import StalePosition
from server.store.tables import Base

Row = Mapping[str, Any]
"""Values by column; of a deleted row only its key."""
_PLACES = {table: place for place, table in enumerate(Base.metadata.sorted_tables)}
"""Tables that others refer to come before them."""
_NEW = "new_"
"""Begins the names of parameters: SQLAlchemy keeps the columns' own names for itself."""


def _rows() -> dict[Table, list[Row]]:
    return defaultdict(list)


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes to rows, of any number of campaigns."""

    inserted: dict[Table, list[Row]] = field(default_factory=_rows)
    updated: dict[Table, list[Row]] = field(default_factory=_rows)
    deleted: dict[Table, list[Row]] = field(default_factory=_rows)

    def insert(self, table: Table, rows: Iterable[Row]) -> None:
        """Add rows that are new."""
        self.inserted[table].extend(rows)

    def update(self, table: Table, rows: Iterable[Row]) -> None:
        """Add rows that are there, with all their values."""
        self.updated[table].extend(rows)

    def delete(self, table: Table, rows: Iterable[Row]) -> None:
        """Add the keys of rows that are there."""
        self.deleted[table].extend(rows)

    def write(self, connection: Connection) -> None:
        """Carry out the changes; :class:`StalePosition` where a row that should change is not there."""
        for table in sorted({*self.inserted, *self.updated}, key=_PLACES.__getitem__):
            if new := self.inserted.get(table):
                connection.execute(insert(table), new)
            if changed := self.updated.get(table):
                _change(connection, table, changed, delete_them=False)
        for table in sorted(self.deleted, key=_PLACES.__getitem__, reverse=True):
            if gone := self.deleted[table]:
                _change(connection, table, gone, delete_them=True)


def _change(connection: Connection, table: Table, rows: Sequence[Row], *, delete_them: bool) -> None:
    columns = table.primary_key.columns.keys() if delete_them else table.columns.keys()
    if connection.dialect.name == "postgresql":
        given: Any = {_NEW + name: [row[name] for row in rows] for name in columns}
        given["of"] = sorted({row["campaign_id"] for row in rows})
        statement = _together(table, delete_them=delete_them)
    else:
        given = [{_NEW + name: row[name] for name in columns} for row in rows]
        statement = _each(table, delete_them=delete_them)
    touched = connection.execute(statement, given).rowcount
    if touched != len(rows):
        raise StalePosition(f"{touched} rows of {len(rows)} are as they were left")


@cache
def _each(table: Table, *, delete_them: bool) -> Executable:
    """Return the statement that changes a row."""
    keys = (column == bindparam(_NEW + column.name) for column in table.primary_key)
    if delete_them:
        return delete(table).where(*keys)
    return update(table).where(*keys).values({c.name: bindparam(_NEW + c.name) for c in _values(table)})


@cache
def _together(table: Table, *, delete_them: bool) -> Executable:
    """Return the statement that changes any number of rows; a cluster finds their machine by their campaigns."""
    columns = list(table.primary_key if delete_them else table.c)
    arrays = (bindparam(_NEW + c.name, type_=ARRAY(c.type, dimensions=1)) for c in columns)
    new = func.unnest(*arrays).table_valued(*(column(c.name, c.type) for c in columns), name="new").render_derived()
    of = table.c.campaign_id == func.any(bindparam("of", type_=ARRAY(Text)))
    which = (of, *(c == new.c[c.name] for c in table.primary_key))
    if delete_them:
        return delete(table).where(*which)
    return update(table).where(*which).values({c.name: new.c[c.name] for c in _values(table)})


def _values(table: Table) -> list[Column[Any]]:
    return [column for column in table.c if not column.primary_key]
