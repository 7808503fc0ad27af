"""A night in which deadlines rest, holidays with a limit a year, a start at a set time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from server.play.campaigns import campaigns, holidays, seats
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.rhythm import rhythm_from
from server.play.schedule import ticker
from server.store.tables import Campaign, LiveEvent
from tests.play.campaigns import Club, club
from tests.play.conftest import Clock

NIGHT: dict[str, Any] = {"kind": "rolling", "hours": 2, "rest_from": "22:00", "rest_to": "08:00"}


@pytest.mark.parametrize(
    ("opened", "due"),
    [
        ("2031-05-12T18:00", "12 20:00"),
        ("2031-05-12T20:00", "12 22:00"),
        ("2031-05-12T21:30", "13 09:30"),
        ("2031-05-12T23:00", "13 10:00"),
        ("2031-05-13T06:00", "13 08:00"),
        ("2031-05-13T07:59", "13 09:59"),
        ("2031-05-13T08:00", "13 10:00"),
    ],
)
def test_deadlines_rest_at_night(opened: str, due: str) -> None:
    found = rhythm_from(NIGHT).due(datetime.fromisoformat(opened).replace(tzinfo=UTC), "build")
    assert found is not None
    assert f"{found:%d %H:%M}" == due


def test_the_night_is_the_campaigns_own() -> None:
    found = rhythm_from(NIGHT | {"time_zone": "Europe/Berlin"}).due(datetime(2031, 5, 12, 19, 30, tzinfo=UTC), "build")
    assert found == datetime(2031, 5, 13, 7, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("field", "changed"),
    [
        ("rest_to", {"rest_to": ""}),
        ("rest_from", {"rest_from": "25:00"}),
        ("rest_to", {"rest_to": "21:00"}),
        ("rest_to", {"rest_to": "22:00"}),
        ("rest_from", {"kind": "none"}),
    ],
)
def test_what_is_no_night_is_refused(field: str, changed: dict[str, Any]) -> None:
    with pytest.raises(PlayError) as caught:
        rhythm_from(NIGHT | changed)
    assert caught.value.field == f"deadlines.{field}"


def test_a_long_day_is_not_shortened() -> None:
    """Whatever it lies within, a deadline is at least as far as the hours say, and never in the night."""
    rhythm = rhythm_from(NIGHT | {"hours": 30, "rest_from": "16:00", "rest_to": "08:00"})
    for hour in range(48):
        opened = datetime(2031, 5, 12, tzinfo=UTC) + timedelta(hours=hour)
        due = rhythm.due(opened, "build")
        assert due is not None
        assert due >= opened + timedelta(hours=30)
        assert due.hour * 60 + due.minute in range(8 * 60, 16 * 60 + 1)


# --- holidays ---


def away(made: Club, player: Actor, days: float) -> datetime | None:
    seats.go_away(made.ctx, player, made.id, made.ctx.now() + timedelta(days=days))
    found = campaigns.get(made.ctx, player, made.id)
    return next(seat.holiday_until for seat in found.seats if seat.player_id == "p1")


def test_holidays_have_a_limit_a_year(ctx: AppContext, clock: Clock) -> None:
    made = club(ctx)
    ann = made.players["p1"]
    assert away(made, ann, 20) == ctx.now() + timedelta(days=20)
    assert holidays.days_left(ctx, ann, made.id) == 10
    clock.forward(days=5)
    seats.go_away(ctx, ann, made.id, None)
    assert holidays.days_left(ctx, ann, made.id) == 25, "what is not used is left"
    assert away(made, ann, 100) == ctx.now() + timedelta(days=25)
    clock.forward(days=30)
    with pytest.raises(PlayError) as caught:
        away(made, ann, 1)
    assert caught.value.field == "until"
    clock.at = datetime(2031, 12, 31, tzinfo=UTC)
    with pytest.raises(PlayError):
        away(made, ann, 0.5)
    clock.at = datetime(2032, 1, 2, tzinfo=UTC)
    assert away(made, ann, 40) == ctx.now() + timedelta(days=30)


def test_old_campaigns_have_no_limit(ctx: AppContext) -> None:
    made = club(ctx)
    with ctx.database.write() as session:
        campaign = session.get_one(Campaign, made.id)
        campaign.options = {name: value for name, value in campaign.options.items() if name != "holiday_days"}
    assert away(made, made.players["p1"], 100) == ctx.now() + timedelta(days=100)
    assert holidays.days_left(ctx, made.players["p1"], made.id) is None


# --- a start at a set time ---


def test_a_campaign_starts_at_its_time(ctx: AppContext, clock: Clock) -> None:
    starts = ctx.now() + timedelta(days=2)
    made = club(ctx, options={"starts_at": starts.isoformat()}, begin=False)
    assert made.info.options.starts_at == starts
    clock.forward(days=1)
    ticker.tick(ctx)
    assert made.info.status == "open"
    clock.forward(days=2)
    ticker.tick(ctx)
    assert made.info.status == "running"
    assert made.info.phase == "setup"


def test_too_few_players_start_nothing(ctx: AppContext, clock: Clock) -> None:
    made = club(ctx, options={"starts_at": (ctx.now() + timedelta(days=1)).isoformat()}, begin=False)
    seats.leave(ctx, made.players["p1"], made.id)
    clock.forward(days=2)
    ticker.tick(ctx)
    ticker.tick(ctx)
    assert made.info.status == "open"
    assert made.info.options.starts_at is None
    with ctx.database.read() as session:
        kinds = [event.kind for event in session.query(LiveEvent)]
    assert kinds.count("start_failed") == 2, "once, on the game master's two streams"


@pytest.mark.parametrize("given", ["tomorrow", "2031-05-20T12:00", 5, "2000-01-01T00:00:00Z"])
def test_what_is_no_time_to_start_is_refused(ctx: AppContext, given: object) -> None:
    made = club(ctx, begin=False)
    with pytest.raises(PlayError) as caught:
        campaigns.change(ctx, made.gm, made.id, options={"starts_at": given})
    assert caught.value.field == "options.starts_at"
