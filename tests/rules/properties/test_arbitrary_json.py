"""Whatever arrives as orders, nothing is raised, and what is said about it is short and plain JSON.

Seen to fail: with ``shown`` as it was first (numbers as they are, ``repr`` of the rest) huge numbers, infinities and
deep lists raised or could not be written as JSON; with units taken for objects and ids for texts unseen; with the
names of unknown fields handed on as they are; and, a fault of the engine found here, with the last hex of an empty
path of a convoy asked for.
"""

from __future__ import annotations

import json
from dataclasses import fields
from random import Random
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.core.errors import ILLEGAL, INVALID, Problem
from server.rules.drafting import preview
from server.rules.options import legal_orders
from server.rules.orders.sets import check
from server.rules.phases import resolve
from server.rules.sight import GM, SPECTATOR, View, view_for
from server.rules.state import ORDER_PHASES, State
from tests.rules import builders
from tests.rules.properties import garbage
from tests.rules.properties.campaigns import LONG, play
from tests.rules.properties.players import some_instance
from tests.rules.properties.worlds import Plan, dice_of

PLAN = Plan(2, "pass", 3, "frontier", turns=3, settings={"battles": "tabletop", "alliances": True})


def moments() -> dict[str, State]:
    """Return a campaign at each phase that takes orders, as late as may be."""
    return {phase.before.phase: phase.before for phase in play(PLAN)}


MOMENTS = moments()
OUT_OF_BOUNDS = "a number out of all bounds"
VIEWERS = ("red", "green", GM, SPECTATOR)
RUNS = settings(
    max_examples=2000 if LONG else 60, deadline=None, derandomize=not LONG, suppress_health_check=list(HealthCheck)
)


def views() -> list[View]:
    return [view_for(state, (), viewer) for state in MOMENTS.values() for viewer in VIEWERS]


VIEWS = views()


PARTS = [field.name for field in fields(Problem)]


def check_problems(problems: list[Problem]) -> None:
    """Problems are short, plain JSON, with codes that are published."""
    for problem in problems:
        written = {name: getattr(problem, name) for name in PARTS}
        assert orjson.loads(orjson.dumps(written)) == written
        json.dumps(written, allow_nan=False).encode()
        assert len(problem.message) <= 300, problem.message
        assert isinstance(problem.field, str)
        assert len(problem.field) <= 120
        assert len(json.dumps(problem.value)) <= 500
        assert problem.code in INVALID | ILLEGAL
        assert problem.message[0].isprintable()
        assert problem.message.isprintable()


def hand_in(view: View, raw: Any) -> None:
    """Check, preview; the answer must be one."""
    check_problems(check(view, raw))
    for order in raw[:3] if isinstance(raw, list) else [raw]:
        said, problems = preview(view, order, [order])
        check_problems(problems)
        orjson.dumps(said)


def test_all_phases_are_there() -> None:
    """What follows looks at every phase that takes orders."""
    assert set(MOMENTS) == set(ORDER_PHASES)


@RUNS
@given(raw=garbage.anything | st.lists(garbage.orders | garbage.anything, max_size=4), place=st.integers(0, 1000))
def test_anything_can_be_handed_in(raw: Any, place: int) -> None:
    """Any JSON, and orders of every type with anything in their fields."""
    hand_in(VIEWS[place % len(VIEWS)], raw)


@RUNS
@given(raw=st.lists(garbage.orders, max_size=4), phase=st.sampled_from(ORDER_PHASES))
def test_anything_can_be_resolved(raw: Any, phase: str) -> None:
    """The resolution stands what the check does."""
    state = MOMENTS[phase]
    found = resolve(state, {"red": raw, "nobody": raw, GM: raw}, dice_of(PLAN, state))
    for problems in found.problems.values():
        check_problems(problems)


@pytest.mark.parametrize("phase", ORDER_PHASES)
def test_a_wrong_value_in_every_field_of_every_order(phase: str) -> None:
    """Legal orders of every type with one field spoilt, in every way."""
    random = Random(phase)
    view = view_for(MOMENTS[phase], (), "red")
    offered = {each["order"]["type"]: each for each in legal_orders(view)}
    models = [some_instance(each, random) for each in offered.values()] + [{"type": type_} for type_ in garbage.TYPES]
    for order in models:
        for name in garbage.FIELDS if order["type"] in offered else garbage.FIELDS[::9]:
            hand_in(view, [order | {name: wrong()} for wrong in random.sample(garbage.WRONG, 12 if LONG else 3)])
        if LONG:
            for name in order:
                hand_in(view, [order | {name: wrong()} for wrong in garbage.WRONG])


@pytest.mark.parametrize("phase", ORDER_PHASES)
def test_values_of_every_kind_as_orders(phase: str) -> None:
    """As the whole set, as an order, and as its type."""
    for viewer in VIEWERS:
        view = view_for(MOMENTS[phase], (), viewer)
        for wrong in garbage.WRONG:
            hand_in(view, wrong())
            hand_in(view, [wrong(), {"type": wrong()}])


def test_ten_thousand_orders() -> None:
    """A set has an end: what lies beyond is refused in one sentence."""
    for phase in ORDER_PHASES:
        view = view_for(MOMENTS[phase], (), "red")
        problems = check(view, [{"type": "guard", "detachment": "nobody"}] * 10_000)
        check_problems(problems)
        assert len(problems) == 2001
        assert problems[-1].code == "limit_reached"


def test_ten_thousand_fields_and_entries() -> None:
    """Wide is no worse than deep."""
    view = view_for(MOMENTS["battles"], (), "red")
    many = {f"field{number}": number for number in range(10_000)}
    for order in ({"type": "fight"} | many, {"type": "report", "losses": many}, {"type": "fight", "picks": [*many]}):
        check_problems(check(view, [order]))


def test_fields_whose_names_are_no_text() -> None:
    """JSON has no such thing, but what is handed over in memory may."""
    view = view_for(MOMENTS["movement"], (), "red")
    problems = check(view, [{"type": "claim_area", 1: 2, None: 3, 10**6000: 4, "\ud800": 5}])
    check_problems(problems)
    assert [problem.field for problem in problems if problem.code == "unknown_field"] == [
        "1",
        "None",
        OUT_OF_BOUNDS,
        "?",
    ]


def test_an_empty_path_is_a_stay() -> None:
    """For a convoy too, which unloads where it stands if it is told to."""
    state = builders.campaign(phase="movement")
    builders.town(state, "red", "0505", "town", bp=10)
    builders.convoy(state, "red", "c", "0505", 50)
    order = {"type": "path", "convoy": "c", "path": [], "unload": True}
    view = view_for(state, (), "red")
    assert check(view, [order]) == []
    assert preview(view, order)[0]["unloads"] is True
    after = resolve(state, {"red": [order]}, builders.FixedDice(default=3)).state
    assert after.convoys == {}
    assert list(after.store.values()) == [60]
