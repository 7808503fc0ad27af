"""The statements that are carried out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from sqlalchemy import event

from server.store.database import Database

BEGINNINGS = ("BEGIN", "PRAGMA")


@contextmanager
def statements(database: Database) -> Iterator[list[str]]:
    """Collect what is sent to the database meanwhile, without SQLite's own settings and begins.

    Nor announcements of news: they are sent by a thread, when it gets to it.
    """
    found: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        if not statement.startswith(BEGINNINGS) and "pg_notify" not in statement:
            found.append(" ".join(statement.split()))

    for engine in database.engines:
        event.listen(engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        for engine in database.engines:
            event.remove(engine, "before_cursor_execute", note)


def repeated(found: Iterable[str], times: int = 1) -> dict[str, int]:
    """Return statements that were sent more often than so many times: once a player, say, instead of once for all."""
    return {statement: count for statement, count in Counter(found).items() if count > times}
