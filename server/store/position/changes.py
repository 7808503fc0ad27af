"""Rows of positions and phases that are written together: a plain statement for each table and kind of change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from sqlalchemy import Connection, Executable, Table, bindparam, delete, insert, update

from server.store.errors import StalePosition
from server.store.tables import Base

Row = Mapping[str, Any]
"""Values by column; of a deleted row only its key."""
_PLACES = {table: place for place, table in enumerate(Base.metadata.sorted_tables)}
"""Tables that others refer to come before them."""
_KEY = "key_"
"""Begins the names of an update's keys: SQLAlchemy keeps the columns' own names for the new values."""


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
                keys = table.primary_key.columns.keys()
                rows = [{_KEY * (name in keys) + name: value for name, value in row.items()} for row in changed]
                _change(connection, _update(table), rows)
        for table in sorted(self.deleted, key=_PLACES.__getitem__, reverse=True):
            if gone := self.deleted[table]:
                _change(connection, _delete(table), gone)


def _change(connection: Connection, statement: Executable, rows: Sequence[Row]) -> None:
    touched = connection.execute(statement, rows).rowcount
    if touched != len(rows):
        raise StalePosition(f"{touched} rows of {len(rows)} are as they were left")


@cache
def _update(table: Table) -> Executable:
    keys = (column == bindparam(_KEY + column.name) for column in table.primary_key)
    return update(table).where(*keys).values({c.name: bindparam(c.name) for c in table.c if not c.primary_key})


@cache
def _delete(table: Table) -> Executable:
    return delete(table).where(*(column == bindparam(column.name) for column in table.primary_key))
