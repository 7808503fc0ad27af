"""Due phases, shared by all server processes: on PostgreSQL each takes some, and nobody takes what another has.

A worker takes a batch of the agenda (:func:`server.store.agenda.taking`) in a transaction of its own, resolves the
short ones together (on a cluster those of the same shard), and releases the batch; each of the others is separate work.
Nothing else waits for what it has taken, so orders, messages and reads continue. A killed process loses its claim with
its connection, and the next worker anywhere takes it.

SQLite has no such locks, and one writer at a time. There a worker looks for a batch, too, but others may have it then:
who comes last to write it finds that there is nothing left to do.

The locks share out the work. That each phase is resolved once is decided in :mod:`server.play.resolution.resolution`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

import structlog

from server.play.agenda import AGENDA, DEADLINE, KINDS, PUBLICATION, READY, REMOVAL, WARNING
from server.play.context import AppContext
from server.play.resolution.resolution import resolve_due
from server.play.tables.battle_opening import wait
from server.store import agenda
from server.store.agenda import taking
from server.store.shards import together

A_BATCH = 8
"""Campaigns a worker takes at a time: enough to make the look for them cheap, and few to leave behind."""
PHASES = (DEADLINE, READY)
"""Kinds of the agenda that are about the end of a phase."""

_log = structlog.get_logger("server.play")


def until(ctx: AppContext, *kinds: str) -> dict[str, datetime]:
    """Return up to when each kind (or one of a few) is due now; none whose time stands still."""
    now, settings = ctx.now(), ctx.settings
    found = dict.fromkeys(kinds or KINDS, now)
    if REMOVAL in found:
        found[REMOVAL] = now - timedelta(days=settings.deletion_grace_days)
    if PUBLICATION in found:
        found[PUBLICATION] = now - timedelta(hours=settings.seal_hours)
    if settings.hold:
        found = {kind: at for kind, at in found.items() if kind not in (DEADLINE, WARNING)}
    return found


def due_campaigns(ctx: AppContext) -> list[str]:
    """Return campaigns whose open phase is past its deadline or waits for nobody."""
    with ctx.database.read() as session:
        return list(dict.fromkeys(entry.campaign_id for entry in agenda.due(session, until(ctx, *PHASES))))


def resolve_what_is_due(ctx: AppContext) -> int:
    """Have due phases resolved, here or by another process; returns how many there were."""
    due = due_campaigns(ctx)
    if due:
        _Share(ctx).begin()
    return len(due)


@dataclass(frozen=True, slots=True)
class _Share:
    """What this process resolves of all that is due at a tick."""

    ctx: AppContext
    left: set[str] = field(default_factory=set)
    """Campaigns that were checked without a change, or are handled elsewhere; the next tick checks again."""

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
        with taking(self.ctx.database, until(self.ctx, *PHASES), A_BATCH, but_not=self.left) as taken:
            each = [_resolve(self.ctx, some, only_short=True) for some in together(self.ctx.database, taken)]
            done = set[str]().union(*each)
        for campaign_id in taken:
            if campaign_id not in done:  # it takes long, waits for its table games, failed, or somebody has claimed it
                self.left.add(campaign_id)
                self.ctx.background.soon(f"due/{campaign_id}", partial(_resolve_alone, self.ctx, campaign_id))
        return bool(taken)


def _resolve_alone(ctx: AppContext, campaign_id: str) -> None:
    with taking(ctx.database, until(ctx, *PHASES), 1, only=campaign_id) as taken:
        if taken and not wait(ctx, campaign_id) and not _resolve(ctx, taken, only_short=False):
            set_right(ctx, campaign_id)


def set_right(ctx: AppContext, campaign_id: str) -> None:
    """Write the agenda of a campaign again: it was checked, and nothing was due."""
    with ctx.database.write() as session:
        AGENDA.touch(session, campaign_id)


def _resolve(ctx: AppContext, campaign_ids: list[str], *, only_short: bool) -> set[str]:
    """Resolve what has been taken; returns the campaigns of which phases were resolved."""
    try:
        return {done.campaign_id for done in resolve_due(ctx, campaign_ids, only_short=only_short)}
    except Exception:
        _log.exception("due phases were not resolved", campaign_ids=campaign_ids)
        return set()
