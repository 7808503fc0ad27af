"""The demo's computer players: they play through the client library, like any other bot, in a thread of their own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from contextlib import suppress

from structlog import get_logger

from sealed_orders import AsyncClient
from server.bots.levels import REGULAR
from server.computer_player import ComputerPlayer, Ordered
from server.demo.campaign import Opponent

CANCELLED_AGAIN = 0.5
"""Seconds after which a task that continues is cancelled again."""
_log = get_logger("server.demo.run")


class Opponents:
    """Computer players at a server, who answer as soon as a phase opens."""

    def __init__(self, url: str, players: Sequence[Opponent], levels: Sequence[str] = (REGULAR,)) -> None:
        self._url = url
        self._players = players
        self._levels = levels
        self._thread = threading.Thread(target=lambda: asyncio.run(self._play()), name="opponents")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop = asyncio.Event()
        self._told_to_stop = False
        self._playing: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to play."""
        self._thread.start()

    def stop(self) -> None:
        """Tell them to stop; may be called from a signal handler, twice, and before they have started."""
        self._told_to_stop = True
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop is closed: they have stopped
                self._loop.call_soon_threadsafe(self._stop.set)

    def join(self) -> None:
        """Stop them, and return when they have."""
        self.stop()
        if self._thread.ident is not None:
            self._thread.join()

    async def _play(self) -> None:
        self._loop = asyncio.get_running_loop()
        for place, player in enumerate(self._players):
            task = asyncio.create_task(self._one(player, self._levels[place % len(self._levels)]))
            self._playing.append(task)
        if not self._told_to_stop:
            await self._stop.wait()
        await _end_all_tasks()
        for task in self._playing:
            if not task.cancelled() and (error := task.exception()):
                _log.error("a computer player stopped", why=str(error))

    async def _one(self, player: Opponent, level: str) -> None:
        def log_failure(done: Ordered) -> None:
            if done.why:
                _log.error("a computer player could not order", player=player.name, why=done.why)

        async with AsyncClient(self._url, player.secret, patience=float("inf")) as client:
            await ComputerPlayer(client, log_failure, level=level).play()


async def _end_all_tasks() -> None:
    """Cancel every other task until it has ended.

    Once is not enough: a time-out at the same moment can take the place of the cancellation, and the client, which is
    patient, tries again.
    """
    while others := asyncio.all_tasks() - {asyncio.current_task()}:
        for task in others:
            task.cancel()
        await asyncio.wait(others, timeout=CANCELLED_AGAIN)
