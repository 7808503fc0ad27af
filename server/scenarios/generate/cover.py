"""Which terrain covers the land: ranges of mountains, woods, wet lowlands, in the requested shares."""

from __future__ import annotations

from server.rules.board import Hex
from server.rules.ruleset import Ruleset
from server.scenarios.generate.coast import Ground
from server.scenarios.generate.request import Request, base_terrain, water
from server.scenarios.generate.seeded_random import SeededRandom, noise
from server.scenarios.generate.symmetry import Symmetry

_ORDER = ("mountains", "hills", "swamp", "jungle", "forest")
"""The order in which terrains take the best places; those of another ruleset follow by their names."""


def cover(request: Request, ruleset: Ruleset, symmetry: Symmetry, ground: Ground, lot: SeededRandom) -> list[str]:
    """Return the terrain of each hex."""
    sea, base = water(ruleset), base_terrain(ruleset)
    terrain = [base if dry else sea for dry in ground.land]
    free = {hex_ for hex_ in symmetry.first if ground.land[hex_]}
    names = [name for name in request.shares if name not in (sea, base)]
    likes = _Likes(symmetry, ground, lot)
    for name in sorted(names, key=lambda name: (_ORDER.index(name) if name in _ORDER else len(_ORDER), name)):
        left = round(request.shares[name] / 100 * len(symmetry.inside))
        like = likes.of(name)
        for first in sorted(free, key=lambda hex_: (-like[hex_], hex_)):
            if left <= 0:
                break
            free.remove(first)
            for image in symmetry.orbit[first]:
                terrain[image] = name
                left -= 1
    return terrain


class _Likes:
    """How well each hex suits each terrain."""

    def __init__(self, symmetry: Symmetry, ground: Ground, lot: SeededRandom) -> None:
        self._symmetry, self._ground, self._lot = symmetry, ground, lot
        board = symmetry.board
        self._length = max(4.0, min(9.0, min(board.columns, board.rows) / 3))
        ridge = symmetry.even(self._noise("ridge", self._length * 1.3, 2))
        middle = sorted(ridge[hex_] for hex_ in symmetry.inside)[len(symmetry.inside) // 2]
        self._ridge = [-abs(value - middle) for value in ridge]
        self._wet = symmetry.even(self._noise("wet", self._length, 2))

    def _noise(self, name: str, wavelength: float, octaves: int) -> list[float]:
        board = self._symmetry.board
        return noise(self._lot.split(name), board.columns, board.rows, wavelength, octaves)

    def of(self, name: str) -> list[float]:
        """Return how well each hex suits a terrain: higher is better."""
        own = self._symmetry.even(self._noise(name, self._length * 0.8, 2))
        size = range(len(own))
        if name == "mountains":
            return [self._ridge[n] * 2 + self._ground.height[n] * 0.3 + own[n] * 0.15 for n in size]
        if name == "hills":
            return [self._ridge[n] + self._ground.height[n] * 0.3 + own[n] * 0.3 for n in size]
        if name == "swamp":
            return [self._wet[n] * 0.6 - self._ground.height[n] * 0.6 + own[n] * 0.4 for n in size]
        if name == "jungle":
            return [self._wet[n] + own[n] * 0.5 - self._pole(n) * 0.3 for n in size]
        return own

    def _pole(self, hex_: Hex) -> float:
        """Return how far north or south a hex lies, 0 in the middle (the same for all its images)."""
        if self._symmetry.turns > 2:
            return 0.0
        rows = self._symmetry.board.rows
        return abs(hex_ // self._symmetry.board.columns - (rows - 1) / 2) / rows
