"""Resolving phases: each once, no matter who asks and how many ask at once.

There is one way for one to eight campaigns: read what goes into their phases, have the rules play them outside of any
transaction, claim the campaigns, compare, write. Orders never wait for the rules, or for computer players who think.
A campaign that has changed meanwhile is played again. Even so, the key of the next phase's row rules out a second
result.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import structlog

from server.play.computer_players import give_up_where_due
from server.play.context import AppContext
from server.play.records import records
from server.play.resolution.engine import checked_before, play_elsewhere, play_phase
from server.play.resolution.phase_writing import Played, Resolved, write_down
from server.play.resolution.resolution_input import (
    DUE,
    Asked,
    ResolutionInput,
    gather,
    input_of,
    waits_for_nobody,
    why_now,
)
from server.play.resolution.resolution_rows import read_all
from server.store.database import claim

MAX_TRIES = 5
"""Times that a phase is played whose orders change meanwhile; the last time with the campaign claimed."""
MAX_IN_A_ROW = 12
"""Maximum phases resolved in a row when nobody has orders due; the ticker continues from there."""

_log = structlog.get_logger("server.play")


def resolve_when_due(ctx: AppContext, campaign_id: str) -> None:
    """Have the open phase resolved if it waits for nobody: now, or soon where the server resolves in the background."""
    with ctx.database.read() as session:
        due = waits_for_nobody(session, campaign_id)
    if due:
        ctx.background.soon(f"resolve/{campaign_id}", partial(resolve_due, ctx, [campaign_id]))


def resolve_due(ctx: AppContext, campaign_ids: Sequence[str], *, only_short: bool = False) -> list[Resolved]:
    """Resolve the open phases of campaigns that are due, and those after them that wait for nobody.

    Parameters are those of :func:`resolve`.
    """
    done: list[Resolved] = []
    left = list(campaign_ids)
    for _ in range(MAX_IN_A_ROW):
        if not left:
            break
        these = resolve(ctx, left, only_short=only_short)
        done += these
        left = [one.campaign_id for one in these if not one.awaits]
    return done


def resolve_once(
    ctx: AppContext, campaign_id: str, *, by_gm: str | None = None, number: int | None = None
) -> Resolved | None:
    """Resolve the open phase if it is due, or because the GM *by_gm* says so; None if there was nothing to do.

    *number* is the phase that is meant; another one stays as it is.
    """
    return next(iter(resolve(ctx, [campaign_id], Asked(by_gm, number))), None)


def resolve(
    ctx: AppContext, campaign_ids: Sequence[str], asked: Asked = DUE, *, only_short: bool = False
) -> list[Resolved]:
    """Resolve the open phases of one to eight campaigns if they are to be resolved, all that can be or none.

    Of several, those are left out that someone else has claimed just now. *only_short* leaves out those that take
    long: computer players think, or the position is large.
    """
    done: list[Resolved] = []
    left = list(campaign_ids)
    for attempt in range(1, MAX_TRIES + 1):
        begun = time.perf_counter()
        with ctx.database.read() as session:
            found = gather(ctx, session, left, ctx.now(), asked)
        played = {one.rows.campaign.id: _play(ctx, one) for one in found if not (only_short and one.takes_long)}
        if not played:
            break
        written, left = _write(ctx, played, asked, last=attempt == MAX_TRIES)
        for one in written:
            _note(ctx, one, time.perf_counter() - begun, together=len(written))
        done += written
        if not left:
            break
    return done


def _play(ctx: AppContext, found: ResolutionInput) -> Played:
    begun = time.perf_counter()
    state, given, key = found.before, found.given, (found.rows.campaign.id, found.rows.record.state_hash)
    outcome = None
    if found.large and ctx.background.processes:
        outcome = play_elsewhere(ctx.background, state, ctx.caches.written.known(key), given)
    if outcome is None:
        orders = given.all_orders(state)
        outcome = play_phase(state, orders, given.dice.roll_with(), checked_before(ctx, *key, orders))
    return Played(found, outcome, time.perf_counter() - begun)


def _write(
    ctx: AppContext, played: Mapping[str, Played], asked: Asked, *, last: bool
) -> tuple[list[Resolved], list[str]]:
    """Write the results of phases, all or none; return them, and the campaigns that have changed since.

    *last*: those are played again at once.
    """
    ready: list[Played] = []
    changed: list[str] = []
    with ctx.database.write() as session:
        # a statement of its own: one that waits goes on with what it saw before
        claimed = claim(session, list(played), wait=len(played) == 1)
        for rows in read_all(session, claimed, without_orders=True):
            one = played[rows.campaign.id]
            why = why_now(ctx, session, rows, ctx.now(), asked)
            if why is None:
                _log.info("resolved in vain", campaign_id=rows.campaign.id)
            elif (rows.fingerprint, why) == (one.found.rows.fingerprint, one.found.why):
                ready.append(replace(one, found=replace(one.found, rows=rows)))
            elif last:
                ready.append(_play(ctx, input_of(ctx, session, rows, why, ctx.now())))
            else:
                changed.append(rows.campaign.id)
        written = write_down(ctx, session, ready, ctx.now(), by=asked.by_gm) if ready else []
        for one, resolved in zip(ready, written, strict=True):
            if resolved.over:
                records.seal(ctx, session, one.found.rows.campaign)
    for one in ready:
        key = (one.found.rows.campaign.id, one.outcome.state_hash)
        ctx.caches.states.put(key, one.outcome.state)
        ctx.caches.written.put(key, one.outcome.written)
    return written, changed


def _note(ctx: AppContext, done: Resolved, took: float, *, together: int) -> None:
    """Log a phase that was resolved, and do what follows from it."""
    ctx.on_resolved(took)
    _log.info(
        "resolved",
        campaign_id=done.campaign_id,
        branch=done.branch,
        phase=done.number,
        why=done.why,
        ms=round(took * 1000),
        together=together,
    )
    if done.turn_over:
        give_up_where_due(ctx, done.campaign_id)
