"""What both engines share of postures: the worksheet's rows and results, and the posture of a score (P-01, P-04)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

ROWS = ("A", "B", "D", "E", "F", "G")
"""Failures, morale and losses: first those of the player with this posture, then the opponent's. There is no row C."""
PAIRS = {"x": ("B", "A"), "y": ("E", "D"), "z": ("G", "F")}
"""What each result subtracts from what (P-01): positive, the opponent is confident."""


class Threshold(Protocol):
    """A posture, and the lowest score that gives it."""

    @property
    def from_score(self) -> int:
        """The lowest score that gives it; the lowest posture has all below, too."""


P = TypeVar("P", bound=Threshold)


def results(marks: Mapping[str, int]) -> dict[str, int]:
    """Return X, Y and Z of a turn's marks (P-01)."""
    return {name: marks[plus] - marks[minus] for name, (plus, minus) in PAIRS.items()}


def posture_of(score: int, postures: Sequence[P]) -> P:
    """Return the posture of a score (P-04); *postures* rise."""
    reached = [posture for posture in postures if posture.from_score <= score]
    return reached[-1] if reached else postures[0]
