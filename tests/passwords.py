"""Cheap passwords for tests: the real ones cost a quarter of a second of computing each, on purpose."""

from __future__ import annotations

from functools import cache

from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher

from server.play.accounts import passwords

real = passwords.hasher
"""What the server uses."""


@cache
def _cheap() -> PasswordHash:
    return PasswordHash((Argon2Hasher(time_cost=1, memory_cost=8, parallelism=1),))


def make_cheap() -> None:
    """Have this process, and those it forks, hash passwords at hardly any cost."""
    passwords.hasher = _cheap
