"""An act of diplomacy of a computer player, and its reason."""

from __future__ import annotations

from dataclasses import dataclass

from server.rules.state import PlayerId

OFFERED, ACCEPTED, DECLINED, KEPT, BROKEN, GREETED = "offered", "accepted", "declined", "kept", "broken", "greeted"


@dataclass(frozen=True, slots=True)
class DiplomacyAction:
    """What a computer player does about an alliance in a turn."""

    turn: int
    kind: str
    """``offered``, ``accepted``, ``declined``, ``kept``, ``broken``; a letter may also be ``greeted``."""
    toward: PlayerId
    reason: str = ""
    """One of ``[reasons]`` in ``data/letters.en.toml``."""
    third: PlayerId = ""
    """The player the reason is about, if it is another one."""
