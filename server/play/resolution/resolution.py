"""Resolving phases: each once, no matter who asks and how many ask at once.

A short phase is resolved in the one transaction that has claimed its campaign; of those that are due together several
are, which takes hardly more statements than one. Where computer players think, or the campaign is large, that would
hold up orders. Then what goes into the phase is gathered, and the rules run outside of any transaction. The process
that then claims the campaign, and finds that everything is still as it was gathered, writes the result. The key of the
next phase's row makes a second result impossible even so. A large campaign's phase goes through all of that in another
process, so that this one goes on answering.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache, partial

import structlog
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from server.play.background import ProcessLost, tell
from server.play.caches import Caches
from server.play.computers.giving_up import give_up_where_due
from server.play.context import AppContext
from server.play.orders.checked import checked_before
from server.play.records import sealing
from server.play.resolution.engine import play_phase
from server.play.resolution.phase_writing import Played, Written, write_down
from server.play.resolution.resolution_input import (
    ResolutionInput,
    TakesLong,
    gather,
    input_of,
    longer,
    waits_for_nobody,
    why_now,
)
from server.play.resolution.resolution_rows import Rows, read_all, read_rows
from server.rules.codec import decode
from server.rules.state import State
from server.settings import Settings
from server.store.database import Database, claim, claim_free
from server.store.position import size_columns, size_of
from server.store.tables import Campaign

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


def resolve_together(ctx: AppContext, campaign_ids: Sequence[str]) -> set[str]:
    """Resolve due phases of several campaigns, and those after them that wait for nobody, in a transaction for all.

    Returns the campaigns of which phases were resolved. Those of the others, if they are due, are to be resolved by
    themselves: they take long, or somebody else has them just now, or something has failed in any of them.
    """
    resolved = set[str]()
    left = [campaign_id for campaign_id in campaign_ids if not ctx.caches.slow.known(campaign_id)]
    for _ in range(MAX_IN_A_ROW):
        if not left:
            break
        begun = time.perf_counter()
        try:
            finished = _resolve_at_once(ctx, [ResolutionJob(ctx.now(), campaign_id) for campaign_id in left])
            done = [written for written in finished.values() if written is not None]
            resolved.update(written.campaign_id for written in done)
            left = [written.campaign_id for written in done if not written.awaits]
            for written in done:
                _note(ctx, written, begun, together=len(done))
        except Exception:
            _log.exception("phases were not resolved together", campaign_ids=left)
            break
    return resolved


def resolve_once(
    ctx: AppContext, campaign_id: str, *, by_gm: str | None = None, number: int | None = None, long: bool | None = None
) -> Written | None:
    """Resolve the open phase if it is due, or because the GM *by_gm* says so; None if there was nothing to do.

    *number* is the phase that is meant; another one stays as it is. *long*: see :func:`resolve_due`.
    """
    begun = time.perf_counter()
    job = ResolutionJob(ctx.now(), campaign_id, by_gm, number)
    elsewhere = _is_long(ctx, campaign_id) if long is None else long
    done = _resolve_elsewhere(ctx, job) if elsewhere else _resolve_here(ctx, job)
    if done is not None:
        _note(ctx, done, begun)
    return done


def _note(ctx: AppContext, done: Written, begun: float, **more: int) -> None:
    """Log a phase that was resolved, and do what follows from it."""
    took = time.perf_counter() - begun
    ctx.on_resolved(took)
    _log.info(
        "resolved",
        campaign_id=done.campaign_id,
        branch=done.branch,
        phase=done.number,
        why=done.why,
        ms=round(took * 1000),
        **more,
    )
    if done.turn_over:
        give_up_where_due(ctx, done.campaign_id)


@dataclass(frozen=True, slots=True)
class ResolutionJob:
    """A phase to be resolved, for whatever process does it."""

    now: datetime
    campaign_id: str
    by_gm: str | None = None
    number: int | None = None


def run_job(url: str, settings: Settings, job: ResolutionJob) -> Written | None:
    """Resolve a phase in a process that has nothing but the way to the database."""
    database, caches = _own(url)
    return _resolve_here(AppContext(database, settings, lambda: job.now, caches=caches), job, at_once=False)


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
    return bool(ctx.background.processes) and longer(forces, hexes)


def begin_resolvers(ctx: AppContext) -> None:
    """Have a process ready where a campaign runs whose phases are long: to start one takes a second or two."""
    if not ctx.background.processes:
        return
    long = select(Campaign.id).where(Campaign.status == "running", longer(*size_columns(Campaign.id))).limit(1)
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
        return _resolve_here(ctx, job, at_once=False)


def _resolve_here(ctx: AppContext, job: ResolutionJob, *, at_once: bool = True) -> Written | None:
    """Resolve a phase in this process; *at_once*: in one transaction, where that is short."""
    try:
        finished = _resolve_at_once(ctx, [job]) if at_once and not ctx.caches.slow.known(job.campaign_id) else {}
        return finished[job.campaign_id] if job.campaign_id in finished else _resolve_in_two_steps(ctx, job)
    except IntegrityError:
        _log.warning("resolved elsewhere", campaign_id=job.campaign_id)
        return None


def _resolve_at_once(ctx: AppContext, jobs: Sequence[ResolutionJob]) -> dict[str, Written | None]:
    """Resolve phases in the one transaction that claims their campaigns; None where there is nothing to resolve.

    Left out are campaigns that somebody else has just now, and where a phase takes long: orders must not wait for it.
    """
    finished: dict[str, Written | None] = {}
    ready: list[tuple[ResolutionJob, ResolutionInput]] = []
    with ctx.database.write() as session:
        ids = [job.campaign_id for job in jobs]
        claimed = ids if ctx.database.sqlite else claim_free(session, ids)  # SQLite's write() excludes all others
        rows_of = {rows.campaign.id: rows for rows in read_all(session, claimed)}
        for job in jobs:
            if job.campaign_id not in claimed:
                continue
            rows = rows_of.get(job.campaign_id)
            why = None if rows is None else _why(ctx, session, rows, job)
            if rows is None or why is None:
                finished[job.campaign_id] = None
                continue
            with suppress(TakesLong):
                ready.append((job, input_of(ctx, session, rows, why, ctx.now(), only_short=True)))
        played = [_play(ctx, found, job) for job, found in ready]
        done = _write_down(ctx, session, played) if played else []
    _keep(ctx, played)
    return finished | {written.campaign_id: written for written in done}


def _resolve_in_two_steps(ctx: AppContext, job: ResolutionJob) -> Written | None:
    """Resolve a phase outside of any transaction, and write what came of it if everything is still as it was."""
    for attempt in range(MAX_TRIES + 1):
        with ctx.database.read() as session:
            found = gather(ctx, session, job.campaign_id, ctx.now(), by_gm=job.by_gm is not None)
        if found is None or job.number not in (None, found.rows.phase.number):
            return None
        played = _play(ctx, found, job)
        outcome = played.outcome
        tell(Foretold(job.campaign_id, found.rows.record.state_hash, outcome.state_hash, outcome.written))
        with ctx.database.write() as session:
            again = _claimed(ctx, session, job)
            if again is None:
                _log.info("resolved in vain", campaign_id=job.campaign_id)
                return None
            rows, why = again
            if (rows.fingerprint, why) == (found.rows.fingerprint, found.why):
                played = replace(played, found=replace(found, rows=rows))
            elif attempt < MAX_TRIES:
                continue
            else:
                played = _play(ctx, input_of(ctx, session, rows, why, ctx.now()), job)
            (done,) = _write_down(ctx, session, [played])
        _keep(ctx, [played])
        return done
    return None


def _play(ctx: AppContext, found: ResolutionInput, job: ResolutionJob) -> Played:
    begun = time.perf_counter()
    known = checked_before(ctx, job.campaign_id, found.rows.record.state_hash, found.orders)
    outcome = play_phase(found.before, found.orders, found.dice.roll_with(), known)
    return Played(found, outcome, time.perf_counter() - begun, job.by_gm)


def _write_down(ctx: AppContext, session: Session, played: Sequence[Played]) -> list[Written]:
    done = write_down(ctx, session, played, ctx.now())
    for one, written in zip(played, done, strict=True):
        if written.over:
            sealing.seal(ctx, session, one.found.rows.campaign)
    return done


def _keep(ctx: AppContext, played: Sequence[Played]) -> None:
    """Have positions at hand that have been written."""
    for one in played:
        key = (one.found.rows.campaign.id, one.outcome.state_hash)
        ctx.caches.states.put(key, one.outcome.state)
        ctx.caches.written.put(key, one.outcome.written)


def _claimed(ctx: AppContext, session: Session, job: ResolutionJob) -> tuple[Rows, str] | None:
    """Claim the campaign and read what is to be resolved; None where its phase is not to be resolved any more."""
    # SQLite's write() excludes all others already. The claim is a statement of its own: a statement that waits goes on
    # with what it saw before
    if not ctx.database.sqlite:
        claim(session, job.campaign_id)
    rows = read_rows(session, job.campaign_id, without_orders=True)
    why = None if rows is None else _why(ctx, session, rows, job)
    return None if rows is None or why is None else (rows, why)


def _why(ctx: AppContext, session: Session, rows: Rows, job: ResolutionJob) -> str | None:
    """Return why a phase ends now, None where it does not, or is not the one that is meant."""
    if job.number not in (None, rows.phase.number):
        return None
    return why_now(ctx, session, rows, ctx.now(), by_gm=job.by_gm is not None)
