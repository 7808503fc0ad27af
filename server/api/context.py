"""What the endpoints of one app share. Made by :func:`server.app.create_app`, found on ``app.state.server``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, cast

from fastapi import Depends, Request

from server.api.hub import Hub
from server.api.limits import Limiter, Slots
from server.settings import Settings
from server.store.database import Database


@dataclass(frozen=True, slots=True)
class Server:
    """The parts of a running server."""

    settings: Settings
    database: Database
    clock: Callable[[], datetime]
    """Now, with a time zone."""
    accounts: Limiter
    sign_ins: Limiter
    streams: Slots
    hub: Hub


def server_of(request: Request) -> Server:
    """Return the parts of the server that serves a request."""
    return cast(Server, request.app.state.server)


async def _parts(request: Request) -> Server:
    return server_of(request)


Parts = Annotated[Server, Depends(_parts)]
"""Parameter of endpoints: the parts of the server."""
