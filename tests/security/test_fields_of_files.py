"""Every field of maps, rulesets and rosters that people bring, filled with what nobody means.

Each is refused with a code, or it is read and does no harm: a campaign begins with it and its first phases are played.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

import orjson
import pytest

from server import rulesets
from server.core.dice import SeededDice
from server.play.campaigns import catalog
from server.play.errors import PlayError
from server.play.rosters.reading import read_roster
from server.rules.codec import decode, encode
from server.rules.phases import begin, resolve
from server.rules.ruleset import Ruleset
from server.rules.state import Settings
from server.scenarios.begin import initial_state
from server.scenarios.scenario import Scenario
from tests.security.forging import FEW, forgeries

LONG = bool(os.environ.get("SEALED_ORDERS_LONG"))
EVERY = 1 if LONG else 9
"""One in so many is tried."""
ROOT = Path(__file__).parents[2]
MAP: dict[str, Any] = orjson.loads((ROOT / "maps" / "the-pass" / "scenario.json").read_bytes())
RULES: dict[str, Any] = tomllib.loads((ROOT / "server" / "rulesets" / "frontier.toml").read_text("utf-8"))
ROSTER: dict[str, Any] = {
    "name": "Iron Guard", "generatedBy": "New Recruit", "costs": [{"name": "pts", "value": 500}],
    "forces": [{"name": "Army", "catalogueName": "Guard", "costs": [{"name": "pts", "value": 500}], "selections": [{
        "name": "Squad", "type": "unit", "number": 2, "costs": [{"name": "pts", "value": 120}],
        "categories": [{"name": "Troops", "primary": True}], "rules": [{"name": "Scouts"}],
        "profiles": [{"typeName": "Unit", "characteristics": [{"name": "M", "$text": "6\""}]}],
        "selections": [{"name": "Trooper", "type": "model", "number": 10, "costs": [{"name": "pts", "value": 0}]}],
    }]}],
}  # fmt: skip


def played(plan: Scenario, rules: Ruleset) -> None:
    """Begin a campaign with them and play two phases in which nobody orders anything."""
    factions = list(rules.factions)
    players = [(f"p{number + 1}", factions[number % len(factions)]) for number in range(len(plan.starts))]
    state = begin(initial_state(plan, rules, Settings(), players, id_key=b"key"), SeededDice(b"1")).state
    for number in range(2):
        state = resolve(decode(encode(state), plan.board, rules) if number else state, {}, SeededDice(b"2")).state


def test_every_field_of_a_map() -> None:
    tried = taken = 0
    for number, (way, value, data) in enumerate(forgeries(MAP)):
        if number % EVERY:
            continue
        tried += 1
        try:
            found = catalog.check_scenario("own", data, "", None, hexes=40_000)
            if found.good:
                played(found.scenario, found.ruleset)
                taken += 1
        except PlayError:
            continue
        except Exception as error:
            raise AssertionError(f"{way} = {value!r}: {type(error).__name__}: {error}") from error
    assert tried > 30
    assert taken < tried


def test_every_field_of_a_ruleset() -> None:
    tried = taken = 0
    plan = catalog.check_scenario("the-pass", None, "", None).scenario
    for number, (way, value, data) in enumerate(forgeries(RULES, FEW, first=1)):
        if number % (EVERY * 3):
            continue
        tried += 1
        try:
            found = catalog.check_scenario("the-pass", None, "own", data)
            if found.good:
                taken += 1
                if taken % 5 == 0:
                    played(plan, found.ruleset)
        except PlayError:
            continue
        except Exception as error:
            raise AssertionError(f"{way} = {value!r}: {type(error).__name__}: {error}") from error
    assert tried > 100
    assert taken < tried


def test_every_field_of_a_roster() -> None:
    read = 0
    for way, value, data in forgeries(ROSTER):
        try:
            content = orjson.dumps(data)
        except TypeError:  # a number that no JSON holds
            content = orjson.dumps(data, default=str)
        try:
            roster = read_roster(content)
        except PlayError:
            continue
        except Exception as error:
            raise AssertionError(f"{way} = {value!r}: {type(error).__name__}: {error}") from error
        read += 1
        assert all(0 <= unit["points"] < 10**9 for unit in roster.units if isinstance(unit.get("points"), int)), way
    assert read > 50


@pytest.mark.parametrize("name", rulesets.names())
def test_the_documents_are_good_to_begin_with(name: str) -> None:
    """Else nothing of the above would be tried."""
    found = catalog.check_scenario("own", MAP, name, None)
    assert found.good or name != MAP["ruleset"]
    assert catalog.check_scenario("the-pass", None, "own", RULES).ruleset.factions
    assert read_roster(orjson.dumps(ROSTER)).units
