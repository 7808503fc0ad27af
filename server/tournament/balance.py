"""Is every army list worth playing? Each plays against each other, equally often in each seat (D-71c)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any

from server import rulesets
from server.bots.levels import REGULAR
from server.rules.state import Settings, proposed
from server.tournament.game import Arena, Fixture, Result, play
from server.tournament.running import Progress, arena
from server.tournament.standings import interval

ARENAS = (("the-pass", 2), ("four-corners", 2), ("green-heart", 3), ("four-corners", 4))
"""Maps and numbers of players that are played by default."""
LOW, HIGH, STRATEGY = 0.6, 1.6, 1.5
"""Limits for a list, in fair shares, and for the ratio of two strategy values."""


@dataclass(frozen=True, slots=True)
class Share:
    """How often a list, or all lists of a strategy value, won."""

    name: str
    strategy: int
    games: int
    """Appearances."""
    wins: float
    fair: float
    """Wins that equal lists would have had."""

    @property
    def ratio(self) -> float:
        """Wins over the fair share."""
        return self.wins / self.fair if self.fair else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Return the 95 % interval of the ratio."""
        low, high = interval(self.wins, self.games)
        scale = self.games / self.fair if self.fair else 0.0
        return low * scale, high * scale

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        low, high = self.interval
        return {"name": self.name, "strategy": self.strategy, "games": self.games, "wins": round(self.wins, 2),
                "ratio": round(self.ratio, 3), "low": round(low, 3), "high": round(high, 3)}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Balance:
    """What the games have shown."""

    ruleset: str
    version: str
    """The ruleset's."""
    seed: int
    games: int
    lists: tuple[Share, ...]
    """The strongest first."""
    strategies: tuple[Share, ...]
    """By strategy value."""

    @property
    def outside(self) -> tuple[Share, ...]:
        """Return the lists that win too seldom or too often."""
        return tuple(share for share in self.lists if not LOW <= share.ratio <= HIGH)

    @property
    def spread(self) -> float:
        """Return the largest ratio of a strategy value over the smallest."""
        ratios = [share.ratio for share in self.strategies]
        least = min(ratios, default=0.0)
        return max(ratios) / least if least else float("inf")

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "ruleset": self.ruleset, "version": self.version, "seed": self.seed, "games": self.games,
            "lists": [share.as_dict() for share in self.lists],
            "strategies": [share.as_dict() for share in self.strategies],
            "outside": [share.name for share in self.outside], "spread": round(self.spread, 3),
        }  # fmt: skip


def fixtures(place: Arena, rounds: int, turns: int, seed: int, level: str = REGULAR) -> Iterator[Fixture]:
    """Yield the games of one arena. In a round each list plays once in each seat.

    Of two players, the rounds go through all opponents; of more, each round draws the opponents.
    """
    lists, seats = place.factions, place.seats
    for number in range(rounds):
        random = Random(f"{seed}/{place.name}/{seats}/{number}")
        steps = [1 + number % (len(lists) - 1)] if seats == 2 else random.sample(range(1, len(lists)), seats - 1)
        for first in range(len(lists)):
            factions = tuple(lists[(first + step) % len(lists)] for step in (0, *steps))
            key = f"{seed}/{place.name}/{seats}/{number}/{first}"
            yield Fixture(place.name, place.ruleset, (level,) * seats, factions, turns, key)


def settings(players: int, turns: int) -> Settings:
    """Return the ends that a new campaign proposes, with this turn limit; a lost capital eliminates, nobody allies."""
    return replace(
        proposed(players), turn_limit=turns, capital_eliminates=True, last_standing=True, alliances=False
    )  # fmt: skip


def balance(
    ruleset: str, appearances: int, turns: int, seed: int, *, arenas: Sequence[tuple[str, int]] = ARENAS,
    level: str = REGULAR, processes: int | None = None, on_progress: Progress = lambda _done, _of: None,
) -> Balance:  # fmt: skip
    """Play until each list has had at least *appearances* games; the same arguments give the same figures."""
    places = [arena(name, ruleset, seats) for name, seats in arenas]
    rounds = -(-appearances // sum(place.seats for place in places))
    planned = [fixture for place in places for fixture in fixtures(place, rounds, turns, seed, level)]
    results: list[Result] = []
    workers = min(processes or os.cpu_count() or 1, len(planned))
    if workers <= 1:
        for fixture in planned:
            results.append(_play(fixture))
            on_progress(len(results), len(planned))
    else:
        with ProcessPoolExecutor(workers) as pool:
            for result in pool.map(_play, planned):
                results.append(result)
                on_progress(len(results), len(planned))
    return judged(ruleset, seed, results)


def judged(ruleset: str, seed: int, results: Sequence[Result]) -> Balance:
    """Return the shares of all lists, and of all strategy values."""
    rules = rulesets.load(ruleset)
    factions = rules.factions
    seats = [
        (faction, share, 1 / len(result.shares))
        for result in results
        for faction, share in zip(result.fixture.factions, result.shares, strict=True)
    ]
    share = partial(_share, seats)
    lists = [
        share(name, faction.strategy, [name]) for name, faction in factions.items() if any(name == s[0] for s in seats)
    ]
    values = sorted({line.strategy for line in lists})
    strategies = [share(str(value), value, [line.name for line in lists if line.strategy == value]) for value in values]
    ordered = sorted(lists, key=lambda line: (-line.ratio, line.name))
    return Balance(ruleset, rules.version, seed, len(results), tuple(ordered), tuple(strategies))


def _share(seats: Sequence[tuple[str, float, float]], name: str, strategy: int, lists: Sequence[str]) -> Share:
    mine = [(won, fair) for faction, won, fair in seats if faction in lists]
    return Share(name, strategy, len(mine), sum(won for won, _ in mine), sum(fair for _, fair in mine))


def _play(fixture: Fixture) -> Result:
    return play(fixture, settings(len(fixture.players), fixture.turns))
