"""Villages, camps and upgrades (1.4, 1.5, D-22 to D-24)."""

from __future__ import annotations

from typing import Any

import pytest

from server.rules.state import State, Stronghold
from tests.rules.builders import campaign, convoy, detachment, fort, hex_at, own, play, refused, town


def village(at: str = "0404", by: str = "c1") -> dict[str, Any]:
    return {"type": "build_village", "at": at, "convoy": by}


def settlers(bp: int = 200, faction: str = "none") -> State:
    state = campaign({"red": faction, "blue": "none"})
    own(state, "red", "0404")
    convoy(state, "red", "c1", "0404", bp)
    return state


def test_a_village_is_founded_by_a_convoy_that_vanishes_when_empty() -> None:
    done = play(settlers(faction="orks"), {"red": [village()]})
    new = done.state.urban[hex_at(done.state.board, "0404")]
    assert (new.size, new.race, new.changed, new.capital) == ("village", "orks", 5, "")
    assert (done.state.convoys, done.state.convoys_at, done.bp("0404")) == ({}, {}, 0)
    assert play(settlers(230), {"red": [village()]}).state.convoys["c1"].bp == 30
    assert refused(settlers(199), village()) == ["not_enough_bp"]


def test_where_a_village_may_be_founded() -> None:
    state = settlers()
    own(state, "red", "0303")
    assert refused(state, village("0303")) == ["not_allowed"]
    state.owner[hex_at(state.board, "0404")] = "blue"
    assert refused(state, village()) == ["not_controlled"]
    state = settlers()
    state.resource[hex_at(state.board, "0404")] = "tiny"
    assert refused(state, village()) == ["occupied"]
    state = settlers()
    town(state, "red", "0404", "village")
    assert refused(state, village()) == ["already_built"]


def test_the_convoy_must_be_ones_own_and_named() -> None:
    state = settlers()
    convoy(state, "blue", "c2", "0404", 500)
    assert refused(state, village(by="c2")) == ["not_yours"]
    assert refused(state, village(by="c3")) == ["unknown_id"]
    assert refused(state, {"type": "build_village", "at": "0404"}) == ["missing_field"]


SIGHT = [("0505", True), ("0404", True), ("0606", False)]
"""Places of an enemy, and whether they put 0404 under his zone of control."""


@pytest.mark.parametrize(("enemy", "refusal"), SIGHT)
@pytest.mark.parametrize("type_", ["build_village", "build_camp", "upgrade_urban", "upgrade_stronghold"])
def test_nothing_in_enemy_zoc(type_: str, enemy: str, refusal: bool) -> None:
    state = settlers(1000)
    if type_ == "upgrade_urban":
        town(state, "red", "0404", "village", 1000)
    if type_ == "upgrade_stronghold":
        fort(state, "red", "0404", "camp", 1000)
    own(state, "red", enemy)
    convoy(state, "red", "c2", enemy, 50)  # lets red see the enemy
    detachment(state, "blue", "b1", enemy)
    order = {"type": type_, "at": "0404"} | ({"convoy": "c1"} if type_.startswith("build") else {})
    code = "enemy_present" if enemy == order["at"] else "in_enemy_zoc"
    assert refused(state, order) == ([code] if refusal else [])


def test_an_ally_exerts_no_zoc() -> None:
    state = settlers()
    state.players["red"].allies, state.players["blue"].allies = ("blue",), ("red",)
    own(state, "red", "0505")
    detachment(state, "blue", "b1", "0505")
    convoy(state, "red", "c2", "0505", 50)
    assert refused(state, village()) == []


# --- urban hexes grow ---


def grow(at: str = "0404") -> dict[str, Any]:
    return {"type": "upgrade_urban", "at": at}


@pytest.mark.parametrize(
    ("size", "next_", "cost"), [("village", "town", 300), ("town", "city", 500), ("city", "metropol", 1000)]
)
def test_urban_hexes_grow_a_step_for_their_price(size: str, next_: str, cost: int) -> None:
    state = campaign()
    town(state, "red", "0404", size, cost)
    done = play(state, {"red": [grow()]})
    assert (done.state.urban[hex_at(state.board, "0404")].size, done.bp("0404")) == (next_, 0)
    state.pay(hex_at(state.board, "0404"), -1)
    assert refused(state, grow()) == ["not_enough_bp"]


