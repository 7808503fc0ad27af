"""Alone against computer players: nobody waits for them, each plays at its seat's level, postures come out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from server.bots.levels import LEVELS
from server.play import computer_players
from server.play.archive.record_files import export, read
from server.play.archive.verification import verify_record
from server.play.campaigns import campaign_start, campaigns, seats
from server.play.campaigns.campaigns import NewCampaign
from server.play.computer_players import SeatPostures
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.orders import orders
from server.play.views import positions
from server.store.tables import Intervention, OrderSet, Phase
from tests.play.conftest import person

PHASES = 6


def test_one_against_three_computer_players(ctx: AppContext) -> None:
    gm, ann = person(ctx, "Gus"), person(ctx, "Ann")
    options = {"computer_seats": True, "bot_level": "veteran"}
    id_ = campaigns.create(ctx, gm, NewCampaign("Alone", "four-corners", options=options)).id
    seats.invite_user(ctx, gm, id_, "Ann")
    seats.join(ctx, ann, id_, faction="orks", seat="p2")
    campaign_start.start(ctx, gm, id_)
    while (before := campaigns.get(ctx, gm, id_).phase_number) < PHASES:
        orders.replace(ctx, ann, id_, [], final=True)
        assert campaigns.get(ctx, gm, id_).phase_number > before, "somebody was waited for"
    with ctx.database.read() as session:
        given = [row for row in session.query(OrderSet).filter_by(campaign_id=id_) if row.player_id != "p2"]
        assert {row.source for row in given if row.phase_number < PHASES} <= {"bot", ""}
        done = [row.orders for row in session.query(Phase).filter_by(campaign_id=id_) if row.resolved_at and row.number]
        assert any(each is not None and each.get("p1") for each in done)
    seen = computer_players.postures(ctx, gm, id_)
    assert [each.seat for each in seen] == ["p1", "p3", "p4"]
    assert all(len(each.turns) >= 1 for each in seen)
    assert computer_players.postures(ctx, ann, id_) == []


def test_who_is_hopeless_for_two_turns_gives_up_where_the_campaign_says_so(
    ctx: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When a player is hopeless, tests/bots/test_posture.py says; here p3 is from the start."""
    p3_is_hopeless(monkeypatch)
    gm, ann, id_ = alone(ctx, {"computer_seats": True, "computers_give_up": True})
    play_to(ctx, gm, ann, id_, turn=2)
    assert not eliminated(ctx, gm, id_)
    play_to(ctx, gm, ann, id_, turn=3)
    assert eliminated(ctx, gm, id_) == ["p3"]
    with ctx.database.read() as session:
        made = session.query(Intervention).filter_by(campaign_id=id_).one()
        assert (made.kind, made.made_by, "P-37" in made.why) == ("edit", None, True)
    state = positions.position(ctx, gm, id_).view.state
    assert "p3" not in state.owner
    assert "p3" not in [detachment.owner for detachment in state.detachments.values()]
    play_to(ctx, gm, ann, id_, turn=4)
    campaigns.finish(ctx, gm, id_)
    assert verify_record(read(export(ctx, gm, id_))).ok


def test_nobody_gives_up_where_the_campaign_does_not_say_so(ctx: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    p3_is_hopeless(monkeypatch)
    gm, ann, id_ = alone(ctx, {"computer_seats": True})
    play_to(ctx, gm, ann, id_, turn=3)
    assert eliminated(ctx, gm, id_) == []


def alone(ctx: AppContext, options: dict[str, Any]) -> tuple[Actor, Actor, str]:
    gm, ann = person(ctx, "Gus"), person(ctx, "Ann")
    id_ = campaigns.create(ctx, gm, NewCampaign("Alone", "four-corners", options=options)).id
    seats.invite_user(ctx, gm, id_, "Ann")
    seats.join(ctx, ann, id_, faction="orks", seat="p2")
    campaign_start.start(ctx, gm, id_)
    return gm, ann, id_


def play_to(ctx: AppContext, gm: Actor, ann: Actor, id_: str, *, turn: int) -> None:
    while (campaigns.get(ctx, gm, id_).turn or 0) < turn:
        orders.replace(ctx, ann, id_, [], final=True)


def p3_is_hopeless(monkeypatch: pytest.MonkeyPatch) -> None:
    found = computer_players.evaluated

    def hopeless(*given: Any) -> list[SeatPostures]:
        return [
            replace(each, turns=tuple(replace(turn, posture="hopeless") for turn in each.turns))
            if each.seat == "p3"
            else each
            for each in found(*given)
        ]

    monkeypatch.setattr(computer_players, "evaluated", hopeless)


def eliminated(ctx: AppContext, gm: Actor, id_: str) -> list[str]:
    state = positions.position(ctx, gm, id_).view.state
    return [player.id for player in state.players.values() if player.eliminated]


def test_each_seat_has_a_level_of_its_own(ctx: AppContext) -> None:
    gm, ann = person(ctx, "Gus"), person(ctx, "Ann")
    id_ = campaigns.create(ctx, gm, NewCampaign("Levels", "the-pass")).id
    seats.invite_user(ctx, gm, id_, "Ann")
    seats.join(ctx, ann, id_, faction="orks", seat="p1")
    seats.choose_stand_in(ctx, ann, id_, "bot", level="marshal")
    mine = next(seat for seat in campaigns.get(ctx, ann, id_).seats if seat.player_id == "p1")
    assert (mine.stand_in, mine.bot_level) == ("bot", "marshal")
    with pytest.raises(PlayError) as refused:
        seats.choose_stand_in(ctx, ann, id_, "bot", level="genius")
    assert refused.value.field == "level"
    assert set(LEVELS) == {"recruit", "regular", "veteran", "marshal"}
