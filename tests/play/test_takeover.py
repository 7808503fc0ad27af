"""Seats that change hands once a campaign has started: what a newcomer finds, who can come, who cannot."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import orjson
import pytest

from server.play.archive.record_files import export
from server.play.archive.verification import verify_bytes
from server.play.campaigns import campaign_start, campaigns, dashboard, seats, votes
from server.play.campaigns.campaigns import NewCampaign
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.game_masters import game_master, handover, rollback
from server.play.messages import messages, notebook
from server.play.orders import orders
from server.play.schedule import ticker
from server.play.views import history, positions
from server.rules.codec import encode
from server.store.tables import Campaign, OrderSet, Seat
from tests.play.campaigns import Club, club
from tests.play.conftest import Clock, person

ROLLING: dict[str, Any] = {"deadlines": {"kind": "rolling", "hours": 24}}


def order_set(made: Club, seat: str) -> OrderSet:
    with made.ctx.database.read() as session:
        campaign = session.get_one(Campaign, made.id)
        return session.get_one(OrderSet, (made.id, campaign.branch, campaign.phase_number, seat))


def refused(code: str, work: Any, *args: Any, **named: Any) -> PlayError:
    with pytest.raises(PlayError) as caught:
        work(*args, **named)
    assert caught.value.code == code, caught.value
    return caught.value


def seat_of(made: Club, actor: Actor, player_id: str) -> Any:
    found = campaigns.get(made.ctx, actor, made.id)
    return next(seat for seat in found.seats if seat.player_id == player_id)


def test_a_newcomer_is_not_final_by_the_predecessors_word(ctx: AppContext) -> None:
    """Seen to fail where the game master's change leaves `final` as it is."""
    made = club(ctx)
    made.order("p1")
    assert order_set(made, "p1").final
    game_master.replace_player(ctx, made.gm, made.id, "p1", person(ctx, "Newt").name)
    row = order_set(made, "p1")
    assert (row.final, row.wanted) == (False, True)
    assert row.orders, "they stay and count at the deadline, unless the newcomer changes them"


def test_a_newcomer_has_a_deadlines_time_and_no_misses(ctx: AppContext, clock: Clock) -> None:
    made = club(ctx, options=ROLLING)
    clock.forward(hours=25)
    ticker.tick(ctx)
    assert seat_of(made, made.gm, "p2").missed == 1
    clock.forward(hours=20)
    before = made.info.deadline
    newcomer = person(ctx, "Newt")
    game_master.replace_player(ctx, made.gm, made.id, "p2", newcomer.name)
    assert made.info.deadline == ctx.now() + timedelta(hours=24) != before
    assert seat_of(made, newcomer, "p2").missed == 0
    assert seat_of(made, made.gm, "p2").missed == 0


def test_how_much_time_is_an_option(ctx: AppContext, clock: Clock) -> None:
    made = club(ctx, options=ROLLING | {"newcomer_deadlines": 0})
    clock.forward(hours=20)
    before = made.info.deadline
    game_master.replace_player(ctx, made.gm, made.id, "p2", person(ctx, "Newt").name)
    assert made.info.deadline == before
    campaigns.change(ctx, made.gm, made.id, options={"newcomer_deadlines": 2})
    game_master.replace_player(ctx, made.gm, made.id, "p3", person(ctx, "Nell").name)
    assert made.info.deadline == ctx.now() + timedelta(hours=48)


def test_a_removed_players_orders_count_unless_they_are_dropped(ctx: AppContext) -> None:
    made = club(ctx)
    made.order("p1")
    game_master.replace_player(ctx, made.gm, made.id, "p1", None)
    assert order_set(made, "p1").final, "nobody can finalise them again"
    made.order("p2")
    game_master.replace_player(ctx, made.gm, made.id, "p2", None, drop_orders=True)
    row = order_set(made, "p2")
    assert (row.orders, row.revision, row.final) == ([], 0, False)
    done = history.interventions(ctx, made.gm, made.id)
    assert [each.public.get("orders") for each in done if each.kind == "replace_player"] == [None, "dropped"]


def test_a_seat_that_was_left_is_taken_over(ctx: AppContext) -> None:
    """Seen to fail with `wrong_status`, as it was before."""
    made = club(ctx)
    made.order("p3")
    seats.leave(ctx, made.players["p3"], made.id)
    newcomer = person(ctx, "Newt")
    assert [seat.player_id for seat in campaigns.get(ctx, newcomer, made.id).seats if seat.free] == ["p3"]
    found = dashboard.find(ctx, newcomer, joinable=True).items
    assert [(each.id, each.free) for each in found] == [(made.id, 1)]
    joined = seats.join(ctx, newcomer, made.id)
    assert joined.your_seats == ("p3",)
    assert not order_set(made, "p3").final
    assert [each.kind for each in history.interventions(ctx, made.gm, made.id)] == ["take_over"]
    assert dashboard.find(ctx, newcomer, joinable=True).items == ()
    with ctx.database.read() as session:
        assert session.get_one(Seat, (made.id, "p3")).name == "Newt"


