from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from server.play.campaigns import campaign_start, campaigns, dashboard, seats
from server.play.campaigns.campaigns import NewCampaign
from server.play.context import NOBODY, AppContext
from server.play.errors import PlayError
from server.play.schedule import ticker
from server.play.views import history
from tests.play.campaigns import club, factions
from tests.play.conftest import Clock, person


def refused(refusal: str, use: Callable[..., Any], *given: Any, **named: Any) -> PlayError:
    with pytest.raises(PlayError) as error:
        use(*given, **named)
    assert error.value.code == refusal
    return error.value


def test_from_creation_to_setup(ctx: AppContext) -> None:
    made = club(ctx, begin=False)
    before = made.info
    assert (before.status, len(before.seats), before.phase) == ("open", 4, None)
    assert len(before.link0) == 64
    campaign_start.start(ctx, made.gm, made.id)
    after = made.info
    assert (after.status, after.turn, after.phase, after.phase_number) == ("running", 0, "setup", 1)
    assert after.link0 == before.link0
    refused("wrong_status", campaign_start.start, ctx, made.gm, made.id)
    refused("forbidden", campaign_start.start, ctx, made.players["p1"], made.id)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "a\u0007b"}, "name"),
        ({"scenario": "nowhere"}, "scenario"),
        ({"scenario": "../../etc"}, "scenario"),
        ({"ruleset": "nothing"}, "ruleset"),
        ({"ruleset_data": {"id": 1}}, "ruleset"),
        ({"options": {"anonymous": 1}}, "options.anonymous"),
        ({"options": {"colour": "red"}}, "options.colour"),
        ({"options": {"deadlines": {"kind": "rolling"}}}, "options.deadlines.hours"),
        ({"rules": {"territory": 101}}, "rules.territory"),
        ({"rules": {"named_ids": True}}, "rules.named_ids"),
        ({"rules": {"muster": "yes"}}, "rules.muster"),
    ],
)
def test_what_is_wrong_with_a_new_campaign_is_named(ctx: AppContext, given: dict[str, Any], field: str) -> None:
    gm = person(ctx, "Gwen")
    new = NewCampaign(**({"name": "War", "scenario": "four-corners"} | given))
    with pytest.raises(PlayError) as error:
        campaigns.create(ctx, gm, new)
    assert error.value.field == field
    assert dashboard.find(ctx, gm).items == ()


def test_joining(ctx: AppContext) -> None:
    made = club(ctx, begin=False)
    eve = person(ctx, "Eve")
    faction = factions(ctx, made)[0]
    refused("campaign_full", seats.join, ctx, eve, made.id, faction=faction)
    seats.leave(ctx, made.players["p2"], made.id)
    refused("unknown_faction", seats.join, ctx, eve, made.id, faction="clowns")
    refused("seat_taken", seats.join, ctx, eve, made.id, faction=faction, seat="p1")
    refused("not_found", seats.join, ctx, eve, made.id, faction=faction, seat="p9")
    refused("too_few_players", campaign_start.start, ctx, made.gm, made.id)
    assert seats.join(ctx, eve, made.id, faction=faction).your_seats == ("p2",)
    refused("already_joined", seats.join, ctx, eve, made.id, faction=faction)
    refused("forbidden", seats.join, ctx, made.gm, made.id, faction=faction)
    campaign_start.start(ctx, made.gm, made.id)
    refused("wrong_status", seats.join, ctx, person(ctx, "Fay"), made.id, faction=faction)


def test_an_unlisted_campaign_is_found_by_those_who_are_asked(ctx: AppContext) -> None:
    made = club(ctx, begin=False)
    campaigns.change(ctx, made.gm, made.id, listed=False)
    seats.leave(ctx, made.players["p2"], made.id)
    eve = person(ctx, "Eve")
    faction = factions(ctx, made)[0]
    for use in (campaigns.get, seats.leave, campaigns.pause, campaigns.remove, campaign_start.start):
        known, unknown = refused("not_found", use, ctx, eve, made.id), refused("not_found", use, ctx, eve, "nosuch")
        assert (known.message, known.field) == (unknown.message, unknown.field)
    code = seats.invite_by_code(ctx, made.gm, made.id).code
    refused("not_found", seats.campaign_of_code, ctx, "guess")
    refused("not_found", seats.join, ctx, eve, made.id, faction=faction, code="guess")
    assert seats.campaign_of_code(ctx, code) == made.id
    assert seats.join(ctx, eve, made.id, faction=faction, code=code).your_seats == ("p2",)
    seats.leave(ctx, eve, made.id)
    fay = person(ctx, "Fay")
    seats.invite_user(ctx, made.gm, made.id, "FAY")
    assert campaigns.get(ctx, fay, made.id).name == "The Long March"


