"""How long a connection may take to say what it wants: half-open and slow requests end after a time."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_SECONDS = 20.0
"""From the first byte of a connection or request to the end of its headers."""
BODY_SECONDS = 30.0
"""Between two pieces of a body; and for the whole, plus the time its size takes at :data:`SLOWEST`."""
SLOWEST = 2_000
"""Bytes of a body that must come in a second, on the average."""


class TimeoutProtocol(HttpToolsProtocol):
    """uvicorn's HTTP, which without this would wait for headers and bodies forever."""

    _ends: asyncio.TimerHandle | None = None
    _reading = False
    """A request is on its way: its headers or its body are not there whole."""
    _body_until = 0.0
    """By when the body must be there, so far as it is known by now."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._wait(HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing more."""
        self._wait(None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take some bytes; those of a body let the clock begin again, those of headers do not."""
        begins = not self._reading
        self._reading = True
        super().data_received(data)
        if self._reading and begins:
            self._wait(HEAD_SECONDS)

    def on_headers_complete(self) -> None:
        """Wait for the body from now on."""
        self._body_until = self.loop.time() + BODY_SECONDS
        self._wait(BODY_SECONDS)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Wait for the next piece."""
        self._body_until += len(body) / SLOWEST
        self._wait(min(BODY_SECONDS, self._body_until - self.loop.time()))
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is there; the answer may take its time."""
        self._reading = False
        self._wait(None)
        super().on_message_complete()

    def _wait(self, seconds: float | None) -> None:
        if self._ends is not None:
            self._ends.cancel()
        self._ends = None if seconds is None else self.loop.call_later(seconds, self._give_up)

    def _give_up(self) -> None:
        if self.flow.read_paused:  # it is we who are slow
            self._body_until = self.loop.time() + BODY_SECONDS
            self._wait(BODY_SECONDS)
        elif not self.transport.is_closing():
            self.transport.close()
