"""Is a map fair? How far infantry gets on it (3.2, 3.3, D-42), what each start is worth, and how much they differ."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from server.rules.board import Board, Hex
from server.rules.ruleset import Ruleset
from server.scenarios.scenario import Scenario, Start, land

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


TOLERANCE = 0.10
"""Starts may differ by so much: the best is at most this share of itself better than the worst."""
WIDER = {"room": 1.0, "rivals": 1.0}
"""The measures that are reported and not judged: whether more room or fewer rivals win is for play to show."""
TURNS = 3

TITLES = {
    "land": "Land hexes controlled at the start",
    "capital_sites": "Hexes where the capital may be placed",
    "resource_sites": "Hexes where a resource hex may be placed",
    "nearest": "Steps from its centre to the nearest rival's",
    "neighbours": "Steps to the centres of the two nearest rivals, on average",
    "gap": "Steps between its area and the nearest rival's",
    "route": "Steps over land from its centre to the nearest rival's",
    "room": "Land hexes nearer to its centre than to any other",
    "rivals": "Rivals next to that land",
    "reach": f"Land hexes infantry can reach from its centre within {TURNS} turns",
    "spread": f"Land hexes infantry can reach from anywhere in its area within {TURNS} turns",
}
"""The measures of a start."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One thing measured for every start."""

    id: str
    values: tuple[float, ...]
    """For each start, in seat order."""

    @property
    def title(self) -> str:
        """The measures, for people."""
        return TITLES[self.id]

    @property
    def difference(self) -> float:
        """By which share of the largest value the smallest is smaller: 0 is equal, 1 is everything."""
        return difference(self.values)

    @property
    def fair(self) -> bool:
        """True when the starts differ by at most their tolerance, which is :data:`TOLERANCE` for most measures."""
        return self.difference <= WIDER.get(self.id, TOLERANCE) + 1e-9


@dataclass(frozen=True, slots=True)
class Fairness:
    """All that was measured for one number of players."""

    players: int
    starts: tuple[str, ...]
    """Names of the starts used, in seat order."""
    measures: tuple[Measure, ...]

    @property
    def fair(self) -> bool:
        """True when no measure differs too much."""
        return all(measure.fair for measure in self.measures)

    @property
    def difference(self) -> float:
        """The largest difference of any measure."""
        return max((measure.difference for measure in self.measures), default=0.0)

    def as_dict(self) -> dict[str, Any]:
        """Return the report as plain data."""
        measures = {
            measure.id: {
                "title": measure.title,
                "values": list(measure.values),
                "difference": round(measure.difference, 4),
                "fair": measure.fair,
            }
            for measure in self.measures
        }
        return {"players": self.players, "starts": list(self.starts), "fair": self.fair, "measures": measures}


def difference(values: Sequence[float]) -> float:
    """Return by which share of the largest value the smallest is smaller."""
    maximum = max(values, default=0)
    return (maximum - min(values)) / maximum if maximum > 0 else 0.0


def fairness(scenario: Scenario, ruleset: Ruleset, players: int | None = None) -> Fairness:
    """Measure every start that a number of players uses; without a number, all of them."""
    starts = scenario.starts if players is None else scenario.starts_for(players)
    ground = Ground(scenario.board, ruleset, scenario.roads)
    areas = [land(scenario.board, ruleset, start.area) for start in starts]
    values: dict[str, list[float]] = {
        "land": [len(area) for area in areas],
        "capital_sites": [len(capital_sites(scenario.board, area)) for area in areas],
        "resource_sites": [len(resource_sites(scenario.board, area)) for area in areas],
        "reach": [len(ground.reach([start.centre], TURNS)) for start in starts],
        "spread": [len(ground.reach(area, TURNS)) for area in areas],
    }
    if len(starts) > 1:
        values |= _distances(scenario.board, starts, areas, ground)
    measures = tuple(Measure(id_, tuple(values[id_])) for id_ in TITLES if id_ in values)
    return Fairness(len(starts), tuple(start.name for start in starts), measures)


