"""While a player is away their substitute is told what they would be told, and nobody else is."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select

from server.play.campaigns import seats
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
    assert office.to("Eve") == []  # while the player is there nothing is said to their substitute
    if gone:
        seats.leave(ctx, ada, made.id)
    else:
        seats.go_away(ctx, ada, made.id, clock.at + timedelta(days=9))
    messages.send(ctx, bob, made.id, ["p1"], "Hello?")
    game_master.advance(ctx, made.gm, made.id, number=2)
    drain(ctx)
    (turn,) = office.to("Eve")  # letters are between those who wrote and got them
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
    assert bob.user_id != ada.user_id
