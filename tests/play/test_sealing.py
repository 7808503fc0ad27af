"""The record after the end: sealed while the game master may go back, then public for good."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from server.play.archive.record_files import export, read
from server.play.archive.verification import verify_record
from server.play.campaigns import campaigns
from server.play.context import Actor, AppContext
from server.play.dice import salts
from server.play.errors import PlayError
from server.play.game_masters import rollback
from server.play.records import records
from server.play.schedule import ticker
from server.play.views import history, positions
from server.settings import Settings
from server.store.database import Database
from tests.play.campaigns import Club, club
from tests.play.conftest import Clock, person


@pytest.fixture
def ctx(database: Database, clock: Clock) -> Iterator[AppContext]:
    own = AppContext(database, Settings(_env_file=None, seal_hours=72), clock)
    yield own
    own.close()


@pytest.fixture
def over(ctx: AppContext) -> Club:
    made = club(ctx, options={"anonymous": True}, phases=4)
    campaigns.finish(ctx, made.gm, made.id)
    return made


def everything_is_open(made: Club, actor: Actor) -> bool:
    ctx = made.ctx
    try:
        read(export(ctx, actor, made.id))
        told = True
    except PlayError:
        told = False
    info = campaigns.get(ctx, actor, made.id)
    named = all(seat.user is not None for seat in info.seats)
    keys = len(salts.dice(ctx, actor, made.id).seat_keys) == 4
    links = all(phase.link for phase in history.phases(ctx, actor, made.id) if phase.resolved_at)
    hashes = history.phases(ctx, actor, made.id)[1].state_hash is not None
    found = {told, named, keys, links, hashes, info.public}
    assert len(found) == 1, (told, named, keys, links, hashes, info.public)
    return told


def test_while_it_is_sealed_everybody_knows_what_they_knew(over: Club, clock: Clock) -> None:
    ada, ctx = over.players["p1"], over.ctx
    assert not everything_is_open(over, ada)
    until = campaigns.get(ctx, ada, over.id).sealed_until
    assert until is not None
    assert positions.position(ctx, ada, over.id).view.viewer == "p1"
    with pytest.raises(PlayError):
        positions.position(ctx, ada, over.id, as_="p2")
    clock.at = until
    ticker.tick(ctx)
    assert everything_is_open(over, ada)
    assert campaigns.get(ctx, ada, over.id).sealed_until is None
    report = verify_record(read(export(ctx, ada, over.id)))
    assert report.ok, report.first


def test_the_ticker_waits(over: Club, clock: Clock) -> None:
    clock.forward(hours=71)
    ticker.tick(over.ctx)
    assert not everything_is_open(over, over.players["p1"])


def test_the_game_master_may_go_back_until_it_is_public(over: Club, clock: Clock) -> None:
    ctx = over.ctx
    assert rollback.roll_back(ctx, over.gm, over.id, 3, "A wrong map.") == 2
    clock.forward(hours=100)
    ticker.tick(ctx)
    assert over.info.sealed_until is None
    assert not over.info.public
    campaigns.finish(ctx, over.gm, over.id)
    records.publish(ctx, over.gm, over.id)
    assert everything_is_open(over, over.players["p2"])
    with pytest.raises(PlayError, match="record_public"):
        rollback.roll_back(ctx, over.gm, over.id, 3, "Once more.")
    with pytest.raises(PlayError, match="record_public"):
        records.publish(ctx, over.gm, over.id)


def test_archiving_publishes(over: Club) -> None:
    campaigns.archive(over.ctx, over.gm, over.id)
    assert everything_is_open(over, over.players["p1"])


def test_only_a_neutral_game_master_publishes_and_only_after_the_end(ctx: AppContext, over: Club) -> None:
    for outsider in (over.players["p1"], person(ctx, "Zoe")):
        with pytest.raises(PlayError):
            records.publish(ctx, outsider, over.id)
    rollback.roll_back(ctx, over.gm, over.id, 3, "A wrong map.")
    with pytest.raises(PlayError, match="wrong_status"):
        records.publish(ctx, over.gm, over.id)


def test_without_a_time_it_is_public_at_once(database: Database, clock: Clock) -> None:
    own = AppContext(database, Settings(_env_file=None, seal_hours=0), clock)
    made = club(own, phases=1)
    campaigns.finish(own, made.gm, made.id)
    assert everything_is_open(made, made.players["p1"])
    own.close()
