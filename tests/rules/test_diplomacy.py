"""Alliances (D-04)."""

from __future__ import annotations

from typing import Any

import pytest

from server.rules.orders.sets import collect, read_set
from server.rules.scene import Scene
from server.rules.setup import carry_out_immediate
from server.rules.sight import view_for
from server.rules.state import ORDER_PHASES, State
from tests.rules.builders import FixedDice, Order, campaign, detachment

DECLARE: Order = {"type": "declare_alliance", "with": "blue"}
END: Order = {"type": "end_alliance", "with": "blue"}


def three(phase: str = "build", **settings: Any) -> State:
    return campaign({"red": "none", "blue": "none", "green": "none"}, phase=phase, **settings)


def do(state: State, *orders: Order) -> Scene:
    scene = Scene(state.copy(), FixedDice())
    carry_out_immediate(scene, collect(scene.state, {"red": orders}, state.phase))
    return scene


@pytest.mark.parametrize("phase", ORDER_PHASES)
def test_in_every_phase_and_without_effect_before_the_next_build_phase(phase: str) -> None:
    scene = do(three(phase), DECLARE)
    red = scene.state.players["red"]
    assert (red.declared, red.allies) == (("blue",), ())
    assert [(event.type, event.to) for event in scene.events] == [("alliance_declared", ("red", "blue"))]


def test_ending_one() -> None:
    state = three()
    state.players["red"].declared = state.players["red"].allies = ("blue", "green")
    red = do(state, END).state.players["red"]
    assert (red.declared, red.allies) == (("green",), ("blue", "green"))
    assert do(state, DECLARE).state.players["red"].declared == ("blue", "green")
    assert do(state, END, DECLARE).state.players["red"].declared == ("blue", "green")


@pytest.mark.parametrize(
    ("order", "code"),
    [
        ({"with": "red"}, "not_allowed"),
        ({"with": "mauve"}, "unknown_id"),
        ({"with": ["blue"]}, "unknown_id"),
        ({}, "missing_field"),
    ],
)
def test_with_whom(order: Order, code: str) -> None:
    for type_ in ("declare_alliance", "end_alliance"):
        found = read_set(three(), "red", "build", [{"type": type_} | order]).problems
        assert [each.code for each in found] == [code]


def test_not_where_there_are_none() -> None:
    found = read_set(three(alliances=False), "red", "build", [DECLARE]).problems
    assert [each.code for each in found] == ["not_allowed"]


def test_checking_does_not_copy_the_state_without_need(monkeypatch: pytest.MonkeyPatch) -> None:
    """Copying is what checking a set costs; only orders that are done at once need one, and then one only."""
    state = three("movement")
    detachment(state, "red", "r1", "0505")
    known = view_for(state, (), "red").state
    copies: list[State] = []
    copy = State.copy

    def count(self: State) -> State:
        copies.append(self)
        return copy(self)

    monkeypatch.setattr(State, "copy", count)
    guard = {"type": "guard", "detachment": "r1"}
    assert read_set(known, "red", "movement", [guard]).problems == ()
    assert copies == []
    assert read_set(known, "red", "movement", [guard, DECLARE, END]).problems == ()
    assert len(copies) == 1
    assert known.players["red"].declared == ()
