"""One event stream: the whole state first, then what happens, numbered so that a client can come again.

An event's id holds the last number of each of the stream's topics, joined by dots, in the order of the topics'
names. A client that comes again with it (``Last-Event-ID``) gets what it missed instead of the state.

Before anything is sent it is asked once more whether it may be: a stream ends with the token it was opened with
and with the seat it was opened for, and its client comes again as what they are now.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import orjson
from anyio import move_on_after, to_thread
from fastapi.sse import ServerSentEvent

from server.http.context import Server
from server.http.hub import Subscription
from server.http.problems import Refused
from server.http.responses import to_json
from server.play.context import Actor
from server.play.errors import PlayError
from server.store.errors import StorageError
from server.store.live import last_numbers
from server.store.tables import LiveEvent

_ID = re.compile(r"\d{1,15}(\.\d{1,15}){0,15}")
ASK_AGAIN = 15.0
"""Seconds after which a stream checks again whether it is allowed, if it does."""
MAX_MISSED = 400
"""A client that missed more gets the state instead. As many as are read at once."""

State = Callable[[], Mapping[str, Any]]
Topics = Callable[[], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Opening:
    """A stream that may be opened."""

    server: Server
    topics: Sequence[str]
    """Sorted."""
    allowed: Topics
    """Reads the topics the client can follow now; refuses if there are none left. Blocks."""
    state: State
    """Reads what is sent first. Blocks."""
    last_id: str | None
    over: Callable[[Mapping[str, Any]], bool]
    """Says of a state whether nothing will happen any more: the stream then ends after it."""
    asks_again: bool = False
    """``allowed`` is called every few seconds, also while nothing happens."""


@contextmanager
def opening(
    server: Server,
    actor: Actor,
    allowed: Topics,
    state: State,
    last_id: str | None,
    nobody: str = "nobody",
    over: Callable[[Mapping[str, Any]], bool] = lambda _: False,
    asks_again: bool = False,
) -> Iterator[Opening]:
    """Take one of the account's streams while it is open; *nobody*: whose it is otherwise."""
    if server.hub.closing:
        raise Refused("shutting_down", headers={"Retry-After": "5"})
    if last_id is not None and not _ID.fullmatch(last_id):
        raise Refused("malformed_header", "That is no id of this stream.", field="Last-Event-ID", value=last_id)
    topics = sorted(allowed())
    key = actor.user_id or nobody
    if not server.streams.take(key):
        raise Refused("too_many_streams", headers={"Retry-After": "30"})
    try:
        yield Opening(server, topics, allowed, state, last_id, over, asks_again)
    finally:
        server.streams.give_back(key)


async def follow(opened: Opening) -> AsyncIterator[ServerSentEvent]:
    """Send a stream until the client goes or the server stops."""
    hub = opened.server.hub
    numbers, state = await to_thread.run_sync(_begin, opened)
    if state is not None:
        yield _sent(opened, numbers, "state", _state_data(opened, state))
        if opened.over(state):
            return
    subscription = Subscription(numbers)
    hub.follow(subscription)
    try:
        # what came between reading and following
        for event in await to_thread.run_sync(hub.missed, numbers):
            subscription.offer(event)
        sent = dict(numbers)
        while (waiting := await _next(opened, subscription)) is not None:
            if not await to_thread.run_sync(_still_allowed, opened, limiter=hub.checks):
                return
            sent[waiting.topic] = waiting.number
            yield _sent(opened, sent, waiting.kind, _event_data(waiting))
            if waiting.kind == "finished" and opened.over(await to_thread.run_sync(opened.state)):
                return
    finally:
        hub.leave(subscription)


async def _next(opened: Opening, subscription: Subscription) -> LiveEvent | None:
    """Return what happens next; None: the stream ends. Check every few seconds of silence, if required."""
    if not opened.asks_again:
        return await subscription.waiting.get()
    while True:
        with move_on_after(ASK_AGAIN):
            return await subscription.waiting.get()
        if not await to_thread.run_sync(_still_allowed, opened, True, limiter=opened.server.hub.checks):
            return None


def _still_allowed(opened: Opening, unknown: bool = False) -> bool:
    """Say whether the stream may continue; *unknown* if the database does not tell."""
    try:
        return sorted(opened.allowed()) == opened.topics
    except (PlayError, Refused):
        return False
    except StorageError:
        return unknown


def _begin(opened: Opening) -> tuple[dict[str, int], Mapping[str, Any] | None]:
    """Return after which numbers to continue, and the state where the client needs it first."""
    with opened.server.database.read() as session:
        last = last_numbers(session, opened.topics)
    given = (opened.last_id or "").split(".")
    if opened.last_id is not None and len(given) == len(opened.topics):
        numbers = dict(zip(opened.topics, map(int, given), strict=True))
        behind = [last[topic] - number for topic, number in numbers.items()]
        if min(behind) >= 0 and sum(behind) <= MAX_MISSED and len(opened.server.hub.missed(numbers)) >= sum(behind):
            return numbers, None
    return last, opened.state()


def _state_data(opened: Opening, state: Mapping[str, Any]) -> dict[str, Any]:
    """Return the envelope of all events with the state in it. v1 has its fields beside the envelope, too."""
    return {**state, "kind": "state", "at": opened.server.ctx.now(), "data": state}


def _event_data(event: LiveEvent) -> dict[str, Any]:
    return {"kind": event.kind, "at": event.at} | {"data": event.data}


def _sent(opened: Opening, numbers: Mapping[str, int], kind: str, content: Mapping[str, Any]) -> ServerSentEvent:
    id_ = ".".join(str(numbers[topic]) for topic in opened.topics)
    return ServerSentEvent(raw_data=orjson.dumps(content, default=to_json).decode(), event=kind, id=id_)
