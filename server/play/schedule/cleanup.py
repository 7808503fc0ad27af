"""Throwing away what nobody needs any more: kept answers, rates, old live events, links and sessions, what was sent.

Orders, records and letters are not among it; they stay as long as their campaign does.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, and_, delete, or_, select, tuple_

from server.play.context import AppContext
from server.play.notices.delivery import WAITS
from server.store.tables import (
    IdempotencyKey,
    LiveEvent,
    Outbox,
    RateRow,
    TableGameRow,
    Token,
)

LIVE = timedelta(days=14)
"""How long a stream can be taken up again where it was left; later its client gets the state instead."""
TOKENS = timedelta(days=30)
"""How long a worthless token stays in the database."""
SENT = timedelta(days=90)
"""How long it is known that something was sent, so that it is never sent twice."""
OPEN_TABLES = timedelta(days=60)
"""How long a game on the table waits for its start."""
A_BATCH = 1000
"""Rows thrown away in one transaction: nobody waits long for it."""

assert timedelta(seconds=sum(WAITS)) < SENT


def tidy(ctx: AppContext) -> int:
    """Throw away what is too old; returns how much it was. Any number of processes may do it at once."""
    return sum(_throw_away(ctx, table, old) for table, old in _old(ctx.now()))


def _old(now: datetime) -> list[tuple[Any, ColumnElement[bool]]]:
    worthless = or_(Token.expires_at <= now - TOKENS, Token.revoked_at <= now - TOKENS, Token.used_at <= now - TOKENS)
    alone = TableGameRow.campaign_id.is_(None)
    done = or_(Outbox.sent_at.is_not(None), Outbox.failed_at.is_not(None))
    return [
        (IdempotencyKey, IdempotencyKey.expires_at <= now),
        (RateRow, RateRow.full_at <= now),
        (LiveEvent, LiveEvent.at <= now - LIVE),
        (Token, worthless),
        (TableGameRow, and_(alone, TableGameRow.status == "open", TableGameRow.created_at <= now - OPEN_TABLES)),
        (Outbox, and_(done, Outbox.created_at <= now - SENT)),
    ]


def _throw_away(ctx: AppContext, table: Any, old: ColumnElement[bool]) -> int:
    keys = tuple_(*table.__table__.primary_key.columns)
    some = select(*table.__table__.primary_key.columns).where(old).limit(A_BATCH)
    count = 0
    while True:
        with ctx.database.write() as session:
            gone: int = session.execute(delete(table).where(keys.in_(some))).rowcount  # type: ignore[attr-defined]
        count += gone
        if gone < A_BATCH:
            return count
