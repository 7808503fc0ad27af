"""Writing a position: only rows that changed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Table, update
from sqlalchemy.orm import Session

from server.rules.state import State
from server.store.position.changes import Changes
from server.store.position.rows import SHEETS, Rows
from server.store.position.settings import settings_to_json
from server.store.tables import Campaign


@dataclass(frozen=True, slots=True)
class Save:
    """The changes to write to a campaign's position."""

    campaign_id: str
    before: State | None
    """The stored state (the one that was loaded and resolved), or None."""
    after: State


def save_position(session: Session, campaign_id: str, before: State | None, after: State) -> None:
    """Write what differs between the position as it is stored, which is *before*, and *after*.

    Raises and commits as :func:`save_positions` does.
    """
    save_positions(session, [Save(campaign_id, before, after)], Changes())


def save_positions(session: Session, saves: Iterable[Save], changes: Changes) -> None:
    """Write what differs in the positions of several campaigns, together with other changes.

    Raises :class:`StalePosition` where a row that should be changed is not there, ``ValueError`` where the
    boards differ or a state breaks an invariant. Commits nothing itself.
    """
    session.flush()
    for save in saves:
        if save.before is not None and save.before.board.digest != save.after.board.digest:
            raise ValueError("a position can only be changed on its own board")
        if save.before is None or save.before.settings != save.after.settings:
            settings = settings_to_json(save.after.settings)
            session.execute(update(Campaign).where(Campaign.id == save.campaign_id).values(settings=settings))
        for sheet in SHEETS:
            _compare(changes, save.campaign_id, sheet.table, *sheet.rows(save.before, save.after))
    changes.write(session.connection())


def _compare(changes: Changes, campaign_id: str, table: Table, before: Rows, after: Rows) -> None:
    """Add what changes in a table."""
    columns = table.columns.keys()

    def row(*values: Any) -> dict[str, Any]:
        return dict(zip(columns, (campaign_id, *values), strict=False))

    changes.insert(table, (row(*key, *values) for key, values in after.items() if key not in before))
    changed = (key for key, values in after.items() if before.get(key, values) != values)
    changes.update(table, (row(*key, *after[key]) for key in changed))
    changes.delete(table, (row(*key) for key in before if key not in after))
