"""A newcomer finds every module: the map at the head of a package names all that is in it, and nothing that is not.

Seen to fail: with a file of the rules left out of its map, and with one in it that is gone.
"""

from __future__ import annotations

import re
from importlib import import_module
from pkgutil import iter_modules

import pytest

PACKAGES = [
    "server.commands",
    "server.play",
    "server.referee",
    "server.referee.combat_patrol",
    "server.referee.narrative",
    "server.referee.normal_battle",
    "server.referee.patrol",
    "server.referee.solo",
    "server.rulebook",
    "server.rules",
    "server.rules.codec",
    "server.rules.orders",
    "server.rules.ruleset",
    "server.rules.state",
    "server.web",
]


@pytest.mark.parametrize("name", PACKAGES)
def test_map_of_a_package_is_complete(name: str) -> None:
    package = import_module(name)
    table = re.split(r"^=+ +=+$", package.__doc__ or "", flags=re.MULTILINE)[1]
    there = {module.name for module in iter_modules(package.__path__)} - {"__main__"}
    assert there - set(re.findall(r"``(\w+)``", table)) == set()
    listed = {word for line in table.splitlines() for word in re.findall(r"``(\w+)``", line.split("  ")[0])}
    assert listed - there == set()
