"""The demo's computer players: they play through the client library, like any other bot, in a thread of their own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

from structlog import get_logger

from sealed_orders import AsyncClient
from server.bots.levels import REGULAR
from server.computer_player import ComputerPlayer, Ordered
from server.demo_campaign import Opponent

_log = get_logger("server.demo")


class Opponents:
    """Computer players at a server, who answer as soon as a phase opens."""

    def __init__(self, url: str, players: Sequence[Opponent], levels: Sequence[str] = (REGULAR,)) -> None:
        self._url = url
        self._players = players
        self._levels = levels
        self._thread = threading.Thread(target=lambda: asyncio.run(self._play()), name="opponents")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop = asyncio.Event()

    def start(self) -> None:
        """Begin to play."""
        self._thread.start()

    def stop(self) -> None:
        """Tell them to stop; may be called from a signal handler, and twice."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._stop.set)

    def join(self) -> None:
        """Stop them, and return when they have."""
        self.stop()
        if self._thread.ident is not None:
            self._thread.join()

    async def _play(self) -> None:
        self._loop = asyncio.get_running_loop()
        playing = [
            asyncio.create_task(self._one(player, self._levels[place % len(self._levels)]))
            for place, player in enumerate(self._players)
        ]
        await self._stop.wait()
        for task in playing:
            task.cancel()
        for result in await asyncio.gather(*playing, return_exceptions=True):
            if isinstance(result, Exception):
                _log.error("a computer player stopped", why=str(result))

    async def _one(self, player: Opponent, level: str) -> None:
        def tell(done: Ordered) -> None:
            if done.why:
                _log.error("a computer player could not order", player=player.name, why=done.why)

        async with AsyncClient(self._url, player.secret, patience=float("inf")) as client:
            await ComputerPlayer(client, tell, level=level).ctx()
