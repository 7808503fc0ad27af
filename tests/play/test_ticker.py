"""The ticker looks again when the next phase is due, however seldom it looks otherwise.

Seen to fail with a pause of always the whole interval.
"""

from __future__ import annotations

import threading
import time
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from server.play.campaigns import seats
from server.play.context import AppContext
from server.play.game_masters import handover
from server.play.schedule import ticker
from tests.play.campaigns import club
from tests.play.conftest import Clock, person
from tests.storm import let_loose

PATIENCE, INTERVAL = 60.0, 600.0


def test_a_phase_ends_at_its_deadline_and_not_at_the_next_look(
    ctx: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ticker, "delivering", lambda *_: nullcontext())  # deliveries end with their own next look
    settings = ctx.settings.model_copy(update={"ticker_interval": INTERVAL})
    now = replace(ctx, clock=lambda: datetime.now(UTC), settings=settings)
    made = club(now, options={"deadlines": {"kind": "rolling", "hours": 24}})
    number, stop = made.info.phase_number, threading.Event()
    let_loose(now.database, [made.id], now.now() + timedelta(seconds=2))
    ticking = threading.Thread(target=ticker.run, args=(now, stop))
    ticking.start()
    try:
        patience = time.monotonic() + PATIENCE
        while made.info.phase_number == number and time.monotonic() < patience:
            time.sleep(0.1)
        assert made.info.phase_number == number + 1
    finally:
        stop.set()
        ticking.join(PATIENCE)
    assert not ticking.is_alive()


def test_what_comes_due_in_days_is_seen_to_by_a_server_that_ticks(
    ctx: AppContext, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A campaign that everyone left ends, and a successor takes over, within an hour of being due.

    Seen to fail without the two lines of the ticker.
    """
    monkeypatch.setattr(ticker, "delivering", lambda *_: nullcontext())
    settings = ctx.settings.model_copy(update={"ticker_interval": 0.05})
    made, eve = club(replace(ctx, settings=settings)), person(ctx, "Eve")
    handover.offer(ctx, made.gm, made.id, "Eve", role="successor")
    handover.accept(ctx, eve, made.id)
    for actor in made.players.values():
        seats.leave(ctx, actor, made.id)
    stop = threading.Event()
    ticking = threading.Thread(target=ticker.run, args=(made.ctx, stop))
    ticking.start()
    try:
        for days, gm, status in ((15, "Eve", "running"), (16, "Eve", "finished")):
            assert (made.info.gm, made.info.status) != (gm, status)
            clock.forward(days=days)
            patience = time.monotonic() + PATIENCE
            while (made.info.gm, made.info.status) != (gm, status) and time.monotonic() < patience:
                time.sleep(0.1)
            assert (made.info.gm, made.info.status) == (gm, status)
    finally:
        stop.set()
        ticking.join(PATIENCE)