def test_nobody_comes_where_the_game_master_does_not_allow_it(ctx: AppContext) -> None:
    made = club(ctx, options={"take_over": False})
    seats.leave(ctx, made.players["p3"], made.id)
    newcomer = person(ctx, "Newt")
    refused("wrong_status", seats.join, ctx, newcomer, made.id)
    assert dashboard.find(ctx, newcomer, joinable=True).items == ()
    assert not any(seat.free for seat in campaigns.get(ctx, newcomer, made.id).seats)


def test_a_campaign_of_an_earlier_version_goes_on_as_it_was(ctx: AppContext) -> None:
    made = club(ctx)
    with ctx.database.write() as session:
        campaign = session.get_one(Campaign, made.id)
        new = ("take_over", "newcomer_deadlines")
        campaign.options = {name: value for name, value in campaign.options.items() if name not in new}
    seats.leave(ctx, made.players["p3"], made.id)
    refused("wrong_status", seats.join, ctx, person(ctx, "Newt"), made.id)
    assert not made.info.options.take_over


def test_who_has_known_another_seat_takes_none_over(ctx: AppContext) -> None:
    made = club(ctx)
    for seat in ("p2", "p3"):
        seats.leave(ctx, made.players[seat], made.id)
    refused("forbidden", seats.join, ctx, made.players["p2"], made.id, seat="p3")
    assert seats.join(ctx, made.players["p2"], made.id).your_seats == ("p2",), "their own they can have back"
    refused("forbidden", seats.join, ctx, made.gm, made.id, seat="p3")
    friend = person(ctx, "Friend")
    seats.choose_stand_in(ctx, made.players["p1"], made.id, "user", substitute="Friend")
    refused("forbidden", seats.join, ctx, friend, made.id, seat="p3")
    seats.choose_stand_in(ctx, made.players["p1"], made.id, "")
    refused("forbidden", seats.join, ctx, friend, made.id, seat="p3")


def test_who_ran_the_campaign_takes_no_seat(ctx: AppContext) -> None:
    made = club(ctx)
    heir = person(ctx, "Hal")
    handover.offer(ctx, made.gm, made.id, "Hal")
    handover.accept(ctx, heir, made.id)
    seats.leave(ctx, made.players["p3"], made.id)
    refused("forbidden", seats.join, ctx, made.gm, made.id)


def test_what_a_seat_is_refused_for(ctx: AppContext) -> None:
    made = club(ctx)
    newcomer = person(ctx, "Newt")
    refused("wrong_status", seats.join, ctx, newcomer, made.id)
    seats.leave(ctx, made.players["p3"], made.id)
    refused("seat_taken", seats.join, ctx, newcomer, made.id, seat="p1")
    refused("not_found", seats.join, ctx, newcomer, made.id, seat="p9")
    refused("already_joined", seats.join, ctx, made.players["p1"], made.id, seat="p3")


def test_a_friend_takes_a_computer_players_seat_by_a_link(ctx: AppContext) -> None:
    host, friend = person(ctx, "Hostess"), person(ctx, "Friend")
    options = {"gm_plays": True, "computer_seats": True}
    new = NewCampaign("Alone", "the-pass", options=options, listed=False)
    id_ = campaigns.create(ctx, host, new).id
    seats.join(ctx, host, id_, faction="orks")
    campaign_start.start(ctx, host, id_)
    code = seats.invite_by_code(ctx, host, id_).code
    refused("not_found", seats.join, ctx, friend, id_)
    assert seats.join(ctx, friend, id_, code=code).your_seats == ("p2",)
    made = Club(ctx, host, {"p1": host, "p2": friend}, id_)
    assert order_set(made, "p2").wanted, "the phase waits for the friend now"
    number = made.info.phase_number
    made.order("p1")
    assert made.info.phase_number == number
    made.order("p2")
    assert made.info.phase_number > number
    assert verify_bytes(export(ctx, Actor(id_, "root", admin=True), id_)).ok


def test_misses_of_before_stay_before_after_a_rollback(ctx: AppContext, clock: Clock) -> None:
    made = club(ctx, options=ROLLING)
    clock.forward(hours=25)
    ticker.tick(ctx)
    newcomer = person(ctx, "Newt")
    game_master.replace_player(ctx, made.gm, made.id, "p2", newcomer.name)
    for seat in ("p1", "p2", "p3", "p4"):
        actor = newcomer if seat == "p2" else made.players[seat]
        orders.replace(ctx, actor, made.id, [], final=True)
    rollback.roll_back(ctx, made.gm, made.id, 2, "Again.")
    assert seat_of(made, newcomer, "p2").missed == 0
    with ctx.database.read() as session:
        assert session.get_one(Seat, (made.id, "p1")).missed == 1


# --- twins: what someone sees does not depend on what they may not know ---


