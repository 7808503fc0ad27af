"""A crowd that signs in at once: the most memory the server takes, with the password hashes of real use."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import httpx2
from sqlalchemy.engine import URL

from bench.measure import Result
from tests.e2e.processes import free_port

PEOPLE = 50
MAX_MEGABYTES = 300.0
START_SECONDS = 300.0


def crowd(url: URL) -> list[Result]:
    """Let people sign in at once, and weigh the server with its processes."""
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    environment = os.environ | {
        "SEALED_ORDERS_DATABASE_URL": url.render_as_string(hide_password=False),
        "SEALED_ORDERS_LOG_LEVEL": "error",
        "SEALED_ORDERS_SIGN_IN_RATE": "0",
    }
    with tempfile.TemporaryFile() as log:
        command = [sys.executable, "-m", "server", "serve", "--port", str(port)]
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        try:
            _wait_until_ready(base)
            idle = _peak_megabytes(process.pid)
            begun = time.perf_counter()
            with ThreadPoolExecutor(PEOPLE) as threads:
                statuses = Counter(threads.map(lambda number: _sign_in(base, number), range(PEOPLE)))
            took = time.perf_counter() - begun
            peak = _peak_megabytes(process.pid)
        finally:
            process.terminate()
            process.wait()
    answers = ", ".join(f"{count} x {status}" for status, count in sorted(statuses.items()))
    return [
        Result(
            "crowd",
            f"most memory with {PEOPLE} sign-ins at once ({idle:.0f} MB before)",
            f"{peak:.0f} MB",
            f"{MAX_MEGABYTES:.0f} MB",
            peak <= MAX_MEGABYTES,
        ),
        Result("crowd", "until all are answered, and with what", f"{took:.1f} s, {answers}"),
    ]


def _wait_until_ready(base: str) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        with suppress(httpx2.HTTPError):
            if httpx2.get(f"{base}/readyz", timeout=5).status_code == 200:
                return
        time.sleep(0.1)
    raise AssertionError("the server did not become ready")


def _sign_in(base: str, number: int) -> int:
    body = {"name": f"Nobody {number}", "password": "correct horse"}
    return httpx2.post(f"{base}/api/v1/sessions", json=body, timeout=60).status_code


def _peak_megabytes(process: int) -> float:
    """Return the most memory a process and its children have had, in MB; what they share counts for each."""
    status = Path(f"/proc/{process}/status").read_text()
    peak = next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM:"))
    tasks = Path(f"/proc/{process}/task").iterdir()
    children = [int(child) for task in tasks for child in (task / "children").read_text().split()]
    return peak + sum(_peak_megabytes(child) for child in children)
