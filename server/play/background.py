"""Where work runs that should not hold up whoever asked for it: threads of this process, and other processes."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from threading import Lock
from typing import TypeVar

import structlog

T = TypeVar("T")
_log = structlog.get_logger("server.play")


class Background:
    """Runs resolutions. ``threads`` 0: at once, in the caller's thread; ``processes`` 0: never in another process."""

    def __init__(self, threads: int = 0, processes: int = 0) -> None:
        self._threads = ThreadPoolExecutor(threads, "resolver") if threads else None
        self._count = processes
        self._processes: ProcessPoolExecutor | None = None
        self._waiting: set[str] = set()
        self._lock = Lock()

    @property
    def processes(self) -> int:
        """How many other processes resolve long phases."""
        return self._count

    def soon(self, key: str, work: Callable[[], object]) -> None:
        """Do the work, once where it is asked for again before it has begun. Its mistakes are logged, not raised."""
        if self._threads is None:
            work()
            return
        with self._lock:
            if key in self._waiting:
                return
            self._waiting.add(key)
        self._threads.submit(self._run, key, work)

    def _run(self, key: str, work: Callable[[], object]) -> None:
        with self._lock:
            self._waiting.discard(key)
        try:
            work()
        except Exception:
            _log.exception("background work failed", key=key)

    def compute(self, function: Callable[..., T], *arguments: object, long: bool) -> T:
        """Return what a function of plain data gives; *long* work is done in another process, where there is one."""
        if not long or not self._count:
            return function(*arguments)
        pool = self._pool()
        try:
            return pool.submit(function, *arguments).result()
        except BrokenProcessPool:
            with self._lock:
                if self._processes is pool:  # nobody has begun another one meanwhile
                    self._processes = None
            _log.warning("a resolver process ended; the work is done here instead")
            return function(*arguments)

    def _pool(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._processes is None:
                self._processes = ProcessPoolExecutor(self._count, mp_context=get_context("spawn"))
            return self._processes

    def idle(self) -> Future[None] | None:
        """Return something to wait for until all that was asked for so far is begun and done (for tests)."""
        return None if self._threads is None else self._threads.submit(lambda: None)

    def close(self) -> None:
        """Finish what has begun, drop what has not: the ticker of another process finds it."""
        if self._threads is not None:
            self._threads.shutdown(wait=True, cancel_futures=True)
        if self._processes is not None:
            self._processes.shutdown(wait=True, cancel_futures=True)
