"""What the computer player orders in a Build phase is possible: what is dropped would leave BP without a use."""

from __future__ import annotations

import pytest

from server.bots import build
from server.bots.ground import Ground
from server.bots.lot import SeededTiebreak
from server.bots.posture import figures
from server.rules.orders.sets import check
from server.rules.sight import view_for
from server.rules.state import State
from tests.rules.builders import campaign, detachment, fort, own_around, town, unit


def besieged() -> State:
    """Return a position with an enemy in a capital, and one in a town."""
    state = campaign()
    own_around(state, "red", "0505", 1)
    town(state, "red", "0505", "metropol", 1700, capital=True, buildings=["major_space_port"])
    fort(state, "red", "0505", "fortress")
    own_around(state, "red", "0202", 1)
    town(state, "red", "0202", "town", 150)
    fort(state, "red", "0202", "camp")
    for at in ("0505", "0202"):
        detachment(state, "blue", f"b{at}", at, unit(f"u{at}"))
    return state


@pytest.mark.parametrize("thrift", [True, False])
def test_no_garrison_is_ordered_where_an_enemy_stands(thrift: bool) -> None:
    """Seen to fail in the capital and in the town."""
    view = view_for(besieged(), (), "red")
    made = build.plan(Ground(view.state, "red", SeededTiebreak.of(b"", "red", 1)), figures().posture(0), thrift=thrift)
    assert [order for order in made.orders if order["type"] == "build_garrison"] == []
    assert check(view, made.orders) == []


@pytest.mark.parametrize(
    ("faction", "slot"), [("orks", "troops"), ("imperial_guard", "elite"), ("black_templars", "fast")]
)
def test_scouts_are_raised_in_the_slot_in_which_they_count(faction: str, slot: str) -> None:
    """Seen to fail with scouts among the troops, where three lists are blind (D-71b)."""
    state = campaign({"red": faction, "blue": "none"})
    own_around(state, "red", "0505", 1)
    town(state, "red", "0505", "metropol", 900, capital=True, buildings=["major_space_port"])
    view = view_for(state, (), "red")
    made = build.plan(Ground(view.state, "red", SeededTiebreak.of(b"", "red", 1)), figures().posture(0))
    assert check(view, made.orders) == []
    raised = [unit for order in made.orders if order["type"] == "build_detachment" for unit in order["units"]]
    assert [unit["slot"] for unit in raised if "scout" in unit.get("flags", ())] == [slot]
