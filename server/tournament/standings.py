"""The table of a tournament: players, maps, starts, factions, with shares of wins and Elo (Bradley-Terry)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any

from server.tournament.game import Result

Z = 1.959964
"""Of a 95 % interval."""
ELO = 400 / math.log(10)
Pairs = Mapping[tuple[str, str], float]
"""How often the first was better than the second; a draw counts half for both."""


def interval(wins: float, games: float) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson)."""
    if games <= 0:
        return 0.0, 1.0
    share, z2 = wins / games, Z * Z
    centre = (share + z2 / (2 * games)) / (1 + z2 / games)
    half = Z * math.sqrt(share * (1 - share) / games + z2 / (4 * games * games)) / (1 + z2 / games)
    return max(0.0, centre - half), min(1.0, centre + half)


def duels(results: Sequence[Result]) -> dict[tuple[str, str], float]:
    """Return how often each contestant was better than each other: seat against seat, a game counts once a pair."""
    found: dict[tuple[str, str], float] = {}
    for result in results:
        names = result.fixture.players
        game: dict[tuple[str, str], list[float]] = {}
        for a, first in enumerate(names):
            for b, second in enumerate(names):
                if first != second:
                    mine, theirs = result.order(a), result.order(b)
                    game.setdefault((first, second), []).append((mine > theirs) + 0.5 * (mine == theirs))
        for pair, scores in game.items():
            found[pair] = found.get(pair, 0.0) + sum(scores) / len(scores)
    return found


def elo(names: Sequence[str], pairs: Pairs) -> dict[str, tuple[float, float]]:
    """Return each contestant's Elo, on average 1500, and half the width of its 95 % interval.

    Half a draw is added for each pair that has met, so that who always wins has a rating, too.
    """
    met = {(a, b) for a, b in pairs if a in names and b in names}
    won = {pair: pairs[pair] + 0.5 for pair in sorted(met)}
    strength = dict.fromkeys(names, 0.0)
    for _ in range(200):
        for name in names:
            games = [(won[name, other] + won[other, name], other) for other in names if (name, other) in met]
            if games:
                wins = sum(won[name, other] for _, other in games)
                weight = sum(n / (math.exp(strength[name]) + math.exp(strength[other])) for n, other in games)
                strength[name] = math.log(wins / weight)
        middle = sum(strength.values()) / len(names)
        strength = {name: value - middle for name, value in strength.items()}
    found = {}
    for name in names:
        information = 0.0
        for other in names:
            if (name, other) in met:
                chance = 1 / (1 + math.exp(strength[other] - strength[name]))
                information += (won[name, other] + won[other, name]) * chance * (1 - chance)
        half = Z / math.sqrt(information) * ELO if information else math.inf
        found[name] = 1500 + strength[name] * ELO, half
    return found


@dataclass(frozen=True, slots=True)
class Standings:
    """Everything a tournament has shown."""

    seed: int
    results: tuple[Result, ...]
    names: tuple[str, ...]
    starts: Mapping[str, tuple[str, ...]]
    """Names of the starts of each map, by seat."""

    def ratings(self) -> dict[str, tuple[float, float]]:
        """Return each contestant's Elo and half the width of its interval."""
        return elo(self.names, duels(self.results))

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "seed": self.seed,
            "games": len(self.results),
            "players": self.players(),
            "maps": self.maps(),
            "starts": self.by_start(),
            "factions": self.factions(),
        }

    def players(self) -> list[dict[str, Any]]:
        """Return a line for each contestant; all seats of one name in a game count as one."""
        ratings = self.ratings()
        lines = []
        for name in self.names:
            games = [result for result in self.results if name in result.fixture.players]
            wins = sum(_of(result, name, result.shares) for result in games)
            seats = [(result, place) for result in games for place in _places(result, name)]
            vp = mean(result.vp[place] for result, place in seats) if seats else 0.0
            lines.append({"name": name, **_share(wins, len(games)), "vp": round(vp, 2),
                          "elo": round(ratings[name][0])})  # fmt: skip
        return lines

    def maps(self) -> list[dict[str, Any]]:
        """Return how many games each map had and how long they were."""
        found = []
        for name in dict.fromkeys(result.fixture.map for result in self.results):
            games = [result for result in self.results if result.fixture.map == name]
            lengths = [result.turns for result in games]
            found.append({
                "map": name,
                "games": len(games),
                "turns": round(mean(lengths), 2),
                "eliminated": round(mean(sum(result.eliminated) for result in games), 2),
                "shared": sum(max(result.shares) < 1 for result in games),
            })  # fmt: skip
        return found

    def by_start(self) -> list[dict[str, Any]]:
        """Return the share of wins of each start, and how often it was eliminated."""
        found = []
        for map_, names in self.starts.items():
            games = [result for result in self.results if result.fixture.map == map_]
            for place, start in enumerate(names):
                wins = sum(result.shares[place] for result in games)
                out = sum(result.eliminated[place] for result in games)
                vp = mean(result.vp[place] for result in games) if games else 0.0
                found.append({"map": map_, "start": start, **_share(wins, len(games)), "vp": round(vp, 2),
                              "eliminated": out})  # fmt: skip
        return found

    def factions(self) -> list[dict[str, Any]]:
        """Return the share of wins of each faction, by the seats it had."""
        seats = [(result, place) for result in self.results for place in range(len(result.fixture.players))]

        def faction(entry: tuple[Result, int]) -> str:
            return entry[0].fixture.factions[entry[1]]

        return [
            {"faction": name, **_share(sum(result.shares[place] for result, place in mine), len(mine))}
            for name, mine in _grouped(seats, faction).items()
        ]


def _places(result: Result, name: str) -> list[int]:
    return [place for place, player in enumerate(result.fixture.players) if player == name]


def _of(result: Result, name: str, values: Sequence[float]) -> float:
    return sum(values[place] for place in _places(result, name))


def _share(wins: float, games: int) -> dict[str, Any]:
    low, high = interval(wins, games)
    return {
        "games": games,
        "wins": round(wins, 2),
        "win_rate": round(wins / games, 4) if games else 0.0,
        "low": round(low, 4),
        "high": round(high, 4),
    }


def _grouped(
    things: Iterable[tuple[Result, int]], key: Callable[[tuple[Result, int]], str]
) -> dict[str, list[tuple[Result, int]]]:
    found: dict[str, list[tuple[Result, int]]] = {}
    for thing in things:
        found.setdefault(key(thing), []).append(thing)
    return dict(sorted(found.items()))
