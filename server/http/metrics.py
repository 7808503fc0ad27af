"""Figures for Prometheus at ``/metrics``: requests by route, open streams, phases. Nothing about who or what.

Several worker processes of one server share a folder (:data:`SHARED`): whichever is asked adds up all of them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from pathlib import Path

from fastapi import FastAPI, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from server.http.limits import Slots
from server.play.operating.administration import Waiting
from server.store.errors import StorageError

SHARED = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable by which the Prometheus client finds the folder; set before it is imported."""
STREAM = "/stream"
"""How the routes of event streams end."""


class Metrics:
    """The counters of one app."""

    def __init__(self, streams: Slots) -> None:
        self.registry = CollectorRegistry()
        self._shared = os.environ.get(SHARED, "")
        self._asked: list[Collector] = [_Build(), _Processes(self._shared)]
        """Values measured on request instead of counted."""
        self._unanswered: Mapping[str, int] = {}
        self._told: dict[str, int] = {}
        self.resolutions = Histogram(
            "sealed_orders_resolution_seconds",
            "How long phases took to resolve, from gathering the orders to the commit.",
            buckets=(0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60),
            registry=self.registry,
        )
        self._requests = Counter(
            "http_requests_total", "Requests answered.", ("handler", "method", "status"), registry=self.registry
        )
        self._seconds = Histogram(
            "http_request_duration_seconds",
            "How long they took, without event streams.",
            ("handler", "method"),
            buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
            registry=self.registry,
        )
        self._streams = Histogram(
            "sealed_orders_stream_duration_seconds",
            "How long event streams were open.",
            buckets=(1, 10, 60, 600, 3600, 14_400),
            registry=self.registry,
        )
        open_streams = Gauge(
            "sealed_orders_open_streams", "Event streams open now.", registry=self.registry, multiprocess_mode="livesum"
        )
        streams.changed = open_streams.set
        self._mails = Counter(
            "sealed_orders_mails_unanswered",
            "Mails that came in and were not answered, by reason.",
            ("why",),
            registry=self.registry,
        )

    def count(self, handler: str, method: str, status: int, seconds: float) -> None:
        """Count an answer of a route, by its template; the *status* by its hundred (``2xx``)."""
        self._requests.labels(handler, method, f"{status // 100}xx").inc()
        if handler.endswith(STREAM):
            self._streams.observe(seconds)
        else:
            self._seconds.labels(handler, method).observe(seconds)
        self._count_mails()

    def watch_mails(self, unanswered: Mapping[str, int]) -> None:
        """Count how many mails were not answered, by reason."""
        self._unanswered = unanswered

    def watch_work(self, waiting: Callable[[], Waiting]) -> None:
        """Show what waits for the ticker and for delivery, over all processes; read whenever someone asks."""
        self._asked.append(_Work(waiting))

    def install(self, app: FastAPI) -> None:
        """Serve the figures."""

        @app.get("/metrics", include_in_schema=False)
        def metrics() -> Response:
            return Response(self.page(), media_type=CONTENT_TYPE_LATEST)

    def page(self) -> bytes:
        """Return all figures, of all workers of this server."""
        self._count_mails()
        counted = self.registry
        if self._shared:
            _forget_the_dead(self._shared)
            counted = CollectorRegistry()
            MultiProcessCollector(counted, self._shared)  # type: ignore[no-untyped-call]
        asked = CollectorRegistry()
        for collector in self._asked:
            asked.register(collector)
        return generate_latest(counted) + generate_latest(asked)

    def _count_mails(self) -> None:
        for why, number in list(self._unanswered.items()):
            self._mails.labels(why).inc(number - self._told.get(why, 0))
            self._told[why] = number


class _Build(Collector):
    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Return which version runs: its value is always 1."""
        family = GaugeMetricFamily("sealed_orders_build_info", "The version that runs.", labels=["version", "python"])
        family.add_metric([version("sealed-orders"), ".".join(map(str, sys.version_info[:3]))], 1)
        yield family


class _Processes(Collector):
    """What the operating system says of the server's processes, all workers together."""

    def __init__(self, shared: str) -> None:
        self._shared = shared

    def collect(self) -> Iterator[GaugeMetricFamily | CounterMetricFamily]:
        """Return the figures; none where the system has no ``/proc``."""
        if not Path("/proc/self/stat").exists():
            return
        cpu, memory, files, count = 0.0, 0, 0, 0
        for pid in self._pids():
            try:
                fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
                files += len(os.listdir(f"/proc/{pid}/fd"))
            except OSError:  # it has just ended
                continue
            cpu += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            memory += int(fields[21]) * os.sysconf("SC_PAGE_SIZE")
            count += 1
        yield CounterMetricFamily("process_cpu_seconds", "Processor time of the workers that live.", value=cpu)
        yield GaugeMetricFamily("process_resident_memory_bytes", "Resident memory of all workers.", value=memory)
        yield GaugeMetricFamily("process_open_fds", "Open files of all workers.", value=files)
        yield GaugeMetricFamily("sealed_orders_workers", "Worker processes that live.", value=count)

    def _pids(self) -> list[int]:
        """Return the workers that live."""
        if not self._shared:
            return [os.getpid()]
        return sorted(pid for pid in _counting(self._shared) if _lives(pid))


def _counting(shared: str) -> set[int]:
    """Return the processes that have counted something, among them those that have ended."""
    return {int(file.stem.rpartition("_")[2]) for file in Path(shared).glob("*_*.db")}


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # somebody else's process has the number now
        return False
    return True


def _forget_the_dead(shared: str) -> None:
    """Forget what workers that have ended had open; what they counted stays."""
    for pid in _counting(shared):
        if not _lives(pid):
            mark_process_dead(pid, shared)  # type: ignore[no-untyped-call]


class _Work(Collector):
    def __init__(self, waiting: Callable[[], Waiting]) -> None:
        self._waiting = waiting

    def describe(self) -> Iterator[GaugeMetricFamily]:
        """Return nothing: the registry need not ask the database what there is to ask."""
        yield from ()

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Return the figures, none while the database does not answer."""
        try:
            found = self._waiting()
        except StorageError:
            return
        overdue = "Open phases whose deadline is more than a minute ago."
        yield GaugeMetricFamily("sealed_orders_phases_overdue", overdue, value=found.overdue)
        for state, told, counts in (
            ("waiting", "not sent yet though due", found.waiting),
            ("failed", "given up in the last day", found.failed),
        ):
            family = GaugeMetricFamily(f"sealed_orders_deliveries_{state}", f"Deliveries {told}.", labels=["kind"])
            for kind, count in counts.items():
                family.add_metric([kind], count)
            yield family
        if found.beat is not None:
            told = "When a process last looked at deadlines, in seconds since 1970; noted once a minute."
            yield GaugeMetricFamily("sealed_orders_last_beat_timestamp_seconds", told, value=found.beat.timestamp())
