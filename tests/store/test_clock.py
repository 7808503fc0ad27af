"""Hosts whose clocks are wrong tell the database's time."""

from __future__ import annotations

from datetime import timedelta

from server.store.clock import DatabaseClock, host_time
from server.store.database import Database


def test_a_clock_that_is_an_hour_fast_is_put_right(database: Database) -> None:
    fast = DatabaseClock(database, lambda: host_time() + timedelta(hours=1))
    assert abs(fast() - host_time() - timedelta(hours=1)) < timedelta(minutes=1)
    fast.compare()
    off = fast() - host_time()
    assert abs(off - timedelta(hours=1) * database.sqlite) < timedelta(minutes=1)
