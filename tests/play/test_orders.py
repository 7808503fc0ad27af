from __future__ import annotations

from typing import Any

import pytest

from server.play.campaigns import campaigns, seats
from server.play.context import AppContext
from server.play.orders import orders, orders_in_advance
from server.play.resolution.resolution import resolve_due
from tests.play.campaigns import club
from tests.play.conftest import Clock, person
from tests.play.test_campaigns import refused

BAD: list[Any] = [{"type": "place", "what": "capital", "at": "9999"}, {"type": "dance"}, 7]


def test_all_problems_come_at_once_and_nothing_is_kept(ctx: AppContext) -> None:
    made = club(ctx)
    ada = made.players["p1"]
    error = refused("orders_refused", orders.replace, ctx, ada, made.id, BAD)
    assert [(problem["order"], problem["code"]) for problem in error.problems] == [
        (0, "bad_hex"),
        (1, "unknown_type"),
        (2, "bad_value"),
    ]
    assert orders.read(ctx, ada, made.id).revision == 0
    kept = orders.replace(ctx, ada, made.id, BAD, lenient=True)
    assert (kept.orders.orders, len(kept.problems)) == ((), 3)


@pytest.mark.parametrize("given", [{}, "orders", 7, True, {"a": [1]}, [[]], [None]])
def test_what_is_no_set(ctx: AppContext, given: Any) -> None:
    made = club(ctx)
    refused("orders_refused", orders.replace, ctx, made.players["p1"], made.id, given)


def test_stale_revisions_are_refused(ctx: AppContext) -> None:
    made = club(ctx)
    ada = made.players["p1"]
    first = orders.replace(ctx, ada, made.id, [], revision=0).orders
    assert first.revision == 1
    for write in (
        lambda: orders.replace(ctx, ada, made.id, [], revision=0),
        lambda: orders.patch(ctx, ada, made.id, [], revision=0),
        lambda: orders.declare_final(ctx, ada, made.id, revision=0),
    ):
        assert refused("stale_revision", write).value == 1
    refused("wrong_phase", orders.replace, ctx, ada, made.id, [], number=2)


def test_patching(ctx: AppContext) -> None:
    made = club(ctx)
    ada = made.players["p1"]
    made.order("p1", final=False)
    before = orders.read(ctx, ada, made.id)
    assert len(before.orders) > 1
    gone = orders.patch(ctx, ada, made.id, [{"op": "remove", "at": len(before.orders) - 1}]).orders
    back = orders.patch(ctx, ada, made.id, [{"op": "add", "order": before.orders[-1]}], revision=gone.revision).orders
    assert back.orders == before.orders
    wrong: tuple[object, ...] = (
        [{"op": "remove", "at": 99}],
        [{"op": "burn"}],
        [{"op": "add"}],
        {},
        [{"op": "remove", "at": True}],
        [7],
    )
    for bad in wrong:
        refused("invalid_request", orders.patch, ctx, ada, made.id, bad)


def test_final_is_taken_back_until_the_phase_is_over(ctx: AppContext) -> None:
    made = club(ctx)
    for seat in ("p1", "p2", "p3"):
        orders.declare_final(ctx, made.players[seat], made.id)
    again = orders.declare_final(ctx, made.players["p1"], made.id)
    assert (again.final, again.revision) == (True, 1)
    assert not orders.take_back(ctx, made.players["p1"], made.id).final
    orders.declare_final(ctx, made.players["p4"], made.id)
    assert made.info.phase == "setup"
    orders.declare_final(ctx, made.players["p1"], made.id)
    assert made.info.phase == "build"
    assert orders.read(ctx, made.players["p1"], made.id).final is False


def test_writing_without_final_takes_it_back(ctx: AppContext) -> None:
    made = club(ctx)
    ada = made.players["p1"]
    orders.replace(ctx, ada, made.id, [], final=True)
    assert not orders.replace(ctx, ada, made.id, []).orders.final


def test_a_temporary_set_counts_at_the_deadline_only(ctx: AppContext, clock: Clock) -> None:
    made = club(ctx, options={"deadlines": {"kind": "rolling", "hours": 10}})
    for seat in ("p2", "p3", "p4"):
        orders.declare_final(ctx, made.players[seat], made.id)
    orders.replace(ctx, made.players["p1"], made.id, [], temporary=True)
    assert made.info.phase == "setup"
    clock.forward(hours=10)
    refused("deadline_passed", orders.replace, ctx, made.players["p1"], made.id, [])
    assert resolve_due(ctx, [made.id])
    assert made.info.phase == "build"
    assert made.info.seats[0].missed == 0


def test_seats_of_others_do_not_exist(ctx: AppContext) -> None:
    made = club(ctx)
    ada = made.players["p1"]
    for seat in ("p2", "p9"):
        error = refused("not_found", orders.read, ctx, ada, made.id, seat=seat)
        assert error.field == "seat"
        refused("not_found", orders.replace, ctx, ada, made.id, [], seat=seat)
    refused("forbidden", orders.read, ctx, made.gm, made.id)
    refused("forbidden", orders.read, ctx, person(ctx, "Eve"), made.id)


def test_a_substitute_orders(ctx: AppContext) -> None:
    made = club(ctx)
    eve = person(ctx, "Eve")
    seats.choose_stand_in(ctx, made.players["p1"], made.id, "user", substitute="Eve")
    assert orders.declare_final(ctx, eve, made.id).player_id == "p1"
    seats.choose_stand_in(ctx, made.players["p1"], made.id, "")
    refused("forbidden", orders.read, ctx, eve, made.id)
    refused("conflict", seats.choose_stand_in, ctx, made.players["p1"], made.id, "user", substitute="Bob")


def test_orders_in_advance_wait_for_their_phase(ctx: AppContext) -> None:
    made = club(ctx)
    ada = made.players["p1"]
    with_ally = [{"type": "declare_alliance", "with": "p2"}, {"type": "dance"}]
    assert orders_in_advance.leave(ctx, ada, made.id, 1, "build", with_ally).revision == 1
    refused("stale_revision", orders_in_advance.leave, ctx, ada, made.id, 1, "build", [], revision=0)
    refused("invalid_request", orders_in_advance.leave, ctx, ada, made.id, 0, "setup", [])
    made.play_phase()
    mine = orders.read(ctx, ada, made.id)
    assert (mine.phase, mine.source, mine.temporary, mine.final) == ("build", "advance", True, False)
    assert mine.orders == ({"type": "declare_alliance", "with": "p2"},)
    assert orders_in_advance.listed(ctx, ada, made.id) == []


def test_nothing_is_taken_while_the_campaign_is_paused_or_over(ctx: AppContext) -> None:
    made = club(ctx)
    campaigns.pause(ctx, made.gm, made.id)
    refused("phase_closed", orders.declare_final, ctx, made.players["p1"], made.id)
    campaigns.finish(ctx, made.gm, made.id)
    refused("phase_closed", orders.replace, ctx, made.players["p1"], made.id, [])


def test_a_report_does_not_come_as_an_order(ctx: AppContext) -> None:
    made = club(ctx)
    found = orders.check(ctx, made.players["p1"], made.id, [{"type": "report", "battle": "0101", "winner": "p1"}])
    assert found[-1].code == "not_allowed" or found[0].code in ("wrong_phase", "unknown_id")
