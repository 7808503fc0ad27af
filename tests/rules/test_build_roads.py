"""Roads (1.6, D-39)."""

from __future__ import annotations

from typing import Any

import pytest

from server.rules.state import State
from tests.rules.builders import campaign, convoy, detachment, hex_at, own, play, refused, town


def order(a: str = "0404", b: str = "0504", urban: str = "0101") -> dict[str, Any]:
    return {"type": "build_road", "urban": urban, "from": a, "to": b}


def base(terrain: dict[str, str] | None = None, size: str = "town", bp: int = 100) -> State:
    state = campaign(terrain=terrain)
    town(state, "red", "0101", size, bp)
    own(state, "red", "0404", "0504", "0604")
    return state


def joined(state: State) -> bool:
    return state.road(hex_at(state.board, "0404"), hex_at(state.board, "0504"))


@pytest.mark.parametrize(("a", "b"), [("0404", "0504"), ("0504", "0404")])
def test_on_plains_it_is_certain(a: str, b: str) -> None:
    done = play(base(), {"red": [order(a, b)]})
    assert (joined(done.state), done.bp("0101"), done.dice.rolled) == (True, 50, {})
    assert list(done.state.roads) == [(hex_at(done.state.board, "0404"), hex_at(done.state.board, "0504"))]


@pytest.mark.parametrize(
    ("terrain", "minimum"),
    [
        ({"0404": "forest"}, 3),
        ({"0504": "hills"}, 3),
        ({"0404": "jungle"}, 4),
        ({"0504": "swamp"}, 4),
        ({"0404": "forest", "0504": "mountains"}, 4),
        ({"0404": "mountains", "0504": "hills"}, 4),
    ],
)
def test_the_worse_terrain_decides_and_the_bp_are_spent_either_way(terrain: dict[str, str], minimum: int) -> None:
    for face in range(1, 7):
        done = play(base(terrain), {"red": [order("0504", "0404")]}, faces={"road/0404-0504": [face]})
        assert (joined(done.state), done.bp("0101")) == (face >= minimum, 50), face
        assert done.state.urban[hex_at(done.state.board, "0101")].road == 5


def test_never_over_sea_and_that_is_said_first() -> None:
    state = base({"0504": "sea"})
    state.owner[hex_at(state.board, "0504")] = ""
    assert refused(state, order()) == ["no_road_terrain"]
    state.owner[hex_at(state.board, "0404")] = "blue"
    assert refused(state, order()) == ["no_road_terrain"]


def test_between_two_adjacent_controlled_hexes() -> None:
    state = base()
    assert refused(state, order(b="0604")) == ["not_adjacent"]
    assert refused(state, order(b="0404")) == ["not_adjacent"]
    assert refused(state, order(b="0405")) == ["not_controlled"]
    assert refused(state, order(a="0405", b="0404")) == ["not_controlled"]


def test_one_road_a_turn_for_each_town() -> None:
    state = base()
    town(state, "red", "0202", "city", 100)
    orders = [order(), order("0504", "0604"), order("0504", "0604", "0202")]
    assert play(state, {"red": orders}).codes == {"red": [(1, "limit_reached")]}


def test_a_failed_road_is_the_towns_road_of_the_turn() -> None:
    state = base({"0404": "swamp"})
    done = play(state, {"red": [order()]}, faces={"road/0404-0504": [1]})
    assert refused(done.state, order("0504", "0604")) == ["limit_reached"]
    done.state.turn += 1
    assert refused(done.state, order("0504", "0604")) == []


def test_who_builds() -> None:
    assert refused(base(size="village"), order()) == ["size_too_small"]
    assert refused(base(bp=49), order()) == ["not_enough_bp"]
    state = base()
    town(state, "blue", "0202", "city", 100)
    assert refused(state, order(urban="0202")) == ["not_controlled"]
    assert refused(state, order(urban="0404")) == ["size_too_small"]


def test_one_road_is_enough() -> None:
    state = base()
    town(state, "red", "0202", "city", 100)
    assert play(state, {"red": [order(), order("0504", "0404", "0202")]}).codes == {"red": [(1, "already_built")]}


@pytest.mark.parametrize("enemy", ["0303", "0503", "0605"])
def test_not_in_enemy_zoc_at_either_end(enemy: str) -> None:
    state = base()
    convoy(state, "red", "c1", enemy, 50)
    detachment(state, "blue", "b1", enemy)
    near = any(hex_at(state.board, enemy) in state.board.adjacent[hex_at(state.board, at)] for at in ("0404", "0504"))
    assert refused(state, order()) == (["in_enemy_zoc"] if near else [])


def test_an_unseen_enemys_zoc_makes_it_come_to_nothing() -> None:
    state = base({"0404": "swamp"})
    detachment(state, "blue", "b1", "0503")
    done = play(state, {"red": [order()]})
    assert (done.codes, done.bp("0101"), done.state.roads, done.dice.rolled) == ({}, 100, {}, {})
    assert done.state.urban[hex_at(done.state.board, "0101")].road == -1
    (event,) = done.told("no_effect")
    assert (event.fields, event.to) == ({"order": 0, "order_type": "build_road"}, ("red",))
