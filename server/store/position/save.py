"""Writing a position: only rows that changed, a few statements a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import Connection, Delete, Table, Update, and_, bindparam, delete, insert, update
from sqlalchemy.orm import Session

from server.rules.state import State
from server.store.errors import StalePosition
from server.store.position.rows import SHEETS, Key, Rows, table
from server.store.position.settings import settings_to_json
from server.store.tables import Campaign

Parameters = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Written:
    """How many rows a save touched."""

    inserted: int = 0
    updated: int = 0
    deleted: int = 0


@dataclass(frozen=True, slots=True)
class _Changes:
    table: Table
    inserted: list[Parameters]
    updated: list[Parameters]
    deleted: list[Parameters]


def save_position(session: Session, campaign_id: str, before: State | None, after: State) -> Written:
    """Write what differs between the position as it is stored and *after*.

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
    changes = [_changes(sheet.table, campaign_id, *sheet.rows(before, after)) for sheet in SHEETS]
    for change in changes:
        if change.inserted:
            connection.execute(insert(change.table), change.inserted)
        _expect(connection, _update, change.table, change.updated)
    for change in reversed(changes):
        _expect(connection, _delete, change.table, change.deleted)
    return Written(
        sum(len(change.inserted) for change in changes),
        sum(len(change.updated) for change in changes),
        sum(len(change.deleted) for change in changes),
    )


def _save_settings(connection: Connection, campaign_id: str, state: State) -> None:
    campaigns = table(Campaign)
    statement = update(campaigns).where(campaigns.c.id == campaign_id)
    connection.execute(statement.values(settings=settings_to_json(state.settings)))


def _changes(table: Table, campaign_id: str, before: Rows, after: Rows) -> _Changes:
    names = _bound(table)

    def parameters(key: Key, values: Iterable[Any] = ()) -> Parameters:
        return dict(zip(names, (campaign_id, *key, *values), strict=False))

    inserted, updated = [], []
    for key, values in after.items():
        old = before.get(key)
        if old is None:
            inserted.append(dict(zip(table.c.keys(), (campaign_id, *key, *values), strict=True)))
        elif old != values:
            updated.append(parameters(key, values))
    deleted = [parameters(key) for key in before if key not in after]
    return _Changes(table, inserted, updated, deleted)


def _expect(
    connection: Connection, statement: Callable[[Table], Update | Delete], table: Table, parameters: list[Parameters]
) -> None:
    if not parameters:
        return
    touched = connection.execute(statement(table), parameters).rowcount
    if touched != len(parameters):
        raise StalePosition(f"{table.name}: {touched} rows of {len(parameters)} are as they were left")


# --- statements, made once ---


@cache
def _bound(table: Table) -> tuple[str, ...]:
    """Names of the parameters of :func:`_update` and :func:`_delete`, in column order."""
    return tuple(f"its_{name}" for name in table.c.keys())  # noqa: SIM118


@cache
def _update(table: Table) -> Update:
    values: dict[str, Any] = {
        column.name: bindparam(f"its_{column.name}") for column in table.c if not column.primary_key
    }
    return update(table).where(_this(table)).values(values)


@cache
def _delete(table: Table) -> Delete:
    return delete(table).where(_this(table))


def _this(table: Table) -> Any:
    return and_(*(column == bindparam(f"its_{column.name}") for column in table.primary_key))
