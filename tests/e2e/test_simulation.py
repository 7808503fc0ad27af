"""The simulation itself, small: everybody orders in their time, everything that falls due is resolved."""

from __future__ import annotations

import subprocess
import sys

import pytest

from bench import meters
from bench.simulate import Size, simulate, table
from tests.store import databases


def test_a_few_clubs_play_a_round() -> None:
    """Seen to fail where the people who are put in have other tokens."""
    size = Size(accounts=16, campaigns=4, rounds=1, kind="sqlite")
    with databases.migrated(size.kind, "simulation") as url:
        run = simulate(size, url)
    assert run.resolved >= 4
    assert len(run.late) == 4
    assert len(run.writes) == 16
    assert len(run.reads) >= 32
    assert not run.failed
    assert not run.refused
    assert run.cpu > 0
    assert table(size, run).row_count == 14


def test_a_process_that_has_ended_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen to fail where only those are added up that are there at the end."""
    monkeypatch.setattr(meters, "EVERY", 0.01)
    found: list[int] = []
    with meters.Meter(lambda: found) as meter:
        code = "import time\nwhile time.process_time() < 0.5: pass"
        with subprocess.Popen([sys.executable, "-c", code]) as busy:
            found.append(busy.pid)
    assert meter.cpu >= 0.3
