"""Orders meet what their player could not know, and seat order does not matter (D-07, D-27)."""

from __future__ import annotations

from typing import Any

import pytest

from server.rules.state import State
from server.rules.treasury import worth
from tests.rules.builders import Order, campaign, convoy, detachment, fort, garrison, hex_at, own, play, squad, town


def frontier(first: str = "red") -> State:
    """Return red's convoy in 0404 and blue's stronghold in 0505 next to it; *first* sits first."""
    seats = {"red": "none", "blue": "none"}
    state = campaign({first: "none"} | {id_: each for id_, each in seats.items() if id_ != first})
    own(state, "red", "0404")
    convoy(state, "red", "c1", "0404", 500)
    fort(state, "blue", "0505", bp=500)
    return state


VILLAGE: dict[str, Any] = {"type": "build_village", "at": "0404", "convoy": "c1"}
GARRISON: dict[str, Any] = {"type": "build_garrison", "at": "0505", "units": [squad()]}
DISBAND: dict[str, Any] = {"type": "disband_detachment", "detachment": "b1"}


def test_an_unseen_enemy_makes_an_order_come_to_nothing_and_nothing_is_spent() -> None:
    state = frontier()
    garrison(state, "blue", "b1", "0505")
    camp = {"type": "build_camp", "at": "0404", "convoy": "c1"}
    done = play(state, {"red": [VILLAGE, camp]})
    assert done.codes == {}
    assert (done.state.urban, done.state.convoys["c1"].bp) == ({}, 500)
    assert [(event.fields["order"], event.to) for event in done.told("no_effect")] == [(0, ("red",)), (1, ("red",))]


def test_a_seen_enemy_makes_it_refused() -> None:
    state = frontier()
    garrison(state, "blue", "b1", "0505")
    convoy(state, "red", "c2", "0505", 50)
    assert play(state, {"red": [VILLAGE]}).codes == {"red": [(0, "in_enemy_zoc")]}


def test_what_depends_on_an_order_without_effect_has_none_either() -> None:
    state = frontier()
    garrison(state, "blue", "b1", "0505")
    done = play(state, {"red": [VILLAGE, {"type": "upgrade_urban", "at": "0404"}]})
    assert done.codes == {"red": [(1, "limit_reached")]}
    unload = {"type": "unload_convoy", "convoy": "c1"}
    done = play(state, {"red": [VILLAGE, unload]})
    assert (done.codes, len(done.told("no_effect")), done.state.convoys["c1"].bp) == ({}, 2, 500)


@pytest.mark.parametrize("first", ["red", "blue"])
def test_a_garrison_built_in_this_phase_exerts_no_zoc_yet(first: str) -> None:
    done = play(frontier(first), {"red": [VILLAGE], "blue": [GARRISON]})
    assert hex_at(done.state.board, "0404") in done.state.urban
    assert done.told("no_effect") == []


@pytest.mark.parametrize("first", ["red", "blue"])
def test_a_detachment_disbanded_in_this_phase_still_exerts_its_zoc(first: str) -> None:
    state = frontier(first)
    detachment(state, "blue", "b1", "0505")
    done = play(state, {"red": [VILLAGE], "blue": [DISBAND]})
    assert (done.state.urban, len(done.told("no_effect"))) == ({}, 1)


@pytest.mark.parametrize("first", ["red", "blue"])
def test_so_it_does_where_it_stood(first: str) -> None:
    state = frontier(first)
    own(state, "red", "0303", "0203")
    town(state, "red", "0101", "town", 50)
    detachment(state, "blue", "b1", "0303")
    road = {"type": "build_road", "urban": "0101", "from": "0203", "to": "0303"}
    done = play(state, {"red": [road], "blue": [DISBAND]})
    assert (done.state.roads, len(done.told("no_effect"))) == ({}, 1)


def test_a_disbanded_detachment_that_never_stood_exerted_none() -> None:
    state = frontier("blue")
    detachment(state, "blue", "b1", "0505", ready_in=2)
    assert play(state, {"red": [VILLAGE], "blue": [DISBAND]}).told("no_effect") == []


def test_orders_are_done_in_the_order_given() -> None:
    state = frontier()
    town(state, "red", "0101", "city", 300)
    build = {"type": "build_building", "at": "0101", "building": "strategic_hq"}
    load = {"type": "create_convoy", "at": "0101", "bp": 50}
    assert play(state, {"red": [build, load]}).codes == {"red": [(1, "not_enough_bp")]}
    assert play(state, {"red": [load, build]}).codes == {"red": [(1, "not_enough_bp")]}


def test_bp_only_change_places_unless_something_is_paid_for() -> None:
    state = frontier()
    town(state, "red", "0101", "city", 1000)
    before = worth(state)
    moved: list[Order] = [
        {"type": "create_convoy", "at": "0101", "bp": 400, "as": "x"},
        {"type": "unload_convoy", "convoy": "x"},
    ]
    assert worth(play(state, {"red": moved}).state) == before
    paid: list[Order] = [{"type": "build_building", "at": "0101", "building": "strategic_hq"}, VILLAGE]
    assert worth(play(state, {"red": paid}).state) == before - 300 - 200


def test_the_orders_of_one_player_are_done_on_what_the_true_state_is() -> None:
    """The rehearsal leaves the state alone: resolving is what changes it."""
    state = frontier()
    before = state.copy()
    play(state, {"red": [VILLAGE], "blue": [GARRISON]})
    assert state == before
