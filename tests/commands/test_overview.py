"""The list of all commands says what they say of themselves, and only what a command needs is imported.

Seen to fail: with a command left out of the list, with another first sentence, and with the database's errors imported
by ``terminal``.
"""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest
import typer

from server import commands
from server.commands.overview import LISTED, Listed

NAMES = [each.name for each in LISTED]

HEAVY = ["alembic", "fastapi", "jinja2", "matplotlib", "numpy", "PIL", "sqlalchemy", "starlette", "uvicorn"]
"""Libraries of the server that take long to import."""

LIGHT = [
    ["--version"],
    ["--help"],
    ["cases", "tests/cases/3-claims"],
    ["status"],
    ["login", "--help"],
    ["logout"],
    ["orders", "--help"],
    ["orders", "show"],
    ["history"],
    ["watch"],
    ["view"],
    ["bot"],
]
"""Commands that need none of them."""

PROGRAM = """
import json, sys
from typer.testing import CliRunner
from server.cli import main
heavy, commands = json.loads(sys.argv[1])
for words in commands:
    done = CliRunner().invoke(main, words)
    print(json.dumps([words, done.exit_code, [each for each in heavy if each in sys.modules]]))
"""


@pytest.mark.parametrize("listed", LISTED, ids=NAMES)
def test_a_command_is_listed_as_it_explains_itself(listed: Listed) -> None:
    command = listed.itself()
    first = inspect.cleandoc(command.help).split("\n\n")[0]
    assert (command.name, " ".join(first.split())) == (listed.name, listed.help)


def test_every_command_is_listed() -> None:
    found: dict[str, str] = {}
    for module in iter_modules(commands.__path__):
        app = getattr(import_module(f"server.commands.{module.name}"), "app", None)
        if app is None or module.name == "campaign_records":
            continue
        home = typer.Typer()
        home.add_typer(app)
        found |= dict.fromkeys(typer.main.get_group(home).commands, module.name)
    assert {each.name: each.module for each in LISTED} == found


def test_only_what_a_command_needs_is_imported(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps([HEAVY, LIGHT])],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "HOME": str(tmp_path), "XDG_CONFIG_HOME": ""},
    )
    loaded = [json.loads(line) for line in done.stdout.splitlines()]
    assert [words for words, *_ in loaded] == LIGHT
    assert [words for words, _, heavy in loaded if heavy] == []
    assert {code for _, code, _ in loaded} <= {0, 1}, "2 would be a command that was not understood"
