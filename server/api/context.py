"""What the endpoints of one app share. Made by :func:`server.app.create_app`, found on ``app.state.server``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, cast

from fastapi import Depends, Request

from server.api.hub import Hub
from server.api.limits import Limiter, Slots
from server.play.context import Play, Who
from server.settings import Settings
from server.store.database import Database


@dataclass(frozen=True, slots=True)
class Server:
    """The parts of a running server."""

    settings: Settings
    play: Play
    accounts: Limiter
    sign_ins: Limiter
    guesses: Limiter
    streams: Slots
    imports: Slots
    hub: Hub

    @property
    def database(self) -> Database:
        """Where everything is kept."""
        return self.play.database


def server_of(request: Request) -> Server:
    """Return the parts of the server that serves a request."""
    return cast(Server, request.app.state.server)


async def _parts(request: Request) -> Server:
    return server_of(request)


Parts = Annotated[Server, Depends(_parts)]
"""Parameter of endpoints: the parts of the server."""


def caller_of(request: Request) -> Who:
    """Return who asks."""
    return cast(Who, request.state.who)


async def _who(request: Request) -> Who:
    return caller_of(request)


Caller = Annotated[Who, Depends(_who)]
"""Parameter of endpoints: who asks; set by :class:`server.api.routes.Route`, which has authenticated him."""
