"""Hashing and checking passwords, of which each takes 64 MB and a core for a tenth of a second, on purpose.

A process does :data:`RUNNING` of these at a time and lets :data:`WAITING` more wait for at most :data:`PATIENCE`
seconds; all beyond are refused with ``busy``. Call nothing of this inside a transaction.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from server.play.errors import PlayError

if TYPE_CHECKING:
    from pwdlib import PasswordHash

RUNNING = 2
"""Passwords hashed or checked at a time."""
WAITING = 20
"""Callers that wait for their turn; each takes one of the server's 40 worker threads."""
PATIENCE = 5.0
"""Seconds a caller waits at most."""


class Turns:
    """Lets *running* callers in at a time and *waiting* more wait for *patience* seconds."""

    def __init__(self, running: int, waiting: int, patience: float) -> None:
        self.inside = 0
        """Callers that run or wait."""
        self._places = running + waiting
        self._patience = patience
        self._running = threading.BoundedSemaphore(running)
        self._lock = threading.Lock()

    @contextmanager
    def one(self) -> Iterator[None]:
        """Take a turn, or refuse with ``busy``."""
        with self._lock:
            if self.inside >= self._places:
                raise _busy()
            self.inside += 1
        try:
            if not self._running.acquire(timeout=self._patience):
                raise _busy()
            try:
                yield
            finally:
                self._running.release()
        finally:
            with self._lock:
                self.inside -= 1


TURNS = Turns(RUNNING, WAITING, PATIENCE)
"""The turns of this process."""


def hashed(password: str) -> str:
    """Return the argon2id hash of a password."""
    with TURNS.one():
        return hasher().hash(password)


def matches(password: str, known: str | None) -> tuple[bool, str | None]:
    """Return whether a password has that hash, and a better hash where the known one is too weak by now.

    Without a known hash the answer is no, after the same work: the time it takes does not tell.
    """
    with TURNS.one():
        good, better = hasher().verify_and_update(password, known or _nobodys_hash())
    return good and known is not None, better


@cache
def hasher() -> PasswordHash:
    """Return what hashes; for :func:`hashed` and :func:`matches`, which keep the limit."""
    from pwdlib import PasswordHash  # here: a megabyte, and most requests check none
    from pwdlib.hashers.argon2 import Argon2Hasher

    return PasswordHash((Argon2Hasher(),))


@cache
def _nobodys_hash() -> str:
    return hasher().hash("nobody's password")


def _busy() -> PlayError:
    return PlayError("busy", "Too many people sign in just now.")
