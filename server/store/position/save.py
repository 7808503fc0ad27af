"""Writing a position: only rows that changed, all tables in one statement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Table, update
from sqlalchemy.orm import Session

from server.rules.state import State
from server.store.errors import StalePosition
from server.store.position.changes import Changes, write
from server.store.position.rows import SHEETS, Rows, table
from server.store.position.settings import settings_to_json
from server.store.tables import Campaign


@dataclass(frozen=True, slots=True)
class Written:
    """How many rows a save touched."""

    inserted: int = 0
    updated: int = 0
    deleted: int = 0

    @property
    def rows(self) -> int:
        """All of them."""
        return self.inserted + self.updated + self.deleted


def save_position(
    session: Session, campaign_id: str, before: State | None, after: State, beside: Sequence[Changes] = ()
) -> Written:
    """Write what differs between the position as it is stored and *after*; and *beside* it rows of a phase.

    *before* must be what is stored (the state that was loaded, and resolved from), or None where nothing
    is. Raises :class:`StalePosition` where a row that should be changed is not there, ``ValueError`` where the
    boards differ or *after* breaks an invariant of the state. Commits nothing itself.
    """
    if before is not None and before.board.digest != after.board.digest:
        raise ValueError("a position can only be changed on its own board")
    session.flush()
    connection = session.connection()
    if before is None or before.settings != after.settings:
        _save_settings(connection, campaign_id, after)
    found = (_changes(sheet.table, *sheet.rows(before, after)) for sheet in SHEETS)
    changes = [*(change for change in found if change is not None), *beside]
    written = Written(
        sum(len(change.inserted) for change in changes),
        sum(len(change.updated) for change in changes),
        sum(len(change.deleted) for change in changes),
    )
    if changes:
        touched = write(connection, campaign_id, changes)
        if touched != written.rows:
            raise StalePosition(f"{touched} rows of {written.rows} are as they were left")
    return written


def _save_settings(connection: Connection, campaign_id: str, state: State) -> None:
    campaigns = table(Campaign)
    statement = update(campaigns).where(campaigns.c.id == campaign_id)
    connection.execute(statement.values(settings=settings_to_json(state.settings)))


def _changes(table: Table, before: Rows, after: Rows) -> Changes | None:
    """Return what changes in a table, None for nothing."""
    inserted = [(*key, *values) for key, values in after.items() if key not in before]
    updated = [(*key, *values) for key, values in after.items() if before.get(key, values) != values]
    deleted = [key for key in before if key not in after]
    return Changes(table, inserted, updated, deleted) if inserted or updated or deleted else None
