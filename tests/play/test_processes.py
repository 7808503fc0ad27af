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
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from multiprocessing import get_context
from multiprocessing.context import BaseContext
from pathlib import Path
from typing import Any

import pytest

from server.play import background
from server.play.background import Background, ProcessLost
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.orders import orders
from server.play.records import record_files, records
from server.play.records.verification import verify_bytes
from server.play.resolution import phase_writing, resolution, resolution_input
from server.play.resolution.phase_writing import Written
from server.play.resolution.resolution import ResolutionJob, run_job
from server.play.views import positions
from server.settings import Settings
from tests.play.campaigns import Club, club

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
    monkeypatch.setattr(resolution_input, "LONG", -1)
    own = replace(ctx, background=Background(threads=0, processes=1))
    yield own
    own.close()


def waits(gate: Path, url: str, settings: Settings, job: ResolutionJob) -> Written | None:
    """Resolve when one is let."""
    _wait(gate)
    return run_job(url, settings, job)


def waits_writing(gate: Path, url: str, settings: Settings, job: ResolutionJob) -> Written | None:
    """Resolve, and come to the end of the transaction when one is let."""
    write_down = phase_writing.write_down

    def slowly(*given: Any, **named: Any) -> list[Written]:
        done = write_down(*given, **named)
        _wait(gate)
        return done

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resolution, "write_down", slowly)
        return run_job(url, settings, job)


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
    return ctx.background.elsewhere(os.getpid)


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
        far.background.elsewhere(refuses)
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
        far.background.elsewhere(os._exit, 1)


def test_a_worker_ends_with_its_server(tmp_path: Path) -> None:
    program = (
        "import os, time\n"
        "from server.play.background import Background\n"
        "if __name__ == '__main__':\n"
        "    background = Background(processes=1)\n"  # kept: else its processes would end with it
        "    print(background.elsewhere(os.getpid), flush=True)\n"
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
@pytest.mark.parametrize("waiting", [waits, waits_writing])
def test_nobody_waits_for_a_phase_that_takes_long(
    far: AppContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, waiting: Callable[..., Any], killed: bool
) -> None:
    gate = tmp_path / "gate"
    monkeypatch.setattr(resolution, "run_job", partial(waiting, gate))
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


@pytest.mark.usefixtures("forked")
def test_a_position_is_at_hand_as_soon_as_it_is_written_and_told_to_nobody_before(
    far: AppContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen to fail where the resolver process says nothing: the position has to be read and decoded then."""
    gate, told = tmp_path / "gate", threading.Event()
    monkeypatch.setattr(resolution, "run_job", partial(waits_writing, gate))
    foretold: list[resolution.Foretold] = []

    def hear(one: resolution.Foretold) -> None:
        resolution.heard(far, one)
        foretold.append(one)
        told.set()

    far.background.hear(hear)
    made = club(far)
    p1 = made.players["p1"]
    before = positions.shown(far, p1, made.id)
    ending = threading.Thread(target=made.play_phase)
    ending.start()
    begun(gate)
    meanwhile = positions.shown(far, p1, made.id)
    gate.touch()
    ending.join(PATIENCE)
    assert told.wait(PATIENCE)
    assert meanwhile.body == before.body
    monkeypatch.setattr(records, "decode", None)
    after = positions.shown(far, p1, made.id)
    assert (after.number, after.state_hash) == (2, foretold[0].state_hash)
    monkeypatch.undo()
    far.caches.states.clear()
    far.caches.views.clear()
    far.caches.bodies.clear()
    assert positions.shown(far, p1, made.id).body == after.body


def test_a_resolver_begins_with_the_server_where_a_campaign_is_large(
    far: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[object] = []
    monkeypatch.setattr(far.background, "elsewhere", lambda function, *_given: begun.append(function))
    resolution.begin_resolvers(far)
    assert begun == []  # no campaign runs
    club(replace(far, background=Background()))
    resolution.begin_resolvers(far)
    assert begun == [resolution.get_ready]
    monkeypatch.setattr(resolution_input, "LONG", 250)
    resolution.begin_resolvers(far)
    assert len(begun) == 1


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
