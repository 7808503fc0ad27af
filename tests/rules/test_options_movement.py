"""Marches into hexes that the player's own detachments leave (3.1, D-44): offered, foreseen and carried out.

Seen to fail: with every hex that holds a detachment left out; with no order of the set remembered by the next ones.
"""

from __future__ import annotations

from typing import Any

import pytest

from server.rules.drafting import draft, preview
from server.rules.options import legal_orders
from server.rules.phases import resolve
from server.rules.sight import View, view_for
from server.rules.state import MOVEMENT, State
from tests.rules.builders import FixedDice, campaign, detachment, own_around

MARCHES = ("path", "move_and_claim", "reserve")


def column(*places: str) -> State:
    """Return red's detachments r1, r2, ... in their own land."""
    state = campaign(phase=MOVEMENT, alliances=True)
    own_around(state, "red", "0505", 4)
    for number, at in enumerate(places, 1):
        detachment(state, "red", f"r{number}", at)
    return state


def seen(state: State) -> View:
    return view_for(state, (), "red")


def goals(options: Any, type_: str, who: str) -> dict[str, list[dict[str, Any]] | None]:
    """Return where a detachment may go, and what must stand before that."""
    found = [option for option in options if option["order"] == {"type": type_, "detachment": who}]
    return {path[-1]: each.get("after") for each in found for path in each["choices"]["path"]}


@pytest.mark.parametrize("type_", MARCHES)
def test_a_hex_that_ones_own_detachment_can_leave_is_offered_after_it(type_: str) -> None:
    found = goals(legal_orders(seen(column("0505", "0506"))), type_, "r1")
    assert found["0506"] == [{"type": "path", "detachment": "r2"}]
    assert found["0504"] is None


def test_what_cannot_leave_is_not_offered() -> None:
    state = column("0505")
    detachment(state, "red", "r2", "0506", pinned=True)
    assert "0506" not in goals(legal_orders(seen(state)), "path", "r1")


def test_nobody_else_is_waited_for() -> None:
    """An ally does not say what they have ordered."""
    state = column("0505")
    detachment(state, "blue", "b1", "0506")
    state.players["red"].allies, state.players["blue"].allies = ("blue",), ("red",)
    state.alliances_changed()
    assert "0506" not in goals(legal_orders(seen(state)), "path", "r1")


@pytest.mark.parametrize("type_", MARCHES)
def test_after_that_order_it_is_offered_foreseen_and_done(type_: str) -> None:
    state = column("0505", "0506")
    first = {"type": "path", "detachment": "r2", "path": ["0507"]}
    drafted = draft(seen(state), [first])
    found = goals(drafted.options, type_, "r1")
    assert (found["0506"], "0507" in found) == (None, False)
    follows = {"type": type_, "detachment": "r1", "path": ["0506"]}
    assert [say["ends_at"] for say in draft(seen(state), [first, follows]).says] == ["0507", "0506"]
    assert preview(seen(state), follows, [first])[0]["ends_at"] == "0506"
    assert preview(seen(state), follows)[0]["ends_at"] == "0505"
    done = resolve(state, {"red": [first, follows]}, FixedDice(default=1)).state
    assert [done.board.label(done.detachments[each].at) for each in ("r1", "r2")] == ["0506", "0507"]


def test_a_set_that_is_drafted_offers_no_hex_that_is_still_held() -> None:
    stays = {"type": "guard", "detachment": "r2"}
    assert "0506" not in goals(draft(seen(column("0505", "0506")), [stays]).options, "path", "r1")
