"""Convoys in the Build phase (1.1, D-22)."""

from __future__ import annotations

from typing import Any

import pytest

from server.rules.state import State
from tests.rules.builders import campaign, convoy, fort, hex_at, own, play, refused, town


def create(bp: int, at: str = "0404", **more: Any) -> dict[str, Any]:
    return {"type": "create_convoy", "at": at, "bp": bp} | more


def base(bp: int = 200) -> State:
    state = campaign()
    town(state, "red", "0404", "village", bp)
    return state


def test_a_convoy_takes_bp_out_of_the_urban_hex() -> None:
    done = play(base(), {"red": [create(150)]})
    (new,) = done.state.convoys.values()
    assert (new.owner, new.at, new.bp, done.bp("0404")) == ("red", hex_at(done.state.board, "0404"), 150, 50)


@pytest.mark.parametrize(
    ("bp", "codes"),
    [(49, ["convoy_too_small"]), (0, ["convoy_too_small"]), (50, []), (200, []), (201, ["not_enough_bp"])],
)
def test_how_much_a_convoy_carries(bp: int, codes: list[str]) -> None:
    assert refused(base(), create(bp)) == codes


@pytest.mark.parametrize("bp", [-50, True, "50", 50.5])
def test_what_is_no_number_of_bp(bp: Any) -> None:
    assert refused(base(), create(bp)) == ["bad_value"]


def test_any_number_as_long_as_each_has_enough() -> None:
    done = play(base(), {"red": [create(50), create(50), create(60), create(50)]})
    assert done.codes == {"red": [(3, "not_enough_bp")]}
    assert sorted(each.bp for each in done.state.convoys.values()) == [50, 50, 60]


def test_only_in_an_own_urban_hex() -> None:
    state = base()
    fort(state, "red", "0505", bp=500)
    town(state, "blue", "0606", bp=500)
    assert refused(state, create(50, "0505")) == ["size_too_small"]
    assert refused(state, create(50, "0606")) == ["not_controlled"]


def unload(id_: str = "c1") -> dict[str, Any]:
    return {"type": "unload_convoy", "convoy": id_}


@pytest.mark.parametrize(("owner", "codes"), [("red", []), ("blue", []), ("green", ["not_controlled"])])
@pytest.mark.parametrize("place", [town, fort])
def test_unloading_into_own_and_allied_stores(place: Any, owner: str, codes: list[str]) -> None:
    state = campaign({"red": "none", "blue": "none", "green": "none"})
    state.players["red"].allies, state.players["blue"].allies = ("blue",), ("red",)
    place(state, owner, "0404")
    convoy(state, "red", "c1", "0404", 70)
    done = play(state, {"red": [unload()]})
    assert [code for _, code in done.codes.get("red", [])] == codes
    assert (done.bp("0404"), list(done.state.convoys)) == ((0, ["c1"]) if codes else (70, []))


def test_there_must_be_a_store() -> None:
    state = campaign()
    own(state, "red", "0404")
    convoy(state, "red", "c1", "0404", 70)
    assert refused(state, unload()) == ["not_controlled"]
    town(state, "red", "0404")
    state.owner[hex_at(state.board, "0404")] = ""
    assert refused(state, unload()) == ["not_controlled"]


def test_a_convoy_is_unloaded_once_and_by_its_owner() -> None:
    state = base()
    convoy(state, "red", "c1", "0404", 70)
    convoy(state, "blue", "c2", "0404", 70)
    assert play(state, {"red": [unload(), unload()]}).codes == {"red": [(1, "unknown_id")]}
    assert refused(state, unload("c2")) == ["not_yours"]


def test_a_new_convoy_serves_later_orders_by_its_name() -> None:
    state = base()
    orders = [create(150, **{"as": "x"}), {"type": "build_camp", "at": "0404", "convoy": "x"}, unload("x")]
    done = play(state, {"red": orders})
    assert done.codes == {"red": [(2, "unknown_id")]}
    assert (done.bp("0404"), done.state.convoys) == (50, {})
    assert len(done.state.stronghold) == 1
