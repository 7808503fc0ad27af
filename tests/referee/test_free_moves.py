"""Free moves come before the Patrol phase: all of who begins, then the other's (T-43)."""

import tomllib

from server.core.dice import SeededDice
from server.core.errors import Problem
from server.missions import FOLDER, library
from server.referee.beginning import read_beginning
from server.referee.fold import begin, submit
from server.referee.mission import Mission
from server.referee.reader import read_mission


def mission_with(**changes: object) -> tuple[Mission | None, list[Problem]]:
    """The Patrol phase with other parameters, or what is wrong with it."""
    values = tomllib.loads((FOLDER / "patrol_phase.toml").read_text(encoding="utf-8"))
    values["rules"][0].update(changes)
    return read_mission(values)


def test_free_moves_are_made_first_and_then_the_beginner_begins() -> None:
    """Seen to fail when free moves alternate like the others."""
    mission, problems = mission_with(free_moves={"attacker": 1, "defender": 2})
    assert problems == []
    assert mission is not None
    found: list[Problem] = []
    beginning = read_beginning({"game": "patrol_phase"}, {**library(), "patrol_phase": mission}, found)
    assert beginning is not None
    table = begin(beginning, SeededDice(b"free"))
    turns = []
    for to in ([22.5, 1], [22.5, 47], [22.5, 46], [22.5, 2], [22.5, 45]):
        turns.append(table.game.turn)
        marker = "a1" if table.game.turn == "red" else "b1"
        assert submit(table, table.game.turn, {"do": "move", "marker": marker, "to": to}) == []
    assert turns == ["red", "blue", "blue", "red", "blue"]


def test_places_without_a_chain_are_refused() -> None:
    """T-44, and the mission may lift it."""
    far = {"attacker": [[10, 0], [30, 0], [40, 0], [50, 0]]}
    _, problems = mission_with(places=far)
    assert any("chain_broken" in problem.message for problem in problems)
    assert mission_with(places=far, chain=False)[1] == []


def test_more_jump_off_points_than_markers_are_refused() -> None:
    """3.3: each comes from another marker."""
    _, problems = mission_with(markers={"attacker": 2, "defender": 4})
    assert any("more jump-off points" in problem.message for problem in problems)
