"""Restructuring at a Strategic HQ (1.2.1, D-35c): what is offered, and what is refused.

Seen to fail: with a second restructuring refused as a second drop from orbit is (``target``, D-56).
"""

from __future__ import annotations

from typing import Any

from server.rules.orders.sets import check
from server.rules.sight import view_for
from server.rules.state import State, Unit
from tests.rules.builders import campaign, detachment, fort, town, unit


def headquarters(*units: Unit) -> State:
    """Return red's detachment in a fortress: a captain and four squads, or what is given."""
    state = campaign()
    town(state, "red", "0505", "metropol", capital=True, buildings=["major_space_port", "prison"])
    fort(state, "red", "0505", "fortress")
    squads = [unit(f"t{number}") for number in range(1, 5)]
    detachment(state, "red", "r1", "0505", *(units or (unit("h", name="Captain", slot="hq", models=1), *squads)))
    return state


def restructure(**changes: Any) -> dict[str, Any]:
    return {"type": "restructure", "detachment": "r1", **changes}


def test_a_second_restructuring_is_refused_by_its_own_rule() -> None:
    view = view_for(headquarters(), (), "red")
    (problem,) = check(view, [restructure(drop=["t3"]), restructure(drop=["t4"])])
    assert (problem.order, problem.code, problem.field) == (1, "limit_reached", "detachment")
    assert (problem.value, problem.rule) == ("r1", "D-35c")