def _distances(
    board: Board, starts: Sequence[Start], areas: Sequence[Sequence[Hex]], ground: Ground
) -> dict[str, list[float]]:
    centres = [start.centre for start in starts]
    to_rivals = [sorted(board.distance(here, there) for there in centres if there != here) for here in centres]
    values: dict[str, list[float]] = {
        "nearest": [steps[0] for steps in to_rivals],
        "gap": [_gap(board, area, [other for other in areas if other is not area]) for area in areas],
        "route": [ground.steps(here, {*centres} - {here}) for here in centres],
    }
    room, rivals = _room(board, centres, ground)
    values |= {"room": room, "rivals": rivals}
    if len(starts) > 2:
        values["neighbours"] = [sum(steps[:2]) / 2 for steps in to_rivals]
    return values


def _room(board: Board, centres: Sequence[Hex], ground: Ground) -> tuple[list[float], list[float]]:
    """Return for each start the land nearer to it than to any other, and how many others' land lies next to that.

    A hex as near to several starts is shared between them.
    """
    among = _nearest(board, centres)
    lists: dict[int, list[int]] = {}  # few sets of seats come again and again
    nearest: dict[Hex, list[int]] = {}
    for here in range(board.size):
        if ground.costs[here]:
            bits = among[here]
            if bits not in lists:
                lists[bits] = [seat for seat in range(len(centres)) if bits >> seat & 1]
            nearest[here] = lists[bits]
    room = [0.0] * len(centres)
    rivals: list[dict[int, None]] = [{} for _ in centres]
    for here, seats in nearest.items():
        for seat in seats:
            room[seat] += 1 / len(seats)
        near = {seat: None for next_ in (here, *board.adjacent[here]) for seat in nearest.get(next_, ())}
        for seat in seats:
            rivals[seat] |= {other: None for other in near if other != seat}
    return [round(space, 1) for space in room], [float(len(rival)) for rival in rivals]


def _nearest(board: Board, centres: Sequence[Hex]) -> list[int]:
    """Return for each hex which centres are nearest to it, a bit each: from all of them at once, step by step.

    A map is a rectangle, in which the shortest way between two hexes never leaves it.
    """
    among = [0] * board.size
    far = [-1] * board.size
    for seat, centre in enumerate(centres):
        among[centre] |= 1 << seat
        far[centre] = 0
    rim, steps = list(dict.fromkeys(centres)), 0
    while rim:
        steps, reached = steps + 1, []
        for here in rim:
            seats = among[here]
            for there in board.adjacent[here]:
                if far[there] < 0:
                    far[there], among[there] = steps, seats
                    reached.append(there)
                elif far[there] == steps:
                    among[there] |= seats
        rim = reached
    return among


def _gap(board: Board, area: Sequence[Hex], others: Sequence[Sequence[Hex]]) -> int:
    """Return the fewest steps from an area to any other: only the rims matter."""
    rims = [there for other in others for there in _rim(board, other)]
    return min((board.distance(here, there) for here in _rim(board, area) for there in rims), default=0)


def _rim(board: Board, area: Sequence[Hex]) -> list[Hex]:
    inside = {*area}
    return [hex_ for hex_ in area if len(board.adjacent[hex_]) < 6 or not inside.issuperset(board.adjacent[hex_])]


def capital_sites(board: Board, area: Sequence[Hex]) -> list[Hex]:
    """Return the hexes of a controlled area where the capital may be placed ("Placement")."""
    inside = {*area}
    return [hex_ for hex_ in area if board.interior(hex_) and inside.issuperset(board.adjacent[hex_])]


def resource_sites(board: Board, area: Sequence[Hex]) -> list[Hex]:
    """Return the hexes of a controlled area where a resource hex may be placed ("Placement")."""
    return [hex_ for hex_ in area if board.interior(hex_)]
