"""Readers who keep to a pace, however slowly they are answered: how long each answer took."""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from server.http.signing import COOKIE

PATIENCE = 60.0


@dataclass(slots=True)
class Paced:
    """Reads at a pace. A time counts from when the read was due, so that waiting for the one before it counts, too."""

    asked: Sequence[tuple[int, str, str]]
    """Port, path and secret; taken in turn."""
    times: list[float] = field(default_factory=list)
    """Seconds of each, sorted at the end."""
    failed: int = 0
    """Answers of 500 or more."""
    lost: int = 0
    """Connections that ended without an answer."""

    def percentile(self, share: float) -> float:
        """Return the time that so large a share of the reads kept to."""
        return self.times[min(len(self.times) - 1, int(len(self.times) * share))] if self.times else 0.0

    @contextmanager
    def asking(self, rate: float, readers: int) -> Iterator[None]:
        """Read so often a second meanwhile, by so many at once."""
        over = threading.Event()
        begun = time.perf_counter()
        threads = [
            threading.Thread(target=self._read, args=(number, readers, readers / rate, begun, over))
            for number in range(readers)
        ]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            over.set()
            for thread in threads:
                thread.join()
            self.times.sort()

    def _read(self, number: int, readers: int, pause: float, begun: float, over: threading.Event) -> None:
        connections: dict[int, http.client.HTTPConnection] = {}
        due, turn = begun + pause * number / readers, number
        while not over.wait(max(0.0, due - time.perf_counter())):
            port, path, secret = self.asked[turn % len(self.asked)]
            if port not in connections:
                connections[port] = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
            try:
                head = {"Authorization": f"Bearer {secret}", "Cookie": f"{COOKIE}={secret}"}  # the API reads the former
                connections[port].request("GET", path, headers=head)
                answer = connections[port].getresponse()
                answer.read()
                assert answer.status < 400 or answer.status >= 500, (path, answer.status)
                self.failed += answer.status >= 500
            except (OSError, http.client.HTTPException):
                self.lost += 1
                connections.pop(port).close()
            self.times.append(time.perf_counter() - due)
            due, turn = due + pause, turn + readers
        for connection in connections.values():
            connection.close()
