"""Figures for Prometheus at ``/metrics``: requests by route, open streams, phases. Nothing about who or what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fastapi import FastAPI, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import Collector

from server.api.limits import Slots


class Metrics:
    """What one app counts."""

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
        """Show how many mails of this process were not answered, by reason; read whenever somebody asks."""
        self.registry.register(_Unanswered(unanswered))

    def install(self, app: FastAPI) -> None:
        """Serve the figures."""

        @app.get("/metrics", include_in_schema=False)
        def metrics() -> Response:
            return Response(generate_latest(self.registry), media_type=CONTENT_TYPE_LATEST)


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
