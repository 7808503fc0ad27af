"""Many requests at once over kept-alive connections, and how long each took."""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked again and again."""

    method: str
    path: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str | None = None


@dataclass(slots=True)
class Load:
    """What came of it."""

    seconds: float = 0.0
    times: list[float] = field(default_factory=list)
    """Seconds of each request, sorted."""

    @property
    def rate(self) -> float:
        """Requests a second."""
        return len(self.times) / self.seconds

    def percentile(self, share: float) -> float:
        """Return the time that so large a share of the requests kept to."""
        return self.times[min(len(self.times) - 1, int(len(self.times) * share))]


def run(
    port: int,
    request_of: Callable[[int], Request],
    *,
    clients: int,
    seconds: float,
    until: Callable[[], bool] = lambda: False,
) -> Load:
    """Let so many clients ask for so long; each asks what *request_of* returns for its number."""
    load, lock = Load(), threading.Lock()
    begun = time.perf_counter()
    failures: list[str] = []

    def ask(number: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        request, times = request_of(number), []
        while time.perf_counter() - begun < seconds and not until():
            started = time.perf_counter()
            connection.request(request.method, request.path, request.body, dict(request.headers))
            answer = connection.getresponse()
            content = answer.read()
            times.append(time.perf_counter() - started)
            if answer.status >= 400:
                failures.append(f"{answer.status} {content[:300].decode()}")
                break
        connection.close()
        with lock:
            load.times += times

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise AssertionError(failures[0])
    load.seconds = time.perf_counter() - begun
    load.times.sort()
    return load
