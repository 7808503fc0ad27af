"""What a long campaign weighs: ten computer players' orders for a hundred turns, handed in to a database file.

Its calendar is a club's: two phases a week, some four years. It is weighed twice: with all that was ever written, and
as an operator has it, after mails were sent and the server's own cleanup threw away what is too old by that calendar.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import func, select, text
from sqlalchemy.engine import URL

from bench.measure import Result
from server.play.campaigns.campaigns import NewCampaign
from server.play.context import AppContext
from server.play.notices.delivery import Item, deliver
from server.play.schedule import cleanup
from server.scenarios import library
from server.settings import Settings
from server.store.database import Database
from server.store.tables import Phase
from tests.play.campaigns import gathered
from tests.play.conftest import Clock

SCENARIO, PLAYERS, TURNS = "spine-of-the-world", 10, 100
HOURS_A_PHASE = 84
"""Two a week."""
MOST = 10.0
"""Megabytes."""
_RULES = {"capital_eliminates": True}
"""A capital that falls ends the campaign for its owner, not for all."""
_LARGEST = text("SELECT name, sum(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC LIMIT 6")


def weight(url: URL, *given: str) -> list[Result]:
    """Play it and weigh the file, without what an empty database weighs; *given* may name fewer turns."""
    turns = next((int(word) for word in given if word.isdigit()), TURNS)
    database, clock = Database(url), Clock()
    file = Path(str(url.database))
    ctx = AppContext(database, Settings.model_validate({"resolver_threads": 0, "resolver_processes": 0}), clock)
    empty = _megabytes(file)
    new = NewCampaign("The Hundred", SCENARIO, rules=_RULES | {"turn_limit": turns})
    made = gathered(ctx, "Gwen", new, [f"General {place}" for place in range(1, PLAYERS + 1)], first=1)
    while made.info.status == "running":
        clock.forward(hours=HOURS_A_PHASE)
        made.play_phase()
    whole = _megabytes(file) - empty
    while deliver(ctx, {"mail": _send}):
        pass
    cleanup.tidy(ctx)
    kept = _megabytes(file) - empty
    with database.read() as session:
        largest = session.execute(_LARGEST).all()
        turns, phases = session.execute(select(func.max(Phase.turn), func.count(Phase.number))).one()
    database.close()
    board = library.load(SCENARIO).board
    what = f"{PLAYERS} players, {board.columns} x {board.rows}, {turns} turns, {phases} phases"
    parts = ", ".join(f"{name} {size / 1e6:.1f}" for name, size in largest)
    return [
        Result("weight", f"{what}, two a week: database file", f"{kept:.1f} MB", f"{MOST:g} MB", kept <= MOST),
        Result("weight", "the same: largest tables and indices, MB", parts),
        Result("weight", "the same, had nothing been thrown away", f"{whole:.1f} MB"),
    ]


def _send(_item: Item) -> None:
    """Take a mail: what weighs is that it was sent, and when."""


def _megabytes(file: Path) -> float:
    """Return what the file weighs, with nothing left in the log beside it, and without empty pages."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return file.stat().st_size / 1e6
