"""Labelled rolls from a seed, and the hash chain the seeds come from (D-80, D-81): scheme 2, see ``docs/dice.md``.

A roll is named by a *label* that names its purpose and its player, never by the order in which it was made. Link *n*
of the chain is ``SHA-256(link n+1)``. Link 0 is published before anyone joins, and no roll uses it. A turn's link is
published when the turn is over, so anyone can check that the dice were fixed before the first order was given. Rolls
that not everyone may know come from a sub-seed with the key of their owner's seat. Campaigns of scheme 1 are in
:mod:`server.core.dice_scheme_1`.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

SCHEME = 2
"""The scheme of campaigns that are made now."""

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
        self._inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in block))
        self._outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in block))

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


def phase_seed(link: bytes, campaign: str, branch: int, turn: int, phase: str, salts: Sequence[str]) -> bytes:
    """Return the seed of one phase: the turn's link keyed over the phase and the salts.

    *salts* are those committed for the phase, in seat order, ``""`` for a seat without one. Each is
    length-prefixed so that no two lists give the same seed.
    """
    return hmac.digest(link, salted([campaign, str(branch), str(turn), phase], salts), "sha256")


def salted(parts: Sequence[str], salts: Sequence[str]) -> bytes:
    """Return the message of a seed: its parts, then each salt behind its length in characters."""
    return "|".join([*parts, *(f"{len(salt)}:{salt}" for salt in salts)]).encode()


def seat_key(secret: bytes, seat: str) -> bytes:
    """Return the key of a seat: drawn from the campaign's secret, known to its player, published at the end."""
    return hmac.digest(secret, f"seat-key|{seat}".encode(), "sha256")


def seat_seed(seed: bytes, seat: str, key: bytes) -> bytes:
    """Return the sub-seed of a phase for the rolls that a seat owns."""
    return hmac.digest(seed, f"{seat}|{key.hex()}".encode(), "sha256")


def commitment(value: bytes) -> str:
    """Return what is published of a salt or a seat key beforehand: its SHA-256, hexadecimal."""
    return hashlib.sha256(value).hexdigest()


def owner_of(label: str, known: Sequence[str]) -> str:
    """Return the seat whose sub-seed a roll comes from that only the seats *known* may know.

    It is the seat that the label ends with, if it is one of them, else the first of them in seat order.
    """
    named = label.rpartition("/")[2]
    return named if named in known else known[0]


class SeatDice:
    """Dice of scheme 2: public rolls come from the phase's seed, others from the sub-seed of their owner's seat."""

    __slots__ = ("_keys", "_of_seats", "_public", "_seed")

    def __init__(self, seed: bytes, keys: Mapping[str, bytes]) -> None:
        self._seed, self._keys = seed, keys
        self._public = SeededDice(seed)
        self._of_seats: dict[str, SeededDice] = {}

    def roll(self, label: str, sides: int = 6) -> int:
        """Return the next face, 1..*sides*, of a label that everyone may know."""
        return self._public.roll(label, sides)

    def owned_by(self, seat: str) -> Dice:
        """Return the dice of a seat's own rolls."""
        if seat not in self._of_seats:
            self._of_seats[seat] = SeededDice(seat_seed(self._seed, seat, self._keys[seat]))
        return self._of_seats[seat]


def hidden(dice: Dice, label: str, known: Sequence[str]) -> Dice:
    """Return the dice for a roll that only the seats *known* may know; dice that know no seats roll everything."""
    return dice.owned_by(owner_of(label, known)) if isinstance(dice, SeatDice) and known else dice
