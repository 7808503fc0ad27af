"""Four server processes behind a pooler in transaction mode: each phase is resolved once, and news arrive in all.

Needs PgBouncer in transaction mode at ``SEALED_ORDERS_TEST_POOLER=host:port``, before the tests' PostgreSQL.
"""

from __future__ import annotations

import time
from contextlib import ExitStack

import httpx2
import pytest

from tests.e2e.clients import set_up
from tests.e2e.processes import POOLER, START_SECONDS, ServerProcess, serving
from tests.e2e.test_race import _race, _resolved_once
from tests.store import databases

pytestmark = [pytest.mark.skipif(not POOLER, reason="no pooler is named"), pytest.mark.timeout(600)]
PROCESSES = 4


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
    from tests.e2e import processes

    processes.START_SECONDS = 15.0
    try:
        process.start()
    except AssertionError:
        told = httpx2.get(f"{process.base_url}/readyz", timeout=5)
        assert told.status_code == 503
        raise AssertionError(told.text + process.said()) from None
    finally:
        processes.START_SECONDS = START_SECONDS
