"""What the computer player does for forces that have lost models."""

from __future__ import annotations

from typing import Any

from server.bots import commander
from server.rules.orders.sets import check
from server.rules.sight import view_for
from server.rules.state import MOVEMENT, State
from tests.rules.builders import campaign, detachment, fort, garrison, own_around, town, unit


def orders_of(state: State, type_: str) -> list[dict[str, Any]]:
    view = view_for(state, (), "red")
    orders = commander.choose(view)
    assert check(view, orders) == []
    return [order for order in orders if order["type"] == type_]


def home(bp: int) -> State:
    state = campaign()
    own_around(state, "red", "0505", 1)
    town(state, "red", "0505", "metropol", bp, capital=True, buildings=["major_space_port"])
    fort(state, "red", "0505", "fortress")
    return state


def test_dead_models_are_bought_back_before_anything_new() -> None:
    state = home(30)
    detachment(state, "red", "r1", "0505", unit("a", ready=5, wounded=2), unit("b"))
    assert orders_of(state, "buy_models") == [
        {"type": "buy_models", "detachment": "r1", "unit": "a", "models": 3},
    ]


def test_no_more_than_the_store_can_pay() -> None:
    state = home(25)
    detachment(state, "red", "r1", "0505", unit("a", ready=5))
    garrison(state, "red", "g1", "0505", unit("c", ready=8))
    bought = [(order.get("detachment"), order["models"]) for order in orders_of(state, "buy_models")]
    assert bought == [("r1", 2), (None, 1)]


def test_a_garrison_is_made_up_in_its_stronghold() -> None:
    state = home(10)
    garrison(state, "red", "g1", "0505", unit("c", ready=8))
    assert orders_of(state, "buy_models") == [{"type": "buy_models", "at": "0505", "unit": "c", "models": 2}]


def test_worn_detachments_beside_an_enemy_are_given_up() -> None:
    state = home(0)
    detachment(state, "red", "r1", "0101", unit("a", ready=0, wounded=9))
    detachment(state, "red", "r2", "0901", unit("b", ready=0, wounded=9))
    detachment(state, "red", "r3", "0909", unit("c", ready=0, wounded=1))
    detachment(state, "red", "r4", "0203", unit("d", flags=("scout",)))
    detachment(state, "blue", "b1", "0102")
    given_up = [order["detachment"] for order in orders_of(state, "disband_detachment")]
    assert sorted(given_up) == ["r1", "r3"]


def test_worn_detachments_go_home() -> None:
    state = home(0)
    state.phase = MOVEMENT
    detachment(state, "red", "r1", "0507", unit("a", ready=2), unit("b", ready=2))
    path = orders_of(state, "path")
    assert [order["detachment"] for order in path] == ["r1"]
    assert path[0]["path"][-1] in ("0505", "0506", "0406", "0606")
