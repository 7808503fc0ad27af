"""Orders that a game master enters for a player who phones them in."""

from __future__ import annotations

from sqlalchemy import select

from server.play.campaigns import campaign_start, seats
from server.play.context import AppContext
from server.play.dice import receipts
from server.play.game_masters import phoned_in
from server.play.notices.delivery import Item, deliver
from server.play.orders import orders
from server.play.views import history
from server.store.tables import OrderSet
from tests.play.campaigns import club
from tests.play.test_campaigns import refused


def mails(ctx: AppContext) -> list[Item]:
    got: list[Item] = []
    while deliver(ctx, {"mail": got.append}):
        pass
    return got


def test_they_count_are_logged_and_the_player_gets_the_receipt(ctx: AppContext) -> None:
    made = club(ctx)
    mails(ctx)
    info = phoned_in.enter(ctx, made.gm, made.id, "p1", [], why="Ada is at sea.", final=True)
    assert (info.source, info.final, info.revision) == ("gm", True, 1)
    logged = history.interventions(ctx, made.players["p2"], made.id)
    assert [(each.kind, each.public, each.why) for each in logged] == [("orders", {"seat": "p1"}, "Ada is at sea.")]
    (mail,) = mails(ctx)
    assert mail.user_id == made.players["p1"].user_id
    told = receipts.read(mail.payload["data"]["receipt"], receipts.public_key(receipts.keys(ctx)[0]["x"]))
    assert (told["seat"], told["revision"], told["orders"]) == ("p1", 1, receipts.digest([]))


def test_never_over_what_the_player_handed_in(ctx: AppContext) -> None:
    """Seen to fail without the look at where the orders came from."""
    made = club(ctx)
    orders.replace(ctx, made.players["p1"], made.id, [])
    refused("conflict", phoned_in.enter, ctx, made.gm, made.id, "p1", [])
    phoned_in.enter(ctx, made.gm, made.id, "p2", [])
    assert phoned_in.enter(ctx, made.gm, made.id, "p2", [], final=True).revision == 2
    orders.replace(ctx, made.players["p2"], made.id, [])
    refused("conflict", phoned_in.enter, ctx, made.gm, made.id, "p2", [])


def test_not_by_a_game_master_who_plays_nor_by_a_player(ctx: AppContext) -> None:
    made = club(ctx, options={"gm_plays": True}, begin=False)
    faction = next(seat.faction for seat in made.info.seats if seat.player_id == "p4")
    assert faction is not None
    seats.leave(ctx, made.players["p4"], made.id)
    seats.join(ctx, made.gm, made.id, faction=faction, seat="p4")
    campaign_start.start(ctx, made.gm, made.id)
    refused("forbidden", phoned_in.enter, ctx, made.gm, made.id, "p1", [])
    refused("forbidden", phoned_in.enter, ctx, made.players["p2"], made.id, "p1", [])


def test_what_is_wrong_with_them_is_said(ctx: AppContext) -> None:
    made = club(ctx)
    refused("orders_refused", phoned_in.enter, ctx, made.gm, made.id, "p1", [{"type": "nonsense"}])
    refused("orders_refused", phoned_in.enter_text, ctx, made.gm, made.id, "p1", "Do something nice")
    refused("wrong_phase", phoned_in.enter, ctx, made.gm, made.id, "p1", [], number=7)
    refused("not_found", phoned_in.enter, ctx, made.gm, made.id, "p9", [])
    with ctx.database.read() as session:
        assert {each.revision for each in session.scalars(select(OrderSet))} == {0}


def test_final_for_the_last_one_ends_the_phase(ctx: AppContext) -> None:
    made = club(ctx)
    for seat in ("p1", "p2", "p3"):
        orders.replace(ctx, made.players[seat], made.id, [], final=True)
    phoned_in.enter_text(ctx, made.gm, made.id, "p4", "", final=True)
    assert made.info.phase == "build"
