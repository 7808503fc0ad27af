"""Building detachments and adding units (1.2, D-30 to D-35)."""

from __future__ import annotations

from typing import Any

import pytest

from server.rules.board import ORBIT
from server.rules.economy import play_start_of_turn
from server.rules.scene import Scene
from server.rules.state import State
from server.rules.structure import complexity
from tests.rules.builders import (
    FixedDice,
    campaign,
    company,
    convoy,
    detachment,
    hex_at,
    own,
    play,
    refused,
    squad,
    town,
    unit,
)


def order(at: str = "0505", **fields: Any) -> dict[str, Any]:
    return {"type": "build_detachment", "at": at, "name": "First", "units": company()} | fields


def base(bp: int = 3000, faction: str = "none", **more: Any) -> State:
    """Return a position with a capital of red in 0505."""
    state = campaign({"red": faction, "blue": "none"})
    town(state, "red", "0505", "metropol", bp, capital=True, **({"buildings": ["major_space_port"]} | more))
    return state


WORKED = [
    unit(slot="hq", points=200),
    *(unit() for _ in range(4)),
    unit(slot="elite", points=200),
    unit(slot="fast"),
    unit(slot="heavy", points=150),
]


@pytest.mark.parametrize(
    ("units", "turns"),
    [
        (WORKED, 2),  # the source's worked example
        ([unit(slot="hq", points=100), unit(points=300), unit(points=300)], 1),
        ([unit(slot="hq", points=599), unit(points=300), unit(points=300)], 1),
        ([unit(slot="hq", points=600), unit(points=300), unit(points=300)], 2),
        ([unit(slot="hq", points=1)] * 3 + [unit(points=900)] * 2, 2),  # (3 - 1) DIV 2
        ([unit(slot="hq", points=1)] * 2 + [unit(points=900)] * 2, 1),  # (2 - 1) DIV 2
        ([unit()], 1),  # no other choice at all: the first quotient is 0 (D-34)
        ([unit(slot="elite", points=100)], 1),  # no Troops: 1 choice and 250 points
        ([unit(slot="elite", points=250)] * 3, 1 + 2 + 3),
    ],
)
def test_complexity(units: list[Any], turns: int) -> None:
    assert complexity(units) == turns


def test_it_is_paid_at_once_and_stands_ready_when_its_turns_are_over() -> None:
    done = play(base(1000), {"red": [order(units=company(squad(slot="elite", points=200)), **{"as": "x"})]})
    (new,) = done.state.detachments.values()
    assert (done.codes, done.bp("0505"), new.ready_in, new.points) == ({}, 400, 3, 600)
    assert hex_at(done.state.board, "0505") not in done.state.detachment_at
    for left in (2, 1, 0):
        play_start_of_turn(Scene(done.state, FixedDice()))
        assert new.ready_in == left
    assert done.state.detachment_at[hex_at(done.state.board, "0505")] is new


def test_ids_are_the_games_own() -> None:
    units = [squad(id="a", slot="hq"), squad(id="b"), squad(id="c")]
    done = play(base(), {"red": [order(units=units, **{"as": "x"})]})
    (new,) = done.state.detachments.values()
    names = [new.id, *(each.id for each in new.units)]
    assert len(set(names)) == 4
    assert not {"x", "a", "b", "c"} & set(names)
    named = base()
    object.__setattr__(named.settings, "named_ids", True)
    done = play(named, {"red": [order(units=units, **{"as": "x"})]})
    assert [each.id for each in done.state.detachments["x"].units] == ["a", "b", "c"]


# --- the place ---


def test_only_in_a_controlled_urban_hex() -> None:
    state = base()
    town(state, "blue", "0101", "metropol", 3000, buildings=["strategic_hq", "major_space_port"])
    own(state, "red", "0404")
    assert refused(state, order("0101")) == ["not_controlled"]
    assert refused(state, order("0404")) == ["size_too_small"]
    assert refused(state, order()) == []


def test_a_headquarters_or_the_own_capital() -> None:
    state = base()
    town(state, "red", "0303", "metropol", 3000, buildings=["major_space_port"])
    assert refused(state, order("0303")) == ["needs_building"]
    state.urban[hex_at(state.board, "0303")].buildings = ("major_space_port", "strategic_hq")
    assert refused(state, order("0303")) == []


def test_another_players_capital_counts_as_no_headquarters() -> None:
    state = base()
    town(state, "red", "0303", "metropol", 3000, buildings=["major_space_port"])
    state.urban[hex_at(state.board, "0303")].capital = "blue"
    assert refused(state, order("0303")) == ["needs_building"]


def test_one_detachment_in_each_hex_built_or_being_built() -> None:
    state = base()
    assert play(state, {"red": [order(), order()]}).codes == {"red": [(1, "occupied")]}
    detachment(state, "red", "r1", "0505")
    assert refused(state, order()) == ["occupied"]


