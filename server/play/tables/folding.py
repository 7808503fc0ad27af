"""Table games in the referee's form, folded from their actions and cached in this process.

A cached game follows the database: it is found by the game's id, and actions that another process has written
meanwhile are played on it. Nobody sees uncommitted actions: the lock is held until then.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import RLock
from typing import Any

import orjson
from sqlalchemy import select
from sqlalchemy.orm import Session

from server.core.dice import SeededDice
from server.core.errors import Problem
from server.play.context import AppContext
from server.play.tables.missions import read_library
from server.referee.awaiting import awaiting
from server.referee.beginning import FIRST, Beginning, read_beginning
from server.referee.every_game import waits_for
from server.referee.fold import TableGame, begin, submit
from server.referee.mission import PLAYERS
from server.referee.reading import Found
from server.referee.rule import Awaited
from server.referee.view import SPECTATOR, view_for
from server.store.tables import TableActRow, TableBeginningRow, TableGameRow


@dataclass(slots=True)
class Folded:
    """A game in play. Hold the lock while reading or changing it."""

    lock: RLock
    table: TableGame
    hash: str
    """Of the last act, or of the beginning."""
    told: list[int] = field(default_factory=list)
    """How many events there were after the beginning and after each act."""
    at: list[Any] = field(default_factory=list)
    """When each act was done."""
    waits_since: dict[str, Any] = field(default_factory=dict)
    """By side: the time since which the other side waits for an action that may be passed (N-61)."""
    waiting: dict[str, list[Awaited]] = field(default_factory=dict)
    """By side: what that is."""
    clocked: bool = False
    """It is played with clocks."""
    awaited: list[str] = field(default_factory=list)
    """With clocks: whose action was awaited before each act; both, or nobody."""
    dropped: bool = False
    """It differs from the database and must not be used any more."""

    @property
    def acts(self) -> int:
        """How many acts there are."""
        return len(self.told) - 1

    def play(self, by: str, content: Mapping[str, Any], at: Any) -> list[Problem]:
        """Do an act, or return what is wrong with it."""
        side = awaiting(self.table.game).side if self.clocked else ""
        problems = submit(self.table, by, content)
        if not problems:
            self.awaited.append(side)
            self.told.append(len(self.table.events))
            self.at.append(at)
            for side in PLAYERS:
                self._note_waiting(side, at)
        return problems

    def _note_waiting(self, side: str, at: Any) -> None:
        """Start a side's time when something new is awaited of it."""
        before, now = self.waiting.get(side, ()), waits_for(self.table.game, side)
        self.waiting[side] = now
        if not now:
            self.waits_since.pop(side, None)
        elif any(awaited not in before for awaited in now):
            self.waits_since[side] = at


class ReplayMismatch(Exception):
    """A stored game cannot be played: another version wrote it, or it is damaged."""

    def __init__(self, message: str, problems: Sequence[Problem] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(problems)


@contextmanager
def held(ctx: AppContext, game_id: str, acts: int) -> Iterator[Folded]:
    """Hold a game of which at least that many acts are committed. Call it without a session."""
    folded = ctx.caches.tables.get(game_id, lambda: _loaded(ctx, game_id))
    with folded.lock:
        if folded.dropped:
            folded = _loaded(ctx, game_id)
            ctx.caches.tables.put(game_id, folded)
        if folded.acts < acts:
            with ctx.database.read() as session:
                missing = acts_from(session, game_id, folded.acts)
            _play(folded, missing)
        yield folded


def drop(ctx: AppContext, game_id: str, folded: Folded) -> None:
    """Forget a game that went further than the database."""
    folded.dropped = True
    ctx.caches.tables.forget(game_id)


def begun(row: TableBeginningRow, game_id: str) -> Folded:
    """Return a game at its beginning."""
    seed = bytes.fromhex(row.seed)
    beginning = read_begun(row.beginning, row.missions, seed)
    table = begin(beginning, SeededDice(seed))
    return Folded(RLock(), table, beginning_hash(game_id, row.beginning, row.missions), [len(table.events)])


def read_begun(values: Mapping[str, Any], files: list[Any], seed: bytes) -> Beginning:
    """Return the beginning of a game; raise :class:`ReplayMismatch` if it is invalid."""
    found: Found = []
    try:
        library = read_library(files)
    except ValueError as error:
        raise ReplayMismatch(str(error)) from error
    beginning = read_beginning(
        values, library, found, unversioned=FIRST, secret=hmac.digest(seed, b"shuffle", "sha256")
    )
    if beginning is None:
        raise ReplayMismatch("; ".join(f"{problem.field}: {problem.message}" for problem in found), found)
    return beginning


def beginning_hash(game_id: str, beginning: Mapping[str, Any], files: list[Any]) -> str:
    """Return the hash that the chain of acts begins with."""
    return _hashed({"game": game_id, "beginning": beginning, "missions": files})


def act_hash(before: str, number: int, by: str, content: Mapping[str, Any], state: str) -> str:
    """Return the hash of an act: it stands for everything up to it."""
    return _hashed({"before": before, "number": number, "by": by, "act": content, "state": state})


def state_hash(table: TableGame) -> str:
    """Return the hash of what both sides and spectators know."""
    return _hashed([view_for(table.game, viewer) for viewer in (*PLAYERS, SPECTATOR)])


def acts_from(session: Session, game_id: str, first: int) -> list[TableActRow]:
    """Return the acts of a game from a number on, in order."""
    mine = (TableActRow.game_id == game_id, TableActRow.number >= first)
    return list(session.scalars(select(TableActRow).where(*mine).order_by(TableActRow.number)))


def _loaded(ctx: AppContext, game_id: str) -> Folded:
    with ctx.database.read() as session:
        row = session.get(TableBeginningRow, game_id)
        setup = session.scalar(select(TableGameRow.setup).where(TableGameRow.id == game_id)) or {}
        acts = acts_from(session, game_id, 0)
    if row is None:
        raise ReplayMismatch("the game has not started")
    folded = begun(row, game_id)
    folded.clocked = bool(setup.get("minutes"))
    _play(folded, acts)
    return folded


def _play(folded: Folded, acts: list[TableActRow]) -> None:
    for row in acts:
        problems = folded.play(row.by, row.content, row.at)
        if problems:
            raise ReplayMismatch(f"act {row.number}: {problems[0].code}: {problems[0].message}")
        folded.hash = row.hash


def _hashed(value: Any) -> str:
    return hashlib.sha256(orjson.dumps(value, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)).hexdigest()
