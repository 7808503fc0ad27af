"""Phases resolved in another process: the same to the last byte, whatever becomes of the process, and nobody waits."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from server.play import engine, orders, record_files, resolving
from server.play.background import Background
from server.play.context import Play, Who
from server.play.engine import Job
from server.play.verifying import verify_bytes
from tests.play.campaigns import Club, club

PATIENCE = 60.0
GATE = "SEALED_ORDERS_TEST_GATE"
"""Names the file that :func:`waits` waits for; another process inherits it."""


@pytest.fixture
def far(play: Play, monkeypatch: pytest.MonkeyPatch) -> Iterator[Play]:
    """Use cases that resolve every phase in another process."""
    monkeypatch.setattr(resolving, "is_long", lambda _state: True)
    own = replace(play, background=Background(threads=0, processes=1))
    yield own
    own.close()


def waits(job: Job) -> tuple[bytes, bytes]:
    """Resolve when one is let."""
    begun, gate = Path(os.environ[GATE] + ".begun"), Path(os.environ[GATE])
    begun.write_text(str(os.getpid()))
    while not gate.exists():
        time.sleep(0.01)
    return engine.resolve_bytes(job)


def verified(play: Play, made: Club) -> int:
    """Play every phase of a record again in this process; return how many were the same."""
    operator = Who(made.gm.user_id, made.gm.name, admin=True, session=True)
    report = verify_bytes(record_files.export(play, operator, made.id))
    assert report.first is None, report
    return report.checked


def worker(play: Play) -> int:
    return play.background.compute(os.getpid, long=True)


def test_the_hashes_are_the_same(far: Play) -> None:
    made = club(far)
    for _ in range(7):
        made.play_phase()
    assert worker(far) != os.getpid()
    assert made.info.phase_number == 8
    assert verified(far, made) >= 7


def test_a_killed_worker_is_done_without(far: Play) -> None:
    made = club(far)
    made.play_phase()
    first = worker(far)
    os.kill(first, signal.SIGKILL)
    made.play_phase()
    made.play_phase()
    assert made.info.phase_number == 4
    assert worker(far) not in (first, os.getpid())
    verified(far, made)


@pytest.fixture
def gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file; until it is there, no phase comes to an end."""
    monkeypatch.setenv(GATE, str(tmp_path / "gate"))
    monkeypatch.setattr(resolving, "resolve_bytes", waits)
    return tmp_path / "gate"


def begun(gate: Path) -> int:
    """Wait until a phase is being resolved; return the process that does it."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        said = Path(f"{gate}.begun")
        if said.exists() and (pid := said.read_text()):
            return int(pid)
        time.sleep(0.01)
    raise AssertionError("no phase was begun")


@pytest.mark.parametrize("killed", [False, True])
def test_nobody_waits_for_a_phase_that_takes_long(far: Play, gate: Path, killed: bool) -> None:
    other = club(replace(far, background=Background()), begin=False)
    made = club_beside(far, other)
    ending = threading.Thread(target=made.play_phase)
    ending.start()
    pid = begun(gate)
    assert pid != os.getpid()
    assert other.info.status == "open"
    assert made.info.phase_number == 1
    assert orders.read(far, made.players["p1"], made.id).final
    if killed:
        os.kill(pid, signal.SIGKILL)
    gate.touch()
    ending.join(PATIENCE)
    assert not ending.is_alive()
    assert made.info.phase_number == 2


def club_beside(play: Play, other: Club) -> Club:
    """Make a campaign with the people of another one."""
    from server.play import campaigns, seats, starting
    from server.play.campaigns import NewCampaign
    from tests.play.campaigns import factions

    made = Club(play, other.gm, dict(other.players))
    made.id = campaigns.create(play, made.gm, NewCampaign("The Short March", "four-corners")).id
    for number, (seat, who) in enumerate(made.players.items(), 1):
        seats.join(play, who, made.id, faction=factions(play, made)[number], seat=seat)
    starting.start(play, made.gm, made.id)
    return made
