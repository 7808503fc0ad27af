"""Processes of the version before play on beside this one, on a database that this one has brought forward.

The version before is :data:`BEFORE`, taken from the repository's history: move it on when the number before the point
of the revisions changes, for then all processes are stopped (``docs/operators.md``).
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import httpx2
import pytest
from sqlalchemy.engine import URL

from server.play.archive import record_files
from server.play.archive.verification import verify_bytes
from server.play.context import Actor, AppContext
from server.settings import Settings
from server.store import migrate
from server.store.database import Database
from tests.e2e.clients import set_up
from tests.e2e.processes import ServerProcess, free_port
from tests.play.standing import check_derived, check_pointers
from tests.store import databases

ROOT = Path(__file__).parents[2]
BEFORE = "56412906"
PHASES = 6
PATIENCE = 300.0
"""Seconds for a start: the version before makes all tables first, which took longer than a minute on a busy machine."""

pytestmark = [pytest.mark.deep, pytest.mark.timeout(600)]


@pytest.fixture
def before(tmp_path: Path) -> Path:
    """The version before, as its files are in the history."""
    done = subprocess.run(
        ["git", "archive", BEFORE, "server", "migrations", "maps"], cwd=ROOT, capture_output=True, check=False
    )
    if done.returncode:
        pytest.skip(f"this checkout has no commit {BEFORE}")
    with tarfile.open(fileobj=BytesIO(done.stdout)) as files:
        files.extractall(tmp_path, filter="data")
    return tmp_path


@contextmanager
def serving(program: Path, url: URL) -> Iterator[str]:
    """A server process of another version; gives its address."""
    port = free_port()
    settings = {
        "DATABASE_URL": url.render_as_string(hide_password=False),
        "TICKER_INTERVAL": "0.2",
        "SIGN_IN_RATE": "0",
    }
    environment = {**os.environ, "PYTHONPATH": str(program)} | {f"SEALED_ORDERS_{k}": v for k, v in settings.items()}
    command = [sys.executable, "-m", "server", "serve", "--port", str(port)]
    process = subprocess.Popen(command, cwd=program, env=environment)
    try:
        address, end = f"http://127.0.0.1:{port}", time.monotonic() + PATIENCE
        while not ready(address):
            assert time.monotonic() < end, "it did not start"
            time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait()


def ready(address: str) -> bool:
    with contextlib.suppress(httpx2.HTTPError):
        return httpx2.get(f"{address}/readyz", timeout=60).status_code == 200
    return False


def test_the_version_before_plays_on_beside_this_one(before: Path) -> None:
    """Half of the players are at each; who is final last, and so which version resolves a phase, takes turns.

    Seen to fail with 0c9ef93c as the version before, which knows no memberships.
    """
    with databases.empty("postgresql", "rolling") as url, serving(before, url) as old:
        table = set_up(old, 4, patience=60, rules={"turn_limit": 9})
        migrate.upgrade(url)
        with ServerProcess(url) as new:
            there = table.moved_to(new.base_url)
            for number in range(1, PHASES + 1):
                assert ready(old), "a process of the version before is taken out of service"
                turn = [table, there] if number % 2 else [there, table]
                for place, side in enumerate([turn[0], turn[0], turn[1], turn[1]]):
                    answer = side.players[place].ask("POST", f"{table.path}/orders/final", {"number": number})
                    assert answer.status_code in (200, 409), answer.text
                end = time.monotonic() + 60
                while (now := there.gm.do("GET", table.path))["phase_number"] == number:
                    assert time.monotonic() < end, now
                    time.sleep(0.05)
        ctx = AppContext(Database(url), Settings(_env_file=None))
        check_pointers(ctx.database)
        check_derived(ctx.database)
        admin = Actor("admin", "Admin", admin=True, session=True)
        assert verify_bytes(record_files.export(ctx, admin, table.id)).ok
        ctx.close()
        ctx.database.close()
