"""A table game as a file: how it began, its secret and salts, its acts. Everything else follows from these."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from server import missions
from server.commands.terminal import Code, fail, save
from server.core.dice import SeededDice
from server.core.errors import Problem
from server.referee.beginning import read_beginning
from server.referee.fold import TableGame, begin, submit
from server.referee.mission import Mission
from server.referee.reader import read_mission
from server.render.messages import english

FORMAT = 1
"""The version of the file's format."""
LARGEST = 5_000_000
"""Bytes of a file that is read."""


@dataclass(slots=True)
class SavedGame:
    """A table game and where it is stored."""

    path: Path
    content: dict[str, Any]
    """``format``, ``setup`` (as :func:`read_beginning` takes it), ``mission`` (a club's own, or null), ``secret``,
    ``salts``, ``acts``."""
    table: TableGame = field(repr=False)

    def act(self, by: str, act: Mapping[str, Any]) -> list[Problem]:
        """Do an act and save the game, or return what speaks against it."""
        problems = submit(self.table, by, act)
        if not problems:
            self.content["acts"].append({**act, "by": by})
            self.save()
        return problems

    def save(self) -> None:
        """Write the whole file, or nothing."""
        save(self.path, json.dumps(self.content, indent=1, ensure_ascii=False).encode())


def create(path: Path, setup: dict[str, Any], own: dict[str, Any] | None) -> SavedGame:
    """Begin a game and save it. *own*: the data of a mission that does not come with the program."""
    content: dict[str, Any] = {
        "format": FORMAT,
        "setup": setup,
        "mission": own,
        "secret": secrets.token_hex(32),
        "salts": [secrets.token_urlsafe(16), secrets.token_urlsafe(16)],
        "acts": [],
    }
    game = SavedGame(path, content, _begun(content, path))
    game.save()
    return game


def resume(path: Path) -> SavedGame:
    """Read a saved game and play its acts again."""
    try:
        if path.stat().st_size > LARGEST:
            fail(f"{path}: this is too large for a table game", Code.UNUSABLE)
        content = json.loads(path.read_bytes())
    except OSError as error:
        fail(f"{path}: {error.strerror}", Code.UNUSABLE)
    except (ValueError, RecursionError):
        fail(f"{path}: not a saved table game", Code.UNUSABLE)
    if not isinstance(content, dict) or content.get("format") != FORMAT or not isinstance(content.get("acts"), list):
        fail(f"{path}: not a saved table game", Code.UNUSABLE)
    table = _begun(content, path)
    for number, act in enumerate(content["acts"]):
        by = act.get("by") if isinstance(act, dict) else None
        fields = {name: value for name, value in act.items() if name != "by"} if isinstance(act, dict) else act
        problems = submit(table, str(by), fields)
        if problems:
            fail(f"{path}: act {number} is refused: {english(problems[0].message)}", Code.UNUSABLE)
    return SavedGame(path, content, table)


def commitment(content: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the game's secret: shown at the start, checked at the end."""
    return hashlib.sha256(bytes.fromhex(content["secret"])).hexdigest()


def _begun(content: Mapping[str, Any], path: Path) -> TableGame:
    known: dict[str, Mission] = dict(missions.library())
    own = content.get("mission")
    if own is not None:
        mission, problems = read_mission(own)
        if mission is None:
            fail(f"{path}: {problems[0].field}: {english(problems[0].message)}", Code.UNUSABLE)
        known[mission.id] = mission
    try:
        secret = bytes.fromhex(content["secret"])
        salts = "|".join(f"{len(salt)}:{salt}" for salt in content["salts"])
    except (KeyError, TypeError, ValueError):
        fail(f"{path}: the dice of this game are damaged", Code.UNUSABLE)
    found: list[Problem] = []
    beginning = read_beginning(content.get("setup"), known, found, secret=secret)
    if beginning is None:
        fail(f"{path}: {found[0].field}: {english(found[0].message)}", Code.UNUSABLE)
    return begin(beginning, SeededDice(hmac.digest(secret, salts.encode(), "sha256")))
