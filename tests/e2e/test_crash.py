"""The server is killed while orders are written and phases resolved: nothing is lost, nothing is done twice.

Eight times on each kind of database; ``make crash KILLS=225 DB=postgresql`` does it as often as one likes.
Broken on purpose it fails: a set of which one order is not written, though acknowledged, is found.
"""

from __future__ import annotations

import os
import random
import threading
import time
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.engine import URL
from sqlalchemy.orm import undefer

from server.store.database import Database
from server.store.phase_events import events_of
from server.store.phase_orders import orders_of
from server.store.tables import Phase
from tests.e2e.clients import Table, set_up
from tests.e2e.copies import copied
from tests.e2e.generals import General
from tests.e2e.processes import ServerProcess, serving
from tests.store import databases

KILLS = int(os.environ.get("SEALED_ORDERS_KILLS", "8"))
CAMPAIGNS = KILLS // 4
TURNS = 4
PATIENCE = 240.0
pytestmark = pytest.mark.timeout(600 + 20 * KILLS)
"""More kills need more time: two of them on a busy machine took half a minute."""


def test_a_server_that_is_killed_again_and_again(kind: str) -> None:
    with databases.migrated(kind, "crash") as url:
        with serving(url) as server:
            tables = [_renamed(server.base_url, number) for number in range(CAMPAIGNS)]
            assert server.stop() in (0, -15)
        with copied(kind, url, "crash_quiet") as quiet, serving(quiet) as server:
            _play(server, tables)
            server.stop()
            expected = [_record(quiet, table) for table in tables]
        with serving(url) as server:
            generals, kills = _play_and_kill(server, tables)
            server.stop()
            found = [_record(url, table) for table in tables]
    assert kills >= KILLS
    assert not _difference(found, expected)
    for record, players in zip(found, generals, strict=True):
        _acknowledged_orders_are_there(record, players)
    sets = sum(len(general.acknowledged) for players in generals for general in players)
    phases = sum(map(len, found))
    print(f"\n{kind}: {kills} kills, {CAMPAIGNS} campaigns, {phases} phases as without kills, {sets} order sets kept")


def _renamed(base_url: str, number: int) -> Table:
    return set_up(base_url, 2, suffix=f" {number}", patience=PATIENCE, rules={"turn_limit": TURNS})


def _play(server: ServerProcess, tables: list[Table]) -> list[list[General]]:
    """Play all campaigns to their ends, one after the other, each player in a thread of his own."""
    return [_campaign(table.moved_to(server.base_url)) for table in tables]


def _campaign(table: Table) -> list[General]:
    generals = [General(player, table) for player in table.players]
    failures: list[BaseException] = []

    def lead(general: General) -> None:
        try:
            while (status := general.move()) != "finished" and not failures:
                time.sleep(0.1 if status == "waiting" else 0.0)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=lead, args=(each,)) for each in generals]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return generals


def _play_and_kill(server: ServerProcess, tables: list[Table]) -> tuple[list[list[General]], int]:
    """The same, with somebody who kills the server at random moments."""
    over, kills = threading.Event(), 0
    failures: list[BaseException] = []
    dice = random.Random(f"crash {KILLS}")

    def killer() -> None:
        nonlocal kills
        try:
            while kills < KILLS and not over.wait(dice.uniform(0.05, 1.0)):
                server.kill()
                kills += 1
                server.start()
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=killer)
    thread.start()
    try:
        generals = _play(server, tables)
    finally:
        over.set()
        thread.join()
        if failures:
            raise failures[0]
    return generals, kills


Record = list[dict[str, Any]]


def _difference(found: list[Record], expected: list[Record]) -> tuple[Any, ...]:
    """Return the first thing that differs: campaign, phase, part, as found, as it should be; or nothing."""
    for number, (ours, theirs) in enumerate(zip(found, expected, strict=True)):
        for mine, other in zip(ours, theirs, strict=False):
            for part in other:
                if mine[part] != other[part]:
                    return number, other["number"], part, mine[part], other[part], mine, other
        if len(ours) != len(theirs):
            return number, "phases", len(ours), len(theirs)
    return ()


def _record(url: URL, table: Table) -> Record:
    """Return what was written down of each phase, but for the time it took."""
    database = Database(url)
    with database.read() as session:
        wanted = select(Phase).where(Phase.campaign_id == table.id).order_by(Phase.number)
        phases = session.scalars(wanted.options(undefer(Phase.orders), undefer(Phase.salts))).all()
        told = {number: len(events) for (_, number), events in events_of(session, phases).items()}
        found = [
            {
                "number": phase.number,
                "phase": phase.phase,
                "orders": orders_of(session, phase),
                "salts": phase.salts,
                "hash": phase.state_hash,
                "chain": phase.chain_hash,
                "events": told.get(phase.number, 0),
                "why": phase.why,
            }
            for phase in phases
        ]
    database.close()
    return found


def _acknowledged_orders_are_there(record: Record, generals: list[General]) -> None:
    by_number = {each["number"]: each for each in record}
    for seat, general in enumerate(generals, 1):
        assert general.acknowledged
        for number, orders in general.acknowledged.items():
            assert by_number[number]["orders"].get(f"p{seat}", []) == orders
