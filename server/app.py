"""The composition root: the only place that puts the parts of the server together."""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from datetime import datetime
from functools import partial
from importlib.metadata import version
from types import FrameType
from typing import Any

from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig

from server.api import docs
from server.api.routers import api, system
from server.http import problems
from server.http.context import Server
from server.http.hub import Hub
from server.http.limits import DAY, HeavyWork, Limiter, Shared, Slots
from server.http.logs import configure
from server.http.metrics import Metrics
from server.http.middleware import PREFIX, ApiCORSMiddleware, RequestLimits, RequestMiddleware
from server.mail.answering import unanswered
from server.mail.services import incoming, senders
from server.play.background import Background
from server.play.context import AppContext
from server.play.operating.administration import waiting
from server.play.schedule import downtime, ticker
from server.settings import Settings
from server.store.clock import DatabaseClock
from server.store.database import Database
from server.web import site
from server.web.presenters import discord
from server.web.translations import translate

_TURN = 0.0005
"""Seconds a thread may compute while others wait, instead of Python's 0.005: a small read takes a dozen turns,
and should not wait for a large phase at each."""
_NO_TELEMETRY = TelemetryConfig(tracing=False, metrics=False, logs=False)


def create_app(settings: Settings, *, clock: Callable[[], datetime] | None = None) -> FastAPI:
    """Return the server's app, ready to be served; nothing is opened before it starts."""
    database = _database(settings)
    prepare = partial(configure, settings.log_level, settings.log_format)
    background = Background(settings.resolver_threads, settings.resolver_processes, prepare)
    streams = Slots(settings.streams_per_account)
    metrics = Metrics(streams)
    ctx = _context(settings, database, clock or DatabaseClock(database), background, metrics)
    addresses, limiters = Limiter(settings.address_rate, time.monotonic), _limiters(settings)
    server = Server(
        settings=settings,
        ctx=ctx,
        shared=Shared(database, ctx.now, {"addresses": addresses, **limiters}),
        **limiters,
        streams=streams,
        imports=Slots(1),
        heavy=HeavyWork(settings.heavy_per_account, settings.heavy_per_process),
        hub=Hub(database),
    )
    app = FastAPI(
        title="Sealed Orders",
        summary="Simultaneous-turn strategic campaigns on a hex map.",
        version=version("sealed-orders"),
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        routes=[*site.assets.routes, *api.routes, *site.pages.routes],
        telemetry=_NO_TELEMETRY,
        lifespan=_lifespan,
    )
    app.state.server = server
    app.openapi = partial(_describe, app)  # type: ignore[method-assign]
    problems.install(app)
    limits = RequestLimits(settings.body_limit, settings.import_limit, addresses, settings.secure)
    app.add_middleware(ApiCORSMiddleware)
    app.add_middleware(
        RequestMiddleware,
        limits=limits,
        count=metrics.count if settings.metrics else None,
        render_error=site.render_error,
    )
    app.include_router(system.health)  # after all others: who asks whether it is ready has them made
    docs.install(app, "/api/docs", f"{PREFIX}/openapi.json")
    if settings.metrics:
        metrics.watch_mails(unanswered)
        metrics.watch_work(partial(waiting, server.ctx))
        metrics.install(app)
    site.install(app)
    return app


def _database(settings: Settings) -> Database:
    return Database(
        settings.database_url.get_secret_value(),
        pool_size=settings.pool_size,
        max_overflow=settings.pool_overflow,
        prepare=settings.prepared_statements,
        listen_url=settings.listen_url.get_secret_value(),
    )


def _limiters(settings: Settings) -> dict[str, Limiter]:
    return {
        "accounts": Limiter(settings.account_rate, time.monotonic),
        "sign_ins": Limiter(settings.sign_in_rate, time.monotonic),
        "guesses": Limiter(settings.guess_rate, time.monotonic),
        "guests": Limiter(settings.guests_per_day, time.monotonic, DAY),
    }


def _context(
    settings: Settings, database: Database, clock: Callable[[], datetime], background: Background, metrics: Metrics
) -> AppContext:
    """Return what the use cases need."""
    return AppContext(
        database,
        settings,
        clock,
        background,
        on_resolved=metrics.resolutions.observe,
        chat_post=discord.post,
        translate=translate,
    )


def _describe(app: FastAPI) -> dict[str, Any]:
    from server.api.description.whole import describe  # here: most processes are never asked for it

    return describe(app)


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    server: Server = app.state.server
    sys.setswitchinterval(_TURN)
    _end_on_signals(server.hub, server.settings.shutdown_drain)
    await asyncio.to_thread(downtime.begin, server.ctx)
    await asyncio.to_thread(server.hub.check)
    stop = threading.Event()
    ticking = threading.Thread(target=ticker.run, args=(server.ctx, stop, senders(server.ctx)), name="ticker")
    if server.settings.ticker:
        ticking.start()
    adding_up = threading.Thread(target=server.shared.run, args=(stop,), name="limits")
    if not server.database.sqlite:
        adding_up.start()
    mails = ExitStack()
    try:
        mails.enter_context(incoming(server.ctx))
        yield
    finally:
        server.hub.close()
        stop.set()
        await asyncio.to_thread(mails.close)
        await asyncio.to_thread(_finish, server, ticking, adding_up)


def _finish(server: Server, *threads: threading.Thread) -> None:
    """Let started work finish."""
    for thread in threads:
        if thread.ident is not None:
            thread.join()
    server.hub.join()
    server.ctx.close()
    server.database.close()


def _end_on_signals(hub: Hub, drain: float) -> None:
    """Stop at a signal; with SIGTERM only after a time in which ``/readyz`` says so, or at a second signal.

    Event streams end as soon as it stops: it waits for them before it ends this app.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        before = signal.getsignal(number)
        if callable(before):
            signal.signal(number, partial(_on_signal, loop, hub, before, drain if number == signal.SIGTERM else 0.0))


def _on_signal(
    loop: asyncio.AbstractEventLoop, hub: Hub, before: Callable[..., object], drain: float, number: int,
    frame: FrameType | None,
) -> None:  # fmt: skip
    def stop() -> None:
        hub.close()
        before(number, frame)

    if drain and not hub.draining:
        hub.draining = True
        loop.call_soon_threadsafe(loop.call_later, drain, stop)
    else:
        loop.call_soon_threadsafe(hub.close)
        before(number, frame)
