"""Placement as ordered, sizes by the dice, muster (Starting conditions, D-11, D-12, D-33)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from server.rules.board import ORBIT
from server.rules.orders.setup import resource_fits
from server.rules.scene import Scene
from server.rules.setup import play_start_sizes
from server.rules.state import SETUP, State
from tests.rules.builders import (
    RULES,
    FixedDice,
    Order,
    Played,
    campaign,
    company,
    fort,
    hex_at,
    own,
    own_around,
    play,
    squad,
    town,
)
from tests.rules.red_land import land


def place(what: str, at: str, size: str | None = None) -> Order:
    return {"type": "place", "what": what, "at": at} | ({"size": size} if size else {})


def set_up(state: State, *orders: Order, faces: dict[str, list[int]] | None = None, default: int | None = 1) -> Played:
    return play(state, {"red": orders}, faces=faces or {}, default=default)


def refusals(state: State, *orders: Order) -> list[tuple[int, str]]:
    return set_up(state, *orders).codes.get("red", [])


# --- placement ---


def test_the_capital_comes_with_all_that_belongs_to_it() -> None:
    done = set_up(land(), place("capital", "0505"))
    at = hex_at(done.state.board, "0505")
    capital, stronghold = done.state.urban[at], done.state.stronghold[at]
    assert (capital.size, capital.buildings, capital.race, capital.capital, capital.changed) == (
        "metropol",
        ("major_space_port", "prison"),
        "orks",
        "red",
        0,
    )
    assert (stronghold.type, stronghold.changed, done.bp("0505")) == ("fortress", 0, 5000)
    assert set_up(land(start_bp=700), place("capital", "0505")).bp("0505") == 700


def test_a_list_begins_with_its_own_share_of_the_bp() -> None:
    """Seen to fail with the same BP for every list (D-71c)."""
    state = land(start_bp=750)
    orks = replace(state.ruleset.factions["orks"], start_percent=81)
    state.ruleset = replace(state.ruleset, factions={**state.ruleset.factions, "orks": orks})
    assert set_up(state, place("capital", "0505")).bp("0505") == 607
    assert refusals(state, place("capital", "0505"), muster("0404")) == []
    assert refusals(state, place("capital", "0505"), muster("0404"), muster("0303")) == [(2, "not_enough_bp")]


def test_all_is_placed_where_it_was_ordered_without_any_dice() -> None:
    orders = [
        place("capital", "0505"),
        place("urban", "0503"),
        place("resource", "0307"),
        place("resource", "0705", "huge"),
    ]
    done = set_up(land(), *orders, default=None)
    board, state = done.state.board, done.state
    assert done.codes == {}
    assert {board.label(at): each.size for at, each in state.urban.items()} == {"0505": "metropol", "0503": "town"}
    assert {board.label(at): size for at, size in state.resource.items()} == {"0307": "small", "0705": "huge"}
    assert (state.players["red"].start_urban, state.players["red"].start_resource) == ((), ())
    assert {event.public for event in done.told("placed")} == {True}


def test_the_first_size_left_is_meant_where_none_is_named() -> None:
    done = set_up(
        land(), place("capital", "0505"), place("urban", "0503"), place("resource", "0305"), place("resource", "0705")
    )
    board = done.state.board
    assert {board.label(at): size for at, size in done.state.resource.items()} == {"0305": "small", "0705": "huge"}
    done = set_up(land(), place("resource", "0305", "huge"), place("resource", "0705"))
    assert {board.label(at): size for at, size in done.state.resource.items()} == {"0305": "huge", "0705": "small"}


RESTRICTIONS = [
    ("not_controlled", [], place("urban", "0101")),
    ("terrain", [], place("urban", "0605")),
    ("occupied", [place("urban", "0503")], place("resource", "0503")),
    ("occupied", [place("resource", "0503")], place("urban", "0503")),
    ("capital_surroundings", [], place("capital", "0505")),  # next to the sea
    ("capital_surroundings", [], place("capital", "0402")),
    ("too_near_capital", [place("capital", "0404")], place("urban", "0304")),
    ("too_near_capital", [place("capital", "0404")], place("resource", "0405")),
    ("too_near_capital", [place("urban", "0304")], place("capital", "0404")),
    ("too_near_capital", [place("resource", "0405")], place("capital", "0404")),
    ("too_near_resource", [place("resource", "0503")], place("resource", "0504")),
    ("limit_reached", [place("capital", "0404")], place("capital", "0407")),
    ("limit_reached", [place("urban", "0503")], place("urban", "0507")),
    ("limit_reached", [place("resource", "0503"), place("resource", "0507")], place("resource", "0305")),
    ("not_allowed", [], place("urban", "0503", "city")),
    ("not_allowed", [place("resource", "0507", "small")], place("resource", "0503", "small")),
    ("not_allowed", [], place("capital", "0404", "city")),
    ("unknown_id", [], place("urban", "0503", "huge")),
    ("unknown_id", [], place("palace", "0503")),
]


@pytest.mark.parametrize(("code", "before", "order"), RESTRICTIONS)
def test_each_restriction_has_its_name(code: str, before: list[Order], order: Order) -> None:
    state = land(terrain={"0605": "sea"})
    state.owner[hex_at(state.board, "0605")] = ""
    assert refusals(state, *before, order) == [(len(before), code)]


def test_two_hexes_away_is_far_enough() -> None:
    orders = [place("capital", "0505"), place("urban", "0503"), place("resource", "0305"), place("resource", "0605")]
    assert refusals(land(), *orders) == [(3, "too_near_capital")]
    orders = [place("capital", "0505"), place("resource", "0305"), place("resource", "0304")]
    assert refusals(land(), *orders) == [(2, "too_near_resource")]
    orders = [place("capital", "0505"), place("resource", "0305"), place("resource", "0303")]
    assert refusals(land(), *orders) == []


def test_another_ruleset_may_ask_for_no_distance() -> None:
    state = land(ruleset=replace(RULES, resource_distance=0, resource_capital_distance=0, urban_capital_distance=0))
    orders = [place("capital", "0505"), place("urban", "0605"), place("resource", "0405"), place("resource", "0404")]
    assert refusals(state, *orders) == []
    assert len(set_up(state).state.resource) == 2


def test_urban_hexes_may_touch_each_other_and_the_edge() -> None:
    state = land(urban=("town", "city"))
    own(state, "red", "0101", "0102")
    assert refusals(state, place("urban", "0101"), place("urban", "0102")) == []


def test_the_edge_of_the_map() -> None:
    state = land()
    own_around(state, "red", "0101", 2)
    assert refusals(state, place("resource", "0101")) == [(0, "resource_at_edge")]
    assert refusals(state, place("capital", "0101")) == [(0, "capital_at_edge")]


def test_a_hex_around_the_capital_that_is_anothers() -> None:
    state = land()
    own(state, "blue", "0405")
    assert refusals(state, place("capital", "0505")) == [(0, "capital_surroundings")]


@pytest.mark.parametrize("first", ["red", "blue"])
def test_simultaneous_placements_do_not_look_at_each_other(first: str) -> None:
    second = "blue" if first == "red" else "red"
    state = campaign({first: "none", second: "none"}, phase=SETUP, turn=0)
    for player, centre in (("red", "0305"), ("blue", "0705")):
        own_around(state, player, centre, 1)
        own(state, player, "0505" if player == "red" else "0605")
        state.players[player].start_resource = ("tiny",)
    orders = {"red": [place("resource", "0505")], "blue": [place("resource", "0605")]}
    done = play(state, orders, default=1)
    assert (done.codes, done.told("no_effect")) == ({}, [])
    assert sorted(done.state.board.label(at) for at in done.state.resource) == ["0505", "0605"]
    state.resource[hex_at(state.board, "0605")] = "huge"
    assert play(state, {"red": [place("resource", "0505")]}, default=1).codes == {"red": [(0, "too_near_resource")]}


# --- sizes ---


def test_sizes_are_rolled_for_each_player_and_told_to_him_alone() -> None:
    state = campaign(phase=SETUP, turn=0)
    faces = {
        "start-urban/red": [4],
        "start-resource/red": [1, 6],
        "start-urban/blue": [6],
        "start-resource/blue": [3, 2],
    }
    scene = Scene(state, FixedDice(faces))
    play_start_sizes(scene)
    red, blue = state.players.values()
    assert (red.start_urban, red.start_resource) == (("town",), ("tiny", "abundant"))
    assert (blue.start_urban, blue.start_resource) == (("city",), ("medium", "small"))
    assert {len(event.to) for event in scene.events} == {1}


def test_the_table_of_start_sizes() -> None:
    assert RULES.start_urban == ("village", "village", "village", "town", "town", "city")
    assert RULES.start_resource == ("tiny", "small", "medium", "large", "huge", "abundant")


def test_counts_of_the_campaign_and_for_some_players_only() -> None:
    state = campaign(phase=SETUP, turn=0, start_urban_count=0, start_resource_count=1)
    scene = Scene(state, FixedDice({"start-resource/blue": [5]}))
    play_start_sizes(scene, ["blue"])
    assert (state.players["red"].start_resource, state.players["blue"].start_resource) == ((), ("huge",))
    assert state.players["blue"].start_urban == ()


def test_any_size_may_be_placed_where_it_is_not_settled() -> None:
    state = land(urban=("any", "any"), resource=("any",))
    orders = [place("capital", "0505"), place("urban", "0503", "city"), place("resource", "0305", "abundant")]
    done = set_up(state, *orders, faces={"start-urban/red": [4], "placement/red": [1]}, default=None)
    sizes = sorted(each.size for each in done.state.urban.values())
    assert (done.codes, sizes, list(done.state.resource.values())) == ({}, ["city", "metropol", "town"], ["abundant"])


# --- muster (D-33) ---


def muster(at: str, **fields: Any) -> Order:
    return {"type": "build_detachment", "at": at, "name": "First", "units": company()} | fields


def test_mustered_forces_are_paid_by_the_capital_and_ready_at_once() -> None:
    hold = {"type": "build_garrison", "at": "0505", "units": [squad(points=301)]}
    done = set_up(land(), place("capital", "0505"), muster("0303"), hold)
    (body,) = done.state.detachments.values()
    assert (done.codes, body.ready_in, done.bp("0505")) == ({}, 0, 5000 - 400 - 151)
    assert done.state.detachment_at[hex_at(done.state.board, "0303")] is body
    assert list(done.state.garrison_at) == [hex_at(done.state.board, "0505")]


def test_where_may_be_mustered() -> None:
    state = land(terrain={"0303": "jungle", "0304": "jungle"})
    capital = place("capital", "0505")
    tanks = squad(slot="heavy", mobility="tracked", flags=["vehicle"])
    assert refusals(state, muster("0303")) == [(0, "not_controlled")]
    assert refusals(state, muster("0303"), capital) == [(0, "not_controlled")]
    assert refusals(state, capital, muster("0101")) == [(1, "not_controlled")]
    assert refusals(state, capital, muster("0404"), muster("0404")) == [(2, "occupied")]
    assert refusals(state, capital, muster("0303", units=company(tanks))) == [(1, "terrain")]
    assert refusals(state, capital, muster("0404", units=company(tanks))) == []
    assert refusals(state, capital, muster("0404", units=company()[1:])) == [(1, "slots")]
    garrison = {"type": "build_garrison", "at": "0404", "units": [squad()]}
    assert refusals(state, capital, garrison) == [(1, "needs_stronghold")]
    fort(state, "red", "0404")
    assert refusals(state, capital, garrison) == []


def test_start_bp_run_out() -> None:
    state = land(start_bp=750)
    assert refusals(state, place("capital", "0505"), muster("0404"), muster("0303")) == [(2, "not_enough_bp")]


def test_muster_may_be_switched_off() -> None:
    state = land(muster=False)
    orders = [place("capital", "0505"), muster("0404"), {"type": "build_garrison", "at": "0505", "units": [squad()]}]
    assert refusals(state, *orders) == [(1, "not_allowed"), (2, "not_allowed")]


def test_special_types_keep_their_limits_and_orbit_forces_wait_in_orbit() -> None:
    state = land()
    state.players["red"].faction = "space_marines"
    pod = muster("0404", detachment_type="drop_pod")
    orders = [place("capital", "0505"), muster("0303"), pod, muster("0304"), pod, pod]
    done = set_up(state, *orders)
    assert done.codes == {"red": [(2, "limit_reached"), (5, "limit_reached")]}
    assert sorted(detachment.at for detachment in done.state.detachments.values())[0] == ORBIT
    assert done.state.raising_at == {}


def test_muster_without_a_placed_capital_comes_out_of_one_that_stands() -> None:
    state = land(resource=(), urban=())
    town(state, "red", "0505", "metropol", 400, capital=True)
    assert set_up(state, muster("0303")).bp("0505") == 0


def test_other_building_waits_for_turn_one() -> None:
    state = land()
    order = {"type": "build_building", "at": "0505", "building": "barracks"}
    assert refusals(state, place("capital", "0505"), order) == [(1, "wrong_phase")]


# --- finds (D-49) ---


def test_where_a_found_resource_fits() -> None:
    state = land(terrain={"0303": "sea"})
    town(state, "red", "0505", capital=True)
    state.resource[hex_at(state.board, "0908")] = "tiny"
    wrong = ("0303", "0101", "0505", "0605", "0808", "0908")
    assert not any(resource_fits(state, hex_at(state.board, label)) for label in wrong)
    assert all(resource_fits(state, hex_at(state.board, label)) for label in ("0705", "0707"))
