"""Shares of wins with their intervals, and Elo (Bradley-Terry), from the results of games."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

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
