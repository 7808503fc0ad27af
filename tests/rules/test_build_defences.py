"""Defences of strongholds (1.4.1 to 1.4.5, D-24a)."""

from __future__ import annotations

from typing import Any

import pytest

from server.rules.state import State
from tests.rules.builders import campaign, fort, hex_at, own, play, refused


def order(defence: str, weapon: str | None = None, at: str = "0404") -> dict[str, Any]:
    return {"type": "build_defence", "at": at, "defence": defence} | ({"weapon": weapon} if weapon else {})


def base(type_: str = "fortress", faction: str = "none", bp: int = 5000, **defences: int) -> State:
    state = campaign({"red": faction, "blue": "none"})
    fort(state, "red", "0404", type_, bp, **defences)
    return state


MAX_COUNT = {
    "weapon_tower": (1, 2, 4),
    "wall_section": (0, 2, 4),
    "bunker": (2, 2, 2),
    "razor_wire": (8, 16, 25),
    "tank_trap": (6, 12, 18),
    "trench": (5, 10, 15),
    "minefield": (2, 5, 7),
    "booby_trap": (2, 5, 7),
    "gun_placement": (2, 5, 7),
    "turret": (0, 1, 2),
}
"""How many of each fit into a camp, a fortification and a fortress."""


@pytest.mark.parametrize("defence", sorted(MAX_COUNT))
@pytest.mark.parametrize(("level", "type_"), [(0, "camp"), (1, "fortification"), (2, "fortress")])
def test_the_limits_of_each_type(level: int, type_: str, defence: str) -> None:
    maximum = MAX_COUNT[defence][level]
    weapon = "heavy_bolter" if defence == "turret" else None
    done = play(base(type_), {"red": [order(defence, weapon)] * (maximum + 1)})
    assert done.codes == {"red": [(maximum, "limit_reached")]}
    built = done.state.stronghold[hex_at(done.state.board, "0404")].defences
    assert built == ({defence: maximum} if maximum else {})


def test_other_defences_share_their_limit() -> None:
    state = base("camp", razor_wire=2, minefield=1)  # 12 + 20 of 50 BP
    assert refused(state, order("gun_placement")) == ["limit_reached"]
    assert refused(state, order("trench")) == []


def test_a_turret_tower_counts_twice() -> None:
    tower = order("turret_tower", "heavy_bolter")
    assert refused(base("camp"), tower) == ["limit_reached"]
    assert play(base("fortification"), {"red": [tower, order("turret", "heavy_bolter")]}).codes == {
        "red": [(1, "limit_reached")]
    }
    assert refused(base("fortification", anti_air_tower=2), tower) == ["limit_reached"]


@pytest.mark.parametrize(
    ("defence", "weapon", "extra"),
    [("anti_air_tower", None, 0), ("radar_tower", None, 25), ("turret_tower", "heavy_bolter", 90)],
)
def test_towers_convert_a_weapon_tower_or_cost_one(defence: str, weapon: str | None, extra: int) -> None:
    done = play(base(weapon_tower=4), {"red": [order(defence, weapon)]})
    built = done.state.stronghold[hex_at(done.state.board, "0404")].defences
    assert (built, 5000 - done.bp("0404")) == ({defence: 1, "weapon_tower": 3}, extra)
    done = play(base(), {"red": [order(defence, weapon)]})
    built = done.state.stronghold[hex_at(done.state.board, "0404")].defences
    assert (built, 5000 - done.bp("0404")) == ({defence: 1}, 50 + extra)
    assert refused(base(radar_tower=4), order(defence, weapon)) == ["limit_reached"]


@pytest.mark.parametrize(
    ("faction", "weapon", "cost"),
    [
        ("none", "las_cannon", 110),
        ("imperial_guard", "las_cannon", 90),
        ("eldar", "las_cannon", 110),
        ("orks", "las_cannon", None),
        ("space_marines", "heavy_bolter", 70),
        ("black_templars", "heavy_bolter", 70),
        ("salamanders", "plasma_cannon", 130),
        ("orks", "big_shoota", 50),
        ("orks", "kannon", 60),
        ("tyranids", "heavy_bolter", None),
    ],
)
def test_a_weapon_has_its_price_for_each_army(faction: str, weapon: str, cost: int | None) -> None:
    if cost is None:
        assert refused(base(faction=faction), order("turret", weapon)) == ["not_allowed"]
        return
    done = play(base(faction=faction, bp=cost), {"red": [order("turret", weapon)]})
    here = done.state.stronghold[hex_at(done.state.board, "0404")]
    assert (done.bp("0404"), here.weapons, here.defences) == (0, (weapon,), {"turret": 1})
    assert refused(base(faction=faction, bp=cost - 1), order("turret", weapon)) == ["not_enough_bp"]


def test_the_guards_discount_is_not_for_defences() -> None:
    assert 5000 - play(base(faction="imperial_guard"), {"red": [order("bunker")]}).bp("0404") == 50


def test_weapons_are_named_and_known() -> None:
    assert refused(base(), order("turret")) == ["missing_field"]
    assert refused(base(), order("turret", "pea_shooter")) == ["unknown_id"]
    assert refused(base(), order("bunker", "heavy_bolter")) == ["not_allowed"]
    assert refused(base(), order("moat")) == ["unknown_id"]


def test_tyranids_have_no_anti_air_towers() -> None:
    assert refused(base(faction="tyranids"), order("anti_air_tower")) == ["not_allowed"]
    assert refused(base(faction="tyranids"), order("radar_tower")) == []


def test_only_in_an_own_stronghold() -> None:
    state = base()
    own(state, "red", "0505")
    fort(state, "blue", "0606", bp=500)
    assert refused(state, order("bunker", at="0505")) == ["needs_stronghold"]
    assert refused(state, order("bunker", at="0606")) == ["not_controlled"]
