"""What the rules write as JSON is what the API's description says of it, in every phase of whole campaigns.

Seen to fail: with ``reach`` left out of ``LegalOrder``; with ``stop`` left out of ``Preview``; with ``hex`` left
out of the event ``placed``.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import jsonschema_rs
import orjson
import pytest

from server import rulesets
from server.api.description import refined
from server.bots import commander
from server.core.dice import SeededDice
from server.play.views.positions import named
from server.rules.codec import encode, event_to_json
from server.rules.drafting import preview
from server.rules.options import instances, legal_orders
from server.rules.phases import begin, resolve
from server.rules.sight import view_for
from server.rules.state import OVER, Settings, State
from server.scenarios import library
from server.scenarios.begin import initial_state

MAX_PREVIEWS = 6


@cache
def checks(name: str) -> Any:
    """Return what checks values against a schema of the description."""
    where = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": refined.schemas()}}
    return jsonschema_rs.Draft202012Validator(where)


def assert_described(name: str, value: object) -> None:
    plain = orjson.loads(orjson.dumps(value))
    wrong = [f"{error.instance_path}: {error.message}" for error in checks(name).iter_errors(plain)]
    assert wrong == [], (name, plain)


@pytest.mark.parametrize(("ruleset", "battles"), [("frontier", "quick"), ("wh40k-2001", "choice")])
def test_what_is_written_is_described(ruleset: str, battles: str) -> None:
    state = _begun(ruleset, battles)
    seen: set[str] = set()
    for number in range(40):
        if state.phase == OVER:
            break
        orders = {}
        for player in state.players:
            view = view_for(state, (), player)
            assert_described("State", orjson.loads(encode(view.state)))
            orders[player] = commander.choose(view)
            for order in orders[player]:
                assert_described("Order", order)
                assert_described("Preview", preview(view, order)[0])
            for option in legal_orders(view):
                assert_described("LegalOrder", named(option))
                for order, _ in zip(instances(option), range(1), strict=False):
                    assert_described("Order", order)
                    seen.add(order["type"])
                    if number < MAX_PREVIEWS:
                        assert_described("Preview", preview(view, order)[0])
        resolution = resolve(state, orders, SeededDice(f"described {number}".encode()))
        for event in resolution.events:
            assert_described("Event", event_to_json(event))
        state = resolution.state
    assert len(seen) > 8


def _begun(ruleset: str, battles: str) -> State:
    rules = rulesets.load(ruleset)
    factions = list(rules.factions)[:2]
    players = [("red", factions[0]), ("blue", factions[1])]
    settings = Settings(battles=battles, turn_limit=6)
    state = initial_state(library.load("the-pass"), rules, settings, players, id_key=b"any secret")
    return begin(state, SeededDice(b"described")).state
