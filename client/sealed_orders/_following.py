"""Following what happens: event streams that come again when they break, and polling where there can be none."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import httpx2

from sealed_orders._plans import Emit, Flow, Next, Open, Plan, RetryPolicy, Send, Sleep, problem_of, unreachable
from sealed_orders.errors import Refused, UnexpectedAnswer, Unreachable
from sealed_orders.records import Event

KEEP_ALIVE = 15.0
"""Seconds after which the server says something on an open stream, if only that it is there."""
BROKEN = 3 * KEEP_ALIVE
"""Seconds of silence after which a stream counts as broken."""
_POLL_FROM = 2
"""Failures in a row after which the state is read between attempts to open the stream."""


@dataclass(slots=True)
class Follower:
    """One stream, however often it has to be opened."""

    path: str
    load: Callable[[], Plan[Any]]
    """Reads what the stream's ``state`` holds, at once or not at all; for when there is no stream."""
    patience: RetryPolicy
    """For the first contact; after that nothing makes a follower give up."""
    poll: float
    """Seconds between two looks where no stream can be had."""
    last_id: str = ""
    _opened: bool = False
    _silence: float = BROKEN
    """Seconds of silence after which the open stream fails."""
    _failures: int = 0
    _begun: float = field(default_factory=time.monotonic)
    _met: bool = False
    _polled: str = ""
    _parts: dict[str, str] = field(default_factory=dict)

    def events(self) -> Flow[Event]:
        """Hand out what happens, without end."""
        while True:
            yield Emit((yield from self.next()))

    def next(self, until: float | None = None) -> Plan[Event]:
        """Wait for the next event; :class:`TimeoutError` at the time *until* (of the monotonic clock)."""
        while True:
            left = _left(until)
            if left <= 0:
                raise TimeoutError("nothing has happened in the meantime")
            if not self._opened:
                seen = yield from self._open(until)
                if seen is not None:
                    return seen
                continue
            if left < min(KEEP_ALIVE, self._silence):
                self._opened = False  # nothing might wake us before the end: come again with less patience
                continue
            event = yield from self._listen(until)
            if event is not None:
                return event

    def _open(self, until: float | None) -> Plan[Event | None]:
        self._silence = min(BROKEN, _left(until))
        self._parts = {}
        headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": self.last_id} if self.last_id else {})
        try:
            response = yield Open(Send("GET", self.path, headers=headers, timeout=self._silence))
        except httpx2.TransportError as failed:
            return (yield from self._do_without(unreachable(failed), until))
        kind = response.headers.get("content-type", "")
        if response.status_code == 200 and kind.startswith("text/event-stream"):
            self._opened, self._met, self._failures = True, True, 0
            return None
        if response.status_code < 400:
            return (yield from self._do_without(UnexpectedAnswer(f"{response.url} is no event stream"), until))
        try:
            problem = problem_of(response)
        except UnexpectedAnswer as error:
            return (yield from self._do_without(error, until))
        if problem.code == "malformed_header" and self.last_id:
            self.last_id = ""  # of another stream: begin anew
        elif self._for_good(problem):
            raise problem
        return (yield from self._do_without(problem, until))

    def _do_without(self, error: Refused | UnexpectedAnswer | Unreachable, until: float | None) -> Plan[Event | None]:
        """Wait before the next attempt; return the state if it has changed."""
        self._failures += 1
        wait = self.patience.pause(self._failures)
        if isinstance(error, Refused):
            wait = max(wait, error.retry_after or 0.0)
        if self._failures >= _POLL_FROM and not isinstance(error, Unreachable):
            wait = max(wait, self.poll)
            try:
                found = yield from self.load()
            except (Unreachable, UnexpectedAnswer, Refused) as failed:
                if isinstance(failed, Refused) and self._for_good(failed):
                    raise
                error = failed
            else:
                self._met = True
                digest = hashlib.sha256(json.dumps(found, sort_keys=True).encode()).hexdigest()
                if digest != self._polled:
                    self._polled = digest
                    return Event("state", found)
        if not self._met and time.monotonic() + wait > self._begun + self.patience.seconds:
            raise error
        yield Sleep(min(wait, _left(until)))
        return None

    def _for_good(self, problem: Refused) -> bool:
        """Say whether asking again is of no use: the fault is ours, and it is not that we ask too often."""
        return problem.status < 500 and not self.patience.again(problem)

    def _listen(self, until: float | None) -> Plan[Event | None]:
        """Take what comes up to the next empty line; returns the event it was, None where it said nothing."""
        while True:
            try:
                line = yield Next()
            except httpx2.TransportError:
                line = None
            if line is None:  # it broke, the server stops, or it thinks us too slow
                self._opened = False
                yield Sleep(min(self.patience.pause(1), _left(until)))
                return None
            if not line:
                return self._event()
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            self._parts[name] = f"{self._parts[name]}\n{value}" if name == "data" and "data" in self._parts else value

    def _event(self) -> Event | None:
        parts, self._parts = self._parts, {}
        if "data" not in parts:
            return None
        self.last_id = parts.get("id", self.last_id)
        kind, data = parts.get("event", "message"), json.loads(parts["data"])
        if kind == "state":
            return Event(
                kind, data.get("data", data), id=self.last_id
            )  # servers before this envelope: the state itself
        return Event(kind, data.get("data", {}), datetime.fromisoformat(data["at"]), self.last_id)


def _left(until: float | None) -> float:
    return float("inf") if until is None else max(0.0, until - time.monotonic())
