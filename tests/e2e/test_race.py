"""Everybody declares final at the same moment, to different servers on one database: each phase is resolved once.

Twelve phases; ``make race PHASES=200 DB=postgresql`` as many as one likes. On PostgreSQL two processes; on SQLite one,
with its threads.
Broken on purpose it fails: a phase opened (and told of) twice is counted.
"""

from __future__ import annotations

import os
import threading
from collections import Counter

import pytest
from sqlalchemy import select
from sqlalchemy.engine import URL

from server.store.database import Database
from server.store.tables import LiveEvent, Phase, PhaseStanding
from tests.e2e.clients import Client, Table, set_up
from tests.e2e.processes import ServerProcess
from tests.store import databases

PHASES = int(os.environ.get("SEALED_ORDERS_PHASES", "12"))
PLAYERS = 4
PATIENCE = 60.0
pytestmark = pytest.mark.timeout(600 + 10 * PHASES)


def test_each_phase_is_resolved_once(kind: str) -> None:
    with databases.migrated(kind, "race") as url, ServerProcess(url) as first, ServerProcess(url) as second:
        if kind == "sqlite":
            second.stop()
        others = first if kind == "sqlite" else second
        table = set_up(first.base_url, PLAYERS, patience=PATIENCE, rules={"turn_limit": 900})
        there = table.moved_to(others.base_url)
        players = [(table if seat % 2 else there).players[seat] for seat in range(PLAYERS)]
        _race(table, players)
        for each in (first, second):
            each.stop()
        count = _resolved_once(url, table)
    processes = 1 if kind == "sqlite" else 2
    print(f"\n{kind}: {count} phases raced for by {PLAYERS} players at {processes} process(es), each resolved once")


def _race(table: Table, players: list[Client]) -> None:
    start, end = threading.Barrier(len(players)), threading.Barrier(len(players) + 1)
    number, over = 0, False
    failures: list[BaseException] = []

    def lead(player: Client) -> None:
        try:
            while True:
                end.wait(120)
                if over:
                    return
                mine = {"number": number}
                start.wait(60)
                answer = player.ask("POST", f"{table.path}/orders/final", mine)
                # sent again after a broken connection it may be done already, its answer not yet kept
                late = answer.status_code == 409 and answer.json()["code"] in ("wrong_phase", "already_done")
                assert late or answer.status_code == 200, answer.text
        except BaseException as error:
            failures.append(error)
            end.abort()
            start.abort()

    threads = [threading.Thread(target=lead, args=(each,)) for each in players]
    for thread in threads:
        thread.start()
    try:
        while not over and not failures:
            campaign = table.gm.do("GET", table.path)
            over = campaign["status"] == "finished" or campaign["phase_number"] > PHASES
            if over or campaign["phase_number"] != number:
                number = campaign["phase_number"]
                end.wait(120)
    except threading.BrokenBarrierError:
        pass
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def _resolved_once(url: URL, table: Table) -> int:
    """Return how many phases were resolved, each of them once."""
    database = Database(url)
    with database.read() as session:
        mine = select(Phase).where(Phase.campaign_id == table.id).order_by(Phase.number)
        phases = session.scalars(mine).all()
        standings = Counter(
            session.scalars(select(PhaseStanding.phase_number).where(PhaseStanding.campaign_id == table.id))
        )
        opened = Counter(
            each["number"]
            for each in session.scalars(
                select(LiveEvent.data).where(
                    LiveEvent.kind == "phase_opened", LiveEvent.topic == f"campaign/{table.id}/public"
                )
            )
        )
    database.close()
    assert [phase.number for phase in phases] == list(range(len(phases)))
    resolved = [phase for phase in phases if phase.resolved_at is not None]
    assert len(resolved) >= PHASES
    assert len({each.chain_hash for each in resolved}) == len(resolved)
    assert len(phases) - len(resolved) <= 1
    assert set(standings.values()) == {PLAYERS}
    assert opened == Counter(phase.number for phase in phases if phase.number)
    return len(resolved)
