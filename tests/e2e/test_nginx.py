"""Processes behind Debian's nginx are restarted one after the other, and nobody sees a 502."""

from __future__ import annotations

import contextlib
import re
import shutil
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from tests.e2e.processes import ServerProcess, free_port
from tests.store import databases

CONF = Path(__file__).parents[2] / "deploy" / "nginx.conf"
NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin")
PACE = 0.02
"""Seconds between two requests."""

pytestmark = pytest.mark.skipif(NGINX is None, reason="there is no nginx")


def configuration(folder: Path, port: int, upstreams: list[int]) -> str:
    """Return the configuration we give away, for this port and these processes, without certificates."""
    conf = CONF.read_text("utf-8")
    conf = re.sub(r"^server \{\n    listen 80;.*?^\}\n", "", conf, flags=re.MULTILINE | re.DOTALL)
    conf = re.sub(r"^ *(listen \[|ssl_).*\n", "", conf, flags=re.MULTILINE)
    conf = conf.replace("listen 443 ssl http2;", f"listen 127.0.0.1:{port};")
    servers = "".join(f"    server 127.0.0.1:{upstream} max_fails=0;\n" for upstream in upstreams)
    conf = conf.replace("    server 127.0.0.1:8000 max_fails=0;\n", servers)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    head = f"daemon off;\nmaster_process off;\npid {folder}/pid;\nerror_log {folder}/error.log;\nevents {{}}\n"
    return f"{head}http {{\naccess_log off;\n{paths}{conf}}}\n"


@contextmanager
def nginx(folder: Path, *upstreams: int) -> Iterator[str]:
    """Run nginx in front of some processes; gives its address."""
    port = free_port()
    conf = folder / "nginx.conf"
    conf.write_text(configuration(folder, port, [*upstreams]))
    process = subprocess.Popen([str(NGINX), "-c", str(conf), "-e", str(folder / "error.log")])
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def test_a_rolling_restart_shows_nobody_a_502(tmp_path: Path) -> None:
    """And a body that is too large gets the server's own answer.

    Seen to fail with ``max_fails`` left out: both processes counted as away when the second one stopped; and with
    refused bodies left unread: nginx could not send them to their end and gave 502.
    """
    with (
        databases.migrated("postgresql", "nginx") as url,
        ServerProcess(url) as first,
        ServerProcess(url) as second,
        nginx(tmp_path, first.port, second.port) as address,
    ):
        _wait_until_it_answers(address)
        for _ in range(3):
            assert httpx2.post(f"{address}/api/v1/accounts", content=b"x" * 8_000_000, timeout=60).status_code == 413
        statuses: Counter[int | str] = Counter()
        done = threading.Event()
        client = threading.Thread(target=_ask, args=(address, statuses, done))
        client.start()
        try:
            for process in (first, second):
                _wait_for(statuses, 50)
                assert process.stop() in (0, -15)
                _wait_for(statuses, 25)
                process.start()
        finally:
            _wait_for(statuses, 50)
            done.set()
            client.join()
    assert set(statuses) == {200}, statuses


def _wait_until_it_answers(address: str) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with contextlib.suppress(httpx2.TransportError):
            httpx2.get(f"{address}/healthz", timeout=30)
            return
        time.sleep(PACE)


def _ask(address: str, statuses: Counter[int | str], done: threading.Event) -> None:
    """Ask 50 times a second; what does not come back counts as what went wrong."""
    with httpx2.Client(base_url=address, timeout=30) as client:
        while not done.wait(PACE):
            try:
                statuses[client.get("/api/v1/errors").status_code] += 1
            except httpx2.HTTPError as error:
                statuses[type(error).__name__] += 1


def _wait_for(statuses: Counter[int | str], more: int) -> None:
    """Wait until so many more answers have come."""
    wanted, end = statuses.total() + more, time.monotonic() + 120
    while statuses.total() < wanted and time.monotonic() < end:
        time.sleep(PACE)
