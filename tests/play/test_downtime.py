"""A server that was away costs nobody a turn; the hands of the clock are the test's."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from sqlalchemy import select

from server.play.campaigns import campaigns
from server.play.context import AppContext
from server.play.resolution.resolution import resolve_when_due
from server.play.schedule import downtime, ticker
from server.play.schedule.downtime import Heartbeat
from server.store.tables import Deadline, Outbox
from tests.play.campaigns import Club, club
from tests.play.conftest import Clock

ROLLING = {"deadlines": {"kind": "rolling", "hours": 48}}


@pytest.fixture
def made(ctx: AppContext) -> Club:
    """A campaign whose first phase is due in 48 hours, on a server that lives."""
    found = club(ctx, options=ROLLING)
    Heartbeat(ctx).beat()
    return found


def deadline(ctx: AppContext, made: Club) -> datetime | None:
    return campaigns.get(ctx, made.gm, made.id).deadline


def number(ctx: AppContext, made: Club) -> int:
    return campaigns.get(ctx, made.gm, made.id).phase_number


def live(ctx: AppContext, clock: Clock, *, minutes: int) -> None:
    """Let so much time go by on a server that lives."""
    for _ in range(0, minutes, 5):
        clock.forward(minutes=5)
        Heartbeat(ctx).beat()


def restart(ctx: AppContext, *, hold: bool = False) -> AppContext:
    """Return the server as it comes up again, after what it does at its start and at its first tick."""
    again = replace(ctx, settings=ctx.settings.model_copy(update={"hold": hold}))
    downtime.begin(again)
    ticker.tick(again)
    return again


def test_what_came_due_while_the_server_was_away_gets_a_grace(ctx: AppContext, clock: Clock, made: Club) -> None:
    """Seen to fail: the first tick after the restart resolved the phase with nobody's orders."""
    clock.forward(hours=50)
    before = number(ctx, made)
    restart(ctx)
    assert (number(ctx, made), deadline(ctx, made)) == (before, clock() + timedelta(hours=12))
    with ctx.database.read() as session:
        kept = session.scalars(select(Deadline).where(Deadline.campaign_id == made.id).order_by(Deadline.seq)).all()
        mails = [each for each in session.scalars(select(Outbox)) if each.payload.get("data", {}).get("downtime")]
    assert [(each.kind, each.why) for each in kept] == [("rolling", ""), ("extended", downtime.WHY)]
    assert {mail.user_id for mail in mails if mail.kind == "mail"} == {
        player.user_id for player in made.players.values()
    }
    restart(ctx)  # a second process, or the same one again
    assert deadline(ctx, made) == clock() + timedelta(hours=12)
    clock.forward(hours=12)
    ticker.tick(ctx)
    assert number(ctx, made) > before


@pytest.mark.parametrize(
    ("away", "left"),
    [(timedelta(minutes=14), None), (timedelta(hours=47), timedelta(hours=12)), (timedelta(hours=20), None)],
)
def test_what_is_due_soon_gets_what_was_lost(
    ctx: AppContext, clock: Clock, made: Club, away: timedelta, left: timedelta | None
) -> None:
    due = deadline(ctx, made)
    clock.at += away
    restart(ctx)
    assert deadline(ctx, made) == (due if left is None else clock() + left)


def test_a_server_that_lives_keeps_its_deadlines(ctx: AppContext, clock: Clock, made: Club) -> None:
    before = number(ctx, made)
    live(ctx, clock, minutes=48 * 60)
    ticker.tick(ctx)
    assert number(ctx, made) > before


def test_deadlines_on_hold(ctx: AppContext, clock: Clock, made: Club) -> None:
    """Nothing ends by its deadline, only by finality; afterwards there is a grace, however short the hold was."""
    before = number(ctx, made)
    live(ctx, clock, minutes=47 * 60 + 55)
    held = restart(ctx, hold=True)
    clock.forward(minutes=10)
    Heartbeat(held).beat()
    ticker.tick(held)
    assert number(ctx, made) == before
    restart(ctx)
    assert (number(ctx, made), deadline(ctx, made)) == (before, clock() + timedelta(hours=12))
    held = restart(ctx, hold=True)
    Club(held, made.gm, made.players, made.id).play_phase()
    assert number(ctx, made) > before


def test_a_request_does_not_end_a_phase_by_its_deadline(ctx: AppContext, clock: Clock, made: Club) -> None:
    """After a machine slept, a request may come before the ticker has looked at the time."""
    before = number(ctx, made)
    clock.forward(hours=50)
    resolve_when_due(ctx, made.id)
    assert number(ctx, made) == before


@pytest.mark.parametrize("options", [{}, ROLLING])
def test_campaigns_without_a_deadline_or_paused_stay_as_they_are(
    ctx: AppContext, clock: Clock, options: dict[str, object]
) -> None:
    made = club(ctx, options=options)
    Heartbeat(ctx).beat()
    if options:
        campaigns.pause(ctx, made.gm, made.id)
    clock.forward(hours=50)
    restart(ctx)
    with ctx.database.read() as session:
        assert [each.why for each in session.scalars(select(Deadline))] == [""]
