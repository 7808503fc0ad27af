"""Is a map fair in play? The share of wins of every start, and whether chance alone explains the differences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from server.bots.levels import REGULAR
from server.tournament.running import tournament
from server.tournament.standings import Standings

LOW, HIGH = 0.6, 1.6
"""Times its fair share that a start may win."""
DOUBT = 0.05
"""Chance of such differences between equal starts below which a map is not fair; divided by the number of maps."""


@dataclass(frozen=True, slots=True)
class StartPlayed:
    """How a start did."""

    name: str
    wins: float
    games: int
    ratio: float
    """Wins over the fair share."""
    eliminated: int
    vp: float


@dataclass(frozen=True, slots=True)
class Played:
    """How fair a map was in play."""

    starts: tuple[StartPlayed, ...]
    games: int
    turns: int
    chance: float
    """Chance of such differences, or larger ones, between equal starts (chi-square)."""
    maps: int = 1
    """How many maps were tested together."""

    @property
    def outside(self) -> tuple[StartPlayed, ...]:
        """Return the starts that win too seldom or too often."""
        return tuple(start for start in self.starts if not LOW <= start.ratio <= HIGH)

    @property
    def fair(self) -> bool:
        """True when no start stands out and the test does not reject that all are equal."""
        return not self.outside and self.chance >= DOUBT / self.maps

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        starts = [
            {
                "start": start.name,
                "wins": round(start.wins, 2),
                "ratio": round(start.ratio, 2),
                "eliminated": start.eliminated,
                "vp": round(start.vp, 1),
            }
            for start in self.starts
        ]
        return {"games": self.games, "turns": self.turns, "chance": round(self.chance, 4), "fair": self.fair,
                "starts": starts}  # fmt: skip


def by_play(map_: str, games: int, turns: int, seed: int, *, maps: int = 1, processes: int | None = None) -> Played:
    """Play a map, an id or a path, with the regular player at every seat; the same arguments give the same figures."""
    return judged(tournament([map_], [REGULAR], games, turns, seed, processes=processes), turns, maps)


def judged(standings: Standings, turns: int, maps: int = 1) -> Played:
    """Return how fair the one map of a tournament was."""
    lines = standings.by_start()
    games = len(standings.results)
    expected = games / len(lines)
    starts = tuple(
        StartPlayed(line["start"], line["wins"], games, line["wins"] / expected, line["eliminated"], line["vp"])
        for line in lines
    )
    return Played(starts, games, turns, equality([start.wins for start in starts]), maps)


def equality(counts: Sequence[float]) -> float:
    """Return the chance of counts so different, or more, where all are equally likely (chi-square)."""
    total = sum(counts)
    if len(counts) < 2 or not total:
        return 1.0
    expected = total / len(counts)
    statistic = sum((count - expected) ** 2 / expected for count in counts)
    return 1.0 - _gamma((len(counts) - 1) / 2, statistic / 2)


def _gamma(a: float, x: float) -> float:
    """Return the lower incomplete gamma function, regularised, by its series."""
    if x <= 0:
        return 0.0
    term = total = 1 / a
    for n in range(1, 1000):
        term *= x / (a + n)
        total += term
        if term < total * 1e-15:
            break
    return min(1.0, total * math.exp(a * math.log(x) - x - math.lgamma(a)))
