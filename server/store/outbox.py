"""The outbox: each entry is written with its change, leased by one sender at a time, and sent once.

A sender that dies leaves its lease to run out; what it had sent but not noted is then sent again, under
the same ``dedupe`` key, by which receivers can tell.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, or_, select, update
from sqlalchemy.orm import Session

from server.store import upserts
from server.store.tables import Outbox


@dataclass(frozen=True, slots=True)
class Item:
    """Something for the outbox; see :func:`put`."""

    kind: str
    dedupe: str
    payload: Mapping[str, Any]
    due_at: datetime | None = None
    campaign_id: str | None = None
    user_id: str | None = None
    sent: bool = False


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
    sent: bool = False,
) -> int | None:
    """Put something into the outbox unless it was ever put there before; returns its number if it is new.

    What counts as *sent* already goes nowhere.
    """
    item = Item(kind, dedupe, payload, due_at=due_at, campaign_id=campaign_id, user_id=user_id, sent=sent)
    return put_all(session, [item], now).get(dedupe)


def put_all(session: Session, items: Sequence[Item], now: datetime) -> dict[str, int]:
    """Put everything into the outbox that was never put there before; returns the numbers of the new by ``dedupe``."""
    if not items:
        return {}
    rows = [
        {
            "kind": item.kind,
            "dedupe": item.dedupe,
            "payload": dict(item.payload),
            "created_at": now,
            "due_at": item.due_at or now,
            "campaign_id": item.campaign_id,
            "user_id": item.user_id,
            "attempts": 0,
            "sent_at": now if item.sent else None,
            "last_error": "",
        }
        for item in items
    ]
    connection = session.connection()
    return dict(connection.execute(_PUT[connection.dialect.name], rows).all())


def lease(
    session: Session, now: datetime, duration: timedelta, limit: int = 20, kinds: Collection[str] | None = None,
    *, where: Iterable[ColumnElement[bool]] = (),
) -> list[Outbox]:  # fmt: skip
    """Return due rows (of some kinds), oldest first, which nobody else gets until the lease runs out.

    *where*: what else must be true of them.

    Commit, then send.
    """
    free = or_(Outbox.leased_until.is_(None), Outbox.leased_until <= now)
    waiting = select(Outbox).where(Outbox.sent_at.is_(None), Outbox.failed_at.is_(None), Outbox.due_at <= now, free)
    if kinds is not None:
        waiting = waiting.where(Outbox.kind.in_(sorted(kinds)))
    chosen = waiting.where(*where).order_by(Outbox.due_at, Outbox.id).limit(limit).with_for_update(skip_locked=True)
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


def _once(new: Any) -> Any:
    return new.on_conflict_do_nothing(index_elements=[Outbox.dedupe]).returning(Outbox.dedupe, Outbox.id)


_PUT = upserts.by_dialect(Outbox, _once)
