"""Suggestions for people: legal beside what they have written, complete in Setup, and the same each time."""

from __future__ import annotations

from typing import Any

import pytest

from server import rulesets
from server.bots.commander import choose
from server.bots.suggest import detachments, suggest
from server.core.dice import SeededDice
from server.rules.drafting import draft
from server.rules.orders.sets import check
from server.rules.phases import begin, resolve
from server.rules.sight import View, view_for
from server.rules.state import Settings, State
from server.scenarios import library
from server.scenarios.begin import initial_state


def start(scenario: str = "the-pass", **rules: Any) -> State:
    plan, ruleset = library.load(scenario), rulesets.load("frontier")
    players = [
        (f"p{number}", faction)
        for number, faction in zip(range(1, len(plan.starts) + 1), ruleset.factions, strict=False)
    ]
    state = initial_state(plan, ruleset, Settings(**rules), players, b"key")
    return begin(state, SeededDice(b"seed")).state


def view_of(state: State, player: str = "p1") -> View:
    return view_for(state, (), player)


def left(view: View, orders: list[Any]) -> list[dict[str, Any]]:
    return [option for option in draft(view, orders).options if option["order"]["type"] == "place"]


@pytest.mark.parametrize("scenario", ["the-pass", "green-heart", "four-corners"])
@pytest.mark.parametrize("muster", [False, True])
def test_everything_is_placed(scenario: str, muster: bool) -> None:
    view = view_of(start(scenario, muster=muster))
    found = suggest(view, [])
    assert check(view, found) == []
    assert left(view, found) == []
    assert found == suggest(view, [])
    ready = {unit.name for unit in view.state.faction("p1").ready_units}
    assert {unit["name"] for order in found for unit in order.get("units", ())} <= ready
    assert any(order["type"] == "build_detachment" for order in found) == muster


def test_what_is_placed_stays_wherever_it_is() -> None:
    """Each hex a capital may have: the rest goes around it."""
    view = view_of(start("four-corners"))
    for at in left(view, [])[0]["choices"]["at"]:
        mine = [{"type": "place", "what": "capital", "at": at}]
        found = suggest(view, mine)
        assert check(view, [*mine, *found]) == []
        assert left(view, [*mine, *found]) == []
        assert all(order.get("what") != "capital" for order in found)


def test_forces_that_have_orders_keep_them() -> None:
    state = start()
    for phase in ("setup", "build", "movement"):
        views = {player: view_of(state, player) for player in state.players}
        mine = choose(views["p1"])
        if phase != "setup":
            assert mine
            found = suggest(views["p1"], mine[:1])
            assert check(views["p1"], [*mine[:1], *found]) == []
            assert mine[0] not in found
            force = mine[0].get("detachment")
            assert force is None or all(order.get("detachment") != force for order in found)
        orders = {player: choose(view) for player, view in views.items()}
        state = resolve(state, orders, SeededDice(phase.encode())).state


@pytest.mark.parametrize("nonsense", [[None], [{}], ["x"], [{"type": "place"}], [{"type": 5, "at": []}]])
def test_nonsense_is_written_around(nonsense: list[Any]) -> None:
    view = view_of(start())
    found = suggest(view, nonsense)
    assert left(view, [*nonsense, *found]) == []


def test_detachments_to_choose_from_are_of_the_army_list() -> None:
    state = start()
    state = resolve(state, {player: choose(view_of(state, player)) for player in state.players}, SeededDice(b"x")).state
    for player in state.players:
        view = view_of(state, player)
        ready = {unit.name for unit in state.faction(player).ready_units}
        found = detachments(view, [])
        assert found
        assert {unit["name"] for order in found for unit in order["units"]} <= ready
        assert all(check(view, [order]) == [] for order in found)
        again = detachments(view, [found[0]])
        assert all(check(view, [found[0], order]) == [] for order in again)
