"""docs/cli.md names every command and option, and every command explains itself."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

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
