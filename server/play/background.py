"""Where work runs that should not hold up whoever asked for it: threads of this process, and other processes."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from contextvars import ContextVar
from multiprocessing import get_context, parent_process
from multiprocessing.queues import SimpleQueue
from threading import Condition, Event, Lock, Thread
from typing import Any, ParamSpec, TypeVar

import structlog

from server.play.gc_tuning import tune_gc

P = ParamSpec("P")
T = TypeVar("T")
NICE = 5
"""By how much a resolver process stands back behind the one that answers requests."""
_log = structlog.get_logger("server.play")


class ProcessLost(Exception):
    """The process that did some work ended before the work."""


class Background:
    """Runs resolutions. ``threads`` 0: at once, in the caller's thread; ``processes`` 0: never in another process.

    *prepare* is called in each of the processes when it begins, for its logs.
    """

    def __init__(self, threads: int = 0, processes: int = 0, prepare: Callable[[], None] | None = None) -> None:
        self.threads = threads
        self._threads = ThreadPoolExecutor(threads, "resolver") if threads else None
        self._long = ThreadPoolExecutor(max(1, processes), "long resolver") if threads else None
        """For what only waits for another process: it must not keep the others from their turns."""
        self._count = processes
        self._prepare = prepare
        self._processes: ProcessPoolExecutor | None = None
        self._hear: Callable[[Any], object] = lambda _said: None
        self._waiting: set[str] = set()
        self._left = 0
        """What is asked for and not done, without what another process does."""
        self._lock = Lock()
        self._changed = Condition(self._lock)

    def hear(self, listener: Callable[[Any], object]) -> None:
        """Have *listener* told, in a thread of its own, what the other processes :func:`tell` while they work."""
        self._hear = listener

    @property
    def processes(self) -> int:
        """How many other processes resolve long phases."""
        return self._count

    def soon(self, key: str, work: Callable[[], object], *, long: bool = False) -> None:
        """Do the work, once where it is asked for again before it has begun. Its mistakes are logged, not raised.

        *long*: another process does it, and a thread only waits for that.
        """
        pool = self._long if long else self._threads
        if pool is None:
            work()
            return
        with self._lock:
            if key in self._waiting:
                return
            self._waiting.add(key)
            self._left += not long
        pool.submit(self._run, key, work, long)

    def _run(self, key: str, work: Callable[[], object], long: bool) -> None:
        with self._lock:
            self._waiting.discard(key)
        try:
            work()
        except Exception:
            _log.exception("background work failed", key=key)
        with self._changed:
            self._left -= not long
            self._changed.notify_all()

    def calm(self, seconds: float, stop: Event) -> None:
        """Wait until nothing is left to do in this process, or until told to stop; no longer than so many seconds."""
        with self._changed:
            self._changed.wait_for(lambda: not self._left or stop.is_set(), seconds)

    def elsewhere(self, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Return what a function gives that another process calls; :class:`ProcessLost` where that one ends."""
        pool = self._pool()
        try:
            return pool.submit(function, *arguments, **named).result()
        except BrokenProcessPool:
            with self._lock:
                if self._processes is pool:  # nobody has begun another one meanwhile
                    self._processes = None
            _log.warning("a resolver process ended before its work")
            raise ProcessLost from None

    def _pool(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._processes is None:
                context = get_context("spawn")
                said: SimpleQueue[Any] = context.SimpleQueue()
                Thread(target=self._listen, args=(said,), name="hears resolvers", daemon=True).start()
                self._processes = ProcessPoolExecutor(
                    self._count, context, initializer=_begin, initargs=(self._prepare, said)
                )
            return self._processes

    def _listen(self, said: SimpleQueue[Any]) -> None:
        with suppress(EOFError, OSError):
            while True:
                one = said.get()
                try:
                    self._hear(one)
                except Exception:
                    _log.exception("what a resolver process said was not understood")

    def idle(self) -> Future[None] | None:
        """Return something to wait for until all that was asked for so far is begun and done (for tests)."""
        return None if self._threads is None else self._threads.submit(lambda: None)

    def close(self) -> None:
        """Finish what has begun, drop what has not: the ticker of another process finds it."""
        for pool in (self._threads, self._long):
            if pool is not None:
                pool.shutdown(wait=True, cancel_futures=True)
        if self._processes is not None:
            self._processes.shutdown(wait=True, cancel_futures=True)


_SAID: ContextVar[SimpleQueue[Any] | None] = ContextVar("said", default=None)


def tell(what: object) -> None:
    """Tell the server's own process something before the work is done; nothing in any process but a resolver."""
    said = _SAID.get()
    if said is not None:
        said.put(what)


def _begin(prepare: Callable[[], None] | None, said: SimpleQueue[Any]) -> None:
    """Make a new process a modest one, which does not outlive the server."""
    _SAID.set(said)
    with suppress(OSError):
        os.nice(NICE)
    Thread(target=_end_with_the_server, name="end with the server", daemon=True).start()
    if prepare is not None:
        prepare()
    tune_gc()


def _end_with_the_server() -> None:
    server = parent_process()
    if server is not None:
        server.join()
        os._exit(1)
