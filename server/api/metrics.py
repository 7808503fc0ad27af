"""Figures for Prometheus at ``/metrics``: requests by route, open streams. Nothing about who or what."""

from __future__ import annotations

from fastapi import FastAPI, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, Histogram, generate_latest
from prometheus_fastapi_instrumentator import Instrumentator

from server.api.limits import Slots

_QUIET = ["/healthz", "/readyz", "/metrics"]


class Figures:
    """What one app counts."""

    def __init__(self, streams: Slots) -> None:
        self.registry = CollectorRegistry()
        self.resolutions = Histogram(
            "sealed_orders_resolution_seconds",
            "How long phases took to resolve, from claim to commit.",
            buckets=(0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60),
            registry=self.registry,
        )
        open_streams = Gauge("sealed_orders_open_streams", "Event streams open now.", registry=self.registry)
        open_streams.set_function(lambda: len(streams))

    def install(self, app: FastAPI) -> None:
        """Count the app's requests and serve the figures."""
        Instrumentator(excluded_handlers=_QUIET, registry=self.registry).instrument(app)

        @app.get("/metrics", include_in_schema=False)
        def metrics() -> Response:
            return Response(generate_latest(self.registry), media_type=CONTENT_TYPE_LATEST)
