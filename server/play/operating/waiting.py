"""What waits to be done, over all processes: for whoever watches the server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from server.play.agenda import DEADLINE
from server.play.context import AppContext
from server.play.schedule.downtime import last_beat
from server.store.tables import AgendaRow, Outbox

LATE = timedelta(minutes=1)
"""How long a phase may be past its deadline until it counts as overdue."""
LATELY = timedelta(days=1)
KINDS = ("mail", "webhook", "push")


@dataclass(frozen=True, slots=True)
class Waiting:
    """Figures of one moment."""

    overdue: int
    """Open phases of running campaigns past their deadline."""
    waiting: Mapping[str, int]
    """Due items that are not sent, by kind."""
    failed: Mapping[str, int]
    """Items given up lately, by kind."""
    beat: datetime | None
    """When a ticker last lived; None: never."""


def waiting(ctx: AppContext) -> Waiting:
    """Return what waits now."""
    now = ctx.now()
    late = (AgendaRow.kind == DEADLINE, AgendaRow.at <= now - LATE)
    unsent = (Outbox.sent_at.is_(None), Outbox.failed_at.is_(None), Outbox.due_at <= now)
    with ctx.database.read() as session:
        overdue = select(func.count()).select_from(AgendaRow).where(*late)
        return Waiting(
            session.scalar(overdue) or 0,
            _by_kind(session, *unsent),
            _by_kind(session, Outbox.failed_at > now - LATELY),
            last_beat(session),
        )


def _by_kind(session: Session, *which: ColumnElement[bool]) -> dict[str, int]:
    counts = select(Outbox.kind, func.count()).where(Outbox.kind.in_(KINDS), *which).group_by(Outbox.kind)
    return dict.fromkeys(KINDS, 0) | dict(session.execute(counts).all())
