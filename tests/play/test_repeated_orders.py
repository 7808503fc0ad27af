"""Orders that a seat repeats until it cancels them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select, update

from server.play.campaigns import seats
from server.play.context import AppContext
from server.play.game_masters import phoned_in
from server.play.orders import orders, orders_in_advance
from server.play.orders.orders_as_text import as_text, understood
from server.play.resolution.resolution import resolve_due
from server.rules.state import MOVEMENT
from server.store.tables import OrderSet, RepeatedOrders, Seat
from tests.play.campaigns import Club, club
from tests.play.conftest import Clock
from tests.play.test_campaigns import refused

ROLLING = {"deadlines": {"kind": "rolling", "hours": 24}}
ADA = "p1"


def playing(ctx: AppContext, **options: Any) -> Club:
    """Return a campaign in its first Movement phase in which somebody has something to order."""
    made = club(ctx, options=ROLLING | options, phases=2)
    assert made.info.phase == MOVEMENT
    return made


def to_next(made: Club, clock: Clock, phase: str = MOVEMENT, *, ordering: tuple[str, ...] = ("p2", "p3", "p4")) -> None:
    """Let phases pass until the next one of a kind is open: *ordering* hand in nothing at all, Ada does nothing."""
    while True:
        before = made.info.phase_number
        for seat in ordering:
            orders.replace(made.ctx, made.players[seat], made.id, [])
        clock.forward(hours=25)
        assert resolve_due(made.ctx, [made.id])
        assert made.info.phase_number > before
        if made.info.phase == phase:
            return


def own_detachment(made: Club, seat: str = ADA) -> str:
    return next(each.id for each in made.view(seat).state.detachments.values() if each.owner == seat)


def guard(detachment: str) -> dict[str, str]:
    return {"type": "guard", "detachment": detachment}


def test_a_repeated_order_is_an_ordinary_order_of_each_phase(ctx: AppContext, clock: Clock) -> None:
    made = playing(ctx)
    ada, first = made.players[ADA], own_detachment(made)
    assert orders_in_advance.replace_repeated(ctx, ada, made.id, MOVEMENT, [guard(first)]).revision == 1
    assert orders.read(ctx, ada, made.id).orders == ()  # not in the open phase, but from the next on
    for _ in range(2):
        to_next(made, clock)
        now = orders.read(ctx, ada, made.id)
        assert (now.orders, now.source, now.final, now.temporary) == ((guard(first),), "repeated", False, True)
    assert [row.phase for row in orders_in_advance.listed_repeated(ctx, ada, made.id)] == [MOVEMENT]
    orders_in_advance.replace_repeated(ctx, ada, made.id, MOVEMENT, [], revision=1)
    to_next(made, clock)
    assert orders.read(ctx, ada, made.id).orders == ()


def test_it_can_be_changed_for_one_phase(ctx: AppContext, clock: Clock) -> None:
    made = playing(ctx)
    ada, first = made.players[ADA], own_detachment(made)
    orders_in_advance.replace_repeated(ctx, ada, made.id, MOVEMENT, [guard(first)])
    to_next(made, clock)
    claim = {"type": "claim_area", "detachment": first}
    assert orders.replace(ctx, ada, made.id, [claim]).orders.orders == (claim,)
    to_next(made, clock)
    assert orders.read(ctx, ada, made.id).orders == (guard(first),)


def test_orders_in_advance_go_before_repeated_ones(ctx: AppContext, clock: Clock) -> None:
    made = playing(ctx)
    ada, first = made.players[ADA], own_detachment(made)
    orders_in_advance.replace_repeated(ctx, ada, made.id, MOVEMENT, [guard(first)])
    claim = {"type": "claim_area", "detachment": first}
    orders_in_advance.leave(ctx, ada, made.id, (made.info.turn or 0) + 1, MOVEMENT, [claim])
    to_next(made, clock)
    now = orders.read(ctx, ada, made.id)
    assert (now.orders, now.source) == ((claim,), "advance")
    row = orders_in_advance.listed_repeated(ctx, ada, made.id)[0]
    assert (row.orders, row.left_out) == ((guard(first),), ())


def test_what_is_impossible_is_left_out_with_its_reason(ctx: AppContext, clock: Clock) -> None:
    """What can never be possible again ends; what is not possible this time stays."""
    made = playing(ctx)
    ada, first = made.players[ADA], own_detachment(made)
    gone, alone = guard("0123456789ab"), {"type": "follow", "detachment": first, "target": first}
    orders_in_advance.replace_repeated(ctx, ada, made.id, MOVEMENT, [gone, alone])
    to_next(made, clock)
    row = orders_in_advance.listed_repeated(ctx, ada, made.id)[0]
    assert [(each["order"], each["ended"]) for each in row.left_out] == [(gone, True), (alone, False)]
    assert [each["problem"]["code"] for each in row.left_out] == ["unknown_id", "not_allowed"]
    assert all(each["problem"]["message"] and each["number"] == made.info.phase_number for each in row.left_out)
    assert row.orders == (alone,)
    assert (orders.read(ctx, ada, made.id).orders, orders.read(ctx, ada, made.id).revision) == ((), 0)


def test_repeated_orders_make_nobody_final(ctx: AppContext, clock: Clock) -> None:
    """Seen to fail where sets of repeated orders are final."""
    made = playing(ctx)
    ada, first = made.players[ADA], own_detachment(made)
    orders_in_advance.replace_repeated(ctx, ada, made.id, MOVEMENT, [guard(first)])
    to_next(made, clock)
    for seat in ("p2", "p3", "p4"):
        orders.declare_final(ctx, made.players[seat], made.id)
    number = made.info.phase_number
    assert made.info.phase == MOVEMENT
    orders.declare_final(ctx, ada, made.id)
    assert made.info.phase_number > number


def test_repeated_orders_alone_are_a_missed_deadline(ctx: AppContext, clock: Clock) -> None:
    """They count all the same, until a computer player that stands in is due. Seen to fail where they are as good as
    orders that somebody gave: then nobody ever stood in for who is gone.
    """  # fmt: skip
    made = playing(ctx, stand_in="bot", stand_in_after=9)
    ada, first = made.players[ADA], own_detachment(made)
    orders_in_advance.replace_repeated(ctx, ada, made.id, MOVEMENT, [guard(first)])
    to_next(made, clock)
    missed = made.info.seats[0].missed
    to_next(made, clock, "battle_movement")
    assert made.info.seats[0].missed == (missed or 0) + 1
    with ctx.database.write() as session:
        session.execute(update(Seat).where(Seat.player_id == ADA).values(missed_in_a_row=8))
    to_next(made, clock)
    number = made.info.phase_number
    clock.forward(hours=25)
    resolve_due(ctx, [made.id])
    assert number_source(made, number) == "bot"


def number_source(made: Club, number: int) -> str:
    with made.ctx.database.read() as session:
        mine = (OrderSet.campaign_id == made.id, OrderSet.phase_number == number, OrderSet.player_id == ADA)
        return str(session.scalar(select(OrderSet.source).where(*mine)))


def test_only_some_kinds_repeat_and_one_for_each_force(ctx: AppContext) -> None:
    made = playing(ctx)
    ada, first = made.players[ADA], own_detachment(made)
    claim = {"type": "claim_area", "detachment": first}
    wrong: tuple[Any, ...] = (
        [{"type": "path", "detachment": first, "path": ["0101"]}], [guard(first), claim], [guard(first), guard(first)],
        [7], [{"type": ["guard"]}], {}, [guard(first) | {"as": "x"}],
    )  # fmt: skip
    for bad in wrong:
        refused("invalid_request", orders_in_advance.replace_repeated, ctx, ada, made.id, MOVEMENT, bad)
    refused("invalid_request", orders_in_advance.replace_repeated, ctx, ada, made.id, "lunch", [])
    refused("not_found", orders_in_advance.replace_repeated, ctx, ada, made.id, MOVEMENT, [], seat="p2")
    refused("forbidden", orders_in_advance.listed_repeated, ctx, made.gm, made.id)
    refused("stale_revision", orders_in_advance.replace_repeated, ctx, ada, made.id, MOVEMENT, [], revision=4)


def test_text_says_what_repeats(ctx: AppContext, clock: Clock) -> None:
    made = playing(ctx)
    ada, first = made.players[ADA], own_detachment(made)
    name = made.view(ADA).state.detachments[first].name
    found = understood(ctx, ada, made.id, f"- repeat {name}: guard")
    assert (found.orders, found.repeats) == ((guard(first),), {0: True})
    orders.replace(ctx, ada, made.id, list(found.orders), repeats=found.repeats)
    assert orders_in_advance.repeated_in(ctx, ada, made.id, MOVEMENT) == (guard(first),)
    assert as_text(ctx, ada, made.id, [guard(first)]) == f"repeat {name}: guard\n"
    orders.replace(ctx, ada, made.id, [guard(first)])  # which says nothing of repeating
    assert orders_in_advance.repeated_in(ctx, ada, made.id, MOVEMENT) == (guard(first),)
    refused("orders_refused", understood, ctx, ada, made.id, f"repeat {name}: move {made_path(made, first)[0]}")
    for wish, kept in (
        (f"Wiederhole: {name}: beansprucht Umland", "claim_area"),
        (f"not repeat {name} claim area", ""),
    ):
        found = understood(ctx, ada, made.id, wish)
        orders.replace(ctx, ada, made.id, list(found.orders), repeats=found.repeats)
        assert [each["type"] for each in orders_in_advance.repeated_in(ctx, ada, made.id, MOVEMENT)] == [kept] * bool(
            kept
        )


def test_a_text_that_is_refused_repeats_nothing(ctx: AppContext) -> None:
    """Orders and repeats are stored together or not at all."""
    made = playing(ctx)
    ada, first = made.players[ADA], own_detachment(made)
    march = {"type": "path", "detachment": first, "path": ["9999"]}
    refused("orders_refused", orders.replace, ctx, ada, made.id, [march], repeats={0: True})
    other = {"type": "move_and_claim", "detachment": first, "path": made_path(made, first)}
    refused("invalid_request", orders.replace, ctx, ada, made.id, [other], repeats={0: True})
    assert orders.read(ctx, ada, made.id).revision == 0
    assert orders_in_advance.listed_repeated(ctx, ada, made.id) == []


def made_path(made: Club, detachment: str) -> list[str]:
    state = made.view(ADA).state
    at = state.detachments[detachment].at
    near = next(hex_ for hex_ in state.board.within(at, 1) if hex_ != at and state.owner[hex_] == ADA)
    return [state.board.label(near)]


def test_a_newcomer_has_none(ctx: AppContext) -> None:
    made = playing(ctx)
    ada, first = made.players[ADA], own_detachment(made)
    orders_in_advance.replace_repeated(ctx, ada, made.id, MOVEMENT, [guard(first)])
    seats.leave(ctx, ada, made.id)
    with ctx.database.read() as session:
        assert session.scalars(select(RepeatedOrders)).all() == []


def test_a_game_master_enters_them_for_a_player(ctx: AppContext) -> None:
    """Seen to fail where the orders of a text were entered without what it says of repeating."""
    made = playing(ctx)
    force = own_detachment(made)
    name = made.view(ADA).state.detachments[force].name
    done = phoned_in.enter_text(ctx, made.gm, made.id, ADA, f"repeat {name}: guard\nfinal")
    assert (done.orders, done.final) == ((guard(force),), True)
    assert orders_in_advance.repeated_in(ctx, made.players[ADA], made.id, MOVEMENT) == (guard(force),)
    phoned_in.enter_text(ctx, made.gm, made.id, ADA, f"not repeat {name}: guard")
    assert orders_in_advance.repeated_in(ctx, made.players[ADA], made.id, MOVEMENT) == ()
