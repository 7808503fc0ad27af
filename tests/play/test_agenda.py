"""The agenda always says what the campaigns' rows say, whatever happens, and nobody reads anything else to find out.

Every test with a ``ctx`` compares the two at its end (``tests/play/conftest.py``). Seen to fail there, and here, when
following left out campaigns in which only order sets or only votes had changed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, select, update

from server.play import agenda
from server.play.agenda import AGENDA, DEADLINE, READY, START, VOTE, WARNING
from server.play.campaigns import campaigns, votes
from server.play.campaigns.campaigns import NewCampaign
from server.play.context import AppContext
from server.play.errors import PlayError
from server.play.game_masters import game_master, rollback
from server.play.operating.administration import waiting
from server.play.options import BEFORE
from server.play.orders import orders
from server.play.schedule import ticker
from server.store.tables import AgendaRow, Campaign, Seat
from tests.play.campaigns import Club, club, gathered
from tests.play.conftest import Clock
from tests.play.standing import check_derived
from tests.store.databases import clear

_OPTIONS = {"deadlines": {"kind": "rolling", "hours": 24}, "warn_hours": [12, 2], "take_over": True}


def entries(made: Club) -> dict[str, object]:
    with made.ctx.database.read() as session:
        rows = session.execute(select(AgendaRow.kind, AgendaRow.at).where(AgendaRow.campaign_id == made.id))
        return dict(rows.all())


def started(ctx: AppContext) -> Club:
    return club(ctx, options=_OPTIONS)


def all_but_first_final(made: Club) -> None:
    for seat in made.players:
        if seat != "p1":
            made.order(seat)


ACTS: dict[str, Callable[[Club, Clock], object]] = {
    "final": lambda made, clock: made.order("p1"),
    "the others final": lambda made, clock: all_but_first_final(made),
    "taken back": lambda made, clock: orders.take_back(made.ctx, made.players["p1"], made.id),
    "an hour": lambda made, clock: clock.forward(hours=1),
    "half a day": lambda made, clock: clock.forward(hours=12),
    "ten days": lambda made, clock: clock.forward(days=10),
    "a look": lambda made, clock: ticker.advance(made.ctx),
    "pause": lambda made, clock: campaigns.pause(made.ctx, made.gm, made.id),
    "resume": lambda made, clock: campaigns.resume(made.ctx, made.gm, made.id),
    "moved": lambda made, clock: game_master.set_due(
        made.ctx, made.gm, made.id, clock.at + timedelta(hours=30), "Later."
    ),
    "no warnings": lambda made, clock: campaigns.change(made.ctx, made.gm, made.id, options={"warn_hours": []}),
    "vote": lambda made, clock: votes.propose(made.ctx, made.players["p2"], made.id, "draw"),
    "back": lambda made, clock: rollback.roll_back(made.ctx, made.gm, made.id, 1, "Again."),
    "finish": lambda made, clock: campaigns.finish(made.ctx, made.gm, made.id),
    "archive": lambda made, clock: campaigns.archive(made.ctx, made.gm, made.id),
    "delete": lambda made, clock: campaigns.remove(made.ctx, made.gm, made.id),
    "restore": lambda made, clock: campaigns.restore(made.ctx, made.gm, made.id),
}
"""What people do to a campaign, and the clock."""


@pytest.fixture
def kind() -> str:
    return "sqlite"


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(st.sampled_from(sorted(ACTS)), min_size=1, max_size=12))
def test_the_agenda_is_what_the_rows_say(ctx: AppContext, clock: Clock, given_acts: list[str]) -> None:
    clear(ctx.database)
    made = started(ctx)
    for act in given_acts:
        with suppress(PlayError):
            ACTS[act](made, clock)
        check_derived(ctx.database)


def test_what_a_running_campaign_has_on_it(ctx: AppContext, clock: Clock) -> None:
    made = started(ctx)
    begun = clock.at
    assert entries(made) == {DEADLINE: begun + timedelta(hours=24), WARNING: begun + timedelta(hours=12)}
    clock.forward(hours=13)
    assert ticker.work(ctx, WARNING) == len(made.players)
    assert entries(made)[WARNING] == begun + timedelta(hours=22)
    votes.propose(ctx, made.players["p1"], made.id, "draw")
    assert VOTE in entries(made)
    campaigns.pause(ctx, made.gm, made.id)
    assert {*entries(made)} == {VOTE}


def test_a_start_that_was_set_is_on_it(ctx: AppContext, clock: Clock) -> None:
    starts = clock.at + timedelta(days=1)
    made = gathered(ctx, "Gwen", NewCampaign("Pass", "the-pass", options={"starts_at": starts.isoformat()}),
                    ["Ada", "Ben"], begin=False)  # fmt: skip
    assert entries(made) == {START: starts}
    clock.forward(days=1)
    assert ticker.advance(ctx) == 1
    assert made.info.status == "running"
    assert START not in entries(made)


def test_a_phase_late_by_more_than_a_minute_is_overdue(ctx: AppContext, clock: Clock) -> None:
    made = started(ctx)
    clock.forward(hours=24, seconds=59)
    assert waiting(ctx).overdue == 0
    clock.forward(seconds=2)
    assert waiting(ctx).overdue == 1
    campaigns.pause(ctx, made.gm, made.id)
    assert waiting(ctx).overdue == 0


def test_an_entry_that_is_wrong_does_nothing_and_is_set_right(ctx: AppContext, clock: Clock) -> None:
    """The campaign's row decides: a deadline, a removal and a start of which it knows nothing do not happen."""
    made = started(ctx)
    before = entries(made)
    with ctx.database.write() as session:
        session.execute(update(AgendaRow).values(at=clock.at))
        session.add_all(
            AgendaRow(campaign_id=made.id, kind=kind, at=clock.at - timedelta(days=99))
            for kind in agenda.KINDS if kind not in before
        )  # fmt: skip
    assert len(AGENDA.differences(ctx.database)) == len(agenda.KINDS)
    assert ticker.advance(ctx) >= 1
    assert (made.info.status, made.info.phase_number) == ("running", 1)
    assert entries(made) == before


