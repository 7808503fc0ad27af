"""Resolving phases: each once, no matter who asks and how many ask at once.

On PostgreSQL a short phase is resolved in the one transaction that has claimed its campaign. Where computer players
think, or the campaign is large, and always on SQLite, that would hold up orders. Then what goes into the phase is
gathered, and the rules run outside of any transaction. The process that then claims the campaign, and finds that
everything is still as it was gathered, writes the result. The key of the next phase's row makes a second result
impossible even so. A large campaign's phase goes through all of that in another process, so that this one goes on
answering.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache, partial

import structlog
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from server.play import sealing
from server.play.background import ProcessLost, tell
from server.play.caches import Caches
from server.play.context import AppContext
from server.play.engine import Outcome, play_phase
from server.play.giving_up import give_up_where_due
from server.play.phase_writing import Written, write_down
from server.play.records import written_before
from server.play.resolution_input import ComputersOrder, ResolutionInput, gather, input_of, waits_for_nobody, why_now
from server.play.resolution_rows import Rows, read_rows
from server.rules.codec import decode
from server.rules.state import State
from server.settings import Settings
from server.store.database import Database, claim
from server.store.position import size_columns, size_of
from server.store.tables import Campaign

LONG = 250
"""Forces from which on a phase is resolved in another process; a hundred hexes count as one."""

MAX_TRIES = 5
"""Times that orders may change while a phase is being resolved; then it is resolved with the campaign claimed."""
MAX_IN_A_ROW = 12
"""Phases resolved one after the other when nobody has anything to order; the ticker goes on from there."""

_log = structlog.get_logger("server.play")


def resolve_when_due(ctx: AppContext, campaign_id: str) -> None:
    """Have the open phase resolved if it waits for nobody: now, or soon where the server resolves in the background."""
    with ctx.database.read() as session:
        if not waits_for_nobody(session, campaign_id):
            return
    resolve_soon(ctx, campaign_id)


def resolve_soon(ctx: AppContext, campaign_id: str) -> None:
    """Have the open phase resolved in the background if it is due; one that takes long beside the others."""

    def resolve() -> None:
        if _is_long(ctx, campaign_id):
            ctx.background.soon(f"resolve/{campaign_id}", partial(resolve_due, ctx, campaign_id, long=True), long=True)
        else:
            resolve_due(ctx, campaign_id, long=False)

    ctx.background.soon(f"resolve/{campaign_id}", resolve)


def resolve_due(ctx: AppContext, campaign_id: str, *, long: bool | None = None) -> int:
    """Resolve the open phase, and those after it that wait for nobody; returns how many were resolved here.

    *long*: whether another process resolves them, where that has been found out.
    """
    for count in range(MAX_IN_A_ROW):
        done = resolve_once(ctx, campaign_id, long=long)
        if done is None or done.awaits:
            return count + (done is not None)
    return MAX_IN_A_ROW


def resolve_once(
    ctx: AppContext, campaign_id: str, *, by_gm: str | None = None, number: int | None = None, long: bool | None = None
) -> Written | None:
    """Resolve the open phase if it is due, or because the GM *by_gm* says so; None if there was nothing to do.

    *number* is the phase that is meant; another one stays as it is. *long*: see :func:`resolve_due`.
    """
    begun = time.perf_counter()
    job = ResolutionJob(ctx.now(), campaign_id, by_gm, number)
    elsewhere = _is_long(ctx, campaign_id) if long is None else long
    # on SQLite a claim excludes all who write, whatever they write
    done = _resolve_elsewhere(ctx, job) if elsewhere else _resolve_here(ctx, job, at_once=not ctx.database.sqlite)
    if done is not None:
        took = time.perf_counter() - begun
        ctx.on_resolved(took)
        _log.info(
            "resolved",
            campaign_id=campaign_id,
            branch=done.branch,
            phase=done.number,
            why=done.why,
            ms=round(took * 1000),
        )
        if done.turn_over:
            give_up_where_due(ctx, campaign_id)
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


def get_ready(url: str) -> None:
    """Have a process ready for :func:`run_job`: it has imported everything, and knows the way to the database."""
    with _own(url)[0].read() as session:
        session.connection()


@dataclass(frozen=True, slots=True)
class Foretold:
    """A position that a resolver process is about to write."""

    campaign_id: str
    before: str
    """Hash of the position it follows."""
    state_hash: str
    written: bytes


def heard(ctx: AppContext, foretold: Foretold) -> None:
    """Keep a position before it is written, so that who asks for it then need not wait until it is read.

    Nobody is told of it before: it is kept under its hash, which nothing in the database names until it is written.
    """
    before: State | None = ctx.caches.states.known((foretold.campaign_id, foretold.before))
    if before is None:
        return
    key = (foretold.campaign_id, foretold.state_hash)
    ctx.caches.written.put(key, foretold.written)
    ctx.caches.states.put(key, decode(foretold.written, before.board, before.ruleset))


@lru_cache(maxsize=1)
def _own(url: str) -> tuple[Database, Caches]:
    return Database(url), Caches(game_data=8, states=4)


def _is_long(ctx: AppContext, campaign_id: str) -> bool:
    """Say whether a phase takes so long that it should not hold up this process."""
    if not ctx.background.processes:
        return False
    with ctx.database.read() as session:
        return is_long(ctx, *size_of(session, campaign_id))


def is_long(ctx: AppContext, forces: int, hexes: int) -> bool:
    """Say whether a phase of a position of this size is resolved in another process."""
    return bool(ctx.background.processes) and forces + hexes // 100 > LONG


def begin_resolvers(ctx: AppContext) -> None:
    """Have a process ready where a campaign runs whose phases are long: to start one takes a second or two."""
    if not ctx.background.processes:
        return
    forces, hexes = size_columns(Campaign.id)
    long = select(Campaign.id).where(Campaign.status == "running", forces + hexes / 100 > LONG).limit(1)
    with ctx.database.read() as session:
        if session.scalar(long) is None:
            return
    ctx.background.soon("resolver", partial(ctx.background.elsewhere, get_ready, _url(ctx)), long=True)


def _url(ctx: AppContext) -> str:
    return ctx.database.url.render_as_string(hide_password=False)


def _resolve_elsewhere(ctx: AppContext, job: ResolutionJob) -> Written | None:
    try:
        return ctx.background.elsewhere(run_job, _url(ctx), ctx.settings, job)
    except ProcessLost:  # what it had begun to write was undone with it
        return _resolve_here(ctx, job)


def _resolve_here(ctx: AppContext, job: ResolutionJob, *, at_once: bool = False) -> Written | None:
    """Resolve a phase in this process; *at_once*: with the campaign claimed from the beginning, where that is short."""
    try:
        try:
            finished = _resolve_at_once(ctx, job) if at_once else _resolve_in_two_steps(ctx, job)
        except (ComputersOrder, _Taken):
            finished = _resolve_in_two_steps(ctx, job)
    except IntegrityError:
        _log.warning("resolved elsewhere", campaign_id=job.campaign_id)
        return None
    if finished is None:
        return None
    done, outcome = finished
    ctx.caches.states.put((job.campaign_id, done.state_hash), outcome.state)
    ctx.caches.written.put((job.campaign_id, done.state_hash), outcome.written)
    return done


class _Taken(Exception):
    """Somebody else has the campaign just now."""


def _resolve_at_once(ctx: AppContext, job: ResolutionJob) -> tuple[Written, Outcome] | None:
    """Resolve a phase in the one transaction that claims its campaign.

    Raises :class:`_Taken`, or :class:`ComputersOrder`: orders must not wait while computer players think.
    """
    with ctx.database.write() as session:
        again = _claimed(ctx, session, job, wait=False)
        if again is None:
            return None
        rows, why = again
        found = input_of(ctx, session, rows, why, ctx.now(), computers=False)
        return _written(ctx, session, job, found, _Timed(found))


def _resolve_in_two_steps(ctx: AppContext, job: ResolutionJob) -> tuple[Written, Outcome] | None:
    """Resolve a phase outside of any transaction, and write what came of it if everything is still as it was."""
    for attempt in range(MAX_TRIES + 1):
        with ctx.database.read() as session:
            found = gather(ctx, session, job.campaign_id, ctx.now(), by_gm=job.by_gm is not None)
        if found is None or job.number not in (None, found.rows.phase.number):
            return None
        timed = _Timed(found)
        done = timed.done
        tell(Foretold(job.campaign_id, found.rows.record.state_hash, done.state_hash, done.written))
        with ctx.database.write() as session:
            again = _claimed(ctx, session, job, without_orders=True)
            if again is None:
                _log.info("resolved in vain", campaign_id=job.campaign_id)
                return None
            rows, why = again
            if (rows.fingerprint, why) == (found.rows.fingerprint, found.why):
                found = replace(found, rows=rows)
            elif attempt < MAX_TRIES:
                continue
            else:
                found = input_of(ctx, session, rows, why, ctx.now())
                timed = _Timed(found)
            return _written(ctx, session, job, found, timed)
    return None


def _written(
    ctx: AppContext, session: Session, job: ResolutionJob, found: ResolutionInput, timed: _Timed
) -> tuple[Written, Outcome]:
    before = written_before(ctx, found.rows.phase, found.rows.record, found.before)
    done = write_down(session, found, timed.done, ctx.now(), by=job.by_gm, took=timed.took, before=before)
    if done.over:
        sealing.seal(ctx, session, found.rows.campaign)
    return done, timed.done


class _Timed:
    """What comes of a phase, and how many seconds the rules took."""

    def __init__(self, found: ResolutionInput) -> None:
        begun = time.perf_counter()
        self.done = play_phase(found.before, found.orders, found.dice.roll_with())
        self.took = time.perf_counter() - begun


def _claimed(
    ctx: AppContext, session: Session, job: ResolutionJob, *, wait: bool = True, without_orders: bool = False
) -> tuple[Rows, str] | None:
    """Claim the campaign and read what is to be resolved; None where its phase is not to be resolved any more.

    Raises :class:`_Taken` where somebody else has claimed it, unless told to *wait* for them.
    """
    # SQLite's write() excludes all others already. The claim is a statement of its own: a statement that waits goes on
    # with what it saw before
    if not ctx.database.sqlite and not claim(session, job.campaign_id, wait=wait) and not wait:
        raise _Taken
    rows = read_rows(session, job.campaign_id, without_orders=without_orders)
    if rows is None or job.number not in (None, rows.phase.number):
        return None
    why = why_now(ctx, session, rows, ctx.now(), by_gm=job.by_gm is not None)
    return None if why is None else (rows, why)
