"""How many phases a process resolves from gathering to commit, beside bare committed inserts in the same minute."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from secrets import token_hex
from statistics import median

from sqlalchemy import insert
from sqlalchemy.engine import URL

from bench.measure import Result, rest
from server.http import logs
from server.play.campaigns.campaigns import NewCampaign
from server.play.context import AppContext
from server.play.gc_tuning import tune_gc
from server.play.resolution.resolution import resolve_due, resolve_once
from server.play.schedule.due import A_BATCH
from server.settings import Settings
from server.store.database import Database
from server.store.tables import InboundMail
from tests.play.campaigns import Club, Later, gathered

ROUNDS, CAMPAIGNS, INSERTS = 6, A_BATCH, 200
AIM = 0.12


def resolving(url: URL, kind: str) -> list[Result]:
    """Resolve phases, one by one or together, and insert rows by turns; the median share of the rounds counts."""
    logs.configure("warning", "text")
    database = Database(url)
    ctx = AppContext(database, Settings(), background=Later())
    by_itself, together = (
        _Rates([_club(ctx, number) for number in range(at, at + CAMPAIGNS)]) for at in (0, CAMPAIGNS)
    )
    tune_gc()  # as a server does
    for _ in range(ROUNDS):
        for rates in (by_itself, together):
            rest()
            for one in rates.campaigns:
                one.play_phase()
            ids = [one.id for one in rates.campaigns]
            begun = time.perf_counter()
            if rates is together:
                assert {done.campaign_id for done in resolve_due(ctx, ids)} == set(ids)
            else:
                assert all(resolve_once(ctx, campaign_id) for campaign_id in ids)
            rates.add(CAMPAIGNS / (time.perf_counter() - begun), inserts(database))
    database.close()
    what = f"phases resolved end to end, 4 players on 11 x 10, {{}}, of bare committed inserts, {kind}"
    return [
        Result("resolving", what.format(f"{CAMPAIGNS} that are due together"), *together.result(AIM)),
        Result("resolving", what.format("each by itself, as its last player is final"), *by_itself.result(None)),
    ]


@dataclass(slots=True)
class _Rates:
    """What was done a second, round by round."""

    campaigns: list[Club]
    phases: list[float] = field(default_factory=list)
    inserts: list[float] = field(default_factory=list)

    def add(self, phases: float, inserts: float) -> None:
        """Add a round."""
        self.phases.append(phases)
        self.inserts.append(inserts)

    def result(self, aim: float | None) -> tuple[str, str, bool]:
        """Return what was measured, what it should be, and whether it is."""
        share = median(phases / rate for phases, rate in zip(self.phases, self.inserts, strict=True))
        figure = f"{share:.2f} ({median(self.phases):.0f}/s of {median(self.inserts):.0f}/s)"
        return figure, "" if aim is None else f"{aim:.2f}", aim is None or share >= aim


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
