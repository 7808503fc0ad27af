"""Resolving phases: each once, whoever asks and however many ask at once.

What goes into a phase is gathered, the rules run outside of any transaction, and the result is written by whoever
then claims the campaign and finds that everything is still as it was gathered. The key of the next phase's row
makes a second result impossible even so. A large campaign's phase goes through all of that in another process, so
that this one goes on answering.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

import structlog
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from server.play.background import ProcessLost
from server.play.caches import Caches
from server.play.context import AppContext
from server.play.engine import play_phase
from server.play.phase_writing import Written, write_down
from server.play.resolution_input import ResolutionInput, due_reason, gather
from server.settings import Settings
from server.store.database import Database, lock_campaign
from server.store.position import size_of
from server.store.tables import Campaign

LONG = 250
"""Forces from which on a phase is resolved in another process; a hundred hexes count as one."""

MAX_TRIES = 5
"""Times that orders may change while a phase is being resolved; then it is resolved with the campaign claimed."""
MAX_IN_A_ROW = 12
"""Phases resolved one after the other when nobody has anything to order; the ticker goes on from there."""

_log = structlog.get_logger("server.play")


def resolve_when_due(ctx: AppContext, campaign_id: str) -> None:
    """Have the open phase resolved if it is due: now, or soon where the server resolves in the background."""
    with ctx.database.read() as session:
        campaign = session.get(Campaign, campaign_id)
        if campaign is None or due_reason(session, campaign, ctx.now()) is None:
            return
    ctx.background.soon(f"resolve/{campaign_id}", lambda: resolve_due(ctx, campaign_id))


def resolve_due(ctx: AppContext, campaign_id: str) -> int:
    """Resolve the open phase, and those after it that wait for nobody; returns how many were resolved here."""
    count = 0
    while count < MAX_IN_A_ROW and resolve_once(ctx, campaign_id) is not None:
        count += 1
    return count


def resolve_once(
    ctx: AppContext, campaign_id: str, *, by_gm: str | None = None, number: int | None = None
) -> Written | None:
    """Resolve the open phase if it is due, or because the GM *by_gm* says so; None if there was nothing to do.

    *number* is the phase that is meant; another one stays as it is.
    """
    begun = time.perf_counter()
    job = ResolutionJob(ctx.now(), campaign_id, by_gm, number)
    done = _resolve_elsewhere(ctx, job) if _is_long(ctx, campaign_id) else _resolve_here(ctx, job)
    if done is not None:
        took = time.perf_counter() - begun
        ctx.on_resolved(took)
        _log.info(
            "resolved", campaign_id=campaign_id, branch=done.branch, phase=done.number, why=done.why,
            ms=round(took * 1000),
        )  # fmt: skip
    return done


@dataclass(frozen=True, slots=True)
class ResolutionJob:
    """A phase to be resolved, for whatever process does it."""

    now: datetime
    campaign_id: str
    by_gm: str | None
    number: int | None


def run_job(url: str, settings: Settings, job: ResolutionJob) -> Written | None:
    """Resolve a phase in a process that has nothing but the way to the database."""
    database, caches = _own(url)
    return _resolve_here(AppContext(database, settings, lambda: job.now, caches=caches), job)


@lru_cache(maxsize=1)
def _own(url: str) -> tuple[Database, Caches]:
    return Database(url), Caches(game_data=8, states=4)


def _is_long(ctx: AppContext, campaign_id: str) -> bool:
    """Say whether a phase takes so long that it should not hold up this process."""
    if not ctx.background.processes:
        return False
    with ctx.database.read() as session:
        forces, hexes = size_of(session, campaign_id)
    return forces + hexes // 100 > LONG


def _resolve_elsewhere(ctx: AppContext, job: ResolutionJob) -> Written | None:
    url = ctx.database.url.render_as_string(hide_password=False)
    try:
        return ctx.background.elsewhere(run_job, url, ctx.settings, job)
    except ProcessLost:  # what it had begun to write was undone with it
        return _resolve_here(ctx, job)


def _resolve_here(ctx: AppContext, job: ResolutionJob) -> Written | None:
    campaign_id = job.campaign_id
    for attempt in range(MAX_TRIES + 1):
        with ctx.database.read() as session:
            found = _gathered(ctx, session, session.get(Campaign, campaign_id), job)
        if found is None:
            return None
        begun = time.perf_counter()
        outcome = play_phase(found.before, found.orders, found.seed)
        took = time.perf_counter() - begun
        try:
            with ctx.database.write() as session:
                again = _gathered(ctx, session, lock_campaign(session, campaign_id, wait=True), job)
                if again is None:
                    return None
                if again.fingerprint != found.fingerprint:
                    if attempt < MAX_TRIES:
                        continue
                    begun = time.perf_counter()
                    outcome = play_phase(again.before, again.orders, again.seed)
                    took = time.perf_counter() - begun
                done = write_down(session, again, outcome, ctx.now(), by=job.by_gm, took=took)
        except IntegrityError:
            _log.warning("resolved elsewhere", campaign_id=campaign_id)
            return None
        ctx.caches.states.put((campaign_id, done.state_hash), outcome.state)
        return done
    return None


def _gathered(
    ctx: AppContext, session: Session, campaign: Campaign | None, job: ResolutionJob
) -> ResolutionInput | None:
    if campaign is None:
        return None
    found = gather(ctx, session, campaign, ctx.now(), by_gm=job.by_gm is not None)
    return found if found is not None and job.number in (None, found.phase.number) else None
