"""The dice of a table game: faces by label, rolled once and stored, even if actions are undone."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass, field

from server.core.dice import Dice


def table_seed(secret: bytes, game: str, salts: Sequence[str]) -> bytes:
    """Return the seed of a table game: its secret keyed over its id and the salts of both sides, in seat order.

    The server shows the SHA-256 of the secret when the game is created; each side commits to its salt before it sees
    the other's, and both send theirs before the first die. The secret is published when the game is over.
    """
    parts = [game, *(f"{len(salt)}:{salt}" for salt in salts)]
    return hmac.digest(secret, "|".join(parts).encode(), "sha256")


@dataclass(slots=True)
class DiceLog:
    """What the dice showed, by label. A fold reads them from the start; what was never rolled comes from the dice."""

    dice: Dice
    rolled: dict[str, list[int]] = field(default_factory=dict)
    """All faces so far, by label; shared by every fold of the game."""
    peeked: dict[str, int] = field(default_factory=dict)
    """Number of faces of a label that were seen before the roll; as public as the faces."""
    _next: dict[str, int] = field(default_factory=dict)

    def peek(self, label: str, sides: int) -> int:
        """Return the next face of the label without rolling it: what is refused changes nothing."""
        place = self._next.get(label, 0)
        faces = self.rolled.setdefault(label, [])
        if place == len(faces):
            faces.append(self.dice.roll(label, sides))
            self.peeked[label] = self.peeked.get(label, 0) + 1
        return faces[place]

    def roll(self, label: str, sides: int) -> tuple[int, bool]:
        """Return the next face of the label, and whether it was rolled just now."""
        place = self._next.get(label, 0)
        self._next[label] = place + 1
        faces = self.rolled.setdefault(label, [])
        new = place == len(faces)
        if new:
            faces.append(self.dice.roll(label, sides))
        elif self.peeked.get(label) and place == len(faces) - self.peeked[label]:
            new = True
            self.peeked[label] -= 1
        return faces[place], new

    def from_the_start(self) -> DiceLog:
        """Return the same faces for another fold."""
        return DiceLog(self.dice, self.rolled, self.peeked)
