"""Restructuring at a Strategic HQ (1.2.1, D-35c): what is offered, and what is refused.

Seen to fail: with a second restructuring refused as a second drop from orbit is (``target``, D-56); with types that no
units at hand can make; with 100 points too many in the garrison; with the points of a recruit for every rank; with the
kinds that any building allows for those who wait in orbit, too; with the detachment counted beside what it becomes.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from server.rules.drafting import draft
from server.rules.options import legal_orders
from server.rules.orders.sets import check
from server.rules.sight import View, view_for
from server.rules.state import State, Unit
from tests.rules.builders import campaign, detachment, fort, garrison, town, unit
from tests.rules.properties.changes import keeps_to, least_of, some_changes, some_of


def headquarters(*units: Unit) -> State:
    """Return red's detachment in a fortress: a captain and four squads, or what is given."""
    state = campaign()
    town(state, "red", "0505", "metropol", 500, capital=True, buildings=["major_space_port", "prison"])
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


SEEDS = range(40)
RICH = 1000
"""BP that pay for any units of a garrison: then every type offered can be reached."""
KINDS: tuple[dict[str, Any], ...] = (
    {"slot": "hq", "models": 1},
    {"slot": "troops"},
    {"slot": "troops"},
    {"slot": "troops", "mobility": "skimmer"},
    {"slot": "elite"},
    {"slot": "fast", "mobility": "tracked", "flags": ("vehicle",), "models": 1},
    {"slot": "heavy"},
)
BUILDINGS = {"minor_space_port": 0.8, "training_facilities": 0.6, "heavy_factory": 0.6, "major_space_port": 0.3}
"""How likely there is one."""


def somewhere(random: Random) -> State:
    """Return red's detachment at the capital with any units, mostly beside a garrison, with others elsewhere."""
    state = campaign({"red": "space_marines", "blue": "orks"})
    buildings = [id_ for id_, likely in BUILDINGS.items() if random.random() < likely]
    town(state, "red", "0505", "metropol", random.choice((0, 100, RICH)), capital=True, buildings=buildings)
    fort(state, "red", "0505", random.choice(["camp", "fortress"]))

    def some(name: str, minimum: int, maximum: int) -> list[Unit]:
        kinds = [random.choice(KINDS) for _ in range(random.randint(minimum, maximum))]
        return [unit(f"{name}{n}", points=random.choice((40, 150, 400)), **kind) for n, kind in enumerate(kinds)]

    hq = [unit("h", models=1, slot="hq", points=80)] if random.random() < 0.8 else []
    detachment(state, "red", "r1", "0505", *(hq + some("t", 2, 6)), dxp=random.choice((0, 5, 100)))
    if random.random() < 0.8:
        garrison(state, "red", "g1", "0505", *some("w", 1, 4))
    for number in range(2, 2 + random.randint(0, 6)):
        detachment(state, "red", f"r{number}", f"0{number}01")
    return state


def offer(view: View) -> dict[str, Any] | None:
    """Return what several changes of the detachment are chosen from; None: nothing."""
    found = [order for order in legal_orders(view) if order["order"]["type"] == "restructure" and "needs" in order]
    assert all(each["order"] == {"type": "restructure", "detachment": "r1"} for each in found)
    return next((each["needs"]["changes"] for each in found), None)


@pytest.mark.parametrize("seed", SEEDS)
def test_several_changes_are_accepted_exactly_where_they_keep_to_what_is_offered(seed: int) -> None:
    random, tried = Random(seed), Counter[bool]()
    for _ in range(5):
        state = somewhere(random)
        view = view_for(state, (), "red")
        changes = offer(view)
        own = [each.id for each in state.detachments["r1"].units]
        inside = [each.id for force in state.garrisons.values() for each in force.units]
        types = ["standard", *state.faction("red").detachment_types, "wraith_host", "no such type"]
        for _ in range(40):
            made = some_of(own, inside, types, random)
            accepted = check(view, [restructure(**made)]) == []
            assert accepted == (changes is not None and keeps_to(changes, made)), (made, changes)
            tried[accepted] += 1
        if changes is not None:
            made = some_changes(changes, random)
            assert check(view, [restructure(**made)]) == [] or not keeps_to(changes, made)
            for type_ in changes["types"] if changes["most_bp"] >= RICH else ():
                one = changes | {"types": {type_: changes["types"][type_]}}
                assert check(view, [restructure(**least_of(one))]) == []
    assert tried[False]
    assert sum(tried.values()) == 200


def test_both_ways_at_once_is_offered_where_neither_is_alone() -> None:
    """A captain can be dropped only as another comes, who can come only as he goes."""
    state = headquarters()
    garrison(state, "red", "g1", "0505", unit("h2", name="Captain", slot="hq", models=1))
    for type_ in state.ruleset.detachment_types.values():
        assert type_.slots["hq"][0] >= 1
    changes = offer(view_for(state, (), "red"))
    assert changes is not None
    assert keeps_to(changes, {"drop": ["h"], "from_garrison": ["h2"]})
    assert not keeps_to(changes, {"drop": ["h"]})


def test_after_a_restructuring_nothing_more_is_offered_of_it() -> None:
    view = view_for(headquarters(), (), "red")
    types = [option["order"]["type"] for option in draft(view, [restructure(drop=["t3"])]).options]
    assert "restructure" not in types
    assert "restructure" in [option["order"]["type"] for option in draft(view, []).options]
