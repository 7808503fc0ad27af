"""What is offered in Setup and Build is accepted, and nothing that is accepted is missing (0, 1)."""

from __future__ import annotations

from itertools import product
from typing import Any

from server.rules.options import options_at
from server.rules.orders.context import OrderContext
from server.rules.orders.registry import KINDS
from server.rules.orders.sets import read_set
from server.rules.sight import view_for
from server.rules.state import BUILD, SETUP, State
from tests.rules.builders import (
    RULES,
    campaign,
    company,
    convoy,
    detachment,
    fort,
    garrison,
    own,
    own_around,
    squad,
    town,
    unit,
)

Option = dict[str, Any]


def offered(state: State) -> list[Option]:
    context = OrderContext(view_for(state, (), "red").state, "red")
    return options_at(context)


def orders_of(option: Option) -> list[dict[str, Any]]:
    choices = option.get("choices", {})
    values = product(*choices.values())
    return [option["order"] | dict(zip(choices, each, strict=True)) for each in values]


def codes(state: State, order: dict[str, Any]) -> list[str]:
    known = view_for(state, (), "red").state
    return [problem.code for problem in read_set(known, "red", state.phase, [order]).problems]


def rich(faction: str = "space_marines") -> State:
    """Return a position with something of everything."""
    state = campaign({"red": faction, "blue": "orks"}, terrain={"0404": "forest", "0306": "sea"})
    own_around(state, "red", "0505", 2)
    town(state, "red", "0505", "metropol", 5000, capital=True, buildings=["barracks", "major_space_port", "prison"])
    town(state, "red", "0303", "town", 620, race="orks", buildings=["taxation_office"])
    fort(state, "red", "0505", "fortress", weapon_tower=4)
    fort(state, "red", "0405", "camp", 250)
    fort(state, "red", "0706", "camp", 30)
    garrison(state, "red", "g1", "0505", unit("g1a", points=700))
    damaged = unit("tank", slot="heavy", mobility="tracked", flags=("vehicle",), models=1, damaged=True)
    detachment(state, "red", "r1", "0505", unit("a", ready=4), unit("b"), damaged)
    detachment(state, "red", "r2", "0405")
    convoy(state, "red", "c1", "0405", 300)
    convoy(state, "red", "c2", "0706", 60)
    detachment(state, "blue", "b1", "0707")
    return state


def test_every_order_offered_is_accepted() -> None:
    for faction in RULES.factions:
        state = rich(faction)
        options = offered(state)
        for option in options:
            if "needs" not in option:
                for order in orders_of(option):
                    assert codes(state, order) == [], (faction, order)


def test_every_building_and_defence_that_is_accepted_is_offered() -> None:
    state = rich()
    given = [order for option in offered(state) for order in orders_of(option)]
    for at in ("0505", "0303", "0706"):
        for id_ in RULES.buildings:
            for type_ in ("build_building", "disband_building"):
                order = {"type": type_, "at": at, "building": id_}
                assert (order in given) == (codes(state, order) == []), order
        for id_, weapon in product(RULES.defences, (None, *RULES.weapons)):
            order = {"type": "build_defence", "at": at, "defence": id_} | ({"weapon": weapon} if weapon else {})
            assert (order in given) == (codes(state, order) == []), order


def test_all_kinds_of_order_are_offered() -> None:
    state = rich()
    kinds = {option["order"]["type"] for option in offered(state)}
    state.remove_force(state.detachments["r1"])
    kinds |= {option["order"]["type"] for option in offered(state)}
    detachment(state, "red", "r3", "0505", unit("h", slot="hq", models=1), *(unit(id_) for id_ in ("s", "t", "u")))
    kinds |= {option["order"]["type"] for option in offered(state)}
    known = {kind.TYPE for kind in KINDS if BUILD in kind.PHASE}
    assert known - kinds == {"end_alliance"}  # blue is no ally
    assert kinds <= known