def test_pausing_keeps_the_time_that_is_left(ctx: AppContext, clock: Clock) -> None:
    made = club(ctx, options={"deadlines": {"kind": "rolling", "hours": 10}})
    first = made.info.deadline
    assert first is not None
    clock.forward(hours=4)
    campaigns.pause(ctx, made.gm, made.id, "Holidays")
    clock.forward(days=9)
    campaigns.resume(ctx, made.gm, made.id)
    after = made.info.deadline
    assert after is not None
    assert (after - first).days == 9
    refused("wrong_status", campaigns.resume, ctx, made.gm, made.id)
    refused("forbidden", campaigns.pause, ctx, made.players["p1"], made.id)


def test_deleting_has_a_grace(ctx: AppContext, clock: Clock) -> None:
    made = club(ctx)
    campaigns.remove(ctx, made.gm, made.id)
    refused("not_found", campaigns.get, ctx, made.players["p1"], made.id)
    assert ticker.work(ctx, "removal") == 0
    campaigns.restore(ctx, made.gm, made.id)
    assert made.info.status == "paused"
    campaigns.remove(ctx, made.gm, made.id)
    clock.forward(days=ctx.settings.deletion_grace_days)
    assert ticker.work(ctx, "removal") == 1
    refused("not_found", campaigns.get, ctx, made.gm, made.id)


def test_finishing_and_archiving(ctx: AppContext) -> None:
    made = club(ctx)
    refused("wrong_status", campaigns.archive, ctx, made.gm, made.id)
    campaigns.finish(ctx, made.gm, made.id, "We moved to another game.")
    over = made.info
    assert (over.turn, over.phase, over.deadline) == (None, None, None)
    assert [each.phase for each in dashboard.mine(ctx, made.gm)] == [None]
    campaigns.archive(ctx, made.gm, made.id)
    assert made.info.status == "archived"


def test_anonymous_seats_name_nobody(ctx: AppContext) -> None:
    made = club(ctx, options={"anonymous": True})
    seen = campaigns.get(ctx, made.players["p1"], made.id).seats
    assert [each.user for each in seen] == ["Ada", None, None, None]
    assert [each.bot for each in seen] == [False, None, None, None]
    assert not {"Bob", "Cyd", "Dan"} & {each.name for each in seen}
    refused("wrong_status", campaigns.change, ctx, made.gm, made.id, options={"anonymous": False})
    campaigns.finish(ctx, made.gm, made.id)
    assert [seat.user for seat in campaigns.get(ctx, NOBODY, made.id).seats] == ["Ada", "Bob", "Cyd", "Dan"]


def test_finding_page_by_page(ctx: AppContext, clock: Clock) -> None:
    gm = person(ctx, "Gwen")
    for number in range(5):
        clock.forward(seconds=number % 2)
        campaigns.create(ctx, gm, NewCampaign(f"War {number} 100%", "four-corners", listed=number != 3))
    seen: list[str] = []
    cursor = None
    while True:
        page = dashboard.find(ctx, NOBODY, cursor=cursor, limit=2)
        seen += [each.name[:5] for each in page.items]
        cursor = page.next
        if cursor is None:
            break
    assert sorted(seen) == ["War 0", "War 1", "War 2", "War 4"]
    assert len(dashboard.find(ctx, gm, mine=True).items) == 5
    assert [each.name[:5] for each in dashboard.find(ctx, gm, text="r 2 100%").items] == ["War 2"]
    assert dashboard.find(ctx, gm, text="_").items == ()
    for bad in ("x", "W10", "8J+YgA"):
        refused("invalid_request", dashboard.find, ctx, gm, cursor=bad)


def test_what_ends_a_campaign_and_brings_it_back_stands_in_the_log(ctx: AppContext) -> None:
    made = club(ctx)
    campaigns.remove(ctx, made.gm, made.id)
    campaigns.restore(ctx, made.gm, made.id)
    campaigns.finish(ctx, made.gm, made.id)
    campaigns.archive(ctx, made.gm, made.id)
    done = history.interventions(ctx, made.players["p1"], made.id)
    assert [each.kind for each in done] == ["delete", "restore", "finish", "archive"]


def test_before_the_beginning_there_is_no_log(ctx: AppContext) -> None:
    made = club(ctx, begin=False)
    campaigns.remove(ctx, made.gm, made.id)
    campaigns.restore(ctx, made.gm, made.id)
    assert made.info.status == "open"
    assert history.interventions(ctx, made.gm, made.id) == []