@pytest.mark.parametrize("owner", ["red", "blue"])
def test_somebody_elses_detachment_takes_the_place_too(owner: str) -> None:
    state = base()
    detachment(state, owner, "d1", "0505")
    assert refused(state, order()) == (["occupied"] if owner == "red" else ["enemy_present"])


def test_a_disbanded_detachment_makes_room() -> None:
    state = base()
    detachment(state, "red", "r1", "0505")
    done = play(state, {"red": [{"type": "disband_detachment", "detachment": "r1"}, order()]})
    assert done.codes == {}
    assert [each.name for each in done.state.detachments.values()] == ["First"]


# --- what its buildings allow (D-32) ---

KINDS = {
    "academy": squad(slot="hq", models=1, points=100),
    "barracks": squad(),
    "training_facilities": squad(slot="heavy"),
    "light_factory": squad(slot="troops", mobility="wheeled", flags=["light_vehicle"]),
    "heavy_factory": squad(slot="hq", mobility="tracked", flags=["vehicle"]),
}


@pytest.mark.parametrize("missing", sorted(KINDS))
def test_each_units_kind_needs_its_building(missing: str) -> None:
    units = [*KINDS.values(), squad(), squad()]
    state = base(buildings=sorted(KINDS))
    assert refused(state, order(units=units)) == []
    state.urban[hex_at(state.board, "0505")].buildings = tuple(id_ for id_ in sorted(KINDS) if id_ != missing)
    assert refused(state, order(units=units)) == ["needs_building"]


def test_a_vehicle_is_not_built_by_the_building_of_its_slot() -> None:
    state = base(buildings=["academy", "barracks", "training_facilities"])
    units = company(squad(slot="heavy", mobility="tracked", flags=["vehicle"]))
    assert refused(state, order(units=units)) == ["needs_building"]


def test_a_minor_space_port_allows_hq_and_troops() -> None:
    state = base(buildings=["minor_space_port"])
    assert refused(state, order()) == []
    assert refused(state, order(units=company(squad(slot="elite")))) == ["needs_building"]


# --- what it may hold (D-31) ---


@pytest.mark.parametrize(
    "units",
    [
        company()[1:],
        company()[:2],
        company(squad(slot="hq"), squad(slot="hq")),
        company(*(squad(points=10) for _ in range(5))),
        company(*(squad(slot="elite", points=10) for _ in range(4))),
        company(*(squad(slot="fast", points=10) for _ in range(4))),
        company(*(squad(slot="heavy", points=10) for _ in range(4))),
    ],
)
def test_the_slots_of_a_standard_detachment(units: list[dict[str, Any]]) -> None:
    assert refused(base(), order(units=units)) == ["slots"]


def test_at_most_1500_points() -> None:
    assert refused(base(), order(units=company(squad(points=1100)))) == []
    assert refused(base(), order(units=company(squad(points=1101)))) == ["too_many_points"]


def test_what_cannot_be_paid_is_not_built() -> None:
    assert refused(base(400), order()) == []
    assert refused(base(399), order()) == ["not_enough_bp"]


def test_later_orders_have_what_the_earlier_ones_left() -> None:
    state = base(700)
    town(state, "red", "0303", "metropol", 0, buildings=["major_space_port", "strategic_hq"])
    orders = [order(units=company(squad(points=301))), order(), {"type": "create_convoy", "at": "0505", "bp": 301}]
    assert play(state, {"red": orders}).codes == {"red": [(0, "not_enough_bp"), (2, "not_enough_bp")]}


def test_a_lost_character_is_lost() -> None:
    state = base()
    state.lost_characters["red/Old Grim"] = None
    state.lost_characters["blue/Squad"] = None
    hero = squad(slot="hq", name="Old Grim", flags=["character"])
    assert refused(state, order(units=company(hero))) == ["not_allowed"]
    assert refused(state, order(units=company(hero | {"name": "Squad"}))) == []
    assert refused(state, order(units=company(hero | {"flags": []}))) == []


# --- special types (1.2.3, D-31, D-71, D-72) ---


def pods(standards: int, specials: int = 0, *, raising: bool = False) -> State:
    """Return a position of Space Marines with so many detachments already."""
    state = base(faction="space_marines")
    for number in range(standards + specials):
        type_ = "standard" if number < standards else "drop_pod"
        more = {"ready_in": 2} if raising and number == 0 else {}
        detachment(state, "red", f"r{number}", f"{number + 1:02d}01", type=type_, **more)
    return state


def test_one_of_each_three_detachments() -> None:
    pod = order(detachment_type="drop_pod")
    assert refused(pods(1), pod) == ["limit_reached"]
    assert refused(pods(2), pod) == []
    assert refused(pods(2, raising=True), pod) == []
    assert refused(pods(4, 1), pod) == []
    assert refused(pods(3, 1), pod) == ["limit_reached"]


