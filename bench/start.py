"""What a start costs: processor time of ``--help``, processor time until a server is ready, its memory when idle.

Each is held against the least there is, in processes of their own, by turns.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import httpx2
from sqlalchemy.engine import URL

from bench.measure import Result
from bench.meters import cpu_of
from tests.e2e.processes import free_port

HELPS, STARTS = 9, 5
HELP, READY, MEMORY = 3.0, 4.0, 2.2
"""At most so many times the least."""
IDLE_SECONDS = 3.0
"""After so long nothing of the start is going on any more."""
START_SECONDS = 120.0


def start(url: URL) -> list[Result]:
    """Compare by turns; the medians of the shares count."""
    typer = [sys.executable, "-c", "import typer"]
    program = [sys.executable, "-m", "server", "--help"]
    helps = [(_processor_seconds(typer), _processor_seconds(program)) for _ in range(1 + HELPS)][1:]
    servers = [(_bare(url), _real(url)) for _ in range(1 + STARTS)][1:]  # the first makes the bytecode
    return [
        _result("--help, processor time, of import typer", helps, "{0:.0f} of {1:.0f} ms", 1e3, HELP),
        _result(
            "ready, processor time, of a bare FastAPI and SQLAlchemy",
            [(bare.processor, real.processor) for bare, real in servers], "{0:.2f} of {1:.2f} s", 1, READY,
        ),
        _result(
            "ready, on the wall, of the same",
            [(bare.seconds, real.seconds) for bare, real in servers], "{0:.2f} of {1:.2f} s", 1, READY,
        ),
        _result(
            "memory when idle, of the same",
            [(bare.memory, real.memory) for bare, real in servers], "{0:.0f} of {1:.0f} MB", 1 / 2**20, MEMORY,
        ),
    ]  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Started:
    seconds: float
    processor: float
    """Seconds of a processor until it was ready."""
    memory: float
    """Bytes when idle."""


def _result(what: str, pairs: Sequence[tuple[float, float]], form: str, unit: float, aim: float) -> Result:
    share = median(real / least for least, real in pairs)
    least, real = (median(pair[place] for pair in pairs) * unit for place in (0, 1))
    return Result("start", what, f"{share:.1f}x ({form.format(real, least)})", f"{aim:.1f}x", share <= aim)


def _processor_seconds(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _bare(url: URL) -> _Started:
    port = free_port()
    return _started([sys.executable, "-m", "bench.bare_start", url.render_as_string(), str(port)], port, {})


def _real(url: URL) -> _Started:
    port = free_port()
    environment = {"SEALED_ORDERS_DATABASE_URL": url.render_as_string(), "SEALED_ORDERS_LOG_LEVEL": "error"}
    return _started([sys.executable, "-m", "server", "serve", "--port", str(port)], port, environment)


def _started(command: list[str], port: int, environment: dict[str, str]) -> _Started:
    begun = time.perf_counter()
    process = subprocess.Popen(
        command, env=os.environ | environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        _wait_until_ready(port, begun)
        seconds, processor = time.perf_counter() - begun, cpu_of(process.pid)
        time.sleep(IDLE_SECONDS)
        return _Started(seconds, processor, _resident(process.pid))
    finally:
        process.terminate()
        process.wait()


def _wait_until_ready(port: int, begun: float) -> None:
    while time.perf_counter() - begun < START_SECONDS:
        with suppress(httpx2.HTTPError):
            if httpx2.get(f"http://127.0.0.1:{port}/readyz", timeout=5).status_code == 200:
                return
        time.sleep(0.02)
    raise AssertionError("the server did not become ready")


def _resident(process: int) -> int:
    """Return the bytes of memory a process and its children hold; what they share counts for each."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    tasks = Path(f"/proc/{process}/task").iterdir()
    children = [int(child) for task in tasks for child in (task / "children").read_text().split()]
    return pages * os.sysconf("SC_PAGE_SIZE") + sum(map(_resident, children))
