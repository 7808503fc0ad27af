"""Work at its due time: phases, warnings, deletions. Runs in every server process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from math import inf
from threading import Event

import structlog

from server.play.agenda import (
    ABANDONED,
    DEADLINE,
    PUBLICATION,
    REMOVAL,
    START,
    SUCCESSION,
    VOTE,
    WARNING,
)
from server.play.campaigns import campaign_start, campaigns, votes
from server.play.context import AppContext
from server.play.game_masters import handover
from server.play.notices.delivery import Senders, deliver, delivering
from server.play.people import guests
from server.play.records import records
from server.play.schedule import warnings
from server.play.schedule.cleanup import tidy
from server.play.schedule.downtime import Heartbeat
from server.play.schedule.due import A_BATCH, PHASES, resolve_what_is_due, set_right, until
from server.play.tables.battle_opening import close_what_is_over
from server.store import agenda
from server.store.errors import StorageError

_log = structlog.get_logger("server.play")


TIDY_EVERY = timedelta(hours=1)
_DO: Mapping[str, Callable[[AppContext, str], int]] = {
    WARNING: warnings.warn_if_due,
    START: campaign_start.start_if_due,
    VOTE: votes.close_if_due,
    ABANDONED: votes.end_if_abandoned,
    SUCCESSION: handover.succeed_if_due,
    REMOVAL: campaigns.remove_if_due,
    PUBLICATION: records.publish_if_due,
}
"""The work for each kind of due item; each checks the campaign's rows again."""


def tick(ctx: AppContext, senders: Senders | None = None) -> int:
    """Do everything that is due; returns how much there was to do. Any number of processes may do it at once."""
    return advance(ctx) + deliver(ctx, senders or {})


def run(ctx: AppContext, stop: Event, senders: Senders | None = None) -> None:
    """Tick until told to stop, and deliver beside it; mistakes are logged and the next tick tries again."""
    tidied, heart = ctx.now() - TIDY_EVERY, Heartbeat(ctx)
    with delivering(ctx, senders or {}, stop):
        while not stop.is_set():
            pause = ctx.settings.ticker_interval
            try:
                heart.beat()
                advance(ctx)
                if not tidied <= ctx.now() < tidied + TIDY_EVERY:
                    tidied = ctx.now()
                    tidy(ctx)
                    close_what_is_over(ctx)
                    guests.end_forgotten(ctx)
                pause = min(pause, until_next(ctx))
            except StorageError as error:
                _log.warning("nothing done for want of the database", why=str(error))
            except Exception:
                _log.exception("the ticker failed")
            stop.wait(pause)


def work(ctx: AppContext, kind: str) -> int:
    """Do what is due of a kind, but for phases; returns how much of it was done."""
    seen: set[str] = set()
    done = 0
    while True:
        with agenda.taking(ctx.database, until(ctx, kind), A_BATCH, but_not=seen) as taken:
            done += sum(_do(ctx, kind, campaign_id) for campaign_id in taken)
        seen.update(taken)
        if not taken:
            return done


def _do(ctx: AppContext, kind: str, campaign_id: str) -> int:
    try:
        done = _DO[kind](ctx, campaign_id)
        if not done:
            set_right(ctx, campaign_id)
    except StorageError:
        raise
    except Exception:
        _log.exception("nothing came of what was due", kind=kind, campaign_id=campaign_id)
        return 0
    return done


def until_next(ctx: AppContext) -> float:
    """Return the seconds until the next deadline, so that a phase ends when it is due and not at the next look."""
    if ctx.settings.hold:
        return inf
    now = ctx.now()
    with ctx.database.read() as session:
        soonest = agenda.next_at(session, DEADLINE, now)
    return inf if soonest is None else (soonest - now).total_seconds()


def advance(ctx: AppContext) -> int:
    """Do what the agenda says is due; returns how much there was to do."""
    with ctx.database.read() as session:
        kinds = agenda.kinds_due(session, until(ctx))
    done = resolve_what_is_due(ctx) if kinds.intersection(PHASES) else 0
    return done + sum(work(ctx, kind) for kind in _DO if kind in kinds)
