"""Small changes along the edges of terrain until all starts are worth the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from server.rules.board import Board, Hex
from server.rules.ruleset import Ruleset
from server.scenarios.fairness import TURNS, Ground, difference
from server.scenarios.generate.seeded_random import SeededRandom
from server.scenarios.generate.starts import Layout
from server.scenarios.generate.symmetry import Symmetry

_PATIENCE = 400
"""Changes without success before something else is tried."""
_STAGE = 500
"""Changes after which there must be clear progress, or the layout is hopeless."""
_STRIDE = 8.0
"""Changes made at once as long as that helps."""
_GOAL = 0.07
"""Differences up to this are good enough; the limit lies above it."""


def balance(symmetry: Symmetry, ruleset: Ruleset, layout: Layout, terrain: list[str], lot: SeededRandom) -> Board:
    """Return the board after balancing: easier ground around the worst start, harder around the best."""
    board = Board(symmetry.board.columns, symmetry.board.rows, tuple(terrain))
    if len(layout.centres) > symmetry.turns:
        work = _Balance(symmetry, board, ruleset, layout, lot)
        work.run()
        return Board(board.columns, board.rows, tuple(work.terrain))
    return board


class _Balance:
    """A local search. Coasts stay where they are: what is changed is which land.

    As long as that helps, two hexes change at once, one gaining the terrain the other loses, so that
    every terrain keeps its share of the map; where it no longer helps, fairness comes first.
    """

    def __init__(self, symmetry: Symmetry, board: Board, ruleset: Ruleset, layout: Layout, lot: SeededRandom) -> None:
        self.symmetry, self.board, self.layout, self.lot = symmetry, board, layout, lot
        self.terrain = list(board.terrain)
        self.ground = Ground(board, ruleset)
        self.far = layout.radius + TURNS * max(1, self.ground.mv // 2)
        self.zones = [list(board.within(centre, self.far - 1)) for centre in layout.centres]
        self.land = [hex_ for hex_ in symmetry.inside if self.ground.costs[hex_]]
        self.values = [self._measure(start) for start in range(len(layout.centres))]
        self.score = _score(self.values)

    def _measure(self, start: int) -> tuple[int, int]:
        centre, area = self.layout.centres[start], self.layout.areas[start]
        costs = self.ground.costs
        land = [hex_ for hex_ in area if costs[hex_]]
        return len(self.ground.reach([centre], TURNS)), len(self.ground.reach(land, TURNS))

    def run(self) -> None:
        """Change land, and keep what makes the map fairer, until it is fair or nothing helps any more."""
        idle, stride, tries, milestone = 0, _STRIDE, 0, self.score
        while self.score > 0 and idle < 2 * _PATIENCE:
            before, tries = self.score, tries + 1
            if tries % _STAGE == 0:
                if self.score > 0.9 * milestone:
                    return
                milestone = self.score
            changes: dict[Hex, str] = {}
            for _ in range(round(stride)):
                for hex_, name in self._propose(keep_shares=idle < _PATIENCE):
                    changes.setdefault(self.symmetry.orbit[hex_][0], name)
            self._try(changes)
            better = self.score < before - 1e-9
            idle = 0 if better else idle + 1
            stride = min(_STRIDE, stride * 1.2) if better else max(1.0, stride * 0.9)

    def _propose(self, keep_shares: bool) -> list[tuple[Hex, str]]:
        """Return what could be changed: easier ground near the worst start, harder ground near the best."""
        worst = max((0, 1), key=lambda which: difference([pair[which] for pair in self.values]))
        numbers = [pair[worst] for pair in self.values]
        low, high = numbers.index(min(numbers)), numbers.index(max(numbers))
        easier = self.lot.share() < 0.5
        change = self._find(self.zones[low if easier else high], easier)
        if change is None or not keep_shares:
            return [change] if change else []
        old, new = self.terrain[change[0]], change[1]
        others = (self.zones[high if easier else low], self.land)
        back = next((found for zone in others if (found := self._find_edge(zone, new, old))), None)
        return [change, (back, old)] if back is not None and back not in self.symmetry.orbit[change[0]] else []

    def _find(self, zone: Sequence[Hex], easier: bool) -> tuple[Hex, str] | None:
        """Return a land hex, and a neighbour's terrain that is easier (or harder) than its own."""
        costs, price = self.ground.costs, self.ground.price
        for _ in range(12):
            hex_ = self.lot.pick(zone)
            own = costs[hex_]
            if not own:
                continue
            around = sorted({self.terrain[neighbour] for neighbour in self.board.adjacent[hex_] if costs[neighbour]})
            better = [name for name in around if (price[name] < own if easier else price[name] > own)]
            if better:
                return hex_, self.lot.pick(better)
        return None

    def _find_edge(self, zone: Sequence[Hex], own: str, next_to: str) -> Hex | None:
        """Return a hex of one terrain that lies next to another terrain."""
        for _ in range(24):
            hex_ = self.lot.pick(zone)
            if self.terrain[hex_] == own and any(
                self.terrain[neighbour] == next_to for neighbour in self.board.adjacent[hex_]
            ):
                return hex_
        return None

    def _try(self, changes: Mapping[Hex, str]) -> None:
        """Change hexes and their images; withdraw it where the map is less fair for it."""
        old = {hex_: self.terrain[hex_] for hex_ in changes}
        values = list(self.values)
        self._put(changes)
        touched = [image for hex_ in changes for image in self.symmetry.orbit[hex_]]
        for start, centre in enumerate(self.layout.centres):
            if any(self.board.distance(centre, image) <= self.far for image in touched):
                self.values[start] = self._measure(start)
        score = _score(self.values)
        if score > self.score:
            self._put(old)
            self.values = values
        else:
            self.score = score

    def _put(self, changes: Mapping[Hex, str]) -> None:
        for hex_, name in changes.items():
            for image in self.symmetry.orbit[hex_]:
                self.terrain[image] = name
                self.ground.costs[image] = self.ground.price[name]


def _score(values: Sequence[tuple[int, int]]) -> float:
    """Return how unfair the values are; 0: good enough. Every start counts, not only the extremes."""
    total = 0.0
    for which in (0, 1):
        numbers = [pair[which] for pair in values]
        if difference(numbers) <= _GOAL:
            continue
        mean = sum(numbers) / len(numbers)
        total += difference(numbers) + sum((number / mean - 1) ** 2 for number in numbers)
    return total
