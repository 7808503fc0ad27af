"""Garrisons (1.3, D-37)."""

from __future__ import annotations

from typing import Any

import pytest

from server.rules.state import State
from tests.rules.builders import campaign, detachment, fort, garrison, hex_at, own, play, refused, squad, town, unit


def order(points: int = 100, at: str = "0404", **fields: Any) -> dict[str, Any]:
    return {"type": "build_garrison", "at": at, "units": [squad(points=points)]} | fields


def base(type_: str = "camp", bp: int = 1000) -> State:
    state = campaign()
    fort(state, "red", "0404", type_, bp)
    return state


def test_half_cost_of_the_total_rounded_up_and_ready_at_once() -> None:
    done = play(base(), {"red": [order(units=[squad(points=101), squad(points=100)])]})
    here = done.state.garrison_at[hex_at(done.state.board, "0404")]
    assert (here.owner, here.points, done.bp("0404")) == ("red", 201, 899)


@pytest.mark.parametrize(("type_", "maximum"), [("camp", 250), ("fortification", 500), ("fortress", 750)])
def test_the_points_a_stronghold_holds(type_: str, maximum: int) -> None:
    assert refused(base(type_), order(maximum)) == []
    assert refused(base(type_), order(maximum + 1)) == ["too_many_points"]


def test_only_in_an_own_stronghold_one_in_each() -> None:
    state = base()
    own(state, "red", "0101")
    fort(state, "blue", "0808")
    assert refused(state, order(at="0808")) == ["not_controlled"]
    assert refused(state, order(at="0101")) == ["needs_stronghold"]
    assert play(state, {"red": [order(), order()]}).codes == {"red": [(1, "already_built")]}


def test_foot_only() -> None:
    for mobility in ("tracked", "wheeled", "skimmer"):
        assert refused(base(), order(units=[squad(mobility=mobility)])) == ["not_allowed"]
    for flag in ("vehicle", "light_vehicle"):
        assert refused(base(), order(units=[squad(flags=[flag])])) == ["not_allowed"]


def test_no_buildings_and_any_slots() -> None:
    units = [squad(slot=slot, points=10) for slot in ("hq", "elite", "heavy", "fast")]
    assert refused(base(), order(units=units)) == []


def test_paid_by_the_store_of_the_hex() -> None:
    assert refused(base(bp=50), order(100)) == []
    assert refused(base(bp=50), order(101)) == ["not_enough_bp"]


def test_not_under_the_feet_of_an_enemy() -> None:
    state = base()
    detachment(state, "blue", "b1", "0404")
    assert refused(state, order()) == ["enemy_present"]
    state.remove_force(state.detachments["b1"])
    detachment(state, "red", "r1", "0404")
    assert refused(state, order()) == []


def add(points: int, at: str = "0404") -> dict[str, Any]:
    return {"type": "add_units", "at": at, "units": [squad(points=points)]}


def test_growing_costs_what_the_whole_costs_more() -> None:
    state = base()
    garrison(state, "red", "g1", "0404", unit("g1a", points=101))  # paid: 51
    done = play(state, {"red": [add(100)]})  # of 201: 101
    assert (done.bp("0404"), done.state.garrisons["g1"].points) == (950, 201)
    assert play(state, {"red": [add(1), add(1)]}).bp("0404") == 1000 - 0 - 1
    state.store[hex_at(state.board, "0404")] = 50
    assert (refused(state, add(101)), refused(state, add(102))) == ([], ["not_enough_bp"])


def test_where_a_garrison_grows() -> None:
    state = base()
    garrison(state, "red", "g1", "0404", unit("g1a", points=101))
    assert refused(state, add(149)) == []
    assert refused(state, add(150)) == ["too_many_points"]
    fort(state, "red", "0606")
    own(state, "red", "0101")
    fort(state, "blue", "0808")
    assert refused(state, add(10, "0606")) == ["not_allowed"]
    assert refused(state, add(10, "0101")) == ["needs_stronghold"]
    assert refused(state, add(10, "0808")) == ["not_controlled"]


def test_a_garrison_in_town_is_paid_by_the_one_store_of_the_hex() -> None:
    state = base(bp=0)
    town(state, "red", "0404", "village", 50)
    assert play(state, {"red": [order(100)]}).bp("0404") == 0
