"""A preview says what an order does: the same price that is then paid, and plain JSON (D-27)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from server.rules.drafting import preview
from server.rules.orders.registry import KINDS
from server.rules.sight import view_for
from server.rules.state import BUILD, SETUP, State
from server.rules.treasury import worth
from tests.rules.builders import campaign, company, detachment, fort, own_around, play, squad, town, unit
from tests.rules.test_options_build import codes, offered, orders_of, rich


def foreseen(state: State, order: dict[str, Any]) -> dict[str, Any]:
    """Return the preview of an order of red, which must be free of problems and plain JSON."""
    said, problems = preview(view_for(state, (), "red"), order)
    assert problems == [], order
    assert json.loads(json.dumps(said)) == said
    assert said["cost"] == 0 or said["why"]
    return said


def spent(state: State, order: dict[str, Any]) -> int:
    return worth(state) - worth(play(state, {"red": [order]}, default=6).state)


def samples() -> list[tuple[State, dict[str, Any]]]:
    """Return orders of every kind of the Build phase, each in a position where it is accepted."""
    state = rich()
    state.remove_force(state.detachments["b1"])  # unseen, it would let some orders come to nothing
    found = [(state, order) for option in offered(state) if "needs" not in option for order in orders_of(option)]
    raising = rich()
    raising.remove_force(raising.detachments["r1"])
    detachment(raising, "red", "r3", "0304")
    held = {"type": "add_units", "at": "0505", "units": [squad(points=7)]}
    garrison = {"type": "build_garrison", "at": "0405", "units": [squad(points=31)]}
    found += [
        (raising, {"type": "build_detachment", "at": "0505", "units": company()}),
        (raising, held),
        (raising, garrison),
    ]
    company_ = rich()
    company_.remove_force(company_.detachments["r1"])
    detachment(company_, "red", "r3", "0505", unit("h", slot="hq", models=1), *(unit(id_) for id_ in ("s", "t", "u")))
    found.append((company_, {"type": "restructure", "detachment": "r3", "drop": ["u"]}))
    found.append((state, {"type": "add_units", "detachment": "r1", "units": [squad()]}))
    allied = rich()
    allied.players["red"].declared = ("blue",)
    found.append((allied, {"type": "end_alliance", "with": "blue"}))
    return found


def test_every_order_of_the_build_phase_costs_what_its_preview_says() -> None:
    kinds = set()
    for state, order in samples():
        said = foreseen(state, order)
        assert said["cost"] == spent(state, order), order
        if "paid_by" in said:
            payer = said["paid_by"]
            assert payer["before"] - payer["after"] == said.get("loads", said["cost"])
        kinds.add(order["type"])
    assert kinds == {kind.TYPE for kind in KINDS if BUILD in kind.PHASE}


@pytest.mark.parametrize("type_", ["build_detachment", "build_garrison"])
def test_mustering_costs_what_its_preview_says(type_: str) -> None:
    state = campaign(phase=SETUP, turn=0)
    own_around(state, "red", "0505", 1)
    town(state, "red", "0505", "metropol", 1000, capital=True)
    fort(state, "red", "0505", "fortress")
    order = {"type": type_, "at": "0505", "units": company()}
    assert codes(state, order) == []
    said = foreseen(state, order)
    assert said["cost"] == spent(state, order) == (400 if type_ == "build_detachment" else 200)
    assert (said["ready_turn"], said["turns"]) == (0, 0)


def test_a_preview_says_when_a_detachment_is_ready_and_why() -> None:
    state = rich()
    state.remove_force(state.detachments["r1"])
    said = foreseen(
        state, {"type": "build_detachment", "at": "0505", "units": company(squad(slot="elite", points=200))}
    )
    assert (said["turns"], said["ready_turn"], said["why"]) == (3, 8, "1.2.2: complexity 3")
    assert said["paid_by"] == {"hex": "0505", "before": 5000, "after": 4400}


def test_a_preview_says_what_changes_besides_the_price() -> None:
    state = rich()
    said = foreseen(state, {"type": "transfer_models", "from_unit": "b", "to_unit": "a", "models": 2})
    assert said["ready"] == {"a": 6, "b": 8}
    town(state, "red", "0405", "village", 40)
    said = foreseen(state, {"type": "unload_convoy", "convoy": "c1"})
    assert (said["before"], said["after"], said["unloads"]) == (290, 590, 300)
    said = foreseen(state, {"type": "disband_building", "at": "0505", "building": "prison"})
    assert (said["refund"], said["paid_by"]["after"]) == (50, 5050)
    turret = {"type": "build_defence", "at": "0505", "defence": "turret", "weapon": "heavy_bolter"}
    assert foreseen(state, turret)["prices"] == [{"what": "Turret", "bp": 0}, {"what": "Heavy bolter", "bp": 70}]


def test_placements_are_previewed() -> None:
    state = campaign(phase=SETUP, turn=0)
    own_around(state, "red", "0505", 3)
    state.players["red"].start_urban, state.players["red"].start_resource = ("town",), ("any",)
    said = foreseen(state, {"type": "place", "what": "capital", "at": "0505"})
    assert (said["bp"], said["size"], said["stronghold"]) == (5000, "metropol", "fortress")
    said = foreseen(state, {"type": "place", "what": "urban", "at": "0505"})
    assert (said["size"], said["left"]) == ("town", [])