def test_templates_for_units_say_what_is_accepted() -> None:
    state = rich()
    state.remove_force(state.detachments["r1"])
    detachment(state, "red", "r3", "0304")
    templates = {option["order"]["type"]: option for option in offered(state) if "needs" in option}
    new = templates["build_detachment"]
    assert (new["order"]["at"], sorted(new["needs"]["units"]["types"])) == ("0505", ["drop_pod", "standard"])
    assert new["needs"]["units"]["most_points"] == 1500
    assert codes(state, new["order"] | {"units": company(squad(points=1100))}) == []
    grown = templates["add_units"]
    assert grown["needs"]["units"]["most_points"] == 50
    assert codes(state, grown["order"] | {"units": [squad(points=50)]}) == []
    assert codes(state, grown["order"] | {"units": [squad(points=51)]}) == ["too_many_points"]
    held = templates["build_garrison"]
    assert (held["order"]["at"], held["needs"]["units"]["most_points"]) == ("0706", 60)
    assert codes(state, held["order"] | {"units": [squad(points=60)]}) == []
    assert codes(state, held["order"] | {"units": [squad(points=61)]}) == ["not_enough_bp"]


def test_setup() -> None:
    state = campaign(phase=SETUP, turn=0)
    own_around(state, "red", "0505", 3)
    own(state, "red", "0101")
    state.players["red"].start_urban, state.players["red"].start_resource = ("town", "town"), ("any",)
    options = [each for each in offered(state) if "needs" not in each]
    assert len(options) == 4
    for option in options:
        for order in orders_of(option):
            assert codes(state, order) == []
    everywhere = [state.board.label(at) for at, owner in enumerate(state.owner) if owner == "red"]
    given = [order for option in options for order in orders_of(option)]
    for at, (what, size) in product(everywhere, [("capital", ""), ("urban", "town"), ("resource", "tiny")]):
        order = {"type": "place", "what": what, "at": at} | ({"size": size} if size else {})
        assert (order in given) == (codes(state, order) == []), order


def test_muster_is_offered_when_the_capital_stands() -> None:
    state = campaign(phase=SETUP, turn=0)
    own_around(state, "red", "0505", 1)
    town(state, "red", "0505", "metropol", 1000, capital=True)
    fort(state, "red", "0505", "fortress")
    by_type = {option["order"]["type"]: option for option in offered(state)}
    assert sorted(by_type["build_detachment"]["choices"]["at"]) == sorted(
        state.board.label(at) for at, owner in enumerate(state.owner) if owner
    )
    assert by_type["build_garrison"]["needs"]["units"]["most_points"] == 750


def test_setup_offers_to_muster_before_the_capital_is_placed() -> None:
    """What is raised is paid by the capital: the option names the order that places it, and both together are good."""
    state = campaign({"red": "space_marines", "blue": "orks"}, phase=SETUP)
    own_around(state, "red", "0505", 2)
    place = {"type": "place", "what": "capital", "at": "0505"}
    mustered = {each["order"]["type"]: each for each in offered(state) if "needs" in each}
    assert mustered.keys() == {"build_detachment", "build_garrison"}
    for kind, option in mustered.items():
        assert option["after"] == [{"type": "place", "what": "capital"}]
        assert option["needs"]["units"]["most_points"] > 0
        at = "0505" if kind == "build_garrison" else option["choices"]["at"][0]
        assert at in option["choices"]["at"]
        units = [{"slot": "hq", "models": 1, "points": 80}, {"slot": "troops", "models": 10, "points": 100},
                 {"slot": "troops", "models": 10, "points": 100}]  # fmt: skip
        order = {"type": kind, "at": at, "units": units[1:] if kind == "build_garrison" else units}
        known = view_for(state, (), "red").state
        assert read_set(known, "red", SETUP, [place, order]).problems == ()
        assert codes(state, order) != []


def test_setup_offers_no_muster_where_the_campaign_has_none() -> None:
    state = campaign({"red": "space_marines", "blue": "orks"}, phase=SETUP, muster=False)
    own_around(state, "red", "0505", 2)
    assert [each for each in offered(state) if "needs" in each] == []
