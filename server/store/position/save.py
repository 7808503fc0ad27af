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


@dataclass(frozen=True, slots=True)
class Save:
    """What is to be written of a campaign."""

    campaign_id: str
    before: State | None
    """What is stored (the state that was loaded, and resolved from), None where nothing is."""
    after: State
    beside: Sequence[Changes] = ()
    """Rows of a phase that go with it."""


def save_position(session: Session, campaign_id: str, before: State | None, after: State) -> Written:
    """Write what differs between the position as it is stored, which is *before*, and *after*.

    Raises and commits as :func:`save_positions` does.
    """
    return save_positions(session, [Save(campaign_id, before, after)])


def save_positions(session: Session, saves: Sequence[Save]) -> Written:
    """Write what differs in the positions of several campaigns, and what goes with it, by one statement.

    Raises :class:`StalePosition` where a row that should be changed is not there, ``ValueError`` where the
    boards differ or a state breaks an invariant. Commits nothing itself.
    """
    session.flush()
    connection = session.connection()
    for save in saves:
        if save.before is not None and save.before.board.digest != save.after.board.digest:
            raise ValueError("a position can only be changed on its own board")
        if save.before is None or save.before.settings != save.after.settings:
            _save_settings(connection, save.campaign_id, save.after)
    changes = {save.campaign_id: _changes_of(save) for save in saves}
    found = [change for theirs in changes.values() for change in theirs]
    written = Written(
        sum(len(change.inserted) for change in found),
        sum(len(change.updated) for change in found),
        sum(len(change.deleted) for change in found),
    )
    if found:
        touched = write(connection, changes)
        if touched != written.rows:
            raise StalePosition(f"{touched} rows of {written.rows} are as they were left")
    return written


def _save_settings(connection: Connection, campaign_id: str, state: State) -> None:
    campaigns = table(Campaign)
    statement = update(campaigns).where(campaigns.c.id == campaign_id)
    connection.execute(statement.values(settings=settings_to_json(state.settings)))


def _changes_of(save: Save) -> list[Changes]:
    found = (_changes(sheet.table, *sheet.rows(save.before, save.after)) for sheet in SHEETS)
    return [*(change for change in found if change is not None), *save.beside]


def _changes(table: Table, before: Rows, after: Rows) -> Changes | None:
    """Return what changes in a table, None for nothing."""
    inserted = [(*key, *values) for key, values in after.items() if key not in before]
    updated = [(*key, *values) for key, values in after.items() if before.get(key, values) != values]
    deleted = [key for key in before if key not in after]
    return Changes(table, inserted, updated, deleted) if inserted or updated or deleted else None
