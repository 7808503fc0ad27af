"""The database's clock: hosts whose clocks differ agree on when a deadline is over."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from sqlalchemy import func, select

from server.store.database import Database


def host_time() -> datetime:
    """Return the time by this host's clock."""
    return datetime.now(UTC)


class DatabaseClock:
    """Tells the time of PostgreSQL's host, by this host's clock and how far it was off when that was last found out."""

    def __init__(self, database: Database, host: Callable[[], datetime] = host_time) -> None:
        self._database, self._host = database, host
        self._ahead = timedelta()
        """By how much the database's clock is ahead of the host's."""

    def __call__(self) -> datetime:
        """Return the time."""
        return self._host() + self._ahead

    def compare(self) -> None:
        """Find out how far this host's clock is off; SQLite is on the same host."""
        if self._database.sqlite:
            return
        with self._database.read() as session:
            session.connection()
            before = self._host()
            there: datetime = session.execute(select(func.clock_timestamp())).scalar_one()
            self._ahead = there.astimezone(UTC) - (before + (self._host() - before) / 2)
