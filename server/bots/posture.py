"""A computer player's confidence, drawn from its memory, and the effect on its intentions (P-30 to P-36)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from server.bots.diplomacy_action import DiplomacyAction
from server.core.posture import posture_of, results

HOPELESS = "hopeless"


@dataclass(frozen=True, slots=True)
class Posture:
    """A posture, and what it makes of the forces."""

    name: str
    from_score: int
    draws: tuple[str, ...]
    """The actions of the faces 1 to 10."""
    attacks_from: int
    """Own strength over the enemy's from which it attacks, in tenths."""
    gives_way: int
    """The enemy's over its own from which a detachment gives way, in tenths; 0: never."""
    home: int
    """Percent of the detachments kept near the capital."""
    rests: int
    """Ready percentage up to which a detachment rests."""
    field: int
    """Percent of new BP for field forces; the rest is for garrisons and defences."""

    def attacks(self, own: int, enemy: int, *, more: int = 0) -> bool:
        """Say whether the odds are enough to attack (P-35); *more*: tenths wanted beyond the posture's."""
        return 10 * own >= (self.attacks_from + more) * enemy


@dataclass(frozen=True, slots=True)
class Figures:
    """A set of figures for postures."""

    decay: tuple[int, int]
    thirtieths: int
    base_at_least: int
    vp_at_most: int
    marks: Mapping[str, int]
    intends: Mapping[str, str]
    postures: tuple[Posture, ...]
    """Rising."""

    def posture(self, score: int) -> Posture:
        """Return the posture of a score (P-04)."""
        return posture_of(score, self.postures)

    def losses(self, points: int, base: int) -> int:
        """Return the marks for lost points: thirtieths of the army (P-31)."""
        return self.thirtieths * points // max(base, self.base_at_least)

    def score(self, before: int, marks: Mapping[str, int]) -> int:
        """Return the score after a turn (P-32)."""
        old, of = self.decay
        kept = abs(before * old) // of
        return (kept if before >= 0 else -kept) + sum(results(marks).values())


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How a computer player felt at the end of a turn."""

    turn: int
    score: int
    posture: str
    x: int
    y: int
    z: int
    marks: tuple[tuple[str, int], ...]
    """By row."""
    acts: tuple[DiplomacyAction, ...] = ()
    """What it did about alliances in the turn, and why."""

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {"turn": self.turn, "score": self.score, "posture": self.posture, "x": self.x, "y": self.y,
                "z": self.z, "marks": dict(self.marks)}  # fmt: skip


def evaluate(figures: Figures, turn: int, before: int, marks: Mapping[str, int]) -> Evaluation:
    """Return how a turn's marks change the score (P-30 to P-32)."""
    score = figures.score(before, marks)
    found = results(marks)
    return Evaluation(
        turn, score, figures.posture(score).name, found["x"], found["y"], found["z"], tuple(sorted(marks.items()))
    )


def gives_up(history: tuple[Evaluation, ...]) -> bool:
    """Say whether a player gives up where the break rule is on: hopeless two turns in a row (P-37)."""
    return len(history) >= 2 and all(evaluation.posture == HOPELESS for evaluation in history[-2:])


@cache
def figures(name: str = "played") -> Figures:
    """Return a data set of ``data/postures.toml``: ``reading`` or ``played``."""
    data = tomllib.loads(files("server.bots.data").joinpath("postures.toml").read_text("utf-8"))
    chosen = data[name]
    whole = {**data[chosen["like"]], **chosen} if "like" in chosen else chosen
    postures = tuple(Posture(**{**posture, "draws": tuple(posture["draws"])}) for posture in whole["postures"])
    return Figures(
        tuple(whole["decay"]),
        whole["thirtieths"],
        whole["base_at_least"],
        whole["vp_at_most"],
        whole["marks"],
        whole["intends"],
        postures,
    )
