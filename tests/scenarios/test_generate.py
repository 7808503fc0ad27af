"""The generator: fair, coherent, all land reachable, the same map for the same seed."""

from __future__ import annotations

import hashlib
import time
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.rules.board import Board
from server.rulesets import load as load_ruleset
from server.scenarios.checks import check
from server.scenarios.fairness import Ground, fairness
from server.scenarios.generate import generate
from server.scenarios.generate.request import SHARES, Request, best_turns
from server.scenarios.generate.seeded_random import SeededRandom, noise
from server.scenarios.generate.symmetry import Symmetry
from server.scenarios.problems import MapError
from server.scenarios.scenario import Conditions, Scenario
from server.scenarios.writer import to_text

RULES = load_ruleset("wh40k-2001")
ROOMY = [(20, 16, 3), (24, 20, 4), (30, 26, 7), (13, 12, 2), (44, 40, 10)]


def assert_good(scenario: Scenario) -> None:
    for players in scenario.player_counts:
        assert fairness(scenario, RULES, players).fair
    assert [each for each in check(scenario) if each.code != "unfair"] == []
    assert len(Ground(scenario.board, RULES).parts()) == 1


@pytest.mark.parametrize(("columns", "rows", "players"), ROOMY)
def test_organic_maps_are_fair_and_keep_the_shares(columns: int, rows: int, players: int) -> None:
    scenario = generate(Request(columns, rows, players, "seed"), RULES)
    assert_good(scenario)
    assert scenario.max_players == players
    found = Counter(scenario.board.terrain)
    for terrain, percent in SHARES.items():
        assert abs(found[terrain] / scenario.board.size * 100 - percent) <= 3, terrain


@pytest.mark.parametrize(("players", "turns"), [(2, 2), (3, 3), (6, 6), (4, 2), (9, 3)])
def test_symmetric_maps_look_the_same_from_every_side(players: int, turns: int) -> None:
    scenario = generate(Request(31, 30, players, "7", turns=turns), RULES)
    assert_good(scenario)
    symmetry = Symmetry(31, 30, turns)
    for group in symmetry.orbit:
        assert len({scenario.board.terrain[each] for each in group}) <= 1
    centres = {start.centre for start in scenario.starts}
    assert symmetry.spread(centres) == centres
    for count, seats in scenario.seats.items():
        chosen = {scenario.starts[seat].centre for seat in seats}
        assert symmetry.spread(chosen) == chosen or turns > count


def test_sixfold_maps_seat_two_and_three_as_well() -> None:
    assert generate(Request(27, 25, 6, turns=6), RULES).player_counts == (2, 3, 6)


@given(
    st.integers(12, 36),
    st.integers(12, 36),
    st.integers(1, 6),
    st.text("abc", min_size=1),
    st.sampled_from((1, 2, 3, 6)),
)
@settings(max_examples=12)
def test_whatever_is_asked_for_the_map_is_fair_or_there_is_no_room(
    columns: int, rows: int, players: int, seed: str, turns: int
) -> None:
    turns = turns if players % turns == 0 else 1
    try:
        scenario = generate(Request(columns, rows, players, seed, turns=turns), RULES)
    except MapError as error:
        assert error.problems[0].code == "no_room"  # noqa: PT017
        assert columns * rows < players * 100 or turns > 2
        return
    assert_good(scenario)


def test_the_same_seed_gives_the_same_map_on_every_machine() -> None:
    request = Request(22, 18, 3, "always")
    text = to_text(generate(request, RULES))
    assert to_text(generate(request, RULES)) == text
    assert to_text(generate(Request(22, 18, 3, "other"), RULES)) != text
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == "3ef052410cbb7f4f"


def test_a_hundred_by_a_hundred_in_under_five_seconds() -> None:
    begun = time.process_time()
    scenario = generate(Request(100, 100, 12, "large"), RULES)
    assert time.process_time() - begun < 5
    assert_good(scenario)


def test_terrain_comes_in_one_piece() -> None:
    """Most hexes have a neighbour of their own kind; in a random map of these shares about half have none."""
    board = generate(Request(40, 36, 4, "blobs"), RULES).board
    for terrain in ("forest", "hills", "sea", "mountains", "swamp", "jungle"):
        hexes = [hex_ for hex_, name in enumerate(board.terrain) if name == terrain]
        alone = [hex_ for hex_ in hexes if not any(board.terrain[each] == terrain for each in board.adjacent[hex_])]
        assert len(alone) < 0.2 * len(hexes), terrain


