"""Runs work that should not delay its request: threads of this process, and other processes."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context, parent_process
from threading import Condition, Event, Lock, Semaphore, Thread, local
from typing import ParamSpec, TypeVar

import structlog

from server.play.gc_tuning import tune_gc

P = ParamSpec("P")
T = TypeVar("T")
NICE = 5
"""By how much a resolver process stands back behind the one that answers requests."""
WAITING = 16
"""Pieces of work that may wait for another process beside those that run here."""
_log = structlog.get_logger("server.play")


class ProcessLost(Exception):
    """The process that did some work ended before the work."""


class Background:
    """Runs resolutions. ``threads`` 0: at once, in the caller's thread; ``processes`` 0: never in another process.

    *prepare* is called in each of the processes when it begins, for its logs.
    """

    def __init__(self, threads: int = 0, processes: int = 0, prepare: Callable[[], None] | None = None) -> None:
        self.threads = threads
        """How many pieces of work run in this process at a time."""
        self.processes = processes
        """How many other processes there may be."""
        self._executor = ThreadPoolExecutor(threads + WAITING, "resolver") if threads else None
        self._prepare = prepare
        self._pool: ProcessPoolExecutor | None = None
        self._queued: set[str] = set()
        self._left = 0
        """The unfinished work, without that of other processes."""
        self._lock = Lock()
        self._changed = Condition(self._lock)
        self._turns = Semaphore(threads)
        self._thread = local()
        """Its ``working`` is true in a thread that has one of the turns."""
        self._closed = False

    def soon(self, key: str, work: Callable[[], object]) -> None:
        """Do the work, once if it is requested again before it has started. Its mistakes are logged, not raised."""
        if self._executor is None:
            work()
            return
        with self._lock:
            if key in self._queued:
                return
            self._queued.add(key)
            self._left += 1
        self._executor.submit(self._run, key, work)

    def _run(self, key: str, work: Callable[[], object]) -> None:
        with self._turns:
            with self._lock:
                self._queued.discard(key)
            self._thread.working = True
            try:
                if not self._closed:
                    work()
            except Exception:
                _log.exception("background work failed", key=key)
            self._thread.working = False
        self._count(-1)

    def _count(self, more: int) -> None:
        with self._changed:
            self._left += more
            self._changed.notify_all()

    def wait_until_idle(self, seconds: float, stop: Event) -> None:
        """Wait until nothing is left to do in this process, or until told to stop; no longer than so many seconds."""
        with self._changed:
            self._changed.wait_for(lambda: not self._left or stop.is_set(), seconds)

    def in_process(self, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Return what a function gives that another process calls; :class:`ProcessLost` where that one ends.

        Work that is called :meth:`soon` lets other work have its turn meanwhile.
        """
        working = getattr(self._thread, "working", False)
        if working:
            self._turns.release()
            self._count(-1)
        pool = self._processes()
        try:
            return pool.submit(function, *arguments, **named).result()
        except BrokenProcessPool:
            with self._lock:
                if self._pool is pool:  # nobody has begun another one meanwhile
                    self._pool = None
            _log.warning("a resolver process ended before its work")
            raise ProcessLost from None
        finally:
            if working:
                self._count(1)
                self._turns.acquire()

    def _processes(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._pool is None:
                context = get_context("spawn")
                self._pool = ProcessPoolExecutor(self.processes, context, initializer=_begin, initargs=(self._prepare,))
            return self._pool

    def close(self) -> None:
        """Finish what has started, drop what has not: the ticker of another process finds it."""
        self._closed = True
        if self._executor is not None:
            self._executor.shutdown(wait=True, cancel_futures=True)
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)


def _begin(prepare: Callable[[], None] | None) -> None:
    """Make a new process a modest one, which does not outlive the server."""
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
