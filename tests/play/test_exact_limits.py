"""What holds exactly at a limit: at the last character, the last second, the last failure."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from server.play import text_input
from server.play.campaigns import campaigns
from server.play.context import AppContext
from server.play.errors import PlayError
from server.play.messages import messages
from server.play.notices import webhooks
from server.play.notices.delivery import MAX_FAILURES
from server.play.options import options_from
from server.play.orders import orders
from server.play.resolution import resolution
from server.play.resolution.engine import play_phase
from server.play.resolution.phase_opening import wanted_from
from server.play.schedule import downtime
from server.play.schedule.downtime import Heartbeat
from server.rules.state import MOVEMENT
from server.store.tables import Campaign
from tests.play.campaigns import club
from tests.play.conftest import Clock
from tests.play.test_delivery import drain, receiving, trusting
from tests.play.test_downtime import live
from tests.rules.builders import campaign, detachment

ROLLING: dict[str, Any] = {"deadlines": {"kind": "rolling", "hours": 48}}


def test_a_text_may_have_all_of_its_characters() -> None:
    assert text_input.line("x" * 250, "subject", 250) == "x" * 250
    with pytest.raises(PlayError):
        text_input.line("x" * 251, "subject", 250)


def test_a_start_is_at_the_instant_that_its_time_zone_says() -> None:
    found = options_from({"starts_at": "2033-01-01T12:00:00+02:00"})
    assert found.starts_at == datetime(2033, 1, 1, 10, tzinfo=UTC)


def test_orders_come_too_late_at_the_deadline_itself(ctx: AppContext, clock: Clock) -> None:
    made = club(ctx, options=ROLLING)
    ada = made.players["p1"]
    clock.forward(hours=47, minutes=59)
    assert orders.replace(ctx, ada, made.id, []).orders.revision == 1
    clock.forward(minutes=1)
    with pytest.raises(PlayError) as refused:
        orders.replace(ctx, ada, made.id, [])
    assert refused.value.code == "deadline_passed"


def test_a_phase_that_is_due_as_the_server_comes_back_gets_the_whole_grace(ctx: AppContext, clock: Clock) -> None:
    """It was away for an hour only, which is less than the grace."""
    made = club(ctx, options={"deadlines": {"kind": "rolling", "hours": 2}})
    Heartbeat(ctx).beat()
    live(ctx, clock, minutes=60)
    clock.forward(hours=1)
    assert campaigns.get(ctx, made.gm, made.id).deadline == clock()
    downtime.begin(ctx)
    assert campaigns.get(ctx, made.gm, made.id).deadline == clock() + timedelta(hours=ctx.settings.downtime_grace_hours)


def test_a_webhook_is_switched_off_at_its_thirtieth_failure(ctx: AppContext, clock: Clock) -> None:
    ctx = trusting(ctx)
    made = club(ctx)
    with receiving() as receiver:
        receiver.status = 500
        webhooks.create(ctx, made.gm, receiver.url, campaign_id=made.id)
        while not (hook := webhooks.listed(ctx, made.gm, campaign_id=made.id)[0]).disabled_at:
            assert hook.failures < MAX_FAILURES
            messages.announce(ctx, made.gm, made.id, "Again.")
            drain(ctx)
            clock.forward(days=2)
    assert hook.failures == MAX_FAILURES == 30


def test_a_letter_to_everyone_says_so(ctx: AppContext) -> None:
    made = club(ctx)
    messages.send(ctx, made.players["p1"], made.id, ["all"], "Well met.")
    for reader in (made.players["p2"], made.gm):
        letter = messages.listed(ctx, reader, made.id)[0]
        assert list(letter.to) == ["all"]


def test_who_has_detachments_in_orbit_alone_is_not_waited_for_in_movement() -> None:
    state = campaign(phase=MOVEMENT)
    owner = state.living()[0].id
    detachment(state, owner, f"{owner}1", "orbit")
    assert wanted_from(state)[owner] is False


def test_options_that_change_while_a_phase_is_resolved_count(ctx: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was resolved by the options before is thrown away."""
    made = club(ctx).resolved_by_hand()
    played = []

    def play(*given: Any) -> Any:
        played.append(given)
        if len(played) == 1:
            with ctx.database.write() as session:
                row = session.get_one(Campaign, made.id)
                row.options = {**row.options, "stand_in": "defaults" if row.options["stand_in"] == "bot" else "bot"}
        return play_phase(*given)

    monkeypatch.setattr(resolution, "play_phase", play)
    for actor in made.players.values():
        orders.replace(made.ctx, actor, made.id, [], final=True)
    resolution.resolve_once(made.ctx, made.id)
    assert len(played) == 2
