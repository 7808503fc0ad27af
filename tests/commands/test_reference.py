"""docs/cli.md names every command and option, and every command explains itself."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from server.cli import main
from server.commands.reference import commands, options, renewed
from server.commands.terminal import Code
from tests.commands.conftest import run

PAGE = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
ALL = dict(commands(main))
WITHOUT_JSON = {"sealed-orders serve", "sealed-orders demo", "sealed-orders table", "sealed-orders mission schema"}
"""Commands that do not end with an answer, or whose answer is JSON anyway."""


@pytest.mark.parametrize("name", ALL)
def test_every_command_explains_itself(name: str) -> None:
    command: Any = ALL[name]
    examples = re.findall(r"`(?:\w+=\S+ )?(sealed-orders [^`]+)`", command.help)
    assert any(" ".join(example.split()).startswith(name) for example in examples), "an example is missing"
    assert [option.name for option in options(command) if not option.help] == []
    assert ("--json" in {flag for option in options(command) for flag in option.opts}) == (name not in WITHOUT_JSON)
    assert run(*name.split()[1:], "--help").stdout.strip()


REPORTS = {"sealed-orders cases", "sealed-orders db check"}
"""Commands whose findings are no refusals."""
ALWAYS_DONE = {
    "sealed-orders push-key", "sealed-orders exhibition", "sealed-orders map list", "sealed-orders map validate",
    "sealed-orders map generate", "sealed-orders mission list", "sealed-orders db current", "sealed-orders balance",
}  # fmt: skip
"""Commands that need nothing and succeed."""


@pytest.mark.parametrize("name", sorted(ALL.keys() - WITHOUT_JSON - REPORTS - ALWAYS_DONE))
def test_every_refusal_with_json_has_a_code(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a database, a login, files and input. Seen to fail: commands that ask for a password."""
    monkeypatch.setenv("SEALED_ORDERS_DATABASE_URL", f"sqlite:///{tmp_path}/nowhere/db")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    words = name.split()[1:]
    needed = [each for each in options(ALL[name]) if each.required]
    flags = [each.opts[0] if each.param_type_name == "option" else "" for each in needed]
    values = ["1" if each.type.name.startswith("int") else "nothing" for each in needed]
    given = [word for pair in zip(flags, values, strict=True) for word in pair if word]
    for line in ([*words, "--no-such-option"], [*words, *given]):
        done = CliRunner().invoke(main, [*line, "--json"], input="")
        assert done.exit_code in set(Code) - {Code.DONE}, done.output
        error = json.loads(done.stdout)["error"]
        assert re.fullmatch("[a-z_]+", error["code"]), error
        assert error["message"]


@pytest.mark.parametrize("name", ALL)
def test_every_command_and_option_is_in_the_reference(name: str) -> None:
    entry = PAGE.split(f"### {name}\n")[1].split("\n### ")[0]
    for option in options(ALL[name]):
        for flag in option.opts if option.param_type_name == "option" else ():
            assert f"`{flag}" in entry or f", {flag}" in entry


def test_the_reference_is_up_to_date() -> None:
    assert renewed(PAGE, main) == PAGE, "run: python -m server.commands.reference docs/cli.md"


def test_every_exit_code_is_explained() -> None:
    listed = re.findall(r"^\| (\d+) \| .+ \|$", PAGE[PAGE.index("## Exit codes") :], re.MULTILINE)
    assert [*map(int, listed)] == [*Code]
    promised = {int(each) for command in ALL.values() for each in re.findall(r"\b(?:Exits|,|and) (\d)\b", command.help)}
    assert promised <= {*Code}


def test_every_command_group_is_in_the_overview() -> None:
    table = PAGE[: PAGE.index("## Exit codes")]
    assert [name for name in ALL if f"`{name.split()[1]}" not in table] == []
