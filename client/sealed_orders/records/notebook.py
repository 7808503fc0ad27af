"""What you noted for yourself in a campaign."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class TurnNote:
    """A note on a turn."""

    turn: int
    text: str
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Pin:
    """A pin in the map, with a few words."""

    hex: str
    turn: int
    """Since which turn it is there."""
    text: str
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Notebook:
    """All that one noted in a campaign: notes by turn, pins by hex."""

    seat: str
    notes: tuple[TurnNote, ...]
    pins: tuple[Pin, ...]
