"""Type checkers know the orders: the bot of the page passes, and a wrong word in an order does not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.client import order_types
from tests.client.test_guide import of_page

CLIENT = Path(__file__).parents[2] / "client"


ORDER = """from sealed_orders import Client
client = Client("http://127.0.0.1:8000")
campaign = client.campaign("x")
campaign.send([{%s}])
for option in campaign.legal_orders():
    if option.type == "path":
        print(option.choices.get("path"))
"""
GOOD = '"type": "path", "detachment": "5f2c1a90b7de", "path": ["0405"]'


RIGHT = {"right": ORDER % GOOD}
WRONG = {
    "type": ORDER % GOOD.replace("path", "pth", 1),
    "field": ORDER % GOOD.replace("detachment", "detachement"),
    "value": ORDER % GOOD.replace('["0405"]', "405"),
    "type_of_an_option": ORDER.replace('== "path"', '== "pth"') % GOOD,
    "choice": ORDER.replace('get("path")', 'get("path").x') % GOOD,
}


def test_programs_are_right_or_wrong_as_they_should_be(tmp_path: Path) -> None:
    known = "from sealed_orders import Campaign, Client\nclient: Client\ncampaign: Campaign\nhex: str\n"
    page = {"begin": of_page("begin.py"), "bot": of_page("bot.py"), "roster": known + of_page("a roster")}
    for name, program in (page | RIGHT | WRONG).items():
        (tmp_path / f"{name}.py").write_text(program)
    said = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-pretty", "."],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(CLIENT)},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    ).stdout
    assert {line.partition(".py:")[0] for line in said.splitlines() if ": error: " in line} == WRONG.keys(), said


def test_the_types_are_those_of_the_server(tmp_path: Path) -> None:
    config = Path(__file__).parents[2] / "pyproject.toml"
    for module, text in order_types.sources().items():
        written = tmp_path / module
        written.write_text(text)
        for command in (["check", "--fix", "--select", "I,F401"], ["format"]):
            ruff = [sys.executable, "-m", "ruff", *command, "--quiet", "--config", str(config), str(written)]
            subprocess.run(ruff, check=True)
        assert written.read_text() == (order_types.FOLDER / module).read_text(), "python -m tests.client.order_types"
