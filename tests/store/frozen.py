"""A database of the first revision with a campaign in it, kept as a file: what every later program must still open.

``first_revision.json.gz`` was written once, by ``python -m tests.store.frozen``, when the first revision was the only
one. It is never written again: it stands for the clubs that began with it.
"""

from __future__ import annotations

import base64
import gzip
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import Connection, DateTime, LargeBinary, MetaData, Table, insert, select

from tests.store import databases
from tests.store.filling import PACKED_JSON

FILE = Path(__file__).with_name("first_revision.json.gz")


MOVED = {("users", "last_seen_at"): ("visits", "user_id")}
"""Columns that stand in another table by now, and what names their row there."""

GONE = {("seats", "mail_key")}
"""Columns that nothing ever filled."""


def thaw(connection: Connection) -> dict[str, list[tuple[Any, ...]]]:
    """Put the rows into a database of the first revision; return what it holds then."""
    kept = orjson.loads(gzip.decompress(FILE.read_bytes()))
    tables = _tables(connection)
    for table in tables:
        rows = [{name: _thawed(table, name, value) for name, value in row.items()} for row in kept[table.name]]
        if rows:
            connection.execute(insert(table), rows)
            databases.count_on(connection, table)
    return held(connection)


def held(connection: Connection) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of the columns that the first revision had, sorted."""
    kept = orjson.loads(gzip.decompress(FILE.read_bytes()))
    found = {}
    for table in _tables(connection):
        names = [name for name in (kept.get(table.name) or [{}])[0] if (str(table.name), name) not in GONE]
        if names:
            rows = connection.execute(select(*(_column(table, name) for name in names)))
            packed = [f"{table.name}.{name}" in PACKED_JSON for name in names]
            found[table.name] = sorted((tuple(map(_held, packed, row)) for row in rows), key=repr)
    return found


def _column(table: Table, name: str) -> Any:
    """Return a column, from where it stands by now."""
    if name in table.c or (table.name, name) not in MOVED:
        return table.c[name]
    where, key = MOVED[table.name, name]
    now = table.metadata.tables[where]
    return select(now.c[name]).where(now.c[key] == table.c.id).scalar_subquery()


def _held(packed: bool, value: Any) -> Any:
    """Return a value; what was JSON in the first revision as JSON, though its column has bytes today."""
    return orjson.loads(value) if packed and isinstance(value, bytes) else value


def freeze(connection: Connection) -> None:
    """Write the file."""
    kept = {
        str(table.name): [
            {str(name): _frozen(value) for name, value in row.items()}
            for row in connection.execute(select(table)).mappings()
        ]
        for table in _tables(connection)
    }
    FILE.write_bytes(gzip.compress(orjson.dumps(kept), 9, mtime=0))


def _tables(connection: Connection) -> list[Table]:
    metadata = MetaData()
    metadata.reflect(connection)
    return [table for table in metadata.sorted_tables if table.name != "alembic_version"]


def _frozen(value: Any) -> Any:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return value.isoformat() if isinstance(value, datetime) else value


def _thawed(table: Table, name: str, value: Any) -> Any:
    type_ = table.c[name].type
    if value is None:
        return None
    if isinstance(type_, LargeBinary):
        return base64.b64decode(value)
    if isinstance(type_, DateTime):
        return datetime.fromisoformat(value + ("+00:00" if type_.timezone else ""))
    return value


def _write() -> None:
    from server.play.context import AppContext
    from server.play.messages import messages
    from server.settings import Settings
    from server.store.database import Database, single_engine
    from tests.play.campaigns import club
    from tests.play.conftest import Clock
    from tests.store import databases

    with databases.migrated("sqlite", "freeze") as url:
        ctx = AppContext(Database(url), Settings.model_validate({}), Clock())
        made = club(ctx)
        messages.send(ctx, made.players["p1"], made.id, ["p2"], "Peace?", subject="About 0206")
        for _ in range(7):
            made.play_phase()
        made.order("p1", final=False)
        ctx.close()
        ctx.database.close()
        engine = single_engine(url)
        with engine.connect() as connection:
            freeze(connection)
        engine.dispose()


if __name__ == "__main__":
    _write()
