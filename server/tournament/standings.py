"""The table of a tournament: players, maps, starts, factions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any

from server.tournament.game import Result
from server.tournament.ratings import duels, elo, interval


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
