"""A table game as one file, and checking it offline: every act is done once more, every die thrown again.

The chain of hashes begins with the beginning; each act's hash stands for everything up to it and for what both sides
and spectators knew after it.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Iterator
from dataclasses import dataclass

from server.core.dice import SeededDice
from server.play.archive.record_files import TABLE_FORMAT, VERSION, Json, pack, table_game
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.tables.access import load
from server.play.tables.folding import ReplayMismatch, act_hash, beginning_hash, read_begun, state_hash
from server.play.tables.missions import ROLLED
from server.play.tables.starting import drawn
from server.referee.dice_log import table_seed
from server.referee.fold import TableGame, begin, submit
from server.store import tables

_MISSHAPEN = (KeyError, TypeError, ValueError, AttributeError, LookupError)
"""What reading rows raises that are not shaped as they should be."""


@dataclass(frozen=True, slots=True)
class TableDifference:
    """A fault of a record."""

    act: int | None
    """None: before the first act, or after the last."""
    what: str
    """``secret``, ``salt``, ``seed``, ``mission``, ``act``, ``state``, ``chain``, ``result`` or ``shape``."""
    message: str


@dataclass(frozen=True, slots=True)
class TableReport:
    """What came of checking a record."""

    game: str
    name: str
    checked: int
    """Acts that are as they should be."""
    total: int
    rolls: int
    first: TableDifference | None

    @property
    def ok(self) -> bool:
        """True when nothing differs."""
        return self.first is None


def export(ctx: AppContext, actor: Actor, game_id: str, watch: str | None = None) -> bytes:
    """Return a game as a file: for all who may know of it once it is closed, for the operator at any time."""
    with ctx.database.read() as session:
        may = load(session, actor, game_id, watch)
        if not (may.closed or actor.admin):
            raise PlayError("forbidden", "The record holds every secret. It can be downloaded when the game is closed.")
        return pack({"format": TABLE_FORMAT, "version": VERSION, **table_game(session, game_id)})


def verify(record: Json) -> TableReport:
    """Check a record; the first thing that differs is named. Never raises for what a file may hold."""
    checking = _Checking(record)
    first: TableDifference | None
    try:
        first = next(checking.differences(), None)
    except ReplayMismatch as error:
        first = TableDifference(checking.act, "shape", str(error))
    except _MISSHAPEN as error:
        first = TableDifference(checking.act, "shape", f"The record is not shaped as it should be: {error!r}.")
    game = record.get("game")
    known = game if isinstance(game, dict) else {}
    rolls = sum(map(len, checking.table.faces.rolled.values())) if checking.table is not None else 0
    name, id_ = str(known.get("name") or ""), str(known.get("id"))
    return TableReport(id_, name or str(known.get("mission") or ""), checking.checked, checking.total, rolls, first)


class _Checking:
    """One check of a record; says how far it came."""

    def __init__(self, record: Json) -> None:
        self.record = record
        self.act: int | None = None
        self.checked = self.total = 0
        self.table: TableGame | None = None

    def differences(self) -> Iterator[TableDifference]:
        """Yield what differs, in the order of the game."""
        game, seats = self.record["game"], self.record["table_seats"]
        secret = base64.b64decode(game["dice_secret"], validate=True)
        if hashlib.sha256(secret).hexdigest() != game["commitment"]:
            yield TableDifference(None, "secret", "The secret is not the one that was committed to.")
        salts = {seat["side"]: seat for seat in seats}
        for side, seat in salts.items():
            sent = seat["salt"] or self.record["table_beginnings"]
            if sent and not seat["solo"] and hashlib.sha256(seat["salt"].encode()).hexdigest() != seat["commitment"]:
                yield TableDifference(None, "salt", f"The salt of {side} is not the one that was committed to.")
        if not self.record["table_beginnings"]:
            return
        (beginning,) = self.record["table_beginnings"]
        seed = table_seed(secret, game["id"], [salts[side]["salt"] for side in tables.SIDES])
        if not hmac.compare_digest(seed.hex(), str(beginning["seed"])):
            yield TableDifference(None, "seed", "The seed does not follow from secret and salts.")
        yield from _mission(game, beginning, seed)
        yield from self._acts(game["id"], beginning, seed)

    def _acts(self, game_id: str, beginning: Json, seed: bytes) -> Iterator[TableDifference]:
        acts = self.record["table_acts"]
        self.total = len(acts)
        files = beginning["missions"]
        table = self.table = begin(read_begun(beginning["beginning"], files, seed), SeededDice(seed))
        chained = beginning_hash(game_id, beginning["beginning"], files)
        for number, act in enumerate(acts):
            self.act = number
            problems = submit(table, act["by"], act["content"])
            if problems or act["number"] != number:
                why = problems[0].message if problems else "it has another number"
                yield TableDifference(number, "act", f"This act cannot be done here: {why}")
            if state_hash(table) != act["state"]:
                yield TableDifference(number, "state", "The same act leads to another state.")
            chained = act_hash(chained, number, act["by"], act["content"], act["state"])
            if chained != act["hash"]:
                yield TableDifference(number, "chain", "The chain of hashes is broken.")
            self.checked += 1
        self.act = None
        yield from self._result(table)

    def _result(self, table: TableGame) -> Iterator[TableDifference]:
        game, result = table.game, table.game.result
        kept = [
            {name: row[name] for name in ("mission", "winner", "word", "red_vp", "blue_vp")}
            for row in self.record["table_results"]
        ]
        expected = {
            "mission": game.mission.id, "winner": result.winner if result else "",
            "word": result.word if result else "draw", "red_vp": game.vp["red"], "blue_vp": game.vp["blue"],
        }  # fmt: skip
        if kept != ([expected] if game.over else []):
            yield TableDifference(None, "result", "The result does not follow from the acts.")


def _mission(game: Json, beginning: Json, seed: bytes) -> Iterator[TableDifference]:
    """Yield that a game began with another mission than the one chosen, or drawn by the dice."""
    setup, files = game["setup"], beginning["missions"]
    known = game["mission"]
    if setup["how"] == ROLLED and drawn(setup["family"], seed)["id"] != known:
        yield TableDifference(None, "mission", "The dice draw another mission.")
    if known != files[0]["id"] or known != beginning["beginning"]["game"]:
        yield TableDifference(None, "mission", "The game did not begin with its mission.")
