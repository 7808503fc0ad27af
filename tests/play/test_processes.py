"""Phases resolved in another process: the same to the last byte, whatever becomes of the process, and nobody waits.

A new interpreter takes seconds until all is imported. Where it does not matter how the process came to be, it is a
fork of one that has imported everything (:func:`_imported`).
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from multiprocessing import get_context
from multiprocessing.context import BaseContext
from pathlib import Path
from typing import Any

import pytest

from server.play import background
from server.play.archive import record_files
from server.play.archive.verification import verify_bytes
from server.play.background import Background, ProcessLost
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.orders import orders
from server.play.resolution import engine, resolution
from server.play.resolution.engine import play_bytes
from server.play.resolution.resolution import resolve_due
from server.play.resolution.resolution_input import DUE, gather
from server.store import phase_orders
from server.store.tables import Phase
from tests.play.campaigns import Club, club
from tests.play.conftest import Clock

PATIENCE = 60.0


@cache
def _imported() -> BaseContext:
    """Processes that are forks of one in which everything is imported."""
    context = get_context("forkserver")
    context.set_forkserver_preload([resolution.__name__, __name__])
    return context


@pytest.fixture
def forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have other processes begin at once."""
    monkeypatch.setattr(background, "get_context", lambda method: _imported())


@pytest.fixture
def far(ctx: AppContext, monkeypatch: pytest.MonkeyPatch) -> Iterator[AppContext]:
    """Use cases that resolve every phase in another process."""
    monkeypatch.setattr(engine, "LARGE", -1)
    own = replace(ctx, background=Background(threads=0, processes=1))
    yield own
    own.close()


def waits(gate: Path, *given: Any) -> Any:
    """Play when one is let."""
    _wait(gate)
    return play_bytes(*given)


def _wait(gate: Path) -> None:
    Path(f"{gate}.begun").write_text(str(os.getpid()))
    while not gate.exists():
        time.sleep(0.01)


def refuses() -> None:
    raise PlayError("wrong_phase", "Phase 2 is open.", field="number", value=2, problems=[{"code": "x"}])


def verified(ctx: AppContext, made: Club) -> int:
    """Play every phase of a record again in this process; return how many were the same."""
    operator = Actor(made.gm.user_id, made.gm.name, admin=True, session=True)
    report = verify_bytes(record_files.export(ctx, operator, made.id))
    assert report.first is None, report
    return report.checked


def worker(ctx: AppContext) -> int:
    return ctx.background.in_process(os.getpid)


def test_the_hashes_are_the_same(far: AppContext) -> None:
    made = club(far)
    for _ in range(7):
        made.play_phase()
    assert worker(far) != os.getpid()
    assert made.info.phase_number == 8
    assert verified(far, made) >= 7


@pytest.mark.usefixtures("forked")
def test_a_killed_worker_is_done_without(far: AppContext) -> None:
    made = club(far)
    made.play_phase()
    first = worker(far)
    os.kill(first, signal.SIGKILL)
    made.play_phase()
    made.play_phase()
    assert made.info.phase_number == 4
    assert worker(far) not in (first, os.getpid())
    verified(far, made)


@pytest.mark.usefixtures("forked")
def test_a_refusal_comes_whole_out_of_another_process(far: AppContext) -> None:
    with pytest.raises(PlayError) as caught:
        far.background.in_process(refuses)
    refused = caught.value
    assert (refused.code, refused.message, refused.field, refused.value) == (
        "wrong_phase",
        "Phase 2 is open.",
        "number",
        2,
    )
    assert list(refused.problems) == [{"code": "x"}]


@pytest.mark.usefixtures("forked")
def test_a_worker_that_dies_at_its_work_is_told_of(far: AppContext) -> None:
    with pytest.raises(ProcessLost):
        far.background.in_process(os._exit, 1)


def test_a_worker_ends_with_its_server(tmp_path: Path) -> None:
    program = (
        "import os, time\n"
        "from server.play.background import Background\n"
        "if __name__ == '__main__':\n"
        "    background = Background(processes=1)\n"  # kept: else its processes would end with it
        "    print(background.in_process(os.getpid), flush=True)\n"
        "    time.sleep(600)\n"
    )
    file = tmp_path / "keeper.py"
    file.write_text(program)
    with subprocess.Popen([sys.executable, str(file)], stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            pid = int(server.stdout.readline())
            assert lives(pid)
        finally:
            server.kill()
    end = time.monotonic() + PATIENCE
    while lives(pid) and time.monotonic() < end:
        time.sleep(0.02)
    assert not lives(pid)


def lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # a process whose parent is gone may stay as a zombie where nobody collects it
    return subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout[:1] not in "Z"


def begun(gate: Path) -> int:
    """Wait until a phase is being resolved; return the process that does it."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        said = Path(f"{gate}.begun")
        if said.exists() and (pid := said.read_text()):
            return int(pid)
        time.sleep(0.01)
    raise AssertionError("no phase was begun")


@pytest.mark.usefixtures("forked")
@pytest.mark.parametrize("killed", [False, True])
def test_nobody_waits_for_a_phase_that_takes_long(
    far: AppContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, killed: bool
) -> None:
    gate = tmp_path / "gate"
    monkeypatch.setattr(engine, "play_bytes", partial(waits, gate))
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
    verified(far, made)


def test_computer_players_think_in_another_process(far: AppContext, clock: Clock) -> None:
    """Where the position is large; and they order what they would order here."""
    here = replace(far, background=Background())
    options = {"deadlines": {"kind": "rolling", "hours": 10}, "stand_in": "bot", "stand_in_after": 1}
    made = club(far, options=options)
    for _ in range(4):
        clock.forward(hours=10)
        with far.database.read() as session:
            (found,) = gather(here, session, [made.id], clock.at, DUE)
            expected = found.given.all_orders(found.before)
        assert resolve_due(far, [made.id])
        with far.database.read() as session:
            played = session.get_one(Phase, (made.id, 1, found.rows.phase.number))
            assert phase_orders.orders_of(session, played) == expected
    assert worker(far) != os.getpid()
    verified(far, made)


def club_beside(ctx: AppContext, other: Club) -> Club:
    """Make a campaign with the people of another one."""
    from server.play.campaigns import campaign_start, campaigns, seats
    from server.play.campaigns.campaigns import NewCampaign
    from tests.play.campaigns import factions

    made = Club(ctx, other.gm, dict(other.players))
    made.id = campaigns.create(ctx, made.gm, NewCampaign("The Short March", "four-corners")).id
    for number, (seat, actor) in enumerate(made.players.items(), 1):
        seats.join(ctx, actor, made.id, faction=factions(ctx, made)[number], seat=seat)
    campaign_start.start(ctx, made.gm, made.id)
    return made
