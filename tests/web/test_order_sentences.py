"""Orders in sentences: every kind has one, whatever they hold."""

from __future__ import annotations

import re
from typing import Any

import pytest

from server import rulesets
from server.rules.orders.registry import BY_TYPE
from server.rules.state import Settings, State
from server.scenarios import library
from server.scenarios.begin import initial_state
from server.web.presenters.order_sentences import ruled, sentence
from server.web.translations import Translations

NAMES = {"d1": "First Column", "c1": "Convoy 0405", "u1": "Scouts", "u2": "Rangers", "p2": "Ben"}
EN, DE = Translations("en"), Translations("de")


@pytest.fixture
def state() -> State:
    players = [("p1", "homesteaders"), ("p2", "wardens")]
    return initial_state(library.load("the-pass"), rulesets.load("frontier"), Settings(), players, id_key=b"x")


@pytest.mark.parametrize(
    ("kind", "fields", "said"),
    [
        ("path", {"detachment": "d1", "path": ["0405", "0406"]}, "First Column moves to 0406"),
        ("path", {"convoy": "c1", "path": ["0406"], "unload": True}, "Convoy 0405 moves to 0406 (unloads on arrival)"),
        ("attack", {"detachment": "d1", "target": "0406", "planned": True}, "First Column attacks 0406 (planned)"),
        ("withdraw", {"detachment": "d1", "to": ["01", "02"]}, "First Column withdraws if attacked: 01 → 02"),
        ("withdraw", {"detachment": "d1"}, "First Column withdraws if attacked"),
        ("build_building", {"at": "0405", "building": "muster_ground"}, "Muster ground in 0405"),
        ("place", {"what": "capital", "at": "0405"}, "Capital in 0405"),
        ("create_convoy", {"at": "0405", "bp": 300}, "Load a convoy with 300 BP in 0405"),
        ("transfer_models", {"from_unit": "u1", "to_unit": "u2", "models": 3}, "3 models from Scouts to Rangers"),
        ("declare_alliance", {"with": "p2"}, "Declare an alliance with Ben"),
        ("fight", {"battle": "0405", "mode": "tabletop"}, "Battle in 0405: on the tabletop"),
        (
            "build_garrison",
            {"at": "05", "units": [{"points": 30}, {"points": 12}]},
            "Garrison for 05: 2 units, 42 points",
        ),
    ],
)
def test_sentence(state: State, kind: str, fields: dict[str, Any], said: str) -> None:
    assert sentence(EN, {"type": kind} | fields, state, NAMES) == said


@pytest.mark.parametrize("t", [EN, DE])
@pytest.mark.parametrize("kind", [*BY_TYPE, "dance", ""])
@pytest.mark.parametrize("value", [None, "x", 7, [], ["0405", {}], {"points": "x"}])
def test_whatever_an_order_holds_is_a_sentence(state: State, t: Translations, kind: str, value: object) -> None:
    fields = ("detachment", "convoy", "at", "from", "to", "path", "target", "bp", "models", "unit", "units", "what",
              "size", "building", "defence", "weapon", "with", "name", "mode", "battle")  # fmt: skip
    said = sentence(t, {"type": kind} | dict.fromkeys(fields, value), state, NAMES)
    assert not re.search(r"\{\w+\}", said)
    assert sentence(t, {"type": kind}, state, NAMES) or not kind


def test_every_kind_has_a_sentence() -> None:
    missing = [kind for kind in BY_TYPE if not EN.has(f"table.order.{kind}")]
    assert missing == []


def test_things_of_the_ruleset_have_their_names(state: State) -> None:
    assert ruled(DE, state, "buildings", "muster_ground") == "Musterplatz"
    assert ruled(EN, state, "urban", "city") == "City"
    assert ruled(EN, state, "buildings", "no_such") == "No such"
    assert ruled(EN, state, "buildings", None) == ""
