"""The start of a turn (1.1, 1.5.1, D-20, D-21, D-25, D-71, D-73)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from server.core.events import Event
from server.rules.board import ORBIT
from server.rules.economy import income, play_start_of_turn
from server.rules.scene import Scene
from server.rules.state import State
from server.rules.treasury import worth
from tests.rules.builders import RULES, FixedDice, campaign, detachment, fort, garrison, hex_at, own, town


def begin(state: State, **faces: list[int]) -> list[Event]:
    """Play the start of a turn; ``exploitation_0404=[1]`` gives a roll."""
    dice = FixedDice({label.replace("_", "/"): each for label, each in faces.items()})
    scene = Scene(state, dice)
    play_start_of_turn(scene)
    assert set(dice.rolled) == set(dice.faces)
    return scene.events


def bp(state: State, label: str) -> int:
    return state.store.get(hex_at(state.board, label), 0)


def told(events: list[Event], type_: str) -> list[dict[str, Any]]:
    return [dict(event.fields) for event in events if event.type == type_]


def home(faction: str = "none", **settings: Any) -> State:
    """Return a capital of red in 0505, without buildings."""
    state = campaign({"red": faction, "blue": "none"}, **settings)
    town(state, "red", "0505", "metropol", 0, capital=True)
    return state


# --- income ---


@pytest.mark.parametrize(
    ("faction", "space"),
    [("none", 200), ("dark_angels", 180), ("dark_eldar", 150), ("necrons", 150), ("tyranids", 100)],
)
def test_space_and_land_pay_into_the_capital(faction: str, space: int) -> None:
    state = home(faction)
    own(state, "red", "0101", "0102", "0103")
    events = begin(state)
    own_income = 75 if faction == "dark_eldar" else 100
    assert bp(state, "0505") == space + 4 * 5 + own_income
    (event,) = [each for each in events if each.type == "income" and each.to == ("red",)]
    assert (event.fields["space"], event.fields["hexes"], event.fields["urban"]) == (space, 20, {"0505": own_income})
    assert event.fields["total"] == space + 20 + own_income


def test_without_a_capital_nothing_comes_from_space_or_land() -> None:
    state = campaign()
    town(state, "red", "0101", "town")
    begin(state)
    assert state.store == {hex_at(state.board, "0101"): 50}
    state = home()
    state.owner[hex_at(state.board, "0505")] = "blue"
    events = begin(state)
    assert worth(state) == 100
    assert [event["total"] for event in told(events, "income")] == [0, 100]


@pytest.mark.parametrize(("size", "bp_"), [("village", 25), ("town", 50), ("city", 75), ("metropol", 100)])
def test_urban_income_lies_in_the_urban_hex(size: str, bp_: int) -> None:
    state = campaign()
    town(state, "red", "0101", size)
    begin(state)
    assert state.store == {hex_at(state.board, "0101"): bp_}


@pytest.mark.parametrize(
    ("size", "bp_"), [("tiny", 100), ("small", 125), ("medium", 150), ("large", 175), ("huge", 200), ("abundant", 250)]
)
def test_resource_income_lies_at_the_resource_hex_until_the_end_of_the_turn(size: str, bp_: int) -> None:
    state = home()
    own(state, "red", "0303")
    state.resource[hex_at(state.board, "0303")] = size
    begin(state)
    assert state.harvest == {hex_at(state.board, "0303"): bp_}
    assert income(state)["red"].total == 200 + 10 + 100 + bp_
    assert bp(state, "0505") == 200 + 10 + 100


@pytest.mark.parametrize(
    ("faction", "size", "bp_"),
    [("orks", "village", 40), ("orks", "town", 65), ("orks", "city", 75), ("eldar", "city", 50), ("eldar", "town", 50)],
)
def test_flat_changes_of_factions(faction: str, size: str, bp_: int) -> None:
    state = campaign({"red": faction, "blue": "none"})
    town(state, "red", "0101", size)
    begin(state)
    assert bp(state, "0101") == bp_


def test_nobodys_places_yield_nothing_and_pay_nothing() -> None:
    state = campaign()
    town(state, "", "0101", "city", 5, buildings=["barracks"])
    state.resource[hex_at(state.board, "0303")] = "huge"
    begin(state)
    assert worth(state) == 5
    assert state.urban[hex_at(state.board, "0101")].buildings == ("barracks",)


def test_corrupted_hexes_yield_no_five_bp_and_all_else() -> None:
    state = home()
    own(state, "red", "0303")
    state.resource[hex_at(state.board, "0303")] = "tiny"
    state.corrupted = {hex_at(state.board, "0303"): "blue", hex_at(state.board, "0505"): "blue", 0: "blue"}
    begin(state)
    assert bp(state, "0505") == 200 + 0 + 100
    assert state.harvest == {hex_at(state.board, "0303"): 100}


@pytest.mark.parametrize(("by", "yields"), [("red", True), ("blue", False)])
def test_infested_hexes_yield_nothing_but_to_the_infester(by: str, yields: bool) -> None:
    state = home()
    town(state, "red", "0101", "village")
    own(state, "red", "0303")
    state.resource[hex_at(state.board, "0303")] = "tiny"
    state.infested = {hex_at(state.board, label): by for label in ("0101", "0303")}
    begin(state)
    assert bp(state, "0101") == (25 if yields else 0)
    assert state.harvest == ({hex_at(state.board, "0303"): 100} if yields else {})
    assert bp(state, "0505") == 200 + (15 if yields else 5) + 100


def test_a_hex_corrupted_and_infested_is_missed_once() -> None:
    state = home()
    own(state, "red", "0303", "0304")
    state.infested[hex_at(state.board, "0303")] = state.corrupted[hex_at(state.board, "0303")] = "blue"
    begin(state)
    assert bp(state, "0505") == 200 + 10 + 100


# --- D-73: the fleet ---


@pytest.mark.parametrize(
    ("faction", "ruler", "space"),
    [
        ("none", "", 200),
        ("none", "red", 200),
        ("none", "green", 200),
        ("none", "blue", 0),
        ("dark_eldar", "blue", 75),
        ("tyranids", "blue", 50),
    ],
)
def test_an_enemy_who_controls_the_system_stops_supplies(faction: str, ruler: str, space: int) -> None:
    state = campaign({"red": faction, "blue": "none", "green": "none"}, fleet=True)
    town(state, "red", "0505", "metropol", 0, capital=True)
    state.players["red"].declared, state.players["green"].declared = ("green",), ("red",)
    state.system_control = ruler
    (event, *_) = begin(state)[1:]
    assert (event.type, event.fields["space"]) == ("income", space)


def test_without_the_extension_nobody_stops_them() -> None:
    state = home()
    state.system_control = "blue"
    assert income(state)["red"].space == 200


# --- D-25: offices ---

HOLDERS: dict[str, Callable[[State], object]] = {
    "nobody": lambda _: None,
    "garrison": lambda state: garrison(state, "red", "g1", "0404"),
    "detachment": lambda state: detachment(state, "red", "d1", "0404"),
    "enemy": lambda state: detachment(state, "blue", "d1", "0404"),
    "construction": lambda state: detachment(state, "red", "d1", "0404", ready_in=3),
}


@pytest.mark.parametrize("holder", sorted(HOLDERS))
@pytest.mark.parametrize("stronghold", ["", "camp", "fortification", "fortress"])
@pytest.mark.parametrize("office", ["taxation_office", "exploitation_center"])
def test_offices_need_a_stronghold_and_a_force(office: str, stronghold: str, holder: str) -> None:
    state = campaign()
    town(state, "red", "0404", "city", buildings=[office], race="orks")
    if stronghold:
        fort(state, "red", "0404", stronghold)
    HOLDERS[holder](state)
    held = holder in ("garrison", "detachment") and stronghold != ""
    full = held and office == "exploitation_center" and stronghold != "camp"
    begin(state, **({"exploitation_0404": [6]} if full else {}))
    gains = 75 + (75 if full else 37 if held else 0)  # D-20a: the office's 50 % where only that condition holds
    assert bp(state, "0404") == gains - (10 if office == "taxation_office" else 0)


def test_another_ruleset_may_ask_for_nothing() -> None:
    office = replace(RULES.buildings["taxation_office"], income_needs="")
    state = campaign(ruleset=replace(RULES, buildings={**RULES.buildings, office.id: office}))
    town(state, "red", "0404", "city", buildings=[office.id])
    begin(state)
    assert bp(state, "0404") == 75 + 37 - 10


def test_percent_are_of_the_hexs_own_income_after_flat_changes() -> None:
    state = campaign({"red": "orks", "blue": "none"})
    town(state, "red", "0404", "town", buildings=["taxation_office"])
    fort(state, "red", "0404")
    garrison(state, "red", "g1", "0404")
    begin(state)
    assert bp(state, "0404") == 65 + 32 - 10


def exploited(size: str = "city", bp_: int = 0, **buildings: Any) -> State:
    state = campaign()
    town(state, "red", "0404", size, bp_, buildings=["exploitation_center", *buildings.get("more", ())], race="orks")
    fort(state, "red", "0404", "fortification")
    garrison(state, "red", "g1", "0404")
    return state


@pytest.mark.parametrize(
    ("size", "face", "left"),
    [("city", 1, "town"), ("city", 2, "city"), ("town", 1, "village"), ("village", 1, "village")],
)
def test_an_exploited_hex_may_shrink(size: str, face: int, left: str) -> None:
    state = exploited(size)
    events = begin(state, exploitation_0404=[face])
    assert state.urban[hex_at(state.board, "0404")].size == left
    assert told(events, "urban_shrunk") == ([{"hex": "0404", "size": left}] if left != size else [])


def test_income_is_that_of_the_size_before_and_buildings_stay() -> None:
    state = exploited("city", more=("academy",))
    begin(state, exploitation_0404=[1])
    assert bp(state, "0404") == 150 - 20
    assert state.urban[hex_at(state.board, "0404")].buildings == ("academy", "exploitation_center")


def test_an_infested_hex_is_not_exploited() -> None:
    state = exploited()
    state.infested[hex_at(state.board, "0404")] = "blue"
    begin(state)
    assert bp(state, "0404") == 0


# --- maintenance ---


def test_maintenance_is_paid_out_of_the_hex_after_its_income() -> None:
    state = home()
    town(state, "red", "0101", "city", 0, buildings=["heavy_factory", "academy"])
    events = begin(state)
    assert bp(state, "0101") == 75 - 50
    assert told(events, "maintenance") == [{"hex": "0101", "bp": 50}]


def test_the_least_maintenance_goes_first_until_the_rest_can_be_paid() -> None:
    state = campaign()
    buildings = ["academy", "barracks", "major_space_port", "prison", "exploitation_center", "heavy_factory"]
    town(state, "red", "0101", "metropol", 30, buildings=buildings)  # 130 BP for 170: 25 + 50 come back
    events = begin(state)
    assert [event["building"] for event in told(events, "building_lost")] == ["barracks", "prison"]
    urban = state.urban[hex_at(state.board, "0101")]
    assert urban.buildings == ("academy", "exploitation_center", "heavy_factory", "major_space_port")
    assert bp(state, "0101") == 130 + 25 + 50 - 150


def test_just_enough_is_enough() -> None:
    state = campaign()
    town(state, "red", "0101", "village", 0, buildings=["barracks", "taxation_office"])
    state.store[hex_at(state.board, "0101")] = 0
    state.infested[hex_at(state.board, "0101")] = "blue"
    state.pay(hex_at(state.board, "0101"), 20)
    events = begin(state)
    assert told(events, "building_lost") == []
    assert bp(state, "0101") == 0


# --- construction ---


def test_construction_counts_down_and_is_done() -> None:
    state = home()
    new = detachment(state, "red", "r1", "0505", ready_in=2)
    assert told(begin(state), "detachment_ready") == []
    assert new.ready_in == 1
    assert told(begin(state), "detachment_ready") == [{"force": "r1", "name": "r1", "hex": "0505"}]
    at = hex_at(state.board, "0505")
    assert (state.detachment_at[at], state.raising_at) == (new, {})


def test_it_waits_while_another_stands_in_its_hex() -> None:
    state = home()
    new = detachment(state, "red", "r1", "0505", ready_in=1)
    other = detachment(state, "blue", "b1", "0505")
    assert told(begin(state), "detachment_waits") == [{"force": "r1", "hex": "0505"}]
    assert (new.ready_in, state.detachment_at[new.at], state.raising_at[new.at]) == (1, other, new)
    state.move(other, hex_at(state.board, "0101"))
    begin(state)
    assert (new.ready_in, state.detachment_at[new.at]) == (0, new)


def test_orbit_types_do_not_wait() -> None:
    state = home("space_marines")
    new = detachment(state, "red", "r1", "0505", type="drop_pod", ready_in=1)
    detachment(state, "red", "r2", "0505")
    begin(state)
    assert (new.at, new.ready_in, state.raising_at) == (ORBIT, 0, {})


# --- alliances (D-04) ---


def test_declarations_take_effect_before_all_else() -> None:
    state = campaign({"red": "none", "blue": "none", "green": "none"})
    state.players["red"].declared = ("blue", "green")
    state.players["blue"].declared = ("red",)
    assert not state.friendly("red", "blue")
    events = begin(state)
    assert (state.friendly("red", "blue"), state.friendly("red", "green")) == (True, False)
    assert told(events, "allied") == [{"players": ["red", "blue"]}]
    assert told(begin(state), "allied") == []
    state.players["blue"].declared = ()
    assert told(begin(state), "no_longer_allied") == [{"players": ["red", "blue"]}]
    assert not state.friendly("red", "blue")


def test_the_dead_get_nothing() -> None:
    state = home()
    state.players["red"].eliminated = True
    assert [each for each in begin(state) if each.type == "income" and each.to == ("red",)] == []
