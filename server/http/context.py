"""What the endpoints of one app share. Made by :func:`server.app.create_app`, found on ``app.state.server``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, cast

from fastapi import Depends, Request

from server.http.hub import Hub
from server.http.limits import HeavyWork, Limiter, Shared, Slots
from server.play.context import AppContext
from server.settings import Settings
from server.store.database import Database


@dataclass(frozen=True, slots=True)
class Server:
    """The parts of a running server."""

    settings: Settings
    ctx: AppContext
    accounts: Limiter
    sign_ins: Limiter
    guesses: Limiter
    guests: Limiter
    shared: Shared
    streams: Slots
    imports: Slots
    heavy: HeavyWork
    hub: Hub

    @property
    def database(self) -> Database:
        """Where everything is stored."""
        return self.ctx.database


def server_of(request: Request) -> Server:
    """Return the parts of the server that serves a request."""
    return cast(Server, request.app.state.server)


async def _server(request: Request) -> Server:  # a plain function would wait for a thread
    return server_of(request)


ServerDep = Annotated[Server, Depends(_server)]
"""Parameter of endpoints: the parts of the server."""