def test_a_campaign_of_an_earlier_version_is_not_abandoned(ctx: AppContext) -> None:
    """It had no such option, and goes on as it was. Seen to fail where the agenda reads options in a way of its own."""
    made = started(ctx)
    with ctx.database.write() as session:
        campaign = session.get_one(Campaign, made.id)
        campaign.options = {name: value for name, value in campaign.options.items() if name not in BEFORE}
        for seat in session.scalars(select(Seat).where(Seat.campaign_id == made.id)):
            seat.user_id = None
    assert "abandoned" not in entries(made)


def test_it_is_rebuilt_from_the_campaigns(ctx: AppContext, clock: Clock) -> None:
    made = started(ctx)
    before = entries(made)
    with ctx.database.write() as session:
        session.execute(delete(AgendaRow))
        session.add(AgendaRow(campaign_id="nobody", kind=DEADLINE, at=clock.at))
    assert len(AGENDA.differences(ctx.database)) == 3
    assert AGENDA.rebuild(ctx.database) == 2
    assert entries(made) == before
    assert AGENDA.differences(ctx.database) == []


class TestOnPostgresql:
    @pytest.fixture
    def kind(self) -> str:
        return "postgresql"

    def test_two_who_are_final_at_once_end_the_phase(self, ctx: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
        """Neither transaction sees the other's; the one that is committed last writes that all are final.

        Seen to fail without the lock of :mod:`server.store.derived`.
        """
        made = started(ctx)
        seats = [*made.players]
        for seat in seats[2:]:
            made.order(seat)
        monkeypatch.setattr(orders, "resolve_when_due", lambda *_: None)
        monkeypatch.setattr(orders, "publish", lambda *_: 0)  # numbering the same topic's news makes them wait, too
        both_read = threading.Barrier(2)
        read = AGENDA.said

        def together(*given: Any) -> Any:
            found = read(*given)
            with suppress(threading.BrokenBarrierError):
                both_read.wait(1)
            return found

        monkeypatch.setattr(AGENDA, "said", together)
        both = [threading.Thread(target=made.order, args=(seat,)) for seat in seats[:2]]
        for one in both:
            one.start()
        for one in both:
            one.join()
        assert READY in entries(made)
