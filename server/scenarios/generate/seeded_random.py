"""Drawing lots from a seed, and smooth noise: the same on every machine and Python version."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

ROW_HEIGHT = 0.8660254037844386
"""Distance between two rows where the distance between two columns is 1."""


class SeededRandom:
    """Random choices that depend on the seed only.

    Python promises that ``random()`` stays the same for a seed, not that ``choice`` or ``shuffle`` do.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._random = random.Random(f"sealed-orders/{seed}").random

    def split(self, name: str) -> SeededRandom:
        """Return a lot of its own for one purpose, so that one step's draws do not move another's."""
        return SeededRandom(f"{self._seed}/{name}")

    def share(self) -> float:
        """Return a number from 0 up to, not including, 1."""
        return self._random()

    def below(self, end: int) -> int:
        """Return a whole number from 0 up to, not including, *end*."""
        return int(self._random() * end)

    def pick(self, things: Sequence[T]) -> T:
        """Return one of the things."""
        return things[self.below(len(things))]

    def shuffled(self, things: Sequence[T]) -> list[T]:
        """Return the things in random order."""
        mixed = list(things)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed


def noise(lot: SeededRandom, columns: int, rows: int, wavelength: float, octaves: int = 2) -> list[float]:
    """Return a smooth value for each hex of a board, about 0 to 1: hills of about *wavelength* hexes."""
    total = [0.0] * (columns * rows)
    weight, sum_of_weights = 1.0, 0.0
    for _ in range(octaves):
        _add_noise(total, lot, columns, rows, max(wavelength, 1.5), weight)
        sum_of_weights += weight
        weight, wavelength = weight / 2, wavelength / 2
    return [value / sum_of_weights for value in total]


def _add_noise(
    total: list[float], lot: SeededRandom, columns: int, rows: int, wavelength: float, weight: float
) -> None:
    across = int((columns + 0.5) / wavelength) + 2
    down = int(rows * ROW_HEIGHT / wavelength) + 2
    knots = [[lot.share() for _ in range(across)] for _ in range(down)]
    for row in range(rows):
        y = row * ROW_HEIGHT / wavelength
        above, part = knots[int(y)], _smooth(y - int(y))
        below = knots[int(y) + 1]
        line = [a + (b - a) * part for a, b in zip(above, below, strict=True)]
        shove = 0.5 * (row & 1)
        for column in range(columns):
            x = (column + shove) / wavelength
            left = int(x)
            value = line[left] + (line[left + 1] - line[left]) * _smooth(x - left)
            total[row * columns + column] += value * weight


def _smooth(part: float) -> float:
    return part * part * (3 - 2 * part)
