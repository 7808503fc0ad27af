"""Repairs, transfers, disbanding (1.1, 6.2.1.3.1, D-20a, D-36)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from server.rules.state import State, Unit
from tests.rules.builders import campaign, detachment, garrison, hex_at, own, play, refused, squad, town, unit

TANK = unit("t1", name="Tank", slot="heavy", models=1, points=150, mobility="tracked", flags=("vehicle",), damaged=True)


def repair(name: str = "t1", force: str = "r1") -> dict[str, Any]:
    return {"type": "repair", "detachment": force, "unit": name}


def workshop(bp: int = 100, *units: Unit) -> State:
    state = campaign()
    town(state, "red", "0505", "city", bp, buildings=["heavy_factory"])
    detachment(state, "red", "r1", "0505", *(units or (TANK, unit("s1"))))
    return state


def test_a_quarter_of_the_vehicles_points_rounded_up() -> None:
    done = play(workshop(38), {"red": [repair()]})
    tank, other = done.state.detachments["r1"].units
    assert (tank.damaged, tank.ready, other, done.bp("0505")) == (False, 1, unit("s1"), 0)
    assert refused(workshop(37), repair()) == ["not_enough_bp"]


def test_where_and_what_is_repaired() -> None:
    state = workshop()
    assert refused(state, repair("s1")) == ["not_allowed"]
    assert refused(state, repair("x")) == ["unknown_id"]
    state.urban[hex_at(state.board, "0505")].buildings = ("light_factory", "repair_facility")
    assert refused(state, repair()) == ["needs_building"]
    detachment(state, "red", "r2", "0101", replace(TANK, id="t2"))
    assert refused(state, repair("t2", "r2")) == ["not_controlled"]
    own(state, "red", "0101")
    assert refused(state, repair("t2", "r2")) == ["size_too_small"]
    assert refused(state, repair("t1", "r2")) == ["unknown_id"]


def test_a_strategic_hq_is_not_needed_to_repair() -> None:
    assert refused(workshop(), repair()) == []


def test_a_vehicle_is_repaired_once() -> None:
    assert play(workshop(), {"red": [repair(), repair()]}).codes == {"red": [(1, "not_allowed")]}


# --- disbanding ---


def test_disbanding_pays_nothing_back() -> None:
    state = workshop(0)
    detachment(state, "red", "r2", "orbit", type="drop_pod")
    town(state, "red", "0101", "metropol", 0, capital=True)
    detachment(state, "red", "r3", "0101", ready_in=3)
    orders = [{"type": "disband_detachment", "detachment": id_} for id_ in ("r1", "r2", "r3", "r1")]
    done = play(state, {"red": orders})
    assert done.codes == {"red": [(3, "unknown_id")]}
    assert (done.state.detachments, done.state.detachment_at, done.state.raising_at) == ({}, {}, {})
    assert done.state.store == {}


def test_disbanding_what_is_not_ones_own() -> None:
    state = workshop()
    detachment(state, "blue", "b1", "0606")
    assert refused(state, {"type": "disband_detachment", "detachment": "b1"}) == ["unknown_id"]
    state.players["red"].met["b1"] = None
    assert refused(state, {"type": "disband_detachment", "detachment": "b1"}) == ["not_yours"]


# --- transfers ---


def transfer(models: int, source: str = "a", target: str = "b") -> dict[str, Any]:
    return {"type": "transfer_models", "from_unit": source, "to_unit": target, "models": models}


def pair(source: dict[str, Any], target: dict[str, Any]) -> State:
    state = campaign()
    detachment(state, "red", "r1", "0101", unit("a", **source), unit("b", **target))
    return state


def test_models_change_units() -> None:
    state = pair({"ready": 8, "wounded": 1}, {"ready": 4, "wounded": 2})
    done = play(state, {"red": [transfer(4)]})
    a, b = done.state.detachments["r1"].units
    assert [(each.ready, each.wounded, each.points, each.models) for each in (a, b)] == [
        (4, 1, 100, 10),
        (8, 2, 100, 10),
    ]
    assert refused(state, transfer(5)) == []
    assert refused(state, transfer(7)) == ["limit_reached"]


def test_the_source_must_have_them_fit_to_fight() -> None:
    assert refused(pair({"ready": 3, "wounded": 5}, {"ready": 2}), transfer(4)) == ["limit_reached"]


def test_a_unit_left_without_models_is_removed() -> None:
    done = play(pair({"ready": 3}, {"ready": 2}), {"red": [transfer(3)]})
    assert [(each.id, each.ready) for each in done.state.detachments["r1"].units] == [("b", 5)]
    done = play(pair({"ready": 3, "wounded": 1}, {"ready": 2}), {"red": [transfer(3)]})
    assert [each.id for each in done.state.detachments["r1"].units] == ["a", "b"]


@pytest.mark.parametrize(
    "other",
    [
        {"name": "Others"},
        {"slot": "elite"},
        {"mobility": "skimmer"},
        {"flags": ("scout",)},
        {"flags": ("vehicle",)},
        {"points": 101},
    ],
)
def test_only_models_of_one_type(other: dict[str, Any]) -> None:
    assert refused(pair({}, {"ready": 2} | other), transfer(1)) == ["not_allowed"]


def test_vehicles_never_change() -> None:
    tanks = {"flags": ("vehicle",), "models": 3}
    assert refused(pair(tanks, tanks | {"ready": 1}), transfer(1)) == ["not_allowed"]


def test_only_within_one_force_of_ones_own() -> None:
    state = pair({}, {"ready": 2})
    detachment(state, "red", "r2", "0102", unit("c", ready=2))
    garrison(state, "red", "g1", "0303", unit("d"), unit("e", ready=2))
    detachment(state, "blue", "b1", "0202", unit("x", ready=2))
    assert refused(state, transfer(1, "a", "c")) == ["not_allowed"]
    assert refused(state, transfer(1, "d", "e")) == []
    assert refused(state, transfer(1, "a", "a")) == ["not_allowed", "limit_reached"]
    assert refused(state, transfer(1, "a", "x")) == ["unknown_id"]
    assert refused(state, transfer(1, "x", "a")) == ["unknown_id"]
    detachment(state, "blue", "b2", "0303", unit("y"))
    assert refused(state, transfer(1, "y", "a")) == ["not_yours"]


def test_new_models_fill_up_an_old_unit_in_one_set() -> None:
    state = campaign()
    town(state, "red", "0505", "metropol", 100, capital=True, buildings=["barracks"])
    detachment(state, "red", "r1", "0505", unit("old", ready=4))
    fresh = squad(id="new", name="Squad", models=6, points=60)
    orders = [{"type": "add_units", "detachment": "r1", "units": [fresh]}, transfer(6, "new", "old")]
    done = play(state, {"red": orders})
    assert done.codes == {}
    assert [(each.id, each.ready) for each in done.state.detachments["r1"].units] == [("old", 10)]
