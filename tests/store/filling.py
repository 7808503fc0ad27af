"""Rows for every table of a database at whatever revision, made from what the database says of itself."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Boolean, Column, Connection, DateTime, Integer, LargeBinary, MetaData, Table, Text, insert
from sqlalchemy.types import JSON

ROWS = 3
"""Rows for each table."""
_START = datetime(2030, 1, 1, tzinfo=UTC)

_KNOWN: dict[str, Any] = {
    "account_holds.kind": "ban",
    "advance_orders.phase": "build",
    "repeated_orders.phase": "build",
    "battle_reports.status": "open",
    "campaigns.status": "running",
    "deadlines.kind": "grid",
    "game_masters.role": "partner",
    "handovers.role": "gm",
    "memberships.role": "player",
    "messages.reply_to": None,
    "phases.why": "deadline",
    "salts.kept_by": "player",
    "seats.stand_in": "bot",
    "table_armies.guest_id": None,
    "table_games.status": "playing",
    "table_guest_devices.expires_at": None,
    "table_missions.campaign_id": None,
    "table_proposals.about": "date",
    "table_proposals.side": "red",
    "table_proposals.status": "open",
    "table_presence.side": "red",
    "table_seats.side": "red",
    "tokens.kind": "personal",
    "units.garrison_id": None,
    "users.bot_owner_id": None,
    "votes.about": "draw",
    "votes.outcome": "carried",
    "webhooks.format": "discord",
    "webhooks.user_id": None,
}
"""What cannot be just anything."""


def fill(connection: Connection) -> dict[str, int]:
    """Put rows into every table; return how many each has."""
    metadata = MetaData()
    metadata.reflect(connection)
    tables = [table for table in metadata.sorted_tables if table.name != "alembic_version"]
    for table in tables:
        rows = [{column.name: _value(table, column, number) for column in table.c} for number in range(ROWS)]
        connection.execute(insert(table), rows)
    return {table.name: ROWS for table in tables}


def _value(table: Table, column: Column[Any], number: int) -> Any:
    """Return the value of a column in a row; keys that refer to each other get the same."""
    name = f"{table.name}.{column.name}"
    if column.name.endswith("hash") and isinstance(column.type, Text):
        return f"{table.name}{number}"  # unique, also where rows move to another table
    if name in _KNOWN:
        return _KNOWN[name]
    if isinstance(column.type, DateTime):
        instant = _START + timedelta(hours=number)
        return instant if column.type.timezone else instant.replace(tzinfo=None)
    if isinstance(column.type, LargeBinary) and name in PACKED_JSON:
        return b'{"a":[%d,null]}' % number
    if isinstance(column.type, LargeBinary):
        return bytes([number, 0, 255])
    if isinstance(column.type, JSON):
        return {"a": [number, None, "ü"]}
    if isinstance(column.type, Boolean):
        return number % 2 == 0
    if isinstance(column.type, Integer):
        return number + 1
    assert isinstance(column.type, Text), f"{name}: what is a {column.type}?"
    return '["ä","b"]' if column.name in _WORD_LISTS else f"t{number}"


PACKED_JSON = ("order_sets.orders", "phases.events", "phases.orders", "phases.problems")
"""Columns of bytes that hold JSON; earlier revisions have them as JSON."""
_WORD_LISTS = ("flags", "kinds", "recovery", "scopes", "start_resource", "start_urban", "told", "winners")
