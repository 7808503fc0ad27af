"""``sealed-orders table``: a game on the table, refereed in the terminal, and saved as a file.

Two people play at one keyboard, or one alone against the solo opponent. The file holds how the game began, its secret
and salts, its acts. Everything else follows from these.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from server import missions
from server.commands import table_screen as screen
from server.commands.missions import find
from server.commands.terminal import Code, console, fail, save
from server.core.dice import SeededDice
from server.core.errors import Problem
from server.referee.awaiting import awaiting
from server.referee.beginning import read_beginning
from server.referee.choices import Option
from server.referee.fold import TableGame, begin, open_for, submit
from server.referee.mission import Mission
from server.referee.reader import read_mission
from server.referee.view import SPECTATOR, events_for, view_for
from server.render.messages import english
from server.render.table.story import awaited_line, sentence
from server.render.translations import Translations

app = typer.Typer(rich_markup_mode="markdown")
PLAYERS = ("red", "blue")
HELP = """Type the number of an act or its name, then values: "3", "raze 4 no", "move a1 to=30,12.5".
"blue confirm" says who acts. "state" shows the game, "look red" what red alone knows, "quit" leaves; all is saved."""


@app.command("table")
def play(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Saved game. It is created if needed.")],
    mission: Annotated[str, typer.Option(help="Mission id or file, for a new game.")] = "",
    armies: Annotated[list[Path] | None, typer.Option(help="Army files of red and blue, for a new game.")] = None,
    language: Annotated[str, typer.Option(help="en or de.")] = "en",
) -> None:
    """Play a tabletop battle, with the referee in this terminal.

    Every action is saved; the same command continues the game. Without --armies each side brings
    the mission's sample army.

    Examples: `sealed-orders table sunday.json --mission scorched_earth` · `sealed-orders table sunday.json`

    Exits 2 when a file cannot be used.
    """
    game = resume(file) if file.exists() else _new(file, mission, armies or [])
    session = _Session(game, Translations(language if language in ("en", "de") else "en"))
    typer.echo(f"SHA-256 of the secret of the dice: {commitment(game.content)}")
    typer.echo(HELP)
    session.run()


def _new(file: Path, mission: str, armies: list[Path]) -> SavedGame:
    if not mission:
        fail(f"{file}: no such game; start one with --mission ({', '.join(missions.library())})", Code.UNUSABLE)
    plan = find(mission)
    own = None if mission in missions.library() else _toml(Path(mission))
    setup = missions.sample(plan)
    for side, path in zip(PLAYERS, armies, strict=False):
        setup["players"][side] = _toml(path)
    return create(file, setup, own)


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        fail(f"{path}: {error.strerror}", Code.UNUSABLE)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        fail(f"{path}: not TOML: {error}", Code.UNUSABLE)


class _Session:
    """The loop of question and answer."""

    def __init__(self, game: SavedGame, t: Translations) -> None:
        self.game = game
        self.t = t
        self.told = len(game.table.events)

    def run(self) -> None:
        self._show(SPECTATOR)
        while not self.game.table.game.over:
            options = self._options()
            line = self._ask("> ")
            if line is None or line.strip().lower() in ("quit", "exit"):
                typer.echo(f"Saved in {self.game.path}.")
                return
            self._line(line.strip(), options)
        typer.echo(self._result())

    def _options(self) -> list[Option]:
        return [option for player in (*PLAYERS, "gm") for option in open_for(self.game.table, player)]

    def _line(self, line: str, options: list[Option]) -> None:
        first, _, rest = line.lower().partition(" ")
        if first in ("", "help", "?"):
            typer.echo(HELP)
            self._list(options)
        elif first in ("state", "look"):
            self._show(rest if rest in PLAYERS else SPECTATOR)
        else:
            try:
                typed = screen.understand(line, options, self._names())
                self._complete(typed)
            except screen.Unclear as error:
                typer.echo(str(error))
                return
            self._do(typed.option, typed.fields)

    def _complete(self, typed: screen.Typed) -> None:
        """Ask for the fields that are needed and were not typed."""
        for name in typed.missing:
            choice = typed.option.fields[name]
            answer = self._ask(screen.question(name, choice, self.t, self._names()))
            if not answer:
                raise screen.Unclear("Nothing was done.")
            typed.fields[name] = screen.value_of(answer.strip(), choice, name, self._names())

    def _do(self, option: Option, fields: Mapping[str, Any]) -> None:
        problems = self.game.act(option.by, screen.act_of(option, fields))
        for problem in problems:
            rule = f" ({problem.rule})" if problem.rule else ""
            typer.echo(f"Refused, {problem.code}: {english(problem.message)}{rule}")
        if not problems:
            self._news()
            self._show(SPECTATOR)

    def _news(self) -> None:
        events = self.game.table.events
        for event in events_for(events[self.told :], SPECTATOR):
            typer.echo(f"  {sentence(event, self.t, self._names())}")
        self.told = len(events)

    def _show(self, player: str) -> None:
        if player != SPECTATOR:
            self._ask(f"Only {player} looks now. Press Enter.")
        view = view_for(self.game.table.game, player)
        for line in screen.state_lines(view, self.t):
            typer.echo(line)
        if player != SPECTATOR:
            self._ask("Press Enter to cover it again.")
            console().clear()
        self._list(self._options())

    def _list(self, options: list[Option]) -> None:
        waiting = awaiting(self.game.table.game)
        for line in (awaited_line(waiting.to_json(), self.t, {}), screen.passed_line(waiting, self.t)):
            if line:
                typer.echo(line)
        for line in screen.option_lines(options, self.t, self._names()):
            typer.echo(line)

    def _names(self) -> dict[str, str]:
        """Return what units are called, by id."""
        return {unit.id: unit.name for unit in self.game.table.game.units.values()}

    def _result(self) -> str:
        result = self.game.table.game.result
        winner = self.t.name("table", result.winner) if result and result.winner else "nobody"
        return (
            f"Over: {result.word if result else 'ended'}, {winner}. Secret of the dice: {self.game.content['secret']}"
        )

    def _ask(self, prompt: str) -> str | None:
        """Return a line, None at the end of the input."""
        try:
            return input(prompt)
        except EOFError:
            sys.stdout.write("\n")
            return None


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
