"""Is a map fair? What each start is worth, by numbers, and by how much they differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from server.rules.board import Board, Hex
from server.rules.ruleset import Ruleset
from server.scenarios.marching import Ground
from server.scenarios.scenario import Scenario, Start, land

TOLERANCE = 0.10
"""Starts may differ by so much: the best is at most this share of itself better than the worst."""
TURNS = 3

TITLES = {
    "land": "Land hexes controlled at the start",
    "capital_sites": "Hexes where the capital may be placed",
    "resource_sites": "Hexes where a resource hex may be placed",
    "nearest": "Steps from its centre to the nearest rival's",
    "neighbours": "Steps to the centres of the two nearest rivals, on average",
    "gap": "Steps between its area and the nearest rival's",
    "route": "Steps over land from its centre to the nearest rival's",
    "reach": f"Land hexes infantry can reach from its centre within {TURNS} turns",
    "spread": f"Land hexes infantry can reach from anywhere in its area within {TURNS} turns",
}
"""What is measured for every start."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One thing measured for every start."""

    id: str
    values: tuple[float, ...]
    """For each start, in seat order."""

    @property
    def title(self) -> str:
        """What is measured, for people."""
        return TITLES[self.id]

    @property
    def difference(self) -> float:
        """By which share of the largest value the smallest is smaller: 0 is equal, 1 is everything."""
        return difference(self.values)

    @property
    def fair(self) -> bool:
        """True when the starts differ by at most :data:`TOLERANCE`."""
        return self.difference <= TOLERANCE + 1e-9


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
        return all(each.fair for each in self.measures)

    @property
    def difference(self) -> float:
        """The largest difference of any measure."""
        return max((each.difference for each in self.measures), default=0.0)

    def as_dict(self) -> dict[str, Any]:
        """Return the report as plain data."""
        measures = {
            each.id: {
                "title": each.title,
                "values": list(each.values),
                "difference": round(each.difference, 4),
                "fair": each.fair,
            }
            for each in self.measures
        }
        return {"players": self.players, "starts": list(self.starts), "fair": self.fair, "measures": measures}


def difference(values: Sequence[float]) -> float:
    """Return by which share of the largest value the smallest is smaller."""
    maximum = max(values, default=0)
    return (maximum - min(values)) / maximum if maximum > 0 else 0.0


def fairness(scenario: Scenario, ruleset: Ruleset, players: int | None = None) -> Fairness:
    """Measure every start that so many players use (all of them, where it is not said)."""
    starts = scenario.starts if players is None else scenario.starts_for(players)
    ground = Ground(scenario.board, ruleset, scenario.roads)
    areas = [land(scenario.board, ruleset, each.area) for each in starts]
    values: dict[str, list[float]] = {
        "land": [len(area) for area in areas],
        "capital_sites": [len(capital_sites(scenario.board, area)) for area in areas],
        "resource_sites": [len(resource_sites(scenario.board, area)) for area in areas],
        "reach": [len(ground.reach([each.centre], TURNS)) for each in starts],
        "spread": [len(ground.reach(area, TURNS)) for area in areas],
    }
    if len(starts) > 1:
        values |= _distances(scenario.board, starts, areas, ground)
    measures = tuple(Measure(id_, tuple(values[id_])) for id_ in TITLES if id_ in values)
    return Fairness(len(starts), tuple(each.name for each in starts), measures)


def _distances(
    board: Board, starts: Sequence[Start], areas: Sequence[Sequence[Hex]], ground: Ground
) -> dict[str, list[float]]:
    centres = [each.centre for each in starts]
    to_rivals = [sorted(board.distance(here, there) for there in centres if there != here) for here in centres]
    values: dict[str, list[float]] = {
        "nearest": [steps[0] for steps in to_rivals],
        "gap": [_gap(board, area, [other for other in areas if other is not area]) for area in areas],
        "route": [ground.steps(here, {*centres} - {here}) for here in centres],
    }
    if len(starts) > 2:
        values["neighbours"] = [sum(steps[:2]) / 2 for steps in to_rivals]
    return values


def _gap(board: Board, area: Sequence[Hex], others: Sequence[Sequence[Hex]]) -> int:
    """Return the fewest steps from an area to any other: only the rims need to be looked at."""
    rims = [there for other in others for there in _rim(board, other)]
    return min((board.distance(here, there) for here in _rim(board, area) for there in rims), default=0)


def _rim(board: Board, area: Sequence[Hex]) -> list[Hex]:
    inside = {*area}
    return [each for each in area if len(board.adjacent[each]) < 6 or not inside.issuperset(board.adjacent[each])]


def capital_sites(board: Board, area: Sequence[Hex]) -> list[Hex]:
    """Return the hexes of a controlled area where the capital may be placed ("Placement")."""
    inside = {*area}
    return [each for each in area if board.interior(each) and inside.issuperset(board.adjacent[each])]


def resource_sites(board: Board, area: Sequence[Hex]) -> list[Hex]:
    """Return the hexes of a controlled area where a resource hex may be placed ("Placement")."""
    return [each for each in area if board.interior(each)]
