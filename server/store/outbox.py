"""What is to be sent: put in with the change it tells of, leased by one sender at a time, done with once.

A sender that dies leaves its lease to run out; what it had sent but not noted is then sent again, under
the same ``dedupe`` key, by which receivers can tell.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import or_, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from server.store.tables import Outbox


def put(
    session: Session,
    kind: str,
    dedupe: str,
    payload: Mapping[str, Any],
    now: datetime,
    *,
    due_at: datetime | None = None,
    campaign_id: str | None = None,
    user_id: str | None = None,
) -> bool:
    """Put something into the outbox unless it was ever put there before; returns whether it was new."""
    new = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    statement: Any = new(Outbox).values(
        kind=kind,
        dedupe=dedupe,
        payload=dict(payload),
        created_at=now,
        due_at=due_at or now,
        campaign_id=campaign_id,
        user_id=user_id,
    )
    once = statement.on_conflict_do_nothing(index_elements=[Outbox.dedupe]).returning(Outbox.id)
    return session.execute(once).scalar_one_or_none() is not None


def lease(
    session: Session, now: datetime, duration: timedelta, limit: int = 20, kinds: Collection[str] | None = None
) -> list[Outbox]:
    """Return due rows (of some kinds), oldest first, which nobody else gets until the lease runs out.

    Commit, then send.
    """
    free = or_(Outbox.leased_until.is_(None), Outbox.leased_until <= now)
    waiting = select(Outbox).where(Outbox.sent_at.is_(None), Outbox.failed_at.is_(None), Outbox.due_at <= now, free)
    if kinds is not None:
        waiting = waiting.where(Outbox.kind.in_(sorted(kinds)))
    chosen = waiting.order_by(Outbox.due_at, Outbox.id).limit(limit).with_for_update(skip_locked=True)
    rows = list(session.scalars(chosen))
    for row in rows:
        row.leased_until = now + duration
        row.attempts += 1
    return rows


def give_back(session: Session, ids: Collection[int]) -> None:
    """Leave what was leased and not tried to others, at once."""
    untried = {"leased_until": None, "attempts": Outbox.attempts - 1}
    session.execute(update(Outbox).where(Outbox.id.in_(ids)).values(untried))


def sent(session: Session, id: int, now: datetime) -> None:
    """Note that it went out."""
    session.execute(update(Outbox).where(Outbox.id == id).values(sent_at=now, leased_until=None, last_error=""))


def failed(session: Session, id: int, error: str, now: datetime, again_at: datetime | None) -> None:
    """Note that it did not go out, and when to try again; None: never."""
    values: dict[str, Any] = {"last_error": error, "leased_until": None}
    values |= {"failed_at": now} if again_at is None else {"due_at": again_at}
    session.execute(update(Outbox).where(Outbox.id == id).values(**values))
