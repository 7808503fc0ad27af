"""Who may know what at the edges: substitutes, game masters who play, anonymous seats, campaigns without spectators."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import select

from server.play.battles import battles
from server.play.campaigns import campaign_start, campaigns, dashboard, seats
from server.play.context import NOBODY, Actor, AppContext
from server.play.game_masters import game_master, rollback
from server.play.messages import messages
from server.play.notices import notices, webhooks
from server.play.orders import orders
from server.play.views import history, positions
from server.store.tables import Campaign, LiveEvent, Outbox
from tests.play.campaigns import Club, club
from tests.play.conftest import Clock, person
from tests.play.test_battles import at_a_battle, outsider
from tests.play.test_campaigns import refused


def test_who_plays_himself_stands_in_for_nobody(ctx: AppContext) -> None:
    """Somebody is named as a substitute first, and takes a seat of his own afterwards."""
    made = club(ctx)
    eve = person(ctx, "Eve")
    seats.choose_stand_in(ctx, made.players["p1"], made.id, "user", substitute="Eve")
    assert positions.position(ctx, eve, made.id).viewer == "p1"
    game_master.replace_player(ctx, made.gm, made.id, "p2", "Eve")
    assert campaigns.get(ctx, eve, made.id).your_seats == ("p2",)
    refused("not_found", positions.position, ctx, eve, made.id, as_="p1")
    refused("not_found", orders.read, ctx, eve, made.id, seat="p1")
    assert notices.campaign_topics(ctx, eve, made.id) == [f"campaign/{made.id}/public", f"campaign/{made.id}/player/p2"]


def test_naming_a_substitute_does_not_tell_who_sits_in_an_anonymous_campaign(ctx: AppContext) -> None:
    made = club(ctx, options={"anonymous": True})
    person(ctx, "Eve")
    ada = made.players["p1"]
    for name in ("Bob", "Eve"):
        seats.choose_stand_in(ctx, ada, made.id, "user", substitute=name)
    seats.choose_stand_in(ctx, ada, made.id, "user", substitute="Bob")
    bob = made.players["p2"]
    assert campaigns.get(ctx, bob, made.id).your_seats == ("p2",)
    refused("not_found", positions.position, ctx, bob, made.id, as_="p1")
    # himself and the game master, whom everybody knows, may be refused
    for known in ("Ada", "Gwen"):
        refused("conflict", seats.choose_stand_in, ctx, ada, made.id, "user", substitute=known)


def test_a_stand_in_the_game_master_names_is_shown_to_everybody(ctx: AppContext) -> None:
    made = club(ctx)
    person(ctx, "Eve")
    seats.choose_stand_in(ctx, made.gm, made.id, "user", substitute="Eve", seat="p2")
    seats.choose_stand_in(ctx, made.players["p3"], made.id, "bot")
    done = history.interventions(ctx, made.players["p1"], made.id)
    assert [(each.kind, each.public) for each in done] == [("stand_in", {"seat": "p2", "stand_in": "user"})]


def test_no_substitute_is_named_for_another_before_it_can_be_shown(ctx: AppContext) -> None:
    made = club(ctx, begin=False)
    person(ctx, "Eve")
    refused("wrong_status", seats.choose_stand_in, ctx, made.gm, made.id, "user", substitute="Eve", seat="p2")
    seats.choose_stand_in(ctx, made.gm, made.id, "bot", seat="p2")


def _playing(ctx: AppContext, **options: bool) -> tuple[Club, Actor]:
    """Return a campaign whose game master sits in p4."""
    made = club(ctx, options={"gm_plays": True, **options}, begin=False)
    seats.leave(ctx, made.players.pop("p4"), made.id)
    seats.join(ctx, made.gm, made.id, faction="orks", seat="p4")
    campaign_start.start(ctx, made.gm, made.id)
    return made, made.gm


def test_a_game_master_who_plays_puts_no_substitute_into_anothers_seat(ctx: AppContext) -> None:
    made, gm = _playing(ctx)
    person(ctx, "Eve")
    refused("forbidden", seats.choose_stand_in, ctx, gm, made.id, "user", substitute="Eve", seat="p2")
    seats.choose_stand_in(ctx, gm, made.id, "user", substitute="Eve")  # for his own he may
    seats.choose_stand_in(ctx, gm, made.id, "bot", seat="p2")


def test_a_game_master_who_gets_up_to_look_does_not_sit_down_again(ctx: AppContext) -> None:
    made, gm = _playing(ctx)
    seats.leave(ctx, gm, made.id)
    assert positions.position(ctx, gm, made.id).viewer == "gm"
    refused("forbidden", game_master.replace_player, ctx, gm, made.id, "p4", "Gwen")
    person(ctx, "Eve")
    game_master.replace_player(ctx, gm, made.id, "p4", "Eve")


def test_a_game_master_who_plays_knows_what_a_player_knows(ctx: AppContext) -> None:
    made, gm = _playing(ctx, anonymous=True, show_final=False)
    person(ctx, "Eve")
    seats.choose_stand_in(ctx, made.players["p1"], made.id, "user", substitute="Eve")
    assert [seat.user for seat in campaigns.get(ctx, gm, made.id).seats] == [None, None, None, "Gwen"]
    assert not any(seat.substitute for seat in campaigns.get(ctx, gm, made.id).seats)
    assert campaigns.get(ctx, made.players["p1"], made.id).seats[0].substitute == "Eve"
    assert notices.campaign_topics(ctx, gm, made.id) == [f"campaign/{made.id}/public", f"campaign/{made.id}/player/p4"]


def test_a_game_master_who_plays_is_not_told_of_others_battles(ctx: AppContext) -> None:
    made, hex_, battle = at_a_battle(ctx)
    third = made.players[outsider(made, battle)]
    with ctx.database.write() as session:
        session.get_one(Campaign, made.id).gm_user_id = third.user_id
    battles.report(ctx, made.players[battle.attacking], made.id, hex_, {"winner": battle.attacking})
    with ctx.database.read() as session:
        mails = session.scalars(select(Outbox).where(Outbox.user_id == third.user_id))
        assert "battle_reported" not in [mail.payload.get("about") for mail in mails]
        told = list(session.scalars(select(LiveEvent).where(LiveEvent.kind == "battle_reported")))
    sides = {made.players[each].user_id for each in (battle.attacking, battle.defended_by)}
    topics = {f"user/{side}" for side in sides}
    topics |= {f"campaign/{made.id}/player/{each}" for each in (battle.attacking, battle.defended_by)}
    assert {event.topic for event in told} == topics


def test_a_game_master_who_plays_does_not_look_at_everything_and_go_on(ctx: AppContext) -> None:
    made, gm = _playing(ctx)
    campaigns.finish(ctx, gm, made.id, "Just a look.")
    refused("forbidden", rollback.preview, ctx, gm, made.id, 1)
    refused("forbidden", rollback.roll_back, ctx, gm, made.id, 1, "On we go.")


def test_seats_lose_their_players_names_when_a_campaign_becomes_anonymous(ctx: AppContext) -> None:
    made = club(ctx, begin=False)
    cyd = made.players["p3"]
    seats.leave(ctx, cyd, made.id)
    seats.join(ctx, cyd, made.id, faction="orks", seat="p3", name="The Red Duke")
    assert [seat.name for seat in made.info.seats] == ["Ada", "Bob", "The Red Duke", "Dan"]
    campaigns.change(ctx, made.gm, made.id, options={"anonymous": True})
    names = [seat.name for seat in campaigns.get(ctx, made.players["p1"], made.id).seats]
    assert names[2] == "The Red Duke"
    assert not {"Ada", "Bob", "Dan"} & set(names)
    assert len(set(names)) == 4


def test_a_campaign_that_ends_a_second_time_is_told_of_again(ctx: AppContext) -> None:
    ctx = replace(ctx, settings=ctx.settings.model_copy(update={"seal_hours": 72}))
    made = club(ctx)
    campaigns.finish(ctx, made.gm, made.id)
    rollback.roll_back(ctx, made.gm, made.id, 1, "Once more.")
    campaigns.finish(ctx, made.gm, made.id)
    with ctx.database.read() as session:
        told = [each.payload["about"] for each in session.scalars(select(Outbox).where(Outbox.kind == "mail"))]
    assert told.count("finished") == 2 * len(made.players)


def test_a_substitute_finds_the_campaign_he_stands_in_for(ctx: AppContext) -> None:
    made = club(ctx)
    eve = person(ctx, "Eve")
    campaigns.change(ctx, made.gm, made.id, listed=False)
    assert dashboard.find(ctx, eve, mine=True).items == ()
    seats.choose_stand_in(ctx, made.players["p1"], made.id, "user", substitute="Eve")
    for mine in (True, False):
        found = dashboard.find(ctx, eve, mine=mine).items
        assert [(each.id, each.yours, each.taken) for each in found] == [(made.id, True, 4)]
    assert [each.id for each in dashboard.mine(ctx, eve)] == [made.id]


@pytest.mark.parametrize("signed_in", [True, False])
def test_a_campaign_without_spectators_is_read_by_its_own_people_only(ctx: AppContext, signed_in: bool) -> None:
    made = club(ctx, options={"spectators": False})
    messages.announce(ctx, made.gm, made.id, "Tonight.")
    eve = person(ctx, "Eve") if signed_in else NOBODY
    assert campaigns.get(ctx, eve, made.id).phase == "setup"  # that it is there, and how it stands
    reads = (
        positions.position, positions.finality, history.phases, history.branches, history.interventions,
        history.standings,
        messages.listed, messages.declarations, notices.campaign_topics,
    )  # fmt: skip
    for read in reads:
        refused("not_found", read, ctx, eve, made.id)
        read(ctx, made.players["p1"], made.id)
    refused("not_found", history.past, ctx, eve, made.id, 0)


def test_a_campaign_with_spectators_is_read_by_everybody(ctx: AppContext) -> None:
    made = club(ctx)
    assert [phase.number for phase in history.phases(ctx, NOBODY, made.id)] == [0, 1]
    assert messages.listed(ctx, NOBODY, made.id) == []
    assert len(positions.finality(ctx, NOBODY, made.id)) == 4


def test_a_token_for_reading_makes_no_webhook(ctx: AppContext) -> None:
    """It would go on telling after the token is revoked."""
    ada = person(ctx, "Ada")
    reading_only = Actor(ada.user_id, ada.name, scopes=("read",))
    refused("missing_scope", webhooks.create, ctx, reading_only, "https://example.org/hook")
    assert webhooks.listed(ctx, reading_only) == []


def test_a_clock_put_back_during_a_pause_takes_no_time_away(ctx: AppContext, clock: Clock) -> None:
    made = club(ctx, options={"deadlines": {"kind": "rolling", "hours": 24}})
    due = made.info.deadline
    campaigns.pause(ctx, made.gm, made.id)
    clock.forward(hours=-3)
    campaigns.resume(ctx, made.gm, made.id)
    assert made.info.deadline == due
