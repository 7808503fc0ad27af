"""Placement by the dice: what a player has not placed is placed legally, where that can be (D-11, D-12)."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from server.core.dice import SeededDice
from server.rules.orders.sets import OrderBook
from server.rules.scene import Scene
from server.rules.setup import place_by_dice, play_setup, true_contexts
from server.rules.state import SETUP, State
from tests.rules.builders import campaign, hex_at, own, own_around, play
from tests.rules.red_land import land


def legal(state: State) -> None:
    """Check red's places against the restrictions, in words of this test alone."""
    board, rules = state.board, state.ruleset
    capital = next(at for at, each in state.urban.items() if each.capital == "red")
    assert len(board.adjacent[capital]) == 6
    assert all(state.owner[at] == "red" for at in board.adjacent[capital])
    places = [at for at in (*state.urban, *state.resource) if state.owner[at] == "red"]
    assert len(set(places)) == len(places)
    assert all(board.distance(at, capital) >= 2 for at in places if at != capital)
    for at in state.resource:
        assert len(board.adjacent[at]) == 6
        assert all(board.distance(at, other) >= 2 for other in state.resource if other != at)
    assert all(rules.terrain[board.terrain[at]].land for at in places)


@pytest.mark.parametrize("seed", range(25))
def test_a_player_who_places_nothing_gets_a_legal_placement(seed: int) -> None:
    state = land(urban=("town", "village"), terrain={"0404": "sea", "0706": "sea"})
    scene = Scene(state, SeededDice(bytes([seed])))
    play_setup(scene, OrderBook({}, {}))
    legal(state)
    assert len(state.urban) == 3
    assert sorted(state.resource.values()) == ["huge", "small"]
    assert [event for event in scene.events if event.type == "placement_failed" and event.to == ("red",)] == []


@pytest.mark.parametrize("seed", range(25))
def test_the_rest_of_a_placement_is_legal_too(seed: int) -> None:
    state = land()
    state.players["blue"].eliminated = True
    scene = Scene(state, SeededDice(bytes([seed])))
    (context, _) = true_contexts(state).values()
    state.resource[hex_at(state.board, "0505")] = "tiny"
    place_by_dice(scene, context)
    legal(state)


def possible(state: State, urban: int, resources: int) -> bool:
    """Say whether a legal placement of red's land exists at all, by trying all of them."""
    board = state.board
    own = [at for at, owner in enumerate(state.owner) if owner == "red"]
    for capital in own:
        if len(board.adjacent[capital]) < 6 or any(state.owner[at] != "red" for at in board.adjacent[capital]):
            continue
        away = [at for at in own if board.distance(at, capital) >= 2]
        for chosen in combinations([at for at in away if len(board.adjacent[at]) == 6], resources):
            apart = all(board.distance(a, b) >= 2 for a, b in combinations(chosen, 2))
            if apart and len(away) - resources >= urban:
                return True
    return False


@pytest.mark.parametrize("number", range(60))
def test_room_is_left_for_the_rest(number: int) -> None:
    """On narrow land most first choices leave no legal place for what comes after: none of those is made."""
    chance = Random(number)
    state = campaign({"red": "none", "blue": "none"}, phase=SETUP, turn=0, size=(8, 8))
    own_around(state, "red", "0404", 1)
    own_around(state, "red", chance.choice(["0504", "0405", "0605"]), 1)
    for _ in range(chance.randrange(6)):
        own(state, "red", state.board.label(chance.randrange(state.board.size)))
    urban, resources = chance.randrange(4), chance.randrange(1, 4)
    red = state.players["red"]
    red.start_urban, red.start_resource = ("town",) * urban, ("tiny",) * resources
    expected = possible(state, urban, resources)
    for seed in range(4):
        scene = Scene(state.copy(), SeededDice(bytes([seed])))
        play_setup(scene, OrderBook({}, {}))
        failed = [event for event in scene.events if event.type == "placement_failed" and event.to == ("red",)]
        assert (failed == []) == expected
        if expected:
            legal(scene.state)
            assert (len(scene.state.urban), len(scene.state.resource)) == (1 + urban, resources)


def test_the_dice_choose_among_the_legal_hexes_in_label_order() -> None:
    state = campaign(phase=SETUP, turn=0)
    own_around(state, "red", "0305", 2)
    done = play(state, {}, faces={"placement/red": [1]})
    assert [event.fields["hex"] for event in done.told("placed")] == ["0204"]
    done = play(state, {}, faces={"placement/red": [7]})
    assert [event.fields["hex"] for event in done.told("placed")] == ["0405"]
    assert [event.to for event in done.told("dice")] == [("red",)]


def test_where_nothing_is_legal_the_best_there_is() -> None:
    state = campaign(phase=SETUP, turn=0)
    own(state, "red", "0101", "0505")
    state.players["red"].start_resource = ("tiny",)
    done = play(state, {})
    failed = [event.fields["what"] for event in done.told("placement_failed") if event.to == ("red",)]
    assert failed == ["capital", "resource"]
    assert done.state.capital("red") == hex_at(done.state.board, "0505")
    assert list(done.state.resource) == [hex_at(done.state.board, "0101")]


def test_a_player_without_any_land_gets_nothing_and_nothing_breaks() -> None:
    state = campaign(phase=SETUP, turn=0)
    state.players["red"].start_urban = state.players["red"].start_resource = ("tiny",)
    done = play(state, {})
    assert (done.state.urban, done.state.resource, done.state.players["red"].start_resource) == ({}, {}, ())
