"""Running the app in uvicorn: one process or several."""

from __future__ import annotations

import gc
import os
from contextlib import ExitStack
from dataclasses import dataclass
from tempfile import TemporaryDirectory

import uvicorn
from fastapi import FastAPI

from server.http import logs
from server.play.gc_tuning import tune_gc
from server.serving.timeouts import TimeoutProtocol
from server.settings import Settings, read

WORKER_PATIENCE = 60
"""Seconds in which a worker must say that it lives. After uvicorn's own 5, one that starts slowly on a busy machine was
ended and started again, without end."""
SHARED = "PROMETHEUS_MULTIPROC_DIR"
"""Where workers put their figures, so that each can add them up (:mod:`server.http.metrics`)."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where to listen."""

    host: str
    port: int
    workers: int = 1


def application() -> FastAPI:
    """Return the app of a worker process, set up by its environment; for uvicorn's and other servers' factories."""
    gc.disable()  # what a start makes stays: to look through it for garbage takes a third of the start
    from server.app import create_app  # a process that only looks after workers needs none of it

    settings = read()
    logs.configure(settings.log_level, settings.log_format)
    app = create_app(settings)
    tune_gc()
    gc.enable()
    return app


def serve(settings: Settings, address: Address) -> None:
    """Serve until told to stop by SIGINT or SIGTERM."""
    logs.configure(settings.log_level, settings.log_format)
    with ExitStack() as folder:
        if address.workers > 1 and not os.environ.get(SHARED):
            os.environ[SHARED] = folder.enter_context(TemporaryDirectory(prefix="sealed-orders-metrics-"))
        _run(settings, address)


def _run(settings: Settings, address: Address) -> None:
    uvicorn.run(
        "server.serving:application",
        factory=True,
        host=address.host,
        port=address.port,
        workers=address.workers,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=True,
        forwarded_allow_ips=settings.trusted_proxies,
        timeout_graceful_shutdown=round(settings.shutdown_grace),
        timeout_worker_healthcheck=WORKER_PATIENCE,
        ws="none",
        http=TimeoutProtocol,
    )
