"""Chance for computer players: keyed by the seat and the turn, so that ties favour no hex and no direction."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field


@dataclass(slots=True)
class SeededTiebreak:
    """An order of all things that is another one for each seat and turn, and dice that only its owner can foresee.

    The same key gives the same order: nothing here depends on when or where it is asked.
    """

    key: bytes
    _ranks: dict[str | int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, secret: bytes, seat: str, turn: int) -> SeededTiebreak:
        """Return the lot of a seat in a turn; *secret* is the seat's own."""
        return cls(hashlib.blake2b(f"{seat}/{turn}".encode(), key=secret[:64], digest_size=32).digest())

    def rank(self, thing: str | int) -> int:
        """Return a thing's place in the order: hexes by number, forces by id. Breaks ties."""
        known = self._ranks.get(thing)
        if known is None:
            known = self._ranks[thing] = self._number(f"rank/{thing}")
        return known

    def face(self, label: str, sides: int = 10) -> int:
        """Return a face from 1 to *sides*, by its purpose."""
        return self._number(label) % sides + 1

    def _number(self, label: str) -> int:
        return int.from_bytes(hashlib.blake2b(label.encode(), key=self.key, digest_size=8).digest())
