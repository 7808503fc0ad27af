"""Objective markers: their places, owners and state."""

from __future__ import annotations

from dataclasses import dataclass, field

from server.referee.geometry import Point


@dataclass(slots=True)
class Marker:
    """A marker in play."""

    id: str
    at: Point | None
    """None: it is still to be placed."""
    zone: str
    """``attacker``, ``defender`` or ``no_mans_land`` (T-04)."""
    control: str = ""
    """The player in control since the last checkpoint; empty: contested (T-05, T-06)."""
    secured: str = ""
    """The player who has secured it (T-08)."""
    used: bool = False
    removed: bool = False
    levels: dict[str, int] = field(default_factory=dict)
    """The players' levels as last reported (T-05)."""
    holder: str = ""
    """The player with more there, if reported instead of levels (T-07): a player, ``contested`` or ``none``."""
    claims: dict[str, dict[str, int]] = field(default_factory=dict)
    """By player and model: the round in which its claim began (T-25)."""
