"""Several game masters with the same rights, and named successors: twins show that whoever plays sees no more by it."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from sqlalchemy import select

from server.play.accounts.tokens import note_visit
from server.play.archive.record_files import export
from server.play.archive.verification import verify_bytes
from server.play.campaigns import campaigns, seats
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.game_masters import game_master, handover
from server.play.messages import messages
from server.play.notices import notices
from server.play.people import account_closing
from server.play.schedule import ticker
from server.play.views import history, positions
from server.play.views.reads import standing
from server.rules.codec import encode
from server.store.tables import Outbox, User
from tests.play.campaigns import Club, club
from tests.play.conftest import Clock, person

EDIT = [{"do": "set", "what": "vp", "player": "p1", "vp": 5}]


def refused(code: str, work: Any, *args: Any, **named: Any) -> None:
    with pytest.raises(PlayError) as caught:
        work(*args, **named)
    assert caught.value.code == code, caught.value


def take(made: Club, actor: Actor, role: str) -> None:
    handover.offer(made.ctx, made.gm, made.id, actor.name, role=role)
    handover.accept(made.ctx, actor, made.id)


def playing(ctx: AppContext) -> Club:
    """Return a campaign whose game master may play, and does not."""
    return club(ctx, options={"gm_plays": True}, phases=2)


def seen(made: Club, actor: Actor) -> bytes:
    """Return everything of the position, the messages and the streams that somebody gets."""
    ctx = made.ctx
    view = positions.position(ctx, actor, made.id).view
    rights = standing(ctx, actor, made.id).rights
    letters = [letter.body for letter in messages.listed(ctx, actor, made.id)]
    return encode(view.state) + orjson.dumps([view.viewer, rights.viewer(), rights.seats(), letters])


def test_a_partner_has_the_same_rights(ctx: AppContext) -> None:
    made, hal = club(ctx), person(ctx, "Hal")
    take(made, hal, "partner")
    assert [(each.name, each.role) for each in handover.game_masters(ctx, hal, made.id)] == [
        (made.gm.name, "gm"),
        ("Hal", "partner"),
    ]
    assert campaigns.get(ctx, hal, made.id).you_are_gm
    assert campaigns.get(ctx, made.gm, made.id).you_are_gm
    assert positions.position(ctx, hal, made.id).view.viewer == "gm"
    campaigns.pause(ctx, hal, made.id, "Holidays.")
    campaigns.resume(ctx, made.gm, made.id)
    game_master.edit(ctx, hal, made.id, EDIT, "A gift.")
    messages.send(ctx, made.players["p1"], made.id, ["gm"], "Is this legal?")
    assert [letter.body for letter in messages.listed(ctx, hal, made.id)] == ["Is this legal?"]
    assert hal.user_id in [row.user_id for row in mails(ctx, "message")]
    report = verify_bytes(export(ctx, Actor(made.id, "root", admin=True), made.id))
    assert report.ok, report.first
    kinds = [each.kind for each in history.interventions(ctx, hal, made.id)]
    assert kinds == ["gm_joined", "pause", "resume", "edit"]


def mails(ctx: AppContext, about: str) -> list[Outbox]:
    with ctx.database.read() as session:
        rows = session.scalars(select(Outbox).where(Outbox.kind == "mail")).all()
    return [row for row in rows if row.payload["about"] == about]


def test_a_player_who_becomes_a_partner_sees_no_more(ctx: AppContext) -> None:
    """Seen to fail where a partner with a seat reads what is written to the game masters."""
    made = playing(ctx)
    ann = made.players["p1"]
    messages.send(ctx, made.players["p2"], made.id, ["gm"], "I will attack Ann.")
    before = seen(made, ann)
    take(made, ann, "partner")
    assert seen(made, ann) == before
    messages.send(ctx, made.players["p2"], made.id, ["gm"], "From the north.")
    assert seen(made, ann) == before
    letter = messages.listed(ctx, made.gm, made.id)[0].id
    refused("not_found", messages.read, ctx, ann, made.id, letter)
    assert ann.user_id not in [row.user_id for row in mails(ctx, "message")]
    assert notices.gm_topic(made.id) not in notices.campaign_topics(ctx, ann, made.id)
    assert notices.gm_topic(made.id) in notices.campaign_topics(ctx, made.gm, made.id)
    refused("forbidden", game_master.edit, ctx, ann, made.id, EDIT, "A gift.")
    refused("forbidden", game_master.order_sets, ctx, ann, made.id)
    refused("not_found", positions.position, ctx, ann, made.id, as_="p2")
    refused("not_found", positions.position, ctx, ann, made.id, as_="gm")
    campaigns.pause(ctx, ann, made.id, "Holidays.")


def test_twins_a_playing_partner_gets_the_same_whatever_is_hidden(ctx: AppContext) -> None:
    """Two campaigns that differ in what others wrote to the game master and ordered look the same to a partner."""
    made = playing(ctx)
    ann = made.players["p1"]
    take(made, ann, "partner")
    first = seen(made, ann)
    made.order("p2", final=False)
    messages.send(ctx, made.players["p3"], made.id, ["gm"], "A secret.")
    messages.send(ctx, made.players["p3"], made.id, ["p2"], "Another.")
    assert seen(made, ann) == first
    preview = game_master.preview_advance(ctx, ann, made.id)
    assert (preview.waiting_for, preview.undecided) == (None, None)
    assert all(seat.handed_in is None and seat.source is None for seat in preview.seats)


def test_a_player_is_no_partner_where_the_game_master_does_not_play(ctx: AppContext) -> None:
    made = club(ctx)
    for role in ("partner", "successor"):
        handover.offer(ctx, made.gm, made.id, made.players["p1"].name, role=role)
        refused("forbidden", handover.accept, ctx, made.players["p1"], made.id)


def test_partners_come_and_go(ctx: AppContext) -> None:
    made, hal, eve = club(ctx), person(ctx, "Hal"), person(ctx, "Eve")
    take(made, hal, "partner")
    refused("conflict", handover.offer, ctx, made.gm, made.id, "Hal", role="successor")
    handover.offer(ctx, hal, made.id, "Eve", role="partner")
    handover.accept(ctx, eve, made.id)
    refused("forbidden", handover.leave, ctx, made.players["p1"], made.id, "Hal")
    handover.leave(ctx, eve, made.id, "Hal")
    assert not campaigns.get(ctx, hal, made.id).you_are_gm
    refused("forbidden", campaigns.pause, ctx, hal, made.id)
    handover.leave(ctx, eve, made.id, "Eve")
    refused("not_found", handover.leave, ctx, made.gm, made.id, made.gm.name)
    seats.leave(ctx, made.players["p3"], made.id)
    refused("forbidden", seats.join, ctx, hal, made.id)


def test_a_partner_takes_the_campaign_over_as_anybody_else(ctx: AppContext) -> None:
    made, hal = club(ctx), person(ctx, "Hal")
    take(made, hal, "partner")
    take(made, hal, "gm")
    assert [(each.name, each.role) for each in handover.game_masters(ctx, hal, made.id)] == [("Hal", "gm")]
    assert not campaigns.get(ctx, made.gm, made.id).you_are_gm


def test_everyone_reads_who_runs_it(ctx: AppContext) -> None:
    made, hal = club(ctx), person(ctx, "Hal")
    ann = made.players["p1"]
    assert (campaigns.get(ctx, ann, made.id).gm, campaigns.get(ctx, ann, made.id).game_masters) == ("Gwen", ("Gwen",))
    take(made, hal, "partner")
    assert (campaigns.get(ctx, ann, made.id).gm, campaigns.get(ctx, ann, made.id).game_masters) == (
        "Gwen",
        ("Gwen", "Hal"),
    )
    with ctx.database.write() as session:
        session.get_one(User, hal.user_id).name = "Henry"
    assert campaigns.get(ctx, ann, made.id).game_masters == ("Gwen", "Henry"), "an answer that is kept must not say Hal"


def test_all_game_masters_are_told(ctx: AppContext) -> None:
    made, hal = club(ctx), person(ctx, "Hal")
    take(made, hal, "partner")
    eve = person(ctx, "Eve")
    handover.offer(ctx, made.gm, made.id, "Eve", role="successor")
    handover.decline(ctx, eve, made.id)
    assert {row.user_id for row in mails(ctx, "gm_declined")} == {made.gm.user_id, hal.user_id}


@pytest.mark.parametrize("how", ["closes", "steps down"])
def test_the_first_game_master_goes_and_a_partner_stays(ctx: AppContext, clock: Clock, how: str) -> None:
    """Seen to fail where closing asks only who is the first game master: `conflict`."""
    made, hal, ida = club(ctx, phases=1), person(ctx, "Hal"), person(ctx, "Ida")
    if how == "closes":
        refused("conflict", account_closing.close, ctx, made.gm)
    else:
        refused("not_found", handover.leave, ctx, made.gm, made.id, made.gm.name)
    take(made, hal, "partner")
    clock.forward(minutes=1)
    take(made, ida, "partner")
    if how == "closes":
        assert account_closing.preview(ctx, made.gm).runs == ()
        account_closing.close(ctx, made.gm)
    else:
        refused("not_found", handover.leave, ctx, hal, made.id, made.gm.name)
        handover.leave(ctx, made.gm, made.id, made.gm.name)
        refused("forbidden", campaigns.pause, ctx, made.gm, made.id)
    found = [(each.name, each.role) for each in handover.game_masters(ctx, hal, made.id)]
    assert found == [("Hal", "gm"), ("Ida", "partner")]
    account_closing.close(ctx, ida)
    done = history.interventions(ctx, hal, made.id)
    assert [each.kind for each in done] == ["gm_joined", "gm_joined", "succession", "gm_left"]
    assert "Ida" not in repr(done), "a closed account is called nothing any more"
    made.gm = hal
    made.play_phase()
    report = verify_bytes(export(ctx, Actor(made.id, "root", admin=True), made.id))
    assert report.ok, report.first


def test_a_playing_partner_who_is_left_alone_reads_no_older_messages(ctx: AppContext, clock: Clock) -> None:
    """Seen to fail where the partner is the first game master without a word of when."""
    made = playing(ctx)
    ann = made.players["p1"]
    take(made, ann, "partner")
    messages.send(ctx, made.players["p2"], made.id, ["gm"], "I will attack Ann.")
    before = seen(made, ann)
    clock.forward(hours=1)
    account_closing.close(ctx, made.gm)
    assert campaigns.get(ctx, ann, made.id).game_masters == (ann.name,)
    assert seen(made, ann) == before
    messages.send(ctx, made.players["p2"], made.id, ["gm"], "Is this legal?")
    assert [letter.body for letter in messages.listed(ctx, ann, made.id)] == ["Is this legal?"]


# --- successors ---


def been_here(ctx: AppContext, *actors: Actor) -> None:
    with ctx.database.write() as session:
        for actor in actors:
            note_visit(session, actor.user_id, ctx.now())


def test_a_successor_takes_over_when_all_game_masters_are_away(ctx: AppContext, clock: Clock) -> None:
    made, eve = playing(ctx), person(ctx, "Eve")
    take(made, eve, "partner")
    ann = made.players["p1"]
    messages.send(ctx, made.players["p2"], made.id, ["gm"], "I will attack Ann.")
    before = seen(made, ann)
    take(made, ann, "successor")
    assert seen(made, ann) == before
    assert not campaigns.get(ctx, ann, made.id).you_are_gm
    been_here(ctx, made.gm)
    clock.forward(days=10)
    been_here(ctx, eve)
    clock.forward(days=10)
    assert ticker.work(ctx, "succession") == 0, "a partner was here"
    clock.forward(days=5)
    assert ticker.work(ctx, "succession") == 1
    assert campaigns.get(ctx, ann, made.id).you_are_gm
    assert not campaigns.get(ctx, made.gm, made.id).you_are_gm
    assert seen(made, ann) == before, "who plays sees no more"
    refused("forbidden", game_master.edit, ctx, ann, made.id, EDIT, "A gift.")
    done = history.interventions(ctx, ann, made.id)[-1]
    assert (done.kind, done.public) == ("succession", {"gm": ann.name})
    assert verify_bytes(export(ctx, Actor(made.id, "root", admin=True), made.id)).ok


def test_never_where_the_campaign_says_so(ctx: AppContext, clock: Clock) -> None:
    made, eve = club(ctx, options={"successor_days": 0}), person(ctx, "Eve")
    take(made, eve, "successor")
    clock.forward(days=500)
    assert ticker.work(ctx, "succession") == 0
