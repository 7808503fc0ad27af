"""Inserts that meet a row which is there already, for both kinds of database.

PostgreSQL and SQLite write them alike, but SQLAlchemy has them in each dialect separately.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy.dialects import postgresql, sqlite

from server.store.tables import Base


def by_dialect(table: type[Base], finish: Callable[[Any], Any]) -> Mapping[str, Any]:
    """Return a statement by the name of the dialect; *finish* adds its ``on_conflict_...`` to an insert.

    Make it once, at import: that takes longer than carrying it out. Execute it on ``session.connection()``.
    """
    return {"postgresql": finish(postgresql.insert(table)), "sqlite": finish(sqlite.insert(table))}
