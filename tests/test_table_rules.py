"""The rules for the table, the guide to missions and the format of cases say what data and referee say."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from server.cases.read_game import GAME_KEYS, Expected, OwnPart
from server.cli import main
from server.core.errors import ILLEGAL, INVALID
from server.referee.beginning import Army, BeginningData, MarkerStart, Piece, SettingsData, Start, TableData
from server.referee.reader import read_mission
from server.referee.reading import specs
from server.referee.refusals import NOT_UNDERSTOOD, REFUSED
from server.referee.units import UnitData
from server.rulebook.rewriting import rewrite
from tests.referee.random_play import new_table, play

ROOT = Path(__file__).parents[1]
RULES = (ROOT / "docs" / "table-rules.md").read_text(encoding="utf-8")
GUIDE = (ROOT / "docs" / "missions.md").read_text(encoding="utf-8")
EXAMPLE = GUIDE.split("```toml\n")[1].split("```")[0]


CASES = (ROOT / "docs" / "cases.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("text", [RULES, GUIDE, CASES], ids=["table-rules", "missions", "cases"])
def test_tables_are_those_of_the_data(text: str) -> None:
    assert rewrite(text) == text, "run: python -m server.rulebook docs/table-rules.md docs/missions.md docs/cases.md"


def test_every_number_that_the_referee_cites_is_in_the_rules() -> None:
    """A refusal cites its number; players look it up."""
    cited: set[str] = set()
    for path in [*(ROOT / "server/referee").rglob("*.py"), *(ROOT / "server/missions").glob("*.toml")]:
        cited |= set(re.findall(r"\b[TNP]-\d\d\b", path.read_text(encoding="utf-8")))
    assert cited
    missing = sorted(cited - set(re.findall(r"\b[TNP]-\d\d\b", RULES)))
    assert not missing, missing


def test_every_table_of_the_rules_is_filled() -> None:
    for name, content in re.findall(r"<!-- table: (\w+) -->\n(.*?)<!-- /table -->", RULES, re.DOTALL):
        assert content.strip(), name


def test_the_mission_of_the_guide_plays_to_its_end() -> None:
    """It mixes the rules of three others; the default Reserve dice are used."""
    mission, problems = read_mission(tomllib.loads(EXAMPLE))
    assert mission is not None, problems
    arrived = 0
    for number in range(10):
        played = play(new_table(mission, f"ferry/{number}"), f"ferry/{number}")
        assert played.table.game.over, played.table.game.clock
        assert not played.offered_in_vain
        arrived += played.done.get("roll", 0)
    assert arrived


def test_the_guide_shows_what_validate_says(tmp_path: Path) -> None:
    path = tmp_path / "ferry.toml"
    path.write_text(EXAMPLE.replace('"command_points"', '"comand_points"'), encoding="utf-8")
    said = CliRunner().invoke(main, ["mission", "validate", str(path)]).output.strip()
    shown = next(line.strip() for line in GUIDE.splitlines() if "there is no rule" in line)
    assert said.endswith(shown.removeprefix("ferry.toml: "))


WORDS = set(re.findall(r"`([\w<>/-]+)`", CASES))


def test_the_format_of_cases_names_every_refusal() -> None:
    known = INVALID | ILLEGAL | NOT_UNDERSTOOD | REFUSED
    assert not sorted(known - WORDS)


def test_the_format_of_cases_names_every_key() -> None:
    """Keys of rule cases are those that their reader asks for, keys of table cases those of what is read."""
    keys: set[str] = set(GAME_KEYS)
    for name in ("read", "expectations"):
        text = (ROOT / "server/cases" / f"{name}.py").read_text(encoding="utf-8")
        keys |= set(re.findall(r"\btable\.\w+\(\s*\"(\w+)\"", text))
    for kind in (BeginningData, TableData, Piece, Army, UnitData, SettingsData, MarkerStart, Start, OwnPart, Expected):
        keys |= set(specs(kind))
    assert not sorted(keys - WORDS)


def test_the_format_of_cases_names_every_label() -> None:
    labels: set[str] = set()
    for path in (ROOT / "server/referee").rglob("*.py"):
        rolled = re.findall(r"\.roll(?:_off)?\(f?\"([a-z_-]+)", path.read_text(encoding="utf-8"))
        labels |= set(rolled)
    assert len(labels) > 10
    assert not sorted(label for label in labels if not any(word.split("/")[0] == label for word in WORDS))


@pytest.mark.parametrize("example", CASES.split("```toml\n")[1:], ids=["rule-case", "table-case"])
def test_the_examples_of_the_format_are_cases_that_pass(tmp_path: Path, example: str) -> None:
    path = tmp_path / "case.toml"
    path.write_text(example.split("```")[0], encoding="utf-8")
    assert CliRunner().invoke(main, ["cases", str(path)]).output.strip() == "1 passed, 0 failed"
