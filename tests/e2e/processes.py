"""Real server processes for tests: started, killed and started again."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

import httpx2
from sqlalchemy.engine import URL

START_SECONDS = 60.0


def free_port() -> int:
    """Return a port nobody listens at."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


class ServerProcess:
    """One ``sealed-orders serve``."""

    def __init__(self, url: URL, **settings: object) -> None:
        self.port = free_port()
        self.base_url = f"http://127.0.0.1:{self.port}"
        given: Mapping[str, object] = {
            "database_url": url.render_as_string(hide_password=False),
            "public_url": self.base_url,
            "account_rate": 0,
            "address_rate": 0,
            "sign_in_rate": 0,
            "ticker_interval": 0.2,
            "log_level": "warning",
        } | settings
        self.environment = {
            **os.environ,
            **{f"SEALED_ORDERS_{name.upper()}": str(each) for name, each in given.items()},
        }
        self.log = tempfile.NamedTemporaryFile(prefix="sealed-orders-log-", suffix=".txt", delete=False)  # noqa: SIM115
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, wait: bool = True) -> Self:
        """Start it and wait until it is ready."""
        command = [sys.executable, "-m", "server", "serve", "--port", str(self.port), "--no-upgrade"]
        self.process = subprocess.Popen(command, env=self.environment, stdout=self.log, stderr=self.log)
        if wait:
            self.wait_until_ready()
        return self

    def wait_until_ready(self) -> None:
        """Wait until it answers."""
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            assert self.process is not None
            if self.process.poll() is not None:
                raise AssertionError(f"the server ended with {self.process.returncode}: {self.said()}")
            with contextlib.suppress(httpx2.HTTPError):
                if httpx2.get(f"{self.base_url}/readyz", timeout=5).status_code == 200:
                    return
            time.sleep(0.03)
        raise AssertionError(f"the server did not become ready: {self.said()}")

    def kill(self) -> None:
        """Kill it as the kernel or a power cut would: no chance to put anything in order."""
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.process = None

    def stop(self) -> int:
        """Ask it to stop, wait, and return its exit code."""
        if self.process is None:
            return 0
        self.process.terminate()
        code = self.process.wait(60)
        self.process = None
        return code

    def memory(self) -> int:
        """Return the bytes of memory it holds."""
        assert self.process is not None
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        raise AssertionError("no VmRSS")

    def said(self) -> str:
        """Return what it logged."""
        return Path(self.log.name).read_text()[-8000:]

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        self.log.close()
        Path(self.log.name).unlink(missing_ok=True)


@contextlib.contextmanager
def serving(url: URL, **settings: object) -> Iterator[ServerProcess]:
    """A server process on a database, killed at the end."""
    with ServerProcess(url, **settings) as process:
        yield process
