"""Hands what is published on to the open event streams of this process.

One thread listens to the database and reads news once, for all streams; no stream holds a session.
Numbers of a topic come in commit order, ids over all topics need not, so the hub goes by numbers.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterable, Mapping

from anyio import CapacityLimiter

from server.http.logs import logger
from server.store.database import Database
from server.store.errors import StorageError
from server.store.live import Listener, arrive, last_numbers, since
from server.store.tables import LiveEvent

WAIT = 0.25
"""Seconds the thread waits for news before it looks whether topics have changed, or it is to end."""
_LOOK = 5.0
"""Seconds after which it looks for news without a call: the publisher may have been killed before it called."""
_RETRY = 2.0
_MAX_WAITING = 500
"""Events a stream may be behind; then it is closed, and its client comes again with its last number."""
_MAX_TOPICS = 400
"""Topics read in one statement."""

_log = logger("server.live")


class Subscription:
    """The events a stream still has to send. Used only in the event loop."""

    def __init__(self, numbers: Mapping[str, int]) -> None:
        self.numbers = dict(numbers)
        """The last number handed over, by topic."""
        self.waiting: asyncio.Queue[LiveEvent | None] = asyncio.Queue()
        self.closed = False

    def offer(self, event: LiveEvent) -> None:
        """Hand over an event, unless the stream has had it already."""
        if self.closed or event.number <= self.numbers[event.topic]:
            return
        if self.waiting.qsize() >= _MAX_WAITING:
            self.close()
            return
        self.numbers[event.topic] = event.number
        self.waiting.put_nowait(event)

    def close(self) -> None:
        """End the stream once it has sent what is waiting."""
        if not self.closed:
            self.closed = True
            self.waiting.put_nowait(None)


class Hub:
    """All open streams of this process."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.checks = CapacityLimiter(2)
        """Threads in which streams ask whether they may still tell: many streams must not hold up requests."""
        self._followers: dict[str, set[Subscription]] = {}
        self._known: dict[str, int] = {}
        """The last number handed out of each topic someone follows."""
        self._lock = threading.Lock()
        self.deaf = False
        """News of other processes did not arrive when the server began."""
        self.draining = False
        """The server is about to stop, and serves until proxies have turned to others."""
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def closing(self) -> bool:
        """True when no streams are opened any more."""
        return self._ended.is_set()

    def check(self) -> None:
        """Find out whether news of other processes arrive, which some poolers prevent. Blocks."""
        try:
            self.deaf = not arrive(self._database)
        except StorageError as error:  # the database is away; readiness says so
            _log.warning("not listening", why=str(error))
        if self.deaf:
            _log.error("news do not arrive: the database's address is a pooler's; set SEALED_ORDERS_LISTEN_URL")

    def follow(self, subscription: Subscription) -> None:
        """Hand over to the stream what comes after its numbers. Catch up once afterwards: see :meth:`missed`."""
        self._start()
        with self._lock:
            for topic, number in subscription.numbers.items():
                self._followers.setdefault(topic, set()).add(subscription)
                self._known[topic] = min(self._known.get(topic, number), number)
        if self.closing:
            subscription.close()

    def missed(self, numbers: Mapping[str, int]) -> list[LiveEvent]:
        """Return what was published after those numbers. Blocks."""
        with self._database.read() as session:
            return since(session, numbers)

    def leave(self, subscription: Subscription) -> None:
        """Forget a stream."""
        with self._lock:
            for topic in subscription.numbers:
                followers = self._followers.get(topic, set())
                followers.discard(subscription)
                if not followers:
                    self._followers.pop(topic, None)
                    self._known.pop(topic, None)

    def close(self) -> None:
        """End all streams; from the event loop's thread."""
        self._ended.set()
        with self._lock:
            everybody = {subscription for followers in self._followers.values() for subscription in followers}
        for subscription in everybody:
            subscription.close()

    def join(self) -> None:
        """Return when the thread has ended and let go of the database, after :meth:`close`. Blocks."""
        if self._thread is not None:
            self._thread.join()

    # --- the thread ---

    def _start(self) -> None:
        if self._thread is None:
            self._loop = asyncio.get_running_loop()
            self._thread = threading.Thread(target=self._listen, name="live", daemon=True)
            self._thread.start()

    def _listen(self) -> None:
        while not self._ended.is_set():
            try:
                listener = Listener(self._database)
                try:
                    self._follow(listener)
                finally:
                    listener.close()
            except StorageError as error:
                _log.warning("not listening", why=str(error))
                self._ended.wait(_RETRY)
            except Exception:
                _log.exception("not listening")
                self._ended.wait(_RETRY)

    def _follow(self, listener: Listener) -> None:
        looked = float("-inf")
        while not self._ended.is_set():
            with self._lock:
                topics = list(self._known)
            if listener.follow(topics) or time.monotonic() - looked >= _LOOK or listener.wait(WAIT):
                self._poll()
                looked = time.monotonic()

    def _poll(self) -> None:
        with self._lock:
            known = dict(self._known)
        topics = list(known)
        for start in range(0, len(topics), _MAX_TOPICS):
            self._poll_topics({topic: known[topic] for topic in topics[start : start + _MAX_TOPICS]})

    def _poll_topics(self, known: Mapping[str, int]) -> None:
        with self._database.read() as session:
            last = last_numbers(session, known)
            changed = {topic: number for topic, number in known.items() if last[topic] > number}
            found = since(session, changed)
        if not found or self._loop is None or self._loop.is_closed():
            return
        with self._lock:
            for event in found:
                if event.topic in self._known:
                    self._known[event.topic] = max(self._known[event.topic], event.number)
        self._loop.call_soon_threadsafe(self._hand_out, found)

    def _hand_out(self, events: Iterable[LiveEvent]) -> None:
        for event in events:
            with self._lock:
                followers = list(self._followers.get(event.topic, ()))
            for subscription in followers:
                subscription.offer(event)
