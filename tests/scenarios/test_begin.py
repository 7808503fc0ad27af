from __future__ import annotations

from collections import Counter

import pytest

from server.core.dice import SeededDice
from server.rules.phases import begin, resolve
from server.rules.state import BUILD, SETUP, Settings
from server.rulesets import load as load_ruleset
from server.scenarios import library
from server.scenarios.begin import initial_state
from server.scenarios.problems import MapError

RULES = load_ruleset("wh40k-2001")
PLAYERS = [("ann", "orks"), ("ben", "eldar"), ("cem", "chaos"), ("dia", "necrons")]


def test_the_four_player_start_of_the_source() -> None:
    scenario = library.load("four-corners")
    state = initial_state(scenario, RULES, Settings(), PLAYERS, b"key")
    assert (state.board.columns, state.board.rows) == (11, 10)
    assert (state.phase, state.turn, state.id_key) == (SETUP, 0, b"key")
    assert list(state.players) == ["ann", "ben", "cem", "dia"]
    assert (state.settings.start_bp, state.settings.start_urban_count, state.settings.start_resource_count) == (
        5000,
        1,
        2,
    )
    held = Counter(state.owner)
    assert all(held[id_] for id_, _ in PLAYERS)
    assert held[""] > 0
    assert [bool(owner) for owner in state.owner] == [bool(each) for each in state.discovered]
    corners = ("0101", "1101", "1110", "0110")
    for corner, start in zip(corners, scenario.starts, strict=True):
        assert state.board.distance(state.board.find(corner) or 0, start.centre) == 1


def test_sea_is_nobodys() -> None:
    for name in library.names():
        scenario = library.load(name)
        players = [(f"p{seat}", "orks") for seat in range(scenario.max_players)]
        state = initial_state(scenario, RULES, Settings(), players, b"key")
        assert all(RULES.terrain[state.board.terrain[at]].land for at, owner in enumerate(state.owner) if owner)


@pytest.mark.parametrize("name", library.names())
def test_setup_can_be_played_on_every_map_with_every_number_of_players(name: str) -> None:
    scenario = library.load(name)
    for count in scenario.player_counts:
        players = [(f"p{seat}", "orks") for seat in range(count)]
        rolled = begin(initial_state(scenario, RULES, Settings(), players, b"key"), SeededDice(b"seed")).state
        after = resolve(rolled, {}, SeededDice(b"seed")).state
        assert after.phase == BUILD
        assert all(after.capital(id_) is not None for id_, _ in players)
        resources, urban = scenario.conditions.resources, scenario.conditions.urban
        assert len(after.resource) == count * (RULES.start_resource_count if resources is None else resources)
        assert len(after.urban) == count * (1 + (RULES.start_urban_count if urban is None else urban))
        assert [*after.roads] == [*scenario.roads]


def test_settings_come_before_the_scenario() -> None:
    settings = Settings(start_bp=100, start_resource_count=0)
    state = initial_state(library.load("four-corners"), RULES, settings, PLAYERS, b"key")
    assert (state.settings.start_bp, state.settings.start_urban_count, state.settings.start_resource_count) == (
        100,
        1,
        0,
    )


def test_all_that_keeps_players_from_a_scenario_is_said_at_once() -> None:
    players = [("a", "orks"), ("a", "elves"), ("b", "orks")]
    with pytest.raises(MapError) as caught:
        initial_state(library.load("four-corners"), RULES, Settings(), players, b"key")
    assert [problem.code for problem in caught.value.problems] == ["players", "players", "unknown_faction"]
