"""The app served by uvicorn in a thread, with a clock of the test's: for what a real connection is needed for."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import uvicorn
from sqlalchemy.engine import URL

from server.app import create_app
from server.mail.services import mailers
from server.play.context import AppContext
from server.play.schedule import ticker
from server.serving.timeouts import TimeoutProtocol
from tests.api.conftest import settings_for
from tests.play.conftest import Clock


@dataclass
class Running:
    """A server and its clock."""

    base_url: str
    ctx: AppContext
    clock: Clock

    def tick(self) -> None:
        """Do what is due by itself until nothing is: phases, warnings, mails, webhooks."""
        while ticker.tick(self.ctx, mailers(self.ctx)):
            pass


class _Announcing(uvicorn.Server):
    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = threading.Event()

    async def startup(self, sockets: object = None) -> None:
        await super().startup(sockets)  # type: ignore[arg-type]
        self.ready.set()


@contextmanager
def serving(url: URL, clock: Clock, **settings: object) -> Iterator[Running]:
    """Serve on a free port until the end of the block; the test itself ticks."""
    app = create_app(settings_for(url, **settings), clock=clock)
    quiet = {"log_config": None, "access_log": False}
    server = _Announcing(uvicorn.Config(app, "127.0.0.1", 0, ws="none", http=TimeoutProtocol, **quiet))  # type: ignore[arg-type]
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        assert server.ready.wait(30)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield Running(f"http://127.0.0.1:{port}", app.state.server.ctx, clock)
    finally:
        server.should_exit = True
        thread.join()
