"""Where a phase is played out: the state that changes, the dice, and the events with their readers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from server.core.dice import Dice, hidden
from server.core.events import Event
from server.rules.board import Hex
from server.rules.state import PlayerId, State


@dataclass(slots=True)
class Scene:
    """One phase in the making. The rules change :attr:`state` and tell events, nothing else."""

    state: State
    dice: Dice
    events: list[Event] = field(default_factory=list)
    seen_before: dict[PlayerId, dict[Hex, int]] | None = None
    """What each player sees before anything moves, where that is known already; as :func:`server.rules.sight.sight`."""

    def emit(self, type_: str, to: Iterable[PlayerId], /, **fields: Any) -> None:
        """Record a fact that the players *to* may know."""
        self.events.append(Event(type_, fields, self._in_seat_order(to)))

    def emit_public(self, type_: str, /, **fields: Any) -> None:
        """Record a fact that everyone may know."""
        self.events.append(Event(type_, fields, tuple(self.state.players), public=True))

    def roll(self, label: str, to: Iterable[PlayerId] | None, count: int = 1, sides: int = 6) -> list[int]:
        """Roll *count* dice of one label and tell them to *to*, to everyone when None.

        A roll that not everyone may know uses the dice of its owner's seat (D-81).
        """
        if to is None:
            faces = [self.dice.roll(label, sides) for _ in range(count)]
            self.emit_public("dice", label=label, faces=faces)
            return faces
        known = self._in_seat_order(to)
        dice = hidden(self.dice, label, known)
        faces = [dice.roll(label, sides) for _ in range(count)]
        self.events.append(Event("dice", {"label": label, "faces": faces}, known))
        return faces

    def roll_one(self, label: str, to: Iterable[PlayerId] | None, sides: int = 6) -> int:
        """Roll one die and tell it like :meth:`roll`."""
        return self.roll(label, to, 1, sides)[0]

    def _in_seat_order(self, to: Iterable[PlayerId]) -> tuple[PlayerId, ...]:
        known = tuple(to)
        if len(known) == 1:  # nearly always
            return known if known[0] in self.state.players else ()
        return tuple([id_ for id_ in self.state.players if id_ in known])

    def label(self, hex_: Hex) -> str:
        """Return a hex's label."""
        return self.state.board.label(hex_)
