"""Type checkers know the orders: the bot of the page passes, and a wrong word in an order does not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.client import order_types
from tests.client.test_guide import of_page

CLIENT = Path(__file__).parents[2] / "client"


def checked(folder: Path, program: str) -> str:
    """Return what mypy says of a program."""
    (folder / "program.py").write_text(program)
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", folder.parent / "cache", "program.py"],
        cwd=folder,
        env={**os.environ, "MYPYPATH": str(CLIENT)},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    ).stdout


@pytest.mark.parametrize("name", ["begin.py", "bot.py", "a roster"])
def test_programs_of_the_page_are_typed(name: str, tmp_path: Path) -> None:
    known = "from sealed_orders import Campaign, Client\nclient: Client\ncampaign: Campaign\nhex: str\n"
    assert "Success" in checked(tmp_path, (known if name == "a roster" else "") + of_page(name))


ORDER = """from sealed_orders import Client
client = Client("http://127.0.0.1:8000")
campaign = client.campaign("x")
campaign.send([{%s}])
for option in campaign.legal_orders():
    if option.type == "path":
        print(option.choices.get("path"))
"""
GOOD = '"type": "path", "detachment": "5f2c1a90b7de", "path": ["0405"]'


@pytest.mark.parametrize(
    "wrong",
    [
        ORDER % GOOD.replace("path", "pth", 1),
        ORDER % GOOD.replace("detachment", "detachement"),
        ORDER % GOOD.replace('["0405"]', "405"),
        ORDER.replace('== "path"', '== "pth"') % GOOD,
        ORDER.replace('get("path")', 'get("path").x') % GOOD,
    ],
    ids=["type", "field", "value", "type of an option", "choice"],
)
def test_a_wrong_word_in_an_order_is_found(wrong: str, tmp_path: Path) -> None:
    said = checked(tmp_path, wrong)
    assert "error" in said, said


def test_a_right_order_is_right(tmp_path: Path) -> None:
    assert "Success" in checked(tmp_path, ORDER % GOOD)


def test_the_types_are_those_of_the_server(tmp_path: Path) -> None:
    config = Path(__file__).parents[2] / "pyproject.toml"
    for module, text in order_types.sources().items():
        written = tmp_path / module
        written.write_text(text)
        for command in (["check", "--fix", "--select", "I,F401"], ["format"]):
            ruff = [sys.executable, "-m", "ruff", *command, "--quiet", "--config", str(config), str(written)]
            subprocess.run(ruff, check=True)
        assert written.read_text() == (order_types.FOLDER / module).read_text(), "python -m tests.client.order_types"
