"""How far infantry gets on a map without forces on it (3.2, 3.3, D-42)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from server.rules.board import Board, Hex
from server.rules.ruleset import Ruleset

MOBILITY = "infantry"
FAR = 1_000_000
"""Steps to where no path leads."""


class Ground:
    """A map as infantry walks it. :attr:`costs` may be changed in place: 0 is a hex it may not enter."""

    def __init__(self, board: Board, ruleset: Ruleset, roads: Iterable[tuple[Hex, Hex]] = ()) -> None:
        self.board = board
        self.mv = ruleset.mv[MOBILITY]
        self.price = prices(ruleset)
        self.costs = [self.price.get(name, 0) for name in board.terrain]
        self._by_road = {
            name: -(-terrain.cost // ruleset.road_divisor) if terrain.road else 0
            for name, terrain in ruleset.terrain.items()
        }
        self._roads: dict[Hex, dict[Hex, int]] = {}
        for a, b in roads:
            self._roads.setdefault(a, {})[b] = self._by_road.get(board.terrain[b], 0)
            self._roads.setdefault(b, {})[a] = self._by_road.get(board.terrain[a], 0)

    def reach(self, sources: Iterable[Hex], turns: int) -> list[Hex]:
        """Return every hex infantry can reach in a number of turns, its sources first.

        Time is counted in MV. A step that costs more than is left of the turn ends the turn (D-42),
        so arriving earlier is never worse and the first arrival is the best.
        """
        mv, costs, adjacent, roads = self.mv, self.costs, self.board.adjacent, self._roads
        queues: list[list[Hex]] = [[] for _ in range(turns * mv + 1)]
        best = [FAR] * self.board.size
        reached = list(dict.fromkeys(sources))
        for here in reached:
            best[here] = 0
        queues[0] = list(reached)
        for now in range(turns * mv):
            end_of_turn = now - now % mv + mv
            for here in queues[now]:
                if best[here] < now:
                    continue
                by_road = roads.get(here) if roads else None
                for there in adjacent[here]:
                    cost = by_road[there] if by_road and there in by_road else costs[there]
                    if not cost:
                        continue
                    then = now + cost
                    if then > end_of_turn:
                        then = end_of_turn
                    if then < best[there]:
                        if best[there] == FAR:
                            reached.append(there)
                        best[there] = then
                        queues[then].append(there)
        return reached

    def steps(self, source: Hex, targets: set[Hex]) -> int:
        """Return the fewest steps from a hex to the nearest of the targets, :data:`FAR` where no path leads."""
        if source in targets:
            return 0
        seen = {source}
        queue = deque([(source, 0)])
        while queue:
            here, done = queue.popleft()
            by_road = self._roads.get(here, {})
            for there in self.board.adjacent[here]:
                if there in seen or not (by_road.get(there) or self.costs[there]):
                    continue
                if there in targets:
                    return done + 1
                seen.add(there)
                queue.append((there, done + 1))
        return FAR

    def parts(self) -> list[list[Hex]]:
        """Return the parts of the land that are joined for infantry, the largest first."""
        return connected(self.board, [cost > 0 for cost in self.costs], self._roads)


def prices(ruleset: Ruleset) -> dict[str, int]:
    """Return what each terrain costs infantry, 0 where it may not go."""
    return {
        name: terrain.cost if MOBILITY in terrain.enter and terrain.land else 0
        for name, terrain in ruleset.terrain.items()
    }


def connected(board: Board, inside: Sequence[bool], roads: dict[Hex, dict[Hex, int]] | None = None) -> list[list[Hex]]:
    """Return the connected parts of the hexes that are *inside*, the largest first."""
    left = list(inside)
    parts = []
    for first in range(board.size):
        if not left[first]:
            continue
        left[first] = False
        part = [first]
        for here in part:
            ways = (*board.adjacent[here], *roads[here]) if roads and here in roads else board.adjacent[here]
            for there in ways:
                if left[there]:
                    left[there] = False
                    part.append(there)
        parts.append(part)
    return sorted(parts, key=lambda part: (-len(part), part[0]))
