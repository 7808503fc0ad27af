"""Writes small cases for tests of the case runner."""

from __future__ import annotations

import tomllib
from pathlib import Path

from server.cases.compare import compare
from server.cases.model import Case
from server.cases.names import check_names
from server.cases.position import set_up
from server.cases.read import read
from server.cases.run import play

HEAD = """
rule = "3.1"
title = "a title"
phase = "{phase}"
[map]
columns = 9
rows = 9
"""
PLAYERS = """
[players.red]
[players.blue]
"""


def text(body: str = "", phase: str = "movement", hexes: str = "", top: str = "", players: str = PLAYERS) -> str:
    """Return the text of a case; *hexes* are lines of ``[map.hexes]``, *top* lines before the first table."""
    return f"{top}\n{HEAD.format(phase=phase)}\n[map.hexes]\n{hexes}\n{players}\n{body}\n"


def case(body: str = "", phase: str = "movement", hexes: str = "", top: str = "", players: str = PLAYERS) -> Case:
    """Return a case."""
    return read(tomllib.loads(text(body, phase, hexes, top, players)))


def failures(case: Case) -> list[str]:
    """Play a case and return what came out differently."""
    state = set_up(case)
    check_names(case, state)
    return compare(case, play(case, state))


def write(path: Path, content: str) -> Path:
    """Write a file and the folders it is in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
    return path
