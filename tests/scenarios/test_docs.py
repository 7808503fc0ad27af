"""docs/maps.md says everything, and what it says is so."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import typer

from server.commands.maps import app
from server.rulesets import load as load_ruleset
from server.scenarios import library
from server.scenarios.checks import check
from server.scenarios.exchange.layout import LAYOUTS
from server.scenarios.exchange.mapping import read_rules
from server.scenarios.fairness import TITLES
from server.scenarios.generate.request import SHARES
from server.scenarios.problems import CODES, MapProblem
from server.scenarios.reader import KEYS, read

DOCS = (Path(__file__).parents[2] / "docs" / "maps.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```", DOCS, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def test_the_example_is_a_good_scenario() -> None:
    data = json.loads(block("json"))
    scenario = read(data, "two-fords")
    assert [each for each in check(scenario) if each.severity == "error"] == []


def test_the_example_of_a_mapping_file(tmp_path: Path) -> None:
    file = tmp_path / "terrains.toml"
    file.write_text(block("toml"), encoding="utf-8")
    assert read_rules(file).terrain["^V*"] == "plains"


def test_every_key_is_explained() -> None:
    assert [key for key in KEYS if f"**`{key}`**" not in DOCS and key != "$schema"] == []
    schema = json.loads((library.home() / "scenario.schema.json").read_text(encoding="utf-8"))
    assert {*schema["properties"]} == {*KEYS}


def test_every_problem_is_listed() -> None:
    listed = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", DOCS[DOCS.index("The codes are stable") :], re.MULTILINE))
    assert listed == CODES
    with pytest.raises(ValueError, match="no problem"):
        MapProblem("surprise", "", "")


def test_every_measure_is_listed() -> None:
    assert re.findall(
        r"^\| `(\w+)` \|", DOCS[DOCS.index("## What is fair") : DOCS.index("## Generating")], re.MULTILINE
    ) == [*TITLES]


def test_every_option_is_named() -> None:
    command = typer.main.get_command(app)
    names = {option for each in command.commands.values() for param in each.params for option in param.opts}  # type: ignore[attr-defined]
    missing = {name for name in names if name.startswith("--") and name not in DOCS} - {
        "--force",
        "--title",
        "--ruleset",
    }
    assert missing == set()


def test_every_shipped_scenario_and_layout_is_named() -> None:
    assert [name for name in library.names() if f"`{name}`" not in DOCS] == []
    assert [name for name in LAYOUTS if name not in DOCS] == []


def test_the_usual_shares_are_said() -> None:
    said = DOCS[DOCS.index("Without it: ") :]
    assert all(f"{name} {percent:g}" in said.split("Where")[0] for name, percent in SHARES.items())
    assert {*SHARES} < {*load_ruleset("frontier").terrain}
