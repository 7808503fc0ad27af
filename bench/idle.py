"""What campaigns cost that wait for their deadline: so many of them on PostgreSQL, rows put in by bulk load.

``python -m bench.idle`` (``CAMPAIGNS=1000000``; ``SEALED_ORDERS_TEST_CITUS`` names a cluster).
"""

from __future__ import annotations

import os
import resource
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Table,
    Text,
    cast,
    func,
    insert,
    literal,
    null,
    select,
    text,
    update,
)

from bench.meters import cpu_of
from server.play.agenda import AGENDA
from server.play.campaigns.campaigns import NewCampaign
from server.play.campaigns.dashboard import find
from server.play.context import Actor, AppContext
from server.play.operating.administration import waiting
from server.play.schedule import ticker
from server.settings import Settings
from server.store.database import Database
from server.store.tables import Campaign, Phase
from tests.play.campaigns import Club, gathered
from tests.store import databases

COUNT = int(os.environ.get("CAMPAIGNS", "1000000"))
SECONDS = int(os.environ.get("SECONDS", "30"))
ROWS = (
    "campaign_dice", "branches", "phases", "deadlines", "order_sets", "seats", "agenda", "memberships", "positions",
    "players",
)  # fmt: skip
"""What a campaign's rows are copied of; the land is left out, for nothing that waits reads it."""
_SMALL: dict[str, Any] = {
    "invite_hash": None, "mail_key": None, "snapshot": None, "events": None, "board": {}, "ruleset_data": {},
}  # fmt: skip
"""Likewise."""
_DIGITS = 15
"""Of the number in a copy's id."""


def main() -> None:
    """Print the figures."""
    with databases.migrated("postgresql", "idle") as url:
        database = Database(url, pool_size=6, max_overflow=16)
        ctx = AppContext(database, Settings(_env_file=None))
        begun, empty = time.monotonic(), databases.size(database)
        one = load(ctx, COUNT)
        each = (databases.size(database) - empty) / COUNT
        print(f"campaigns: {COUNT}, loaded in {time.monotonic() - begun:.0f} s, {each / 1000:.1f} kB each")
        before = resource.getrusage(resource.RUSAGE_SELF)
        stop = threading.Event()
        ticking = threading.Thread(target=ticker.run, args=(ctx, stop))
        with _postgresql(database) as its:
            ticking.start()
            time.sleep(SECONDS)
        after = resource.getrusage(resource.RUSAGE_SELF)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(f"idle for {SECONDS} s: {spent / SECONDS:.2%} of a processor in the process, {its[0] / SECONDS:.2%} in")
        print(f"PostgreSQL; largest {after.ru_maxrss // 1024} MB, {(after.ru_maxrss - before.ru_maxrss) // 1024} more")
        due = ctx.now() + timedelta(seconds=3)
        with database.write() as session:
            for table, key in ((Phase, Phase.campaign_id), (Campaign, Campaign.id)):
                session.execute(update(table).where(key == one.id).values(deadline=due))
            AGENDA.touch(session, one.id)
        while one.info.phase_number == 1:
            time.sleep(0.01)
        print(f"a deadline 3 s ahead: resolved {(ctx.now() - due).total_seconds():.2f} s after it")
        begun = time.perf_counter()
        print(f"overdue: {waiting(ctx).overdue}, counted in {(time.perf_counter() - begun) * 1000:.1f} ms")
        lists: dict[str, Any] = {
            "the newest": {}, "to join": {"joinable": True}, "by a name of all": {"text": "idl"},
            "by a name of none": {"text": "nobody"},
        }  # fmt: skip
        for name, asked in lists.items():
            begun = time.perf_counter()
            count = len(find(ctx, Actor(), **asked).items)
            print(f"campaigns {name}: {count}, found in {(time.perf_counter() - begun) * 1000:.0f} ms")
        stop.set()
        ticking.join()
        database.close()


def load(ctx: AppContext, count: int) -> Club:
    """Put in so many campaigns of two whose deadline is in 30 days; returns the first, which the others copy."""
    options = {"deadlines": {"kind": "rolling", "hours": 24 * 30}, "warn_hours": [24]}
    one = gathered(ctx, "Gwen", NewCampaign("Idle", "the-pass", options=options), ["Ada", "Ben"])
    _copy(ctx.database, one.id, count - 1)
    return one


def _copy(database: Database, campaign_id: str, count: int) -> None:
    """Copy a campaign's rows. Each machine of a cluster makes its own: it has the ids in the campaigns' table."""
    ids: Any = func.generate_series(1, count).table_valued("n", name="numbers").render_derived()
    new_id = func.concat("i", func.lpad(cast(ids.c.n, Text), _DIGITS, "0"))
    with database.write() as session:
        connection = session.connection()
        connection.execute(text("SET LOCAL citus.propagate_set_commands = 'local'"))  # to a cluster's machines
        connection.execute(text("SET LOCAL session_replication_role = replica"))  # no checks of keys, row by row
        connection.execute(text("SET LOCAL citus.multi_shard_modify_mode = 'parallel'"))
        _copy_table(connection, campaigns := _table("campaigns"), "id", campaign_id, new_id)
        made = campaigns.c.id.between("i" + "0" * _DIGITS, "i" + "9" * _DIGITS)
        for name in ROWS:
            _copy_table(connection, _table(name), "campaign_id", campaign_id, campaigns.c.id, made)
    with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ANALYZE"))


def _copy_table(
    connection: Connection, table: Table, key: str, campaign_id: str, new_id: Any, *which: ColumnElement[bool]
) -> None:
    """Put in each row of a campaign once more for each new id."""
    for row in connection.execute(select(table).where(table.c[key] == campaign_id)).mappings().all():
        columns = [new_id if column.name == key else _value(column, row[column.name]) for column in table.c]
        connection.execute(insert(table).from_select(table.c.keys(), select(*columns).where(*which)))


def _table(name: str) -> Table:
    return Campaign.metadata.tables[name]


def _value(column: Column[Any], value: Any) -> Any:
    value = _SMALL.get(column.name, value)
    return null() if value is None and column.nullable else literal(value, column.type)


@contextmanager
def _postgresql(database: Database) -> Iterator[list[float]]:
    """Measure the processor time of PostgreSQL's processes for this database, while they live.

    Nothing looks at them meanwhile (:class:`bench.meters.Meter`): that would be work of the process that is idle.
    """
    found = [0.0]
    before = _taken(database)
    yield found
    found[0] = sum(seconds - before.get(pid, 0.0) for pid, seconds in _taken(database).items())


def _taken(database: Database) -> dict[int, float]:
    found = {}
    for pid in databases.backends(database):
        with suppress(OSError):
            found[pid] = cpu_of(pid)
    return found


if __name__ == "__main__":
    main()
