"""Who may know what at the edges: substitutes, game masters who play, anonymous seats, campaigns without spectators."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from server.play import (
    battles,
    campaigns,
    desk,
    finding,
    game_master,
    history,
    live,
    messages,
    orders,
    reading,
    rollback,
    seats,
    starting,
    webhooks,
)
from server.play.context import NOBODY, Play, Who
from server.store.tables import Campaign, LiveEvent, Outbox
from tests.play.campaigns import Club, club
from tests.play.conftest import Clock, person
from tests.play.test_battles import at_a_battle, outsider
from tests.play.test_campaigns import refused


def test_who_plays_himself_stands_in_for_nobody(play: Play) -> None:
    """Somebody is named as a substitute first, and takes a seat of his own afterwards."""
    made = club(play)
    eve = person(play, "Eve")
    seats.choose_stand_in(play, made.players["p1"], made.id, "user", substitute="Eve")
    assert reading.position(play, eve, made.id).viewer == "p1"
    game_master.replace_player(play, made.gm, made.id, "p2", "Eve")
    assert campaigns.get(play, eve, made.id).your_seats == ("p2",)
    refused("not_found", reading.position, play, eve, made.id, as_="p1")
    refused("not_found", orders.read, play, eve, made.id, seat="p1")
    assert live.campaign_topics(play, eve, made.id) == [f"campaign/{made.id}/public", f"campaign/{made.id}/player/p2"]


def test_naming_a_substitute_does_not_tell_who_sits_in_an_anonymous_campaign(play: Play) -> None:
    made = club(play, options={"anonymous": True})
    person(play, "Eve")
    ada = made.players["p1"]
    for name in ("Bob", "Eve"):
        seats.choose_stand_in(play, ada, made.id, "user", substitute=name)
    seats.choose_stand_in(play, ada, made.id, "user", substitute="Bob")
    bob = made.players["p2"]
    assert campaigns.get(play, bob, made.id).your_seats == ("p2",)
    refused("not_found", reading.position, play, bob, made.id, as_="p1")
    # himself and the game master, whom everybody knows, may be refused
    for known in ("Ada", "Gwen"):
        refused("conflict", seats.choose_stand_in, play, ada, made.id, "user", substitute=known)


def test_a_stand_in_the_game_master_names_is_shown_to_everybody(play: Play) -> None:
    made = club(play)
    person(play, "Eve")
    seats.choose_stand_in(play, made.gm, made.id, "user", substitute="Eve", seat="p2")
    seats.choose_stand_in(play, made.players["p3"], made.id, "bot")
    done = history.interventions(play, made.players["p1"], made.id)
    assert [(each.kind, each.public) for each in done] == [("stand_in", {"seat": "p2", "stand_in": "user"})]


def test_no_substitute_is_named_for_another_before_it_can_be_shown(play: Play) -> None:
    made = club(play, begin=False)
    person(play, "Eve")
    refused("wrong_status", seats.choose_stand_in, play, made.gm, made.id, "user", substitute="Eve", seat="p2")
    seats.choose_stand_in(play, made.gm, made.id, "bot", seat="p2")


def _playing(play: Play, **options: bool) -> tuple[Club, Who]:
    """Return a campaign whose game master sits in p4."""
    made = club(play, options={"gm_plays": True, **options}, begin=False)
    seats.leave(play, made.players.pop("p4"), made.id)
    seats.join(play, made.gm, made.id, faction="orks", seat="p4")
    starting.start(play, made.gm, made.id)
    return made, made.gm


def test_a_game_master_who_plays_puts_no_substitute_into_anothers_seat(play: Play) -> None:
    made, gm = _playing(play)
    person(play, "Eve")
    refused("forbidden", seats.choose_stand_in, play, gm, made.id, "user", substitute="Eve", seat="p2")
    seats.choose_stand_in(play, gm, made.id, "user", substitute="Eve")  # for his own he may
    seats.choose_stand_in(play, gm, made.id, "bot", seat="p2")


def test_a_game_master_who_gets_up_to_look_does_not_sit_down_again(play: Play) -> None:
    made, gm = _playing(play)
    seats.leave(play, gm, made.id)
    assert reading.position(play, gm, made.id).viewer == "gm"
    refused("forbidden", game_master.replace_player, play, gm, made.id, "p4", "Gwen")
    person(play, "Eve")
    game_master.replace_player(play, gm, made.id, "p4", "Eve")


def test_a_game_master_who_plays_knows_what_a_player_knows(play: Play) -> None:
    made, gm = _playing(play, anonymous=True, show_final=False)
    person(play, "Eve")
    seats.choose_stand_in(play, made.players["p1"], made.id, "user", substitute="Eve")
    assert [each.user for each in campaigns.get(play, gm, made.id).seats] == [None, None, None, "Gwen"]
    assert not any(each.substitute for each in campaigns.get(play, gm, made.id).seats)
    assert campaigns.get(play, made.players["p1"], made.id).seats[0].substitute == "Eve"
    assert live.campaign_topics(play, gm, made.id) == [f"campaign/{made.id}/public", f"campaign/{made.id}/player/p4"]


def test_a_game_master_who_plays_is_not_told_of_others_battles(play: Play) -> None:
    made, hex_, battle = at_a_battle(play)
    third = made.players[outsider(made, battle)]
    with play.database.write() as session:
        session.get_one(Campaign, made.id).gm_user_id = third.user_id
    battles.report(play, made.players[battle.attacking], made.id, hex_, {"winner": battle.attacking})
    with play.database.read() as session:
        mails = session.scalars(select(Outbox).where(Outbox.user_id == third.user_id))
        assert "battle_reported" not in [each.payload.get("about") for each in mails]
        told = list(session.scalars(select(LiveEvent).where(LiveEvent.kind == "battle_reported")))
    sides = {made.players[each].user_id for each in (battle.attacking, battle.defended_by)}
    topics = {f"user/{each}" for each in sides}
    topics |= {f"campaign/{made.id}/player/{each}" for each in (battle.attacking, battle.defended_by)}
    assert {each.topic for each in told} == topics


def test_a_game_master_who_plays_does_not_look_at_everything_and_go_on(play: Play) -> None:
    made, gm = _playing(play)
    campaigns.finish(play, gm, made.id, "Just a look.")
    refused("forbidden", rollback.preview, play, gm, made.id, 1)
    refused("forbidden", rollback.roll_back, play, gm, made.id, 1, "On we go.")


def test_seats_lose_their_players_names_when_a_campaign_becomes_anonymous(play: Play) -> None:
    made = club(play, begin=False)
    cyd = made.players["p3"]
    seats.leave(play, cyd, made.id)
    seats.join(play, cyd, made.id, faction="orks", seat="p3", name="The Red Duke")
    assert [each.name for each in made.info.seats] == ["Ada", "Bob", "The Red Duke", "Dan"]
    campaigns.change(play, made.gm, made.id, options={"anonymous": True})
    names = [each.name for each in campaigns.get(play, made.players["p1"], made.id).seats]
    assert names[2] == "The Red Duke"
    assert not {"Ada", "Bob", "Dan"} & set(names)
    assert len(set(names)) == 4


def test_a_campaign_that_ends_a_second_time_is_told_of_again(play: Play) -> None:
    made = club(play)
    campaigns.finish(play, made.gm, made.id)
    rollback.roll_back(play, made.gm, made.id, 1, "Once more.")
    campaigns.finish(play, made.gm, made.id)
    with play.database.read() as session:
        told = [each.payload["about"] for each in session.scalars(select(Outbox).where(Outbox.kind == "mail"))]
    assert told.count("finished") == 2 * len(made.players)


def test_a_substitute_finds_the_campaign_he_stands_in_for(play: Play) -> None:
    made = club(play)
    eve = person(play, "Eve")
    campaigns.change(play, made.gm, made.id, listed=False)
    assert finding.find(play, eve, mine=True).items == ()
    seats.choose_stand_in(play, made.players["p1"], made.id, "user", substitute="Eve")
    for mine in (True, False):
        found = finding.find(play, eve, mine=mine).items
        assert [(each.id, each.yours, each.taken) for each in found] == [(made.id, True, 4)]
    assert [each.id for each in desk.mine(play, eve)] == [made.id]


@pytest.mark.parametrize("signed_in", [True, False])
def test_a_campaign_without_spectators_is_read_by_its_own_people_only(play: Play, signed_in: bool) -> None:
    made = club(play, options={"spectators": False})
    messages.announce(play, made.gm, made.id, "Tonight.")
    eve = person(play, "Eve") if signed_in else NOBODY
    assert campaigns.get(play, eve, made.id).phase == "setup"  # that it is there, and how it stands
    reads = (
        reading.position, reading.finality, history.phases, history.branches, history.interventions,
        history.standings,
        messages.listed, messages.declarations, live.campaign_topics,
    )  # fmt: skip
    for read in reads:
        refused("not_found", read, play, eve, made.id)
        read(play, made.players["p1"], made.id)
    refused("not_found", history.past, play, eve, made.id, 0)


def test_a_campaign_with_spectators_is_read_by_everybody(play: Play) -> None:
    made = club(play)
    assert [each.number for each in history.phases(play, NOBODY, made.id)] == [0, 1]
    assert messages.listed(play, NOBODY, made.id) == []
    assert len(reading.finality(play, NOBODY, made.id)) == 4


def test_a_token_for_reading_makes_no_webhook(play: Play) -> None:
    """It would go on telling after the token is revoked."""
    ada = person(play, "Ada")
    reading_only = Who(ada.user_id, ada.name, scopes=("read",))
    refused("missing_scope", webhooks.create, play, reading_only, "https://example.org/hook")
    assert webhooks.listed(play, reading_only) == []


def test_a_clock_put_back_during_a_pause_takes_no_time_away(play: Play, clock: Clock) -> None:
    made = club(play, options={"deadlines": {"kind": "rolling", "hours": 24}})
    due = made.info.deadline
    campaigns.pause(play, made.gm, made.id)
    clock.forward(hours=-3)
    campaigns.resume(play, made.gm, made.id)
    assert made.info.deadline == due