def test_specials_stay_fewer_than_standards() -> None:
    state = campaign({"red": "dark_eldar", "blue": "none"})
    town(state, "red", "0505", "metropol", 3000, capital=True, buildings=["major_space_port"])
    detachment(state, "red", "r1", "0101")
    raiders = order(detachment_type="raiders")
    assert refused(state, raiders) == ["limit_reached"]  # one of two, but not fewer than the standard ones
    detachment(state, "red", "r2", "0201")
    assert refused(state, raiders) == []


def test_another_factions_type() -> None:
    state = pods(2)
    assert refused(state, order(detachment_type="raiders")) == ["not_allowed"]
    assert refused(state, order(detachment_type="moon_walkers")) == ["unknown_id"]


def test_an_orbit_detachment_needs_a_space_port_and_waits_in_orbit() -> None:
    state = pods(2)
    red = state.urban[hex_at(state.board, "0505")]
    pod = order(detachment_type="drop_pod")
    red.buildings = ("academy", "barracks")
    assert refused(state, pod) == ["needs_building"]
    red.buildings = ("academy", "barracks", "minor_space_port", "training_facilities")
    assert refused(state, order(detachment_type="drop_pod", units=company(squad(slot="elite")))) == ["needs_building"]
    done = play(state, {"red": [pod]})
    new = next(each for each in done.state.detachments.values() if each.name == "First")
    assert new.at == hex_at(state.board, "0505")
    for _ in range(new.ready_in):
        play_start_of_turn(Scene(done.state, FixedDice()))
    assert (new.at, new.ready_in) == (ORBIT, 0)


def test_necrons_build_only_in_their_capital() -> None:
    state = base(faction="necrons")
    town(state, "red", "0303", "metropol", 3000, buildings=["major_space_port", "strategic_hq"])
    assert refused(state, order("0303")) == ["not_allowed"]
    state.urban[hex_at(state.board, "0303")].buildings = ()
    assert refused(state, order("0303")) == ["not_allowed"]
    assert refused(state, order("0505")) == []


# --- new units (D-35) ---


def add(id_: str = "r1", **fields: Any) -> dict[str, Any]:
    return {"type": "add_units", "detachment": id_, "units": [squad()]} | fields


def test_units_join_at_once_and_pin_the_detachment() -> None:
    state = base(150)
    detachment(state, "red", "r1", "0505")
    done = play(state, {"red": [add()]})
    force = done.state.detachments["r1"]
    assert (len(force.units), force.points, force.pinned, done.bp("0505")) == (2, 200, True, 50)
    assert refused(state, add(units=[squad(points=151)])) == ["not_enough_bp"]


def test_where_units_may_join() -> None:
    state = base()
    detachment(state, "red", "r1", "0404")
    assert refused(state, add()) == ["not_controlled"]
    own(state, "red", "0404")
    assert refused(state, add()) == ["size_too_small"]
    town(state, "red", "0404", "city", 1000, buildings=["barracks"])
    assert refused(state, add()) == ["needs_building"]
    state.urban[hex_at(state.board, "0404")].buildings = ("barracks", "strategic_hq")
    assert refused(state, add()) == []
    assert refused(state, add(units=[squad(slot="elite")])) == ["needs_building"]


def test_units_do_not_join_what_is_in_orbit_or_not_yet_there() -> None:
    state = base()
    detachment(state, "red", "r1", "orbit", type="drop_pod")
    detachment(state, "red", "r2", "0505", ready_in=2)
    assert refused(state, add("r1")) == ["orbit_only"]
    assert refused(state, add("r2")) == ["under_construction"]


def test_slots_and_rank_are_judged_on_the_whole() -> None:
    state = base()
    detachment(state, "red", "r1", "0505", *(unit(f"u{n}", points=230) for n in range(6)))
    assert refused(state, add(units=[squad(points=10)])) == ["slots"]
    assert refused(state, add(units=[squad(slot="elite", points=121)])) == ["too_many_points"]
    assert refused(state, add(units=[squad(slot="elite", points=120)])) == []
    state.detachments["r1"].dxp = 10
    assert refused(state, add(units=[squad(slot="elite", points=370)])) == []


def test_whose_it_is_and_what_it_is() -> None:
    state = base()
    detachment(state, "blue", "b1", "0505")
    assert refused(state, add("b1")) == ["not_yours"]
    assert refused(state, add("b2")) == ["unknown_id"]
    convoy(state, "red", "c1", "0505", 50)
    assert refused(state, add("c1")) == ["only_guard_or_path"]
    assert refused(state, {"type": "add_units", "units": [squad()]}) == ["missing_field"]
    detachment(state, "red", "r1", "0404")
    assert refused(state, add("r1", at="0505")) == ["unknown_field"]
