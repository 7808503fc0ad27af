"""Records made before the rules' readings changed verify as they were.

``records/first-readings.sealed``: four computer players, half of their orders drawn at random, ten turns, made with
the program as it was before there were versions of the readings. It has battles by dice and on the table, worn
detachments, retreats, withdrawals, transfers, an edit and a rollback. It is exported while the campaign runs.
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest
from sqlalchemy import select

from server.play.archive.record_files import export, read_file
from server.play.archive.record_import import import_
from server.play.archive.verification import verify, verify_bytes, verify_record
from server.play.campaigns import campaigns
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.game_masters import game_master
from server.play.options import settings_from
from server.play.views import history
from server.rules import versions
from server.rules.versions import FIRST, NEWEST, Readings
from server.store.tables import LiveEvent
from tests.play.campaigns import club
from tests.play.conftest import person

RECORD = Path(__file__).parent / "records" / "first-readings.sealed"


def test_an_old_record_verifies() -> None:
    report = verify(RECORD)
    assert report.ok, report.first
    assert report.checked == report.total == 44


def test_by_the_newest_readings_it_would_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """So the record holds what the readings decide: without the old ones verification fails."""
    monkeypatch.setitem(versions.VERSIONS, 1, NEWEST)
    report = verify(RECORD)
    assert report.first is not None
    assert report.first.what in ("events", "roll", "state", "problems", "standings")


def test_the_version_a_record_names_is_checked() -> None:
    record = read_file(RECORD)
    record["campaign"]["settings"]["readings"] = NEWEST.version
    first = verify_record(record).first
    assert first is not None
    assert "readings" in first.message


def test_each_version_has_its_number_and_every_switch_is_old_in_the_first() -> None:
    switches = [field.name for field in fields(Readings) if field.name != "version"]
    assert all(getattr(FIRST, switch) is False for switch in switches)
    assert all(getattr(NEWEST, switch) is True for switch in switches)
    assert [*versions.VERSIONS] == [version.version for version in versions.VERSIONS.values()]


def brought(ctx: AppContext) -> tuple[Actor, str]:
    """Bring the old campaign in and let it run; return its game master and its id."""
    gm = person(ctx, "Olga", admin=True)
    made = import_(ctx, gm, RECORD.read_bytes())
    campaigns.resume(ctx, gm, made.id)
    return gm, made.id


def to_the_next_turn(ctx: AppContext, gm: Actor, id_: str) -> None:
    """End phases until another turn has begun."""
    turn = campaigns.get(ctx, gm, id_).turn
    while (info := campaigns.get(ctx, gm, id_)).turn == turn:
        game_master.advance(ctx, gm, id_, number=info.phase_number)


def test_an_old_campaign_is_played_on_by_its_own_readings(ctx: AppContext) -> None:
    gm, id_ = brought(ctx)
    to_the_next_turn(ctx, gm, id_)
    assert campaigns.get(ctx, gm, id_).rules.readings == FIRST.version
    report = verify_bytes(export(ctx, gm, id_))
    assert report.ok, report.first


def test_it_takes_the_newest_at_its_next_turn_where_its_game_master_says_so(ctx: AppContext) -> None:
    """Seen to fail with the version taken at once, and with a verification that knows no such intervention."""
    gm, id_ = brought(ctx)
    game_master.choose_readings(ctx, gm, id_, NEWEST.version, "All have agreed.")
    chosen = campaigns.get(ctx, gm, id_).rules
    assert (chosen.readings, chosen.next_readings) == (FIRST.version, NEWEST.version)
    to_the_next_turn(ctx, gm, id_)
    taken = campaigns.get(ctx, gm, id_).rules
    assert (taken.readings, taken.next_readings) == (NEWEST.version, 0)
    told = next(
        intervention
        for intervention in history.interventions(ctx, gm, id_)
        if intervention.kind == game_master.READINGS
    )
    assert (told.kind, told.public, told.why) == ("readings", {"version": NEWEST.version}, "All have agreed.")
    to_the_next_turn(ctx, gm, id_)
    report = verify_bytes(export(ctx, gm, id_))
    assert report.ok, report.first


def test_the_game_master_may_think_better_of_it(ctx: AppContext) -> None:
    gm, id_ = brought(ctx)
    game_master.choose_readings(ctx, gm, id_, NEWEST.version)
    game_master.choose_readings(ctx, gm, id_, 0)
    to_the_next_turn(ctx, gm, id_)
    assert campaigns.get(ctx, gm, id_).rules.readings == FIRST.version
    assert verify_bytes(export(ctx, gm, id_)).ok


@pytest.mark.parametrize("version", [1, NEWEST.version + 1, -1, True])
def test_only_a_later_version_that_there_is(ctx: AppContext, version: int) -> None:
    gm, id_ = brought(ctx)
    before = campaigns.get(ctx, gm, id_)
    with pytest.raises(PlayError) as refused:
        game_master.choose_readings(ctx, gm, id_, version)
    assert (refused.value.code, refused.value.field) == ("invalid_request", "version")
    assert campaigns.get(ctx, gm, id_) == before


def test_players_do_not_choose_and_are_told(ctx: AppContext) -> None:
    made = club(ctx)
    with pytest.raises(PlayError, match="newest"):
        game_master.choose_readings(ctx, made.gm, made.id, NEWEST.version)
    with pytest.raises(PlayError):
        game_master.choose_readings(ctx, made.players["p1"], made.id, 0)
    game_master.choose_readings(ctx, made.gm, made.id, 0, "Nothing to take back.")
    with ctx.database.read() as session:
        told = session.scalars(select(LiveEvent).where(LiveEvent.kind == "new_readings")).all()
    assert {event.topic for event in told} >= {
        f"user/{made.players[seat].user_id}" for seat in ("p1", "p2", "p3", "p4")
    }


def test_a_new_campaign_has_the_newest(ctx: AppContext) -> None:
    made = club(ctx)
    assert made.info.rules.readings == NEWEST.version
    with pytest.raises(PlayError, match="newest"):
        settings_from({"readings": FIRST.version})
