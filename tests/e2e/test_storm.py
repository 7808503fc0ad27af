"""Many campaigns fall due in the same moment, and two server processes share them; one is killed in the middle.

Seen to fail without the lock on what a worker takes: both processes compute the same phases, more than 60 in vain.
SQLite has no such lock, and one writer at a time, who may be the same every time: there a phase that both took is
computed twice, and written once.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from datetime import UTC, datetime

import pytest
from sqlalchemy import func, select

from server.play.context import AppContext
from server.play.schedule.due import A_BATCH
from server.settings import Settings
from server.store.database import Database
from server.store.tables import Campaign, LiveEvent, Outbox, Phase
from tests.e2e.processes import ServerProcess
from tests.store import databases
from tests.storm import brewed, let_loose

COUNT = 48
PATIENCE = 120.0


@pytest.mark.parametrize("killed", [False, True])
def test_two_processes_share_a_storm(kind: str, killed: bool) -> None:
    with databases.migrated(kind, "storm") as url:
        database = Database(url)
        ids = brewed(AppContext(database, Settings(_env_file=None)), 2, COUNT // 2 - 1).ids
        first, second = (ServerProcess(url, log_level="info", log_format="json") for _ in range(2))
        with first, second:
            let_loose(database, ids, datetime.now(UTC))
            if killed:
                _wait(database, COUNT // 6)
                first.kill()
            _wait(database, COUNT)
            second.stop()
            first.stop()
            shares = [_resolved(each) for each in (first, second)]
            in_vain = [each.log.read_text().count("resolved in vain") for each in (first, second)]
        _each_once(database, ids)
        database.close()
    if kind == "postgresql":
        assert shares[1]
        assert killed or shares[0]
        assert in_vain == [0, 0]
    unlogged = 2 * A_BATCH * killed  # what its two workers committed last
    assert sum(map(len, shares)) >= COUNT - unlogged
    assert not set(shares[0]) & set(shares[1])


def _wait(database: Database, count: int) -> None:
    """Wait until so many phases are resolved."""
    end = time.monotonic() + PATIENCE
    done = select(func.count()).where(Phase.number == 1, Phase.resolved_at.is_not(None))
    while time.monotonic() < end:
        with database.read() as session:
            if (session.scalar(done) or 0) >= count:
                return
        time.sleep(0.02)
    raise AssertionError("not all are resolved")


def _resolved(server: ServerProcess) -> list[str]:
    """Return the campaigns of which a process says that it has resolved a phase."""
    lines = (line for line in server.log.read_text().splitlines() if line.startswith("{"))
    said = (json.loads(line) for line in lines)
    return [str(found["campaign_id"]) for found in said if found["event"] == "resolved"]


def _each_once(database: Database, ids: tuple[str, ...]) -> None:
    """Each campaign has opened its second phase once, and told of it once."""
    with database.read() as session:
        numbers = Counter(session.scalars(select(Campaign.phase_number).where(Campaign.id.in_(ids))))
        news = session.scalars(select(LiveEvent).where(LiveEvent.kind == "phase_opened")).all()
        mails = session.scalars(select(Outbox.campaign_id).where(Outbox.kind == "mail")).all()
    assert numbers == {2: len(ids)}
    opened = Counter(each.topic for each in news if each.data["number"] == 2 and each.topic.endswith("/public"))
    assert set(opened.values()) == {1}
    assert len(opened) == len(ids)
    assert set(mails) >= set(ids)
