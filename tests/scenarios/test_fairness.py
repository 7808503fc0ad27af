"""What is measured, by hand on small maps."""

from __future__ import annotations

import pytest

from server.rules.board import Board
from server.rulesets import load as load_ruleset
from server.scenarios.fairness import FAR, Ground, Measure, difference, fairness
from server.scenarios.scenario import Scenario, Start, disc

RULES = load_ruleset("wh40k-2001")


def lane(*terrain: str) -> Board:
    return Board(len(terrain), 1, terrain)


@pytest.mark.parametrize(
    ("terrain", "turns", "reached"),
    [
        (["plains"] * 9, 1, 3),
        (["plains"] * 9, 3, 7),
        (["plains", "forest", "forest", "forest", "forest"], 3, 4),
        (["plains", "mountains", "mountains", "mountains", "mountains"], 3, 4),
        (["plains", "plains", "mountains", "plains"], 1, 3),
        (["plains", "plains", "mountains", "plains"], 2, 4),
        (["plains", "sea", "plains"], 3, 1),
    ],
)
def test_infantry_walks_as_in_the_rules(terrain: list[str], turns: int, reached: int) -> None:
    """MV 4; a hex that costs more than is left may be entered and ends the turn (D-42)."""
    assert len(Ground(lane(*terrain), RULES).reach([0], turns)) == reached


def test_roads_halve_the_cost_and_need_both_hexes() -> None:
    board = lane(*["forest"] * 9)
    road = [(hex_, hex_ + 1) for hex_ in range(8)]
    assert len(Ground(board, RULES).reach([0], 2)) == 3
    assert len(Ground(board, RULES, road).reach([0], 2)) == 5
    assert len(Ground(board, RULES, road[1::2]).reach([0], 2)) == 4


def test_steps_and_parts() -> None:
    ground = Ground(lane("plains", "plains", "sea", "plains"), RULES)
    assert ground.steps(0, {1}) == 1
    assert ground.steps(0, {0}) == 0
    assert ground.steps(0, {3}) == FAR
    assert ground.parts() == [[0, 1], [3]]


@pytest.mark.parametrize(("values", "share"), [([9, 10], 0.1), ([10, 10], 0), ([0, 0], 0), ([0, 5], 1), ([3, 4], 0.25)])
def test_the_difference_is_a_share_of_the_best(values: list[float], share: float) -> None:
    assert difference(values) == pytest.approx(share)
    assert Measure("land", tuple(values)).fair is (share <= 0.1)


def test_every_measure_by_hand() -> None:
    board = Board(12, 7, tuple("sea" if hex_ % 12 == 11 else "plains" for hex_ in range(84)))
    west, east = board.find("0304") or 0, board.find("1004") or 0
    starts = (Start("West", west, disc(board, west, 1)), Start("East", east, disc(board, east, 2)))
    report = fairness(Scenario("x", "X", board, starts), RULES)
    values = {measure.id: measure.values for measure in report.measures}
    assert values["land"] == (7, 16)
    assert values["capital_sites"] == (1, 4)
    assert values["resource_sites"] == (7, 16)
    assert values["nearest"] == (7, 7)
    assert values["gap"] == (4, 4)
    assert values["route"] == (7, 7)
    assert "neighbours" not in values
    assert values["reach"][0] == len(
        [hex_ for hex_ in range(84) if hex_ % 12 != 11 and board.distance(west, hex_) <= 6]
    )
    assert not report.fair
    assert report.difference == pytest.approx(0.75)
    plain = report.as_dict()
    assert plain["starts"] == ["West", "East"]
    assert plain["measures"]["nearest"]["fair"] is True
    assert plain["measures"]["land"]["title"] == "Land hexes controlled at the start"


def test_one_player_has_nobody_to_compare_with() -> None:
    board = Board(5, 5, ("plains",) * 25)
    report = fairness(Scenario("x", "X", board, (Start("Alone", 12, disc(board, 12, 1)),)), RULES)
    assert report.fair
    assert {measure.id for measure in report.measures} == {"land", "capital_sites", "resource_sites", "reach", "spread"}
