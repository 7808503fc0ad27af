"""Real server processes for tests: started, killed and started again."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Self

import httpx2
from sqlalchemy.engine import URL

START_SECONDS = 60.0
PORTS = range(20_000, 32_000)
"""None of those the system gives to outgoing connections: a port stays free while its server is down."""


POOLER = os.environ.get("SEALED_ORDERS_TEST_POOLER", "")
"""``host:port`` of a pooler (PgBouncer) through which servers reach PostgreSQL; empty: they go there directly."""


def _addresses(url: URL) -> dict[str, object]:
    """Return the settings by which a server finds its database."""
    direct = url.render_as_string(hide_password=False)
    if not POOLER or url.get_backend_name() == "sqlite":
        return {"database_url": direct}
    host, port = POOLER.split(":")
    pooled = url.set(host=host, port=int(port)).render_as_string(hide_password=False)
    return {"database_url": pooled, "listen_url": direct, "prepared_statements": False}


def free_port() -> int:
    """Return a port nobody listens at."""
    while True:
        port = secrets.choice(PORTS)
        with socket.socket() as listener, contextlib.suppress(OSError):
            listener.bind(("127.0.0.1", port))
            return port


@contextlib.contextmanager
def nobody() -> Iterator[str]:
    """Give the address of no server, at which none can start meanwhile."""
    with socket.socket() as kept:
        kept.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{kept.getsockname()[1]}"


class _Zygote:
    """The process all servers of these tests are forks of; see :mod:`tests.e2e.zygote`."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.e2e.zygote"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._lock = threading.Lock()
        atexit.register(self._end)

    def ask(self, **asked: object) -> int:
        """Return the answer to one line."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._lock:
            self._process.stdin.write(json.dumps(asked) + "\n")
            self._process.stdin.flush()
            return int(self._process.stdout.readline())

    def _end(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()


@cache
def _zygote() -> _Zygote:
    return _Zygote()


class ServerProcess:
    """One server."""

    def __init__(self, url: URL, **settings: object) -> None:
        self.url = url
        self.port = free_port()
        self.base_url = f"http://127.0.0.1:{self.port}"
        given: Mapping[str, object] = {
            **_addresses(url),
            "public_url": self.base_url,
            "account_rate": 0,
            "address_rate": 0,
            "guests_per_day": 100_000,
            "sign_in_rate": 0,
            "guess_rate": 0,
            "ticker_interval": 0.2,
            "log_level": "warning",
        } | settings
        self.environment = {
            **os.environ,
            **{f"SEALED_ORDERS_{name.upper()}": str(each) for name, each in given.items()},
        }
        handle, name = tempfile.mkstemp(prefix="sealed-orders-log-", suffix=".txt")
        os.close(handle)
        self.log = Path(name)
        self.process = 0
        """Its id, 0 while there is none."""

    def start(self) -> Self:
        """Start it and wait until it is ready."""
        self.process = _zygote().ask(environment=self.environment, port=self.port, log=str(self.log))
        self.wait_until_ready()
        return self

    def wait_until_ready(self) -> None:
        """Wait until it answers."""
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            with contextlib.suppress(httpx2.HTTPError):
                if httpx2.get(f"{self.base_url}/readyz", timeout=5, verify=False).status_code == 200:
                    return
            time.sleep(0.02)
        raise AssertionError(f"the server did not become ready: {self.said()}")

    def kill(self) -> None:
        """Kill it as the kernel or a power cut would: no chance to put anything in order."""
        if self.process:
            os.kill(self.process, signal.SIGKILL)
            self.wait()

    def stop(self) -> int:
        """Ask it to stop, wait, and return its exit code."""
        if not self.process:
            return 0
        os.kill(self.process, signal.SIGTERM)
        return self.wait()

    def wait(self) -> int:
        """Wait for its end and return its exit code."""
        code = _zygote().ask(wait=self.process)
        self.process = 0
        return code

    def memory(self) -> int:
        """Return the bytes of memory it holds."""
        for line in Path(f"/proc/{self.process}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        raise AssertionError("no VmRSS")

    def said(self) -> str:
        """Return what it logged."""
        return self.log.read_text()[-8000:]

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        self.log.unlink(missing_ok=True)


@contextlib.contextmanager
def serving(url: URL, **settings: object) -> Iterator[ServerProcess]:
    """A server process on a database, killed at the end."""
    with ServerProcess(url, **settings) as process:
        yield process
