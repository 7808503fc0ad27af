"""Running the app in uvicorn: one process or several."""

from __future__ import annotations

import gc
from dataclasses import dataclass

import uvicorn
from fastapi import FastAPI

from server.http import logs
from server.play.gc_tuning import tune_gc
from server.serving.timeouts import TimeoutProtocol
from server.settings import Settings, read


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
        ws="none",
        http=TimeoutProtocol,
    )
