"""How many phases a process resolves from gathering to commit, beside bare committed inserts in the same minute."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from secrets import token_hex
from statistics import median

from sqlalchemy import insert
from sqlalchemy.engine import URL

from bench.measure import Result, rest
from server.api import logs
from server.garbage import look_seldom
from server.play.background import Background
from server.play.campaigns import NewCampaign
from server.play.context import AppContext
from server.play.resolution import resolve_once
from server.settings import Settings
from server.store.database import Database
from server.store.tables import InboundMail
from tests.play.campaigns import Club, gathered

ROUNDS, CAMPAIGNS, INSERTS = 6, 8, 200
AIM = 0.12


class _Later(Background):
    """Leaves what is due to the clock of the bench."""

    def soon(self, key: str, work: object, *, long: bool = False) -> None:
        """Do nothing."""


def resolving(url: URL, kind: str) -> list[Result]:
    """Resolve a phase of each campaign and insert rows by turns; the median share of the rounds counts."""
    logs.configure("warning", "text")
    database = Database(url)
    ctx = AppContext(database, Settings(), background=_Later())
    made = [_club(ctx, number) for number in range(CAMPAIGNS)]
    look_seldom()  # as a server does
    shares, took, rates = [], [], []
    for _ in range(ROUNDS):
        rest()
        for each in made:
            each.play_phase()
        begun = time.perf_counter()
        for each in made:
            assert resolve_once(ctx, each.id) is not None
        seconds = (time.perf_counter() - begun) / CAMPAIGNS
        rate = inserts(database)
        shares.append(1 / seconds / rate)
        took.append(seconds)
        rates.append(rate)
    figure = f"{median(shares):.2f} ({1 / median(took):.0f}/s of {median(rates):.0f}/s)"
    database.close()
    what = f"phases resolved end to end, 4 players on 11 x 10, of bare committed inserts, {kind}"
    return [Result("resolving", what, figure, f"{AIM:.2f}", median(shares) >= AIM)]


def _club(ctx: AppContext, number: int) -> Club:
    """Start a campaign of four."""
    names = [f"Player {place} of {number}" for place in range(1, 5)]
    return gathered(ctx, f"Game master {number}", NewCampaign(f"Campaign {number}", "four-corners"), names)


def inserts(database: Database) -> float:
    """Return how many rows a second are inserted, each committed by itself."""
    begun = time.perf_counter()
    for _ in range(INSERTS):
        row = {"message_id": token_hex(8), "received_at": datetime.now(UTC), "outcome": ""}
        with database.write() as session:
            session.execute(insert(InboundMail).values(**row))
    return INSERTS / (time.perf_counter() - begun)
