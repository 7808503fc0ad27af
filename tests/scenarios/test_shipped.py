"""The scenarios that come with the server: complete, fair, drawn as they are written."""

from __future__ import annotations

import json
from functools import cache

import jsonschema
import pytest

from server.rules.ruleset import Ruleset
from server.rulesets import load as load_ruleset
from server.scenarios import library
from server.scenarios.checks import check
from server.scenarios.fairness import TITLES, WIDER, Ground, fairness
from server.scenarios.library import home
from server.scenarios.scenario import land
from server.scenarios.writer import FILE, to_text

SIZES = {
    "the-pass": (13, 12, 2),
    "green-heart": (15, 15, 3),
    "four-corners": (11, 10, 4),
    "five-shores": (17, 15, 5),
    "six-banners": (19, 17, 6),
    "seven-towers": (23, 22, 7),
    "nine-realms": (27, 26, 9),
    "spine-of-the-world": (29, 28, 10),
    "twin-gulfs": (64, 64, 8),
}


@cache
def ruleset(id: str) -> Ruleset:
    return load_ruleset(id)


def test_all_of_them_are_there() -> None:
    assert {*library.names()} == {*SIZES}
    for name, (columns, rows, players) in SIZES.items():
        scenario = library.load(name)
        assert (scenario.board.columns, scenario.board.rows, scenario.max_players) == (columns, rows, players)


@pytest.mark.parametrize("name", SIZES)
def test_nothing_is_wrong_or_strange(name: str) -> None:
    assert check(library.load(name)) == []
    assert check(library.load(name), ruleset("frontier")) == []


@pytest.mark.parametrize("name", SIZES)
def test_every_start_is_worth_the_same(name: str) -> None:
    scenario = library.load(name)
    for players in scenario.player_counts:
        report = fairness(scenario, ruleset(scenario.ruleset), players)
        expected = {*TITLES} - ({"neighbours"} if players == 2 else set())
        assert {each.id for each in report.measures} == expected
        for measure in report.measures:
            if measure.id in WIDER:  # told, not judged
                continue
            assert max(measure.values) - min(measure.values) <= 0.1 * max(measure.values), measure
        assert report.fair


@pytest.mark.parametrize("name", SIZES)
def test_all_land_can_be_walked_to_and_some_is_left_uncontrolled(name: str) -> None:
    scenario = library.load(name)
    rules = ruleset(scenario.ruleset)
    assert len(Ground(scenario.board, rules, scenario.roads).parts()) == 1
    held = sum(len(land(scenario.board, rules, start.area)) for start in scenario.starts)
    assert held < 0.9 * len(land(scenario.board, rules, range(scenario.board.size)))


@pytest.mark.parametrize("name", SIZES)
def test_it_has_all_that_people_read(name: str) -> None:
    scenario = library.load(name)
    assert scenario.title
    assert scenario.summary
    assert scenario.author
    assert 2 <= len(scenario.briefing) <= 5
    assert len(scenario.board.names) >= 3


@pytest.mark.parametrize("name", SIZES)
def test_the_file_is_what_the_writer_writes_and_fits_the_schema(name: str) -> None:
    text = (home() / name / FILE).read_text(encoding="utf-8")
    assert to_text(library.load(name)) == text
    schema = json.loads((home() / "scenario.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(text), schema, cls=jsonschema.Draft202012Validator)
