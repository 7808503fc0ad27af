"""Due phases are shared: what one worker has taken, no other takes, and what it lets go of is taken over.

Seen to fail without the lock: the second worker takes what the first one has.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from server.play.context import AppContext
from server.play.resolution import resolution
from server.play.resolution.engine import play_phase
from server.play.resolution.phase_writing import Played
from server.play.resolution.resolution_input import ResolutionInput
from server.play.schedule import due
from server.store import agenda
from server.store.database import Database
from server.store.tables import Campaign
from tests.play.conftest import Clock
from tests.store import databases
from tests.storm import Storm, brewed, let_loose

COUNT = 20
PATIENCE = 60.0


@pytest.fixture
def kind() -> str:
    """SQLite has one writer at a time, and nothing to share."""
    return "postgresql"


@pytest.fixture
def storm(ctx: AppContext, clock: Clock) -> Storm:
    made = brewed(ctx, 1, COUNT - 1)
    let_loose(ctx.database, made.ids, clock.at)
    return made


@pytest.fixture
def other(ctx: AppContext) -> Iterator[AppContext]:
    """What another process would have."""
    database = Database(ctx.database.url)
    yield AppContext(database, ctx.settings, ctx.clock)
    database.close()


class Computed:
    """Counts how often the rules play a campaign's phase; the first thread that comes waits for the test."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.times: Counter[int] = Counter()
        self.begun, self.go_on = threading.Event(), threading.Event()
        monkeypatch.setattr(resolution, "play_phase", self._play)

    def _play(self, *given: Any) -> Any:
        self.times[threading.get_ident()] += 1
        if not self.begun.is_set():
            self.begun.set()
            assert self.go_on.wait(PATIENCE)
        return play_phase(*given)


def numbers(ctx: AppContext, storm: Storm) -> Counter[int]:
    with ctx.database.read() as session:
        found = [session.get_one(Campaign, campaign_id).phase_number for campaign_id in storm.ids]
    return Counter(found)


def test_a_second_worker_takes_what_the_first_has_not(
    ctx: AppContext, other: AppContext, storm: Storm, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed = Computed(monkeypatch)
    first = threading.Thread(target=due.resolve_what_is_due, args=(ctx,))
    first.start()
    assert computed.begun.wait(PATIENCE)
    due.resolve_what_is_due(other)  # ends although the first one stands still
    here = computed.times[threading.get_ident()]
    assert here == COUNT - due.A_BATCH
    assert numbers(ctx, storm) == {2: here, 1: due.A_BATCH}
    computed.go_on.set()
    first.join(PATIENCE)
    assert numbers(ctx, storm) == {2: COUNT}
    assert computed.times.total() == COUNT


def test_what_was_let_go_of_is_taken_over(ctx: AppContext, other: AppContext, storm: Storm) -> None:
    session = Session(ctx.database.engine)
    assert sorted(agenda.take(session, due.until(ctx, *due.PHASES), COUNT)) == sorted(storm.ids)
    due.resolve_what_is_due(other)
    assert numbers(ctx, storm) == {1: COUNT}
    session.invalidate()  # the connection ends, as that of a process that is killed; the database notices soon
    patience = time.monotonic() + 30
    while numbers(ctx, storm) != {2: COUNT} and time.monotonic() < patience:
        due.resolve_what_is_due(other)
    assert numbers(ctx, storm) == {2: COUNT}


def test_a_phase_that_fails_holds_up_no_other(ctx: AppContext, storm: Storm, monkeypatch: pytest.MonkeyPatch) -> None:
    unlucky = storm.ids[3]
    play = resolution._play

    def fails(ctx: AppContext, found: ResolutionInput) -> Played:
        if found.rows.campaign.id == unlucky:
            raise ValueError("broken")
        return play(ctx, found)

    monkeypatch.setattr(resolution, "_play", fails)
    assert due.resolve_what_is_due(ctx) == COUNT
    assert due.due_campaigns(ctx) == [unlucky]


def test_those_that_are_not_due_are_left(ctx: AppContext, storm: Storm, clock: Clock) -> None:
    let_loose(ctx.database, storm.ids[:7], clock.at + timedelta(seconds=1))
    with ctx.database.write() as session:
        assert set(agenda.take(session, due.until(ctx, *due.PHASES), COUNT)) == set(storm.ids[7:])
    held = replace(ctx, settings=ctx.settings.model_copy(update={"hold": True}))
    with ctx.database.write() as session:
        assert agenda.take(session, due.until(held, *due.PHASES), COUNT) == []


@pytest.fixture
def on_cluster(ctx: AppContext) -> Iterator[AppContext]:
    """A server on a database that says of itself that campaigns are in two shards."""
    shard = "get_shard_id_for_distribution_column"
    with ctx.database.write() as session:
        for statement in (
            "CREATE TABLE pg_dist_partition AS SELECT CAST('campaigns' AS regclass) AS logicalrelid, 'h' AS partmethod",
            f"CREATE FUNCTION {shard}(text, text) RETURNS integer LANGUAGE sql AS 'SELECT hashtext($2) & 1'",
        ):
            session.execute(text(statement))
    database = Database(ctx.database.url)
    yield AppContext(database, ctx.settings, ctx.clock)
    database.close()
    with ctx.database.write() as session:
        session.execute(text("DROP TABLE pg_dist_partition"))
        session.execute(text(f"DROP FUNCTION {shard}"))


@pytest.mark.skipif(bool(databases.CITUS), reason="has shards of its own")
def test_a_cluster_resolves_campaigns_of_a_shard_together(
    ctx: AppContext, on_cluster: AppContext, storm: Storm, monkeypatch: pytest.MonkeyPatch
) -> None:
    together: list[list[str]] = []

    def noted(ctx: AppContext, campaign_ids: list[str], **more: Any) -> Any:
        together.append(campaign_ids)
        return resolution.resolve_due(ctx, campaign_ids, **more)

    monkeypatch.setattr(due, "resolve_due", noted)
    due.resolve_what_is_due(on_cluster)
    assert numbers(ctx, storm) == {2: COUNT}
    assert sorted(campaign_id for some in together for campaign_id in some) == sorted(storm.ids)
    with ctx.database.read() as session:
        of = text("SELECT count(DISTINCT hashtext(id) & 1) FROM unnest(CAST(:some AS text[])) AS id")
        assert [session.scalar(of, {"some": some}) for some in together] == [1] * len(together)
    assert len(together) <= COUNT // due.A_BATCH + 2  # a batch has two shards only where one of them ends
