"""Seats in mails: who plays or stands in from now on is told; while a player is away, their substitute is."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select

from server.play.campaigns import campaigns, seats
from server.play.context import AppContext
from server.play.game_masters import game_master
from server.play.messages import messages
from server.play.schedule import ticker
from server.store.tables import Outbox
from tests.mail.conftest import PostOffice, addressed, drain, text_of
from tests.mail.test_notices import RHYTHM
from tests.play.campaigns import club
from tests.play.conftest import Clock, person


@pytest.mark.parametrize("gone", [False, True])
def test_the_substitute_of_who_is_away_is_told(ctx: AppContext, office: PostOffice, clock: Clock, gone: bool) -> None:
    made = club(ctx, options=RHYTHM)
    person(ctx, "Eve")
    addressed(ctx)
    ada, bob = made.players["p1"], made.players["p2"]
    seats.choose_stand_in(ctx, ada, made.id, "user", substitute="Eve")
    game_master.advance(ctx, made.gm, made.id, number=1)
    drain(ctx)
    (named,) = office.to("Eve")  # while the player is there nothing more is said to their substitute
    assert named["Subject"] == "[The Long March] You are the substitute for Ada"
    if gone:
        seats.leave(ctx, ada, made.id)
    else:
        seats.go_away(ctx, ada, made.id, clock.at + timedelta(days=9))
    messages.send(ctx, bob, made.id, ["p1"], "Hello?")
    game_master.advance(ctx, made.gm, made.id, number=2)
    drain(ctx)
    _, turn = office.to("Eve")  # letters are between those who wrote and got them
    assert turn["Subject"].startswith("[The Long March] Turn 2, Build: orders due")
    assert "because you are the stand-in for Ada" in text_of(turn).replace("\n", " ")


def test_an_opponent_is_told_nothing_because_he_was_named(ctx: AppContext, clock: Clock) -> None:
    made = club(ctx, options=RHYTHM | {"anonymous": True})
    ada, bob = made.players["p1"], made.players["p2"]
    seats.choose_stand_in(ctx, ada, made.id, "user", substitute="Bob")
    seats.go_away(ctx, ada, made.id, clock.at + timedelta(days=9))
    for seat in ("p2", "p3", "p4"):
        made.order(seat)
    clock.forward(hours=30)
    ticker.tick(ctx)
    with ctx.database.read() as session:
        told = session.scalars(select(Outbox.dedupe).where(Outbox.kind == "mail", Outbox.dedupe.contains("/near/")))
        assert [event.split("/")[1] for event in told] == [ada.user_id]
        named = session.scalars(select(Outbox.dedupe).where(Outbox.dedupe.contains("/substitute/"))).all()
    assert named == []
    assert bob.user_id != ada.user_id


def test_a_substitute_who_is_named_again_and_again_gets_one_mail(ctx: AppContext, office: PostOffice) -> None:
    made = club(ctx)
    person(ctx, "Eve")
    addressed(ctx)
    for _ in range(3):
        seats.choose_stand_in(ctx, made.players["p1"], made.id, "user", substitute="Eve")
        seats.choose_stand_in(ctx, made.players["p1"], made.id, "bot")
    seats.choose_stand_in(ctx, made.players["p1"], made.id, "user", substitute="Eve")
    drain(ctx)
    assert len(office.to("Eve")) == 1


def test_who_loses_a_seat_and_who_gets_it_are_told(ctx: AppContext, office: PostOffice, clock: Clock) -> None:
    """Nobody is told of the time that a newcomer gets. Seen to fail where a seat could be lost without a mail."""
    made = club(ctx, options=RHYTHM | {"newcomer_deadlines": 1})
    campaigns.change(ctx, made.gm, made.id, listed=False)
    made.play_phase()
    person(ctx, "Eve")
    addressed(ctx, Bob="de")
    drain(ctx)
    before, due = len(office.got), made.info.deadline
    clock.forward(minutes=5)
    game_master.replace_player(ctx, made.gm, made.id, "p1", "Eve", "Moved away")
    drain(ctx)
    assert due is not None
    assert made.info.deadline == due + timedelta(minutes=5)
    told = {str(mail["To"]).partition(" ")[0].lower(): " ".join(text_of(mail).split()) for mail in office.got[before:]}
    assert len(told) == len(office.got) - before
    assert set(told) == {"ada", "bob", "cyd", "dan", "eve"}
    assert "has freed your seat, so you no longer play in this campaign. Reason: Moved away" in told["ada"]
    assert made.id not in told["ada"]
    assert "You now play Eve (Space Marines)." in told["eve"]
    assert "Your orders are due by" in told["eve"]
    assert "Your forces:" in told["eve"]
    assert "Eve in The Long March wird jetzt anders gespielt" in told["bob"]
    assert not [text for text in told.values() if "has moved the deadline" in text]
