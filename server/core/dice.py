"""Labelled rolls from a seed, and the hash chain the seeds come from (D-80, D-81).

A roll is named by a *label* that says what it is for and whom it concerns, never by the order in
which it happened to be made. Link *n* of the chain is ``SHA-256(link n+1)``; link 0 is
published before the campaign starts, link *t* when turn *t* is over, so anybody can check that
the dice were fixed before the first order was given.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Sequence
from typing import Protocol

CHAIN_LENGTH = 1000
"""Links after link 0: the longest campaign, in turns."""


class Dice(Protocol):
    """Whatever can answer a labelled roll."""

    def roll(self, label: str, sides: int = 6) -> int:
        """Return the next face, 1..*sides*, of the label."""


class KeyedHash:
    """HMAC-SHA256 (RFC 2104) with its key worked in once: for short messages that is most of the work."""

    __slots__ = ("_inner", "_outer")

    def __init__(self, key: bytes) -> None:
        block = (hashlib.sha256(key).digest() if len(key) > 64 else key).ljust(64, b"\0")
        self._inner = hashlib.sha256(bytes(each ^ 0x36 for each in block))
        self._outer = hashlib.sha256(bytes(each ^ 0x5C for each in block))

    def digest(self, message: bytes) -> bytes:
        """Return what ``hmac.digest(key, message, "sha256")`` would."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(message)
        outer.update(inner.digest())
        return outer.digest()


class SeededDice:
    """Dice whose every face follows from the seed, the label and how often it was rolled."""

    __slots__ = ("_counts", "_hash")

    def __init__(self, seed: bytes) -> None:
        self._hash = KeyedHash(seed).digest
        self._counts: dict[str, int] = {}

    def roll(self, label: str, sides: int = 6) -> int:
        """Return the next face, 1..*sides*, of the label."""
        counter = self._counts.get(label, 0)
        self._counts[label] = counter + 1
        return _face(self._hash, label, counter, sides)


def face(seed: bytes, label: str, counter: int, sides: int = 6) -> int:
    """Return face number *counter* (from 0) of *label*: HMAC-SHA256 with rejection sampling.

    The message is ``label|counter``; where its first 8 bytes fall into the remainder that would
    favour low faces, ``label|counter|1`` is tried, and so on.
    """
    return _face(KeyedHash(seed).digest, label, counter, sides)


def _face(keyed: Callable[[bytes], bytes], label: str, counter: int, sides: int) -> int:
    if sides < 1:
        raise ValueError(f"a die has at least one side, not {sides}")
    limit = (1 << 64) - (1 << 64) % sides
    message = f"{label}|{counter}"
    attempt = 0
    while True:
        number = int.from_bytes(keyed(message.encode())[:8], "big")
        if number < limit:
            return number % sides + 1
        attempt += 1
        message = f"{label}|{counter}|{attempt}"


def chain(secret: bytes, length: int = CHAIN_LENGTH) -> list[bytes]:
    """Return links 0..*length*; the last one is the hash of the secret."""
    links = [hashlib.sha256(secret).digest()]
    for _ in range(length):
        links.append(hashlib.sha256(links[-1]).digest())
    links.reverse()
    return links


def follows(earlier: bytes, later: bytes, steps: int = 1) -> bool:
    """True when *earlier* is the link *steps* before *later*."""
    for _ in range(steps):
        later = hashlib.sha256(later).digest()
    return hmac.compare_digest(earlier, later)


def phase_seed(link: bytes, campaign: str, turn: int, phase: str, salts: Sequence[str]) -> bytes:
    """Return the seed of one phase: the turn's link keyed over the phase and the salts.

    *salts* are those sent with the order sets of the phase, in seat order, ``""`` for a player
    who sent none. Each is length-prefixed so that no two lists give the same seed.
    """
    parts = [campaign, str(turn), phase, *(f"{len(salt)}:{salt}" for salt in salts)]
    return hmac.digest(link, "|".join(parts).encode(), "sha256")
