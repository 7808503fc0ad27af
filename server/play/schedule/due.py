"""Due phases, shared by all server processes: on PostgreSQL each takes some, and nobody takes what another has.

A worker locks a batch of campaigns' branches (``FOR NO KEY UPDATE SKIP LOCKED``) in a transaction of its own, resolves
the short ones together, and lets go of the batch; each of the others is work of its own. Nothing else locks those rows,
so messages and reads go on. The locks of a process that is killed end with its connection, and the next worker anywhere
takes what was left.

SQLite has no such locks, and one writer at a time. There a worker looks for a batch, too, but others may have it then:
who comes last to write it finds that there is nothing left to do.

The locks share out the work. That each phase is resolved once is decided in :mod:`server.play.resolution.resolution`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import structlog
from sqlalchemy import ColumnElement, Select, and_, func, or_, select
from sqlalchemy.orm import Session

from server.play.context import AppContext
from server.play.records.deadlines import waits_for_orders
from server.play.resolution.resolution import resolve_due
from server.play.tables.battle_waiting import wait
from server.rules.state import REPORTS
from server.store.tables import Branch, Campaign, Phase

A_BATCH = 8
"""Phases a worker takes at a time: enough to make the look for them cheap, and few to leave behind."""

_log = structlog.get_logger("server.play")


def open_phases() -> Select[Campaign]:
    """Return the statement for running campaigns, joined with their open phases."""
    on = and_(Phase.campaign_id == Campaign.id, Phase.branch == Campaign.branch, Phase.number == Campaign.phase_number)
    return select(Campaign).join(Phase, on).where(Campaign.status == "running", Phase.resolved_at.is_(None))


def due_campaigns(ctx: AppContext) -> list[str]:
    """Return campaigns whose open phase is past its deadline or waits for nobody."""
    query = open_phases().where(_due(ctx)).with_only_columns(Campaign.id)
    with ctx.database.read() as session:
        return list(session.scalars(query.order_by(Phase.deadline)))


def resolve_what_is_due(ctx: AppContext) -> int:
    """Have due phases resolved, here or by another process; returns how many there were."""
    due = due_campaigns(ctx)
    if due:
        _Share(ctx).begin()
    return len(due)


@dataclass(frozen=True, slots=True)
class Taken:
    """A campaign whose due phase nobody else resolves for as long as the transaction lasts."""

    id: str
    phase: str


@contextmanager
def taking(
    ctx: AppContext, limit: int, *, but_not: Collection[str] = (), only: str | None = None
) -> Iterator[list[Taken]]:
    """Take due phases for as long as the block lasts; on SQLite, look for some."""
    if ctx.database.sqlite:
        with ctx.database.read() as session:
            found = take(ctx, session, limit, but_not=but_not, only=only)
        yield found
    else:
        with ctx.database.write() as session:
            yield take(ctx, session, limit, but_not=but_not, only=only)


def take(
    ctx: AppContext, session: Session, limit: int, *, but_not: Collection[str] = (), only: str | None = None
) -> list[Taken]:
    """Take due phases that nobody else has taken, those that were due first; on SQLite any that are due."""
    branch = and_(Branch.campaign_id == Campaign.id, Branch.number == Campaign.branch)
    query: Any = open_phases().join(Branch, branch).where(_due(ctx)).with_only_columns(Campaign.id, Phase.phase)
    if but_not:
        query = query.where(Campaign.id.not_in(sorted(but_not)))
    if only is not None:
        query = query.where(Campaign.id == only)
    # processes that cannot keep phases from each other had better begin with different ones
    order = [func.random()] if ctx.database.sqlite else [Phase.deadline, Campaign.id]
    query = query.order_by(*order).limit(limit)
    # NO KEY: phases refer to these rows, and opening the next one must not wait for us
    rows: Any = session.execute(query.with_for_update(of=Branch, key_share=True, skip_locked=True))
    return [Taken(row[0], row[1]) for row in rows]


def _due(ctx: AppContext) -> ColumnElement[bool]:
    waits, now = waits_for_orders(Phase), ctx.now()
    return ~waits if ctx.settings.hold else or_(Phase.deadline <= now, ~waits)


@dataclass(frozen=True, slots=True)
class _Share:
    """What this process resolves of all that is due at a tick."""

    ctx: AppContext
    left: set[str] = field(default_factory=set)
    """Campaigns that were looked at and stayed as they were, or go another way; the next tick looks again."""

    def begin(self) -> None:
        """Set the workers to it: on SQLite one, for there is one writer at a time."""
        for number in range(1 if self.ctx.database.sqlite else max(1, self.ctx.background.threads)):
            self._soon(number)

    def _soon(self, number: int) -> None:
        self.ctx.background.soon(f"due/{number}", partial(self._work, number))

    def _work(self, number: int) -> None:
        """Resolve a batch and queue up for the next: so phases whose last orders are final get their turn between."""
        while self._batch():
            if self.ctx.background.threads:
                self._soon(number)
                return

    def _batch(self) -> bool:
        with taking(self.ctx, A_BATCH, but_not=self.left) as taken:
            done = _resolve(self.ctx, taken, only_short=True)
        for one in taken:
            if one.id not in done:  # it takes long, waits for its table games, failed, or somebody has claimed it
                self.left.add(one.id)
                self.ctx.background.soon(f"due/{one.id}", partial(_resolve_alone, self.ctx, one.id))
        return bool(taken)


def _resolve_alone(ctx: AppContext, campaign_id: str) -> None:
    with taking(ctx, 1, only=campaign_id) as taken:
        _resolve(ctx, taken, only_short=False)


def _resolve(ctx: AppContext, taken: list[Taken], *, only_short: bool) -> set[str]:
    """Resolve what has been taken; returns the campaigns of which phases were resolved."""
    try:
        ids = [one.id for one in taken if not (one.phase == REPORTS and wait(ctx, one.id))]
        return {done.campaign_id for done in resolve_due(ctx, ids, only_short=only_short)}
    except Exception:
        _log.exception("due phases were not resolved", campaign_ids=[one.id for one in taken])
        return set()
