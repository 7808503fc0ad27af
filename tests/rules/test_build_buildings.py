"""Buildings of urban hexes (1.5.1, D-20a)."""

from __future__ import annotations

from typing import Any

import pytest

from server.rules.state import State
from tests.rules.builders import RULES, campaign, hex_at, own, play, refused, town


def order(building: str, at: str = "0404") -> dict[str, Any]:
    return {"type": "build_building", "at": at, "building": building}


def base(*buildings: str, size: str = "metropol", bp: int = 2000, race: str = "orks") -> State:
    state = campaign()
    town(state, "red", "0404", size, bp, buildings=buildings, race=race)
    return state


def standing(state: State) -> tuple[str, ...]:
    return state.urban[hex_at(state.board, "0404")].buildings


@pytest.mark.parametrize("id_", sorted(RULES.buildings))
def test_every_building_needs_its_size_and_its_price(id_: str) -> None:
    building = RULES.buildings[id_]
    first = (building.upgrades,) if building.upgrades else ()
    size = RULES.urban[building.min_level - 1].id
    done = play(base(*first, size=size, bp=building.cost), {"red": [order(id_)]})
    assert (done.codes, standing(done.state), done.bp("0404")) == ({}, (id_,), 0)
    assert refused(base(*first, size=size, bp=building.cost - 1), order(id_)) == ["not_enough_bp"]
    if building.min_level > 1:
        smaller = RULES.urban[building.min_level - 2].id
        assert refused(base(*first, size=smaller), order(id_)) == ["size_too_small"]


def test_one_of_each_type() -> None:
    assert refused(base("barracks"), order("barracks")) == ["already_built"]
    assert play(base(), {"red": [order("barracks"), order("barracks")]}).codes == {"red": [(1, "already_built")]}
    assert refused(base("major_space_port"), order("minor_space_port")) == ["already_built"]
    assert refused(base("major_space_port"), order("major_space_port")) == ["already_built"]


def test_upgrades_need_what_they_upgrade() -> None:
    assert refused(base(), order("major_space_port")) == ["needs_building"]
    assert refused(base("prison"), order("exploitation_center")) == ["needs_building"]


def test_ones_own_race_is_not_exploited() -> None:
    assert refused(base("taxation_office", race="none"), order("exploitation_center")) == ["not_allowed"]
    assert refused(base("taxation_office"), order("exploitation_center")) == []


def test_only_in_an_own_urban_hex() -> None:
    state = base()
    own(state, "red", "0505")
    town(state, "blue", "0606", "metropol", 2000)
    assert refused(state, order("barracks", "0505")) == ["size_too_small"]
    assert refused(state, order("barracks", "0606")) == ["not_controlled"]
    assert refused(state, order("pleasure_dome")) == ["unknown_id"]


def disband(building: str) -> dict[str, Any]:
    return {"type": "disband_building", "at": "0404", "building": building}


@pytest.mark.parametrize(
    ("id_", "refund"),
    [("barracks", 25), ("strategic_hq", 150), ("major_space_port", 300), ("exploitation_center", 100)],
)
def test_half_of_all_prices_comes_back(id_: str, refund: int) -> None:
    done = play(base(id_, bp=0), {"red": [disband(id_)]})
    assert (standing(done.state), done.bp("0404")) == ((), refund)


def test_one_building_a_turn_is_disbanded() -> None:
    state = base("barracks", "prison")
    done = play(state, {"red": [disband("barracks"), disband("prison")]})
    assert done.codes == {"red": [(1, "limit_reached")]}
    done.state.turn += 1
    assert refused(done.state, disband("prison")) == []
    assert refused(state, disband("academy")) == ["needs_building"]


def test_the_refund_pays_what_comes_after() -> None:
    state = base("prison", bp=0)
    assert play(state, {"red": [disband("prison"), order("barracks")]}).codes == {}
