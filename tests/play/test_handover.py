"""A campaign goes to another game master: who may offer it to whom, what the one gains and the other loses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import func, select

from server.play import access
from server.play.accounts import accounts
from server.play.campaigns import campaign_start, campaigns, dashboard, seats
from server.play.campaigns.campaigns import NewCampaign
from server.play.context import NOBODY, Actor, AppContext
from server.play.game_masters import game_master, handover, rollback
from server.play.messages import messages
from server.play.notices import notices
from server.play.orders import orders
from server.play.people import account_closing
from server.play.views import history, positions
from server.store.live import since
from server.store.tables import Handover, LiveEvent, Outbox
from tests.play.campaigns import Club, club
from tests.play.conftest import Clock, person
from tests.play.test_account_closing import joined_long_ago
from tests.play.test_campaigns import refused


def taken_over(made: Club, actor: Actor, why: str = "") -> None:
    handover.offer(made.ctx, made.gm, made.id, actor.name, why)
    handover.accept(made.ctx, actor, made.id)


def told(ctx: AppContext, kind: str) -> list[tuple[str, dict[str, Any]]]:
    with ctx.database.read() as session:
        found = session.scalars(select(LiveEvent).where(LiveEvent.kind == kind).order_by(LiveEvent.id))
        return [(each.topic, dict(each.data)) for each in found]


def mailed(ctx: AppContext, kind: str) -> set[str | None]:
    with ctx.database.read() as session:
        rows = session.scalars(select(Outbox).where(Outbox.kind == "mail"))
        return {row.user_id for row in rows if row.payload["about"] == kind}


def playing(ctx: AppContext, **options: bool) -> Club:
    """Return a campaign whose game master may play, and does not."""
    return club(ctx, options={"gm_plays": True, **options})


# --- offering ---


def test_an_offer_is_known_to_both_and_to_nobody_else(ctx: AppContext) -> None:
    made = club(ctx)
    hal = person(ctx, "Hal")
    campaigns.change(ctx, made.gm, made.id, listed=False)
    before = campaigns.get(ctx, made.players["p1"], made.id)
    refused("not_found", campaigns.get, ctx, hal, made.id)
    handover.offer(ctx, made.gm, made.id, "hal", "I move away.")
    for actor in (made.gm, hal):
        offer = campaigns.get(ctx, actor, made.id).offer
        assert offer is not None
        assert (offer.to, offer.why, offer.made_at) == ("Hal", "I move away.", ctx.now())
    assert campaigns.get(ctx, made.players["p1"], made.id) == before
    assert [each.id for each in dashboard.offers(ctx, hal)] == [made.id]
    assert [each.id for each in dashboard.find(ctx, hal).items] == [made.id]
    assert dashboard.offers(ctx, made.gm) == []
    assert told(ctx, "gm_offered") == [(f"user/{hal.user_id}", {"campaign_id": made.id, "why": "I move away."})]
    assert mailed(ctx, "gm_offered") == {hal.user_id}
    # to look is not to run, nor to watch or to play
    refused("forbidden", campaigns.pause, ctx, hal, made.id)
    refused("not_found", seats.join, ctx, hal, made.id, faction="orks")


def test_whom_a_campaign_is_not_offered_to(ctx: AppContext) -> None:
    made = club(ctx)
    hal = person(ctx, "Hal")
    accounts.create_bot(ctx, hal, "Hal's bot")
    refused("conflict", handover.offer, ctx, made.gm, made.id, "Gwen")
    refused("conflict", handover.offer, ctx, made.gm, made.id, "Hal's bot")
    refused("not_found", handover.offer, ctx, made.gm, made.id, "Nobody")
    account_closing.close(ctx, hal)
    refused("not_found", handover.offer, ctx, made.gm, made.id, "Hal")
    assert made.info.offer is None


def test_only_the_game_master_and_the_operator_offer_it(ctx: AppContext) -> None:
    made = club(ctx)
    hal, root = person(ctx, "Hal"), person(ctx, "Root", admin=True)
    for actor in (made.players["p1"], hal):
        refused("forbidden", handover.offer, ctx, actor, made.id, "Hal")
        refused("forbidden", handover.take_back, ctx, actor, made.id)
    refused("missing_scope", handover.offer, ctx, Actor(made.gm.user_id, "Gwen", scopes=("orders",)), made.id, "Hal")
    handover.offer(ctx, root, made.id, "Hal")  # of a game master who is gone
    refused("missing_scope", handover.accept, ctx, Actor(hal.user_id, "Hal", scopes=("orders",)), made.id)
    handover.accept(ctx, hal, made.id)
    assert made.info.gm == "Hal"


def test_an_offer_to_another_takes_the_first_one_back(ctx: AppContext) -> None:
    made = club(ctx)
    hal, ida = person(ctx, "Hal"), person(ctx, "Ida")
    handover.offer(ctx, made.gm, made.id, "Hal")
    handover.offer(ctx, made.gm, made.id, "Hal", "Please.")
    assert len(told(ctx, "gm_offered")) == 1  # once is enough
    handover.offer(ctx, made.gm, made.id, "Ida")
    assert dashboard.offers(ctx, hal) == []
    refused("not_found", handover.accept, ctx, hal, made.id)
    handover.take_back(ctx, made.gm, made.id)
    handover.take_back(ctx, made.gm, made.id)
    refused("not_found", handover.accept, ctx, ida, made.id)
    assert made.info.you_are_gm


def test_who_declines_is_asked_no_more(ctx: AppContext) -> None:
    made = club(ctx)
    hal = person(ctx, "Hal")
    refused("not_found", handover.decline, ctx, hal, made.id)
    handover.offer(ctx, made.gm, made.id, "Hal")
    handover.decline(ctx, hal, made.id)
    assert (made.info.offer, dashboard.offers(ctx, hal)) == (None, [])
    assert {topic for topic, _ in told(ctx, "gm_declined")} == {f"user/{made.gm.user_id}", f"campaign/{made.id}/gm"}
    assert mailed(ctx, "gm_declined") == {made.gm.user_id}
    refused("not_found", handover.accept, ctx, hal, made.id)


def test_several_campaigns_are_offered_each_by_itself(ctx: AppContext) -> None:
    made = club(ctx)
    hal = person(ctx, "Hal")
    other = campaigns.create(ctx, made.gm, NewCampaign("The Short March", "four-corners"))
    for id_ in (made.id, other.id):
        handover.offer(ctx, made.gm, id_, "Hal")
    handover.accept(ctx, hal, other.id)
    assert [offer.id for offer in dashboard.offers(ctx, hal)] == [made.id]
    assert made.info.you_are_gm


@pytest.mark.parametrize("over", ["finished", "archived", "deleted"])
def test_what_is_over_is_not_handed_over(ctx: AppContext, over: str) -> None:
    made = club(ctx)
    hal = person(ctx, "Hal")
    handover.offer(ctx, made.gm, made.id, "Hal")
    if over == "deleted":
        campaigns.remove(ctx, made.gm, made.id)
    else:
        campaigns.finish(ctx, made.gm, made.id)
    if over == "archived":
        campaigns.archive(ctx, made.gm, made.id)
    assert (dashboard.offers(ctx, hal), made.info.offer) == ([], None)
    refused("not_found" if over == "deleted" else "wrong_status", handover.accept, ctx, hal, made.id)
    refused("wrong_status", handover.offer, ctx, made.gm, made.id, "Hal")
    assert made.info.you_are_gm


def test_an_offer_outlives_a_rollback(ctx: AppContext) -> None:
    ctx = replace(ctx, settings=ctx.settings.model_copy(update={"seal_hours": 72}))
    made = club(ctx)
    hal = person(ctx, "Hal")
    handover.offer(ctx, made.gm, made.id, "Hal", "Enough.")
    campaigns.finish(ctx, made.gm, made.id)
    rollback.roll_back(ctx, made.gm, made.id, 1, "Once more.")
    handover.accept(ctx, hal, made.id)
    assert made.info.gm == "Hal"
    rollback.roll_back(ctx, hal, made.id, 1, "And again.")
    assert made.info.gm == "Hal"
    done = history.interventions(ctx, NOBODY, made.id)
    assert [each.kind for each in done] == ["finish", "rollback", "handover", "rollback"]


# --- taking over ---


def test_the_new_one_runs_it_and_the_old_one_does_not(ctx: AppContext) -> None:
    made = club(ctx)
    hal = person(ctx, "Hal")
    taken_over(made, hal, "I move away.")
    info = campaigns.get(ctx, hal, made.id)
    assert (info.gm, info.you_are_gm, info.offer) == ("Hal", True, None)
    assert positions.position(ctx, hal, made.id).viewer == "gm"
    campaigns.pause(ctx, hal, made.id)
    assert not made.info.you_are_gm
    assert positions.position(ctx, made.gm, made.id).viewer == "spectator"
    for refusing in (campaigns.resume, campaigns.finish, campaigns.remove, handover.take_back,
                     game_master.preview_advance, seats.invite_by_code):  # fmt: skip
        refused("forbidden", refusing, ctx, made.gm, made.id)
    refused("forbidden", game_master.edit, ctx, made.gm, made.id, [], "No.")
    refused("not_found", positions.position, ctx, made.gm, made.id, as_="p1")
    assert notices.campaign_topics(ctx, made.gm, made.id) == [f"campaign/{made.id}/public"]
    assert dashboard.mine(ctx, made.gm) == []
    # a second time there is nothing to accept
    for actor in (hal, made.gm):
        refused("not_found", handover.accept, ctx, actor, made.id)
    # and the old one may get it back
    handover.offer(ctx, hal, made.id, "Gwen")
    handover.accept(ctx, made.gm, made.id)
    assert made.info.you_are_gm


def test_who_gave_a_private_campaign_away_is_a_stranger_there(ctx: AppContext) -> None:
    made = club(ctx)
    hal = person(ctx, "Hal")
    campaigns.change(ctx, made.gm, made.id, listed=False)
    taken_over(made, hal)
    refused("not_found", campaigns.get, ctx, made.gm, made.id)
    refused("not_found", campaigns.pause, ctx, made.gm, made.id)
    assert dashboard.find(ctx, made.gm).items == ()


def test_everybody_is_told_and_it_stands_in_the_log(ctx: AppContext) -> None:
    made = club(ctx)
    hal = person(ctx, "Hal")
    revision = made.info.revision
    taken_over(made, hal, "I move away.")
    assert made.info.revision == revision + 1
    (done,) = history.interventions(ctx, NOBODY, made.id)
    assert (done.kind, done.why, done.public) == ("handover", "I move away.", {"gm": "Hal"})
    people = {each.user_id for each in (made.gm, *made.players.values())}
    assert mailed(ctx, "gm_changed") == people
    news = told(ctx, "gm_changed")
    assert (f"campaign/{made.id}/public", {"gm": "Hal"}) in news
    assert {topic for topic, _ in news if topic.startswith("user/")} == {f"user/{each}" for each in people}
    # what stands in the log names the account as it is called by now
    handover.offer(ctx, hal, made.id, "Gwen")
    handover.accept(ctx, made.gm, made.id)
    account_closing.close(ctx, hal)
    first, second = history.interventions(ctx, NOBODY, made.id)
    assert first.public["gm"].startswith("former player ")
    assert second.public == {"gm": "Gwen"}


def test_before_the_beginning_too(ctx: AppContext) -> None:
    made = club(ctx, begin=False)
    hal = person(ctx, "Hal")
    taken_over(made, hal)
    refused("forbidden", campaign_start.start, ctx, made.gm, made.id)
    campaign_start.start(ctx, hal, made.id)
    assert history.interventions(ctx, hal, made.id) == []


def test_who_hands_over_may_close_his_account(ctx: AppContext) -> None:
    made = club(ctx)
    hal, ida = person(ctx, "Hal"), person(ctx, "Ida")
    refused("conflict", account_closing.close, ctx, made.gm)
    taken_over(made, hal)
    account_closing.close(ctx, made.gm)
    handover.offer(ctx, hal, made.id, "Ida")
    account_closing.close(ctx, ida)
    with ctx.database.read() as session:
        assert session.scalar(select(func.count()).select_from(Handover).where(Handover.user_id == ida.user_id)) == 0
    assert campaigns.get(ctx, hal, made.id).offer is None


# --- game masters who play ---


def test_a_player_takes_over_only_where_the_game_master_plays(ctx: AppContext) -> None:
    made = club(ctx)
    ada = made.players["p1"]
    handover.offer(ctx, made.gm, made.id, "Ada")
    refused("forbidden", handover.accept, ctx, ada, made.id)
    assert made.info.you_are_gm
    seats.leave(ctx, ada, made.id)
    handover.accept(ctx, ada, made.id)
    assert positions.position(ctx, ada, made.id).viewer == "gm"
    refused("forbidden", game_master.replace_player, ctx, ada, made.id, "p1", "Ada")


def test_a_player_who_takes_over_sees_no_more_than_before(ctx: AppContext) -> None:
    made = playing(ctx, anonymous=True, show_final=False)
    ada = made.players["p1"]
    taken_over(made, ada)
    info = campaigns.get(ctx, ada, made.id)
    assert (info.you_are_gm, info.your_seats) == (True, ("p1",))
    assert [seat.user for seat in info.seats] == ["Ada", None, None, None]
    assert positions.position(ctx, ada, made.id).viewer == "p1"
    for other in ("p2", "gm"):
        refused("not_found", positions.position, ctx, ada, made.id, as_=other)
    refused("forbidden", game_master.preview_edits, ctx, ada, made.id, [])
    refused("forbidden", game_master.order_sets, ctx, ada, made.id)
    assert game_master.preview_advance(ctx, ada, made.id).seats == ()
    assert notices.campaign_topics(ctx, ada, made.id) == [f"campaign/{made.id}/public", f"campaign/{made.id}/player/p1"]
    # the others learn who runs the campaign, and not where he sits
    assert [seat.user for seat in campaigns.get(ctx, made.players["p2"], made.id).seats] == [None, "Bob", None, None]


def test_a_player_who_takes_over_reads_no_letters_to_the_one_before(ctx: AppContext, clock: Clock) -> None:
    made = playing(ctx)
    ada, bob = made.players["p1"], made.players["p2"]
    asked = messages.send(ctx, bob, made.id, ["gm"], "May I attack Ada by surprise?")
    messages.send(ctx, made.gm, made.id, ["p2"], "You may.", as_gm=True)
    messages.announce(ctx, made.gm, made.id, "I move away.")
    clock.forward(hours=1)
    taken_over(made, ada)
    assert [each.body for each in messages.listed(ctx, ada, made.id)] == ["I move away."]
    refused("not_found", messages.read, ctx, ada, made.id, asked.id)
    refused("not_found", messages.mark_read, ctx, ada, made.id, asked.id)
    assert [each.unread for each in dashboard.mine(ctx, ada)] == [1]
    clock.forward(hours=1)
    messages.send(ctx, bob, made.id, ["gm"], "And now?")
    assert [each.body for each in messages.listed(ctx, ada, made.id)] == ["And now?", "I move away."]
    assert [each.unread for each in dashboard.mine(ctx, ada)] == [2]
    # who does not play reads on where the one before left off
    clock.forward(hours=1)
    handover.offer(ctx, ada, made.id, "Gwen")
    handover.accept(ctx, made.gm, made.id)
    assert len(messages.listed(ctx, made.gm, made.id)) == 4
    assert messages.listed(ctx, ada, made.id)[0].body == "I move away."


def test_what_the_one_before_was_told_is_not_told_again(ctx: AppContext) -> None:
    """A stream that says it has missed everything gets nothing of what went to the old game master."""
    made = playing(ctx)
    messages.send(ctx, made.players["p2"], made.id, ["gm"], "Psst.")
    topic = f"campaign/{made.id}/gm"
    with ctx.database.read() as session:
        assert since(session, {topic: 0})
    taken_over(made, made.players["p1"])
    assert topic in notices.campaign_topics(ctx, made.players["p1"], made.id)
    with ctx.database.read() as session:
        assert since(session, {topic: 0}) == []


def test_a_game_master_who_plays_hands_over_and_plays_on(ctx: AppContext) -> None:
    made = club(ctx, options={"gm_plays": True}, begin=False)
    seats.leave(ctx, made.players.pop("p4"), made.id)
    seats.join(ctx, made.gm, made.id, faction="orks", seat="p4")
    campaign_start.start(ctx, made.gm, made.id)
    hal = person(ctx, "Hal")
    taken_over(made, hal)
    assert (made.info.you_are_gm, made.info.your_seats) == (False, ("p4",))
    assert len([topic for topic, _ in told(ctx, "gm_changed") if topic == f"user/{made.gm.user_id}"]) == 1
    assert positions.position(ctx, hal, made.id).viewer == "gm"
    assert positions.position(ctx, made.gm, made.id).viewer == "p4"


def test_who_stood_in_for_somebody_does_not_any_more(ctx: AppContext) -> None:
    """Nor when he has given the campaign away again, having seen everything."""
    made = club(ctx)
    joined_long_ago(ctx)
    eve = person(ctx, "Eve")
    seats.choose_stand_in(ctx, made.players["p1"], made.id, "user", substitute="Eve")
    orders.read(ctx, eve, made.id)
    handover.offer(ctx, made.gm, made.id, "Eve")
    assert campaigns.get(ctx, eve, made.id).your_seats == ("p1",)
    handover.accept(ctx, eve, made.id)
    refused("forbidden", orders.replace, ctx, eve, made.id, [])
    with ctx.database.read() as session:
        seat = access.seats_of(session, made.id)[0]
        assert (seat.stand_in, seat.stand_in_user_id) == ("", None)
    ada = made.players["p1"].user_id
    facts = {"campaign_id": made.id, "seat": "p1"}
    named = (f"user/{eve.user_id}", facts | {"you": "stands_in"})
    assert told(ctx, "seat_changed") == [named, (f"user/{ada}", facts)]
    handover.offer(ctx, eve, made.id, "Gwen")
    handover.accept(ctx, made.gm, made.id)
    assert campaigns.get(ctx, eve, made.id).your_seats == ()
