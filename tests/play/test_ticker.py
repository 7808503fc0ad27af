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

from server.play.context import AppContext
from server.play.schedule import ticker
from tests.play.campaigns import club
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