def test_once_a_turn_and_not_in_the_turn_it_was_built() -> None:
    state = campaign()
    urban = town(state, "red", "0404", "village", 5000)
    assert play(state, {"red": [grow(), grow()]}).codes == {"red": [(1, "limit_reached")]}
    urban.changed = 5
    assert refused(state, grow()) == ["limit_reached"]
    urban.changed = 4
    assert refused(state, grow()) == []
    assert play(settlers(5000), {"red": [village(), grow()]}).codes == {"red": [(1, "limit_reached")]}


def test_what_cannot_grow() -> None:
    state = campaign()
    town(state, "red", "0404", "metropol", 5000)
    town(state, "blue", "0505", "village", 5000)
    own(state, "red", "0606")
    assert refused(state, grow()) == ["already_built"]
    assert refused(state, grow("0505")) == ["not_controlled"]
    assert refused(state, grow("0606")) == ["size_too_small"]
    assert refused(state, grow("9999")) == ["bad_hex"]


# --- strongholds ---


def camp(at: str = "0404", **fields: Any) -> dict[str, Any]:
    return {"type": "build_camp", "at": at} | fields


def test_a_camp_is_paid_by_a_convoy_or_by_the_urban_hex() -> None:
    done = play(settlers(), {"red": [camp(convoy="c1")]})
    assert done.state.stronghold == {hex_at(done.state.board, "0404"): Stronghold("camp", changed=5)}
    assert done.state.convoys["c1"].bp == 50
    assert refused(settlers(149), camp(convoy="c1")) == ["not_enough_bp"]
    assert refused(settlers(), camp()) == ["missing_field"]
    state = campaign()
    town(state, "red", "0404", "village", 150)
    assert play(state, {"red": [camp()]}).bp("0404") == 0
    convoy(state, "red", "c1", "0404", 150)
    assert play(state, {"red": [camp(convoy="c1")]}).bp("0404") == 150
    state.pay(hex_at(state.board, "0404"), -1)
    assert refused(state, camp()) == ["not_enough_bp"]


def test_where_a_camp_may_be_built() -> None:
    state = campaign(terrain={"0101": "sea"})
    own(state, "red", "0303")
    convoy(state, "red", "c1", "0303", 500)
    assert refused(state, camp("0101", convoy="c1")) == ["terrain"]
    assert refused(state, camp("0202", convoy="c1")) == ["not_controlled"]
    state.resource[hex_at(state.board, "0303")] = "tiny"
    assert refused(state, camp("0303", convoy="c1")) == []
    fort(state, "red", "0303")
    assert refused(state, camp("0303", convoy="c1")) == ["already_built"]


def stronger(at: str = "0404") -> dict[str, Any]:
    return {"type": "upgrade_stronghold", "at": at}


@pytest.mark.parametrize(
    ("faction", "prices"),
    [("none", (150, 250, 500)), ("imperial_guard", (113, 188, 375)), ("catachans", (113, 188, 375))],
)
def test_what_strongholds_cost(faction: str, prices: tuple[int, int, int]) -> None:
    state = campaign({"red": faction, "blue": "none"})
    town(state, "red", "0404", "village", sum(prices))
    at = hex_at(state.board, "0404")
    orders = [camp(), stronger(), stronger()]
    types = []
    for order, cost in zip(orders, prices, strict=True):
        before = state.store[at]
        state = play(state, {"red": [order]}).state
        types.append(state.stronghold[at].type)
        assert before - state.store.get(at, 0) == cost
        state.turn += 1
    assert types == ["camp", "fortification", "fortress"]
    assert refused(state, stronger()) == ["already_built"]


def test_a_step_a_turn() -> None:
    state = campaign()
    town(state, "red", "0404", "village", 5000)
    assert play(state, {"red": [camp(), stronger()]}).codes == {"red": [(1, "limit_reached")]}
    fort(state, "red", "0404")
    assert play(state, {"red": [stronger(), stronger()]}).codes == {"red": [(1, "limit_reached")]}


def test_where_there_is_nothing_to_strengthen() -> None:
    state = campaign()
    own(state, "red", "0404")
    fort(state, "blue", "0505", bp=5000)
    assert refused(state, stronger()) == ["needs_stronghold"]
    assert refused(state, stronger("0505")) == ["not_controlled"]
    fort(state, "red", "0404", bp=249)
    assert refused(state, stronger()) == ["not_enough_bp"]