def test_other_shares() -> None:
    wet = generate(Request(30, 26, 4, shares={"sea": 50, "forest": 10}), RULES)
    dry = generate(Request(30, 26, 4, shares={}), RULES)
    assert_good(wet)
    assert abs(Counter(wet.board.terrain)["sea"] / wet.board.size - 0.5) < 0.01
    assert {*dry.board.terrain} == {"plains"}


def test_conditions_and_names_are_taken_over() -> None:
    request = Request(24, 20, 2, "x", radius=4, conditions=Conditions(1, 2, 3), id="mine", title="Mine")
    scenario = generate(request, load_ruleset("frontier"))
    assert (scenario.id, scenario.title, scenario.ruleset) == ("mine", "Mine", "frontier")
    assert scenario.conditions == Conditions(1, 2, 3)
    assert len(scenario.starts[0].area) == 61
    assert len({name for _, name in scenario.board.names}) == len(scenario.board.names) > 2


@pytest.mark.parametrize(
    ("request_", "codes"),
    [
        (Request(6, 501, 0), ["bad_size", "bad_size", "players"]),
        (Request(500, 500, 25), ["bad_size", "players"]),
        (Request(20, 20, 5, turns=2), ["symmetry"]),
        (Request(20, 20, 2, turns=4), ["symmetry"]),
        (Request(20, 20, 2, radius=1, id="A b", title="", seed=""), ["bad_value"] * 4),
        (
            Request(20, 20, 2, shares={"lava": 1, "forest": -1, "sea": 71}),
            ["unknown_terrain", "bad_value", "bad_value"],
        ),
        (Request(20, 20, 2, shares={"hills": 60, "forest": 60}), ["bad_value"]),
        (Request(7, 7, 12), ["no_room"]),
    ],
)
def test_what_cannot_be_done_is_refused(request_: Request, codes: list[str]) -> None:
    with pytest.raises(MapError) as caught:
        generate(request_, RULES)
    assert [problem.code for problem in caught.value.problems] == codes


def test_progress_is_told() -> None:
    told: list[str] = []
    generate(Request(20, 16, 2), RULES, told.append)
    assert told == ["looking for start areas (try 1)", "raising the land", "covering it", "making it fair"]


# --- the parts ---


@pytest.mark.parametrize(
    ("players", "turns"), [(1, 1), (2, 2), (3, 3), (4, 2), (5, 1), (6, 6), (7, 1), (9, 3), (12, 6)]
)
def test_the_best_symmetry(players: int, turns: int) -> None:
    assert best_turns(players) == turns


@given(st.integers(3, 12), st.integers(3, 12), st.sampled_from((1, 2, 3, 6)))
def test_a_turn_keeps_neighbours(columns: int, rows: int, turns: int) -> None:
    symmetry = Symmetry(columns, rows, turns)
    board = Board(columns, rows, ("",) * (columns * rows))
    for group in symmetry.orbit:
        assert len(group) in {0, 1, turns} or turns % len(group) == 0
    for a in symmetry.inside:
        for b in board.adjacent[a]:
            if symmetry.orbit[b] and len(symmetry.orbit[a]) == len(symmetry.orbit[b]) == turns:
                near = sorted(board.distance(a, each) for each in symmetry.orbit[b])
                for image in symmetry.orbit[a]:
                    assert sorted(board.distance(image, each) for each in symmetry.orbit[b]) == near


def test_lots() -> None:
    lot = SeededRandom("x")
    assert sorted(lot.shuffled(range(20))) == list(range(20))
    assert {lot.below(3) for _ in range(100)} == {0, 1, 2}
    assert (
        SeededRandom("x").split("a").share()
        == SeededRandom("x").split("a").share()
        != SeededRandom("x").split("b").share()
    )
    values = noise(SeededRandom("n"), 30, 20, 6)
    assert len(values) == 600
    assert all(0 <= value <= 1 for value in values)
    assert max(abs(values[n] - values[n + 1]) for n in range(599) if n % 30 != 29) < 0.5