def seen(made: Club, actor: Actor) -> bytes:
    """Return all of a campaign that an account reads: position, orders, options, messages, notes, the campaign."""
    ctx = made.ctx
    view = positions.position(ctx, actor, made.id).view
    own = campaigns.get(ctx, actor, made.id).your_seats
    told: list[Any] = [view.viewer, list(own), [letter.body for letter in messages.listed(ctx, actor, made.id)]]
    if own:
        told.append([(each.orders, each.final) for each in [orders.read(ctx, actor, made.id)]])
        told.append(repr(notebook.read(ctx, actor, made.id)))
    told.append([(each.kind, each.public) for each in history.interventions(ctx, actor, made.id)])
    told.append(repr(campaigns.get(ctx, actor, made.id).seats))
    return encode(view.state) + repr(view.events).encode() + orjson.dumps(told)


def test_twins_a_newcomer_sees_the_same_whatever_is_hidden_from_the_seat(ctx: AppContext) -> None:
    """Seen to fail where the substitute stays, where everyone reads letters to the game master, or notes go by seat."""
    made = club(ctx, phases=2)
    cyd, sue, newt = made.players["p3"], person(ctx, "Sue"), person(ctx, "Newt")
    messages.send(ctx, made.players["p2"], made.id, ["p3"], "Shall we?")
    made.order("p3", final=False)
    notebook.write_note(ctx, cyd, made.id, 1, "A secret of Cyd's.")
    seats.choose_stand_in(ctx, cyd, made.id, "user", substitute="Sue")
    known = positions.position(ctx, cyd, made.id).view
    seats.leave(ctx, cyd, made.id)
    seats.join(ctx, newt, made.id)
    before = seen(made, newt)
    found = positions.position(ctx, newt, made.id).view
    assert encode(found.state) == encode(known.state), "what the seat knows"
    assert b"Shall we?" in before
    assert b"secret" not in before
    messages.send(ctx, made.players["p2"], made.id, ["p4"], "A secret of ours.")
    messages.send(ctx, made.players["p1"], made.id, ["gm"], "A secret of the game master's.")
    made.order("p1", final=False)
    made.order("p2", final=False)
    seats.go_away(ctx, made.players["p4"], made.id, ctx.now() + timedelta(days=3))
    seats.choose_stand_in(ctx, made.players["p1"], made.id, "bot")
    assert seen(made, newt) == before
    for gone in (sue, cyd):
        assert positions.position(ctx, gone, made.id).view.viewer == "spectator"


def test_twins_who_left_sees_what_a_stranger_sees(ctx: AppContext) -> None:
    """Seen to fail where whoever leaves stays as the seat's substitute."""
    made = club(ctx, phases=2)
    cyd, stranger = made.players["p3"], person(ctx, "Stranger")
    seats.leave(ctx, cyd, made.id)
    seats.join(ctx, person(ctx, "Newt"), made.id)
    made.order("p1", final=False)
    messages.send(ctx, made.players["p2"], made.id, ["p3"], "A secret of the newcomer's.")
    assert seen(made, cyd) == seen(made, stranger)


def test_a_record_of_people_who_come_and_go_verifies(ctx: AppContext, clock: Clock) -> None:
    """Takeovers, seats given away, several game masters, a succession, votes and a rollback in one campaign."""
    made = club(ctx, phases=2, options={"gm_plays": True})
    hal, eve, newt, nell = (person(ctx, name) for name in ("Hal", "Eve", "Newt", "Nell"))
    for actor, role in ((hal, "partner"), (eve, "successor")):
        handover.offer(ctx, made.gm, made.id, actor.name, role=role)
        handover.accept(ctx, actor, made.id)
    seats.leave(ctx, made.players["p3"], made.id)
    made.order("p1")
    made.players["p3"] = newt
    seats.join(ctx, newt, made.id)
    made.play_phase()
    made.order("p4")
    game_master.replace_player(ctx, hal, made.id, "p4", nell.name, "Dan has moved away.", drop_orders=True)
    made.players["p4"] = nell
    votes.propose(ctx, newt, made.id, "peace")
    votes.answer(ctx, nell, made.id, 1, agrees=False)
    made.play_phase()
    clock.forward(days=15)
    assert handover.succeed_if_due(ctx, made.id) == 1
    made.play_phase()
    rollback.roll_back(ctx, eve, made.id, made.info.phase_number - 1, "Again.")
    made.play_phase()
    votes.propose(ctx, made.players["p1"], made.id, "draw")
    for seat in ("p2", "p3", "p4"):
        votes.answer(ctx, made.players[seat], made.id, 2, agrees=True)
    assert made.info.status == "finished"
    done = [each.kind for each in history.interventions(ctx, eve, made.id)]
    kinds = {"gm_joined", "take_over", "replace_player", "vote", "vote_no", "succession", "vote_yes", "agreement"}
    assert kinds <= {*done}
    report = verify_bytes(export(ctx, Actor(made.id, "root", admin=True), made.id))
    assert report.ok, report.first
    assert report.checked == report.total > 5
