"""Four server processes behind a pooler in transaction mode: each phase is resolved once, and news arrive in all.

PgBouncer runs in front of the tests' PostgreSQL; ``SEALED_ORDERS_TEST_POOLER=host:port`` names one that runs already.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx2
import pytest
from sqlalchemy.engine import URL

from tests.e2e import processes
from tests.e2e.clients import set_up
from tests.e2e.processes import START_SECONDS, ServerProcess, free_port, serving
from tests.e2e.test_race import _race, _resolved_once
from tests.store import databases

PGBOUNCER = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin:/opt/homebrew/bin:/usr/local/bin")
pytestmark = [
    pytest.mark.skipif(not processes.POOLER and PGBOUNCER is None, reason="there is no pgbouncer"),
    pytest.mark.timeout(600),
]
PROCESSES = 4


@pytest.fixture(autouse=True)
def pooler(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A pooler in transaction mode between the servers and PostgreSQL."""
    if processes.POOLER:
        yield
        return
    port = free_port()
    with TemporaryDirectory(prefix="sealed-orders-pooler-") as found:
        folder = Path(found)
        folder.chmod(0o755)  # started as root it gives that up, and reads its files as somebody else
        (folder / "users").touch()
        (folder / "pgbouncer.ini").write_text(_configuration(folder, databases.server(), port))
        command = [str(PGBOUNCER), *(["-u", "nobody"] if os.geteuid() == 0 else []), str(folder / "pgbouncer.ini")]
        with (folder / "log").open("w") as log, subprocess.Popen(command, stdout=log, stderr=log) as process:
            try:
                monkeypatch.setattr(processes, "POOLER", f"127.0.0.1:{port}")
                yield
            finally:
                process.terminate()


def _configuration(folder: Path, server: URL, port: int) -> str:
    password = f" password={server.password}" if server.password else ""
    return "\n".join(
        (
            "[databases]",
            f"* = host={server.host} port={server.port or 5432} user={server.username}{password}",
            "[pgbouncer]",
            f"listen_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =",
            f"auth_type = any\nauth_file = {folder / 'users'}",
            "pool_mode = transaction\nmax_client_conn = 400\nignore_startup_parameters = extra_float_digits,options",
            "",
        )
    )


def test_news_of_one_process_arrive_in_the_others() -> None:
    with databases.migrated("postgresql", "pooler") as url, ExitStack() as stack:
        servers = [stack.enter_context(serving(url)) for _ in range(PROCESSES)]
        tables = [table := set_up(servers[0].base_url, PROCESSES, patience=60, rules={"turn_limit": 900})]
        tables += [table.moved_to(server.base_url) for server in servers[1:]]
        ann = tables[0].players[0]
        with ExitStack() as streams:
            followed = [
                streams.enter_context(each.players[seat].follow(f"{table.path}/stream"))
                for seat, each in enumerate(tables)
            ]
            assert [next(stream)["event"] for stream in followed] == ["state"] * PROCESSES
            begun = time.monotonic()
            ann.do("PUT", f"{table.path}/orders", {"orders": []})
            ann.do("POST", f"{table.path}/orders/final", {})
            for stream in followed[1:]:
                assert next(stream)["event"] == "finality"
            took = time.monotonic() - begun
        ann.do("DELETE", f"{table.path}/orders/final")
        _race(table, [each.players[seat] for seat, each in enumerate(tables)])
        for server in servers:
            server.stop()
        count = _resolved_once(url, table)
    print(
        f"\n{PROCESSES} processes behind a pooler: news in all after {took:.2f} s, {count} phases, each resolved once"
    )


def test_a_server_that_does_not_hear_news_says_so() -> None:
    with databases.migrated("postgresql", "deaf") as url:
        process = ServerProcess(url, listen_url="")
        with pytest.raises(AssertionError, match="SEALED_ORDERS_LISTEN_URL"):
            _start_shortly(process)
        process.kill()


def _start_shortly(process: ServerProcess) -> None:
    """Start a server; fail with what it says of itself once it answers."""
    processes.START_SECONDS = 15.0
    try:
        process.start()
    except AssertionError:
        told = httpx2.get(f"{process.base_url}/readyz", timeout=5)
        assert told.status_code == 503
        raise AssertionError(told.text + process.said()) from None
    finally:
        processes.START_SECONDS = START_SECONDS
