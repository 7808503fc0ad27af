"""Figures for Prometheus at ``/metrics``: requests by route, open streams, phases. Nothing about who or what."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from fastapi import FastAPI, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from server.http.limits import Slots
from server.play.operating.waiting import Waiting
from server.store.errors import StorageError


class Metrics:
    """The counters of one app."""

    def __init__(self, streams: Slots) -> None:
        self.registry = CollectorRegistry()
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
            "How long they took, streams until they were closed.",
            ("handler", "method"),
            buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
            registry=self.registry,
        )
        open_streams = Gauge("sealed_orders_open_streams", "Event streams open now.", registry=self.registry)
        open_streams.set_function(lambda: len(streams))

    def count(self, handler: str, method: str, status: int, seconds: float) -> None:
        """Count an answer of a route, by its template; the *status* by its hundred (``2xx``)."""
        self._requests.labels(handler, method, f"{status // 100}xx").inc()
        self._seconds.labels(handler, method).observe(seconds)

    def watch_mails(self, unanswered: Mapping[str, int]) -> None:
        """Show how many mails of this process were not answered, by reason; read whenever someone asks."""
        self.registry.register(_Unanswered(unanswered))

    def watch_work(self, waiting: Callable[[], Waiting]) -> None:
        """Show what waits for the ticker and for delivery, over all processes; read whenever someone asks."""
        self.registry.register(_Work(waiting))

    def install(self, app: FastAPI) -> None:
        """Serve the figures."""

        @app.get("/metrics", include_in_schema=False)
        def metrics() -> Response:
            return Response(generate_latest(self.registry), media_type=CONTENT_TYPE_LATEST)


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


class _Unanswered(Collector):
    def __init__(self, counts: Mapping[str, int]) -> None:
        self._counts = counts

    def collect(self) -> Iterator[CounterMetricFamily]:
        """Return the one figure."""
        family = CounterMetricFamily(
            "sealed_orders_mails_unanswered", "Mails that came in and were not answered, by reason.", labels=["why"]
        )
        for why, count in sorted(self._counts.items()):
            family.add_metric([why], count)
        yield family
