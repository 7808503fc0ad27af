"""A process that is to stop says so while it still serves, so that proxies turn to others before it is gone."""

from __future__ import annotations

import os
import signal
import time

import httpx2

from tests.e2e.processes import serving
from tests.store import databases


def test_readiness_ends_before_the_server_does() -> None:
    """Seen to fail where a signal ends the server at once. A second signal does."""
    with databases.migrated("sqlite", "drain") as url, serving(url, shutdown_drain=10) as server:
        os.kill(server.process, signal.SIGTERM)
        end = time.monotonic() + 8
        ask = httpx2.Client(base_url=server.base_url, verify=False, timeout=30)
        while (ready := ask.get("/readyz")).status_code == 200 and time.monotonic() < end:
            time.sleep(0.02)
        assert (ready.status_code, ready.json()["code"]) == (503, "shutting_down")
        signed_up = {"name": "Ann", "password": "correct horse battery"}
        assert ask.post("/api/v1/accounts", json=signed_up).status_code == 201
        ask.close()
        assert server.stop() in (0, -signal.SIGTERM)
