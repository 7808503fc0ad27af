"""Writes of order sets: what is refused, what pages are told, and that of two at once none is lost."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import delete, select

from server.play.campaigns import campaigns, seats
from server.play.context import AppContext
from server.play.game_masters import game_master
from server.play.orders import orders
from server.play.views import reads
from server.store.tables import LiveEvent, OrderSet
from tests.play.campaigns import Club, club
from tests.play.conftest import Clock, person
from tests.play.test_campaigns import refused


def news_of(ctx: AppContext, made: Club) -> list[tuple[str, object]]:
    """Return the kinds of the news since the last call, each with its revision or whether it says final."""
    with ctx.database.write() as session:
        told = [*session.scalars(select(LiveEvent).order_by(LiveEvent.id))]
        found = [(each.kind, each.data.get("revision", each.data.get("final"))) for each in told]
        session.execute(delete(LiveEvent))
    return found


def test_each_write_is_told_once(ctx: AppContext) -> None:
    made = club(ctx)
    ada = made.players["p1"]
    news_of(ctx, made)
    orders.replace(ctx, ada, made.id, [])
    assert news_of(ctx, made) == [("orders_changed", 1)]
    orders.replace(ctx, ada, made.id, [], final=True)
    assert news_of(ctx, made) == [("orders_changed", 2), ("finality", True)]
    orders.declare_final(ctx, ada, made.id)
    assert news_of(ctx, made) == []
    orders.replace(ctx, ada, made.id, [])
    assert news_of(ctx, made) == [("orders_changed", 3), ("finality", False)]


def test_a_substitute_writes_as_the_player_does(ctx: AppContext) -> None:
    made = club(ctx)
    eve = person(ctx, "Eve")
    seats.choose_stand_in(ctx, made.players["p1"], made.id, "user", substitute="Eve")
    done = orders.replace(ctx, eve, made.id, [], final=True, seat="p1").orders
    assert (done.player_id, done.revision, done.final) == ("p1", 1, True)
    assert orders.read(ctx, made.players["p1"], made.id).final


def test_an_edited_position_is_written_for_as_any_other(ctx: AppContext) -> None:
    made = club(ctx)
    ada = made.players["p1"]
    orders.replace(ctx, ada, made.id, [], final=True)
    game_master.edit(ctx, made.gm, made.id, [{"do": "set", "what": "vp", "player": "p1", "vp": 7}], "a test")
    assert not orders.read(ctx, ada, made.id).final
    assert orders.replace(ctx, ada, made.id, [], final=True).orders.final


def test_of_writes_at_once_none_fails_or_counts_twice(ctx: AppContext) -> None:
    """Neither is given up, and each compares the revision."""
    made = club(ctx)
    ada = made.players["p1"]
    with ThreadPoolExecutor(4) as threads:
        done = [*threads.map(lambda _: orders.replace(ctx, ada, made.id, []).orders.revision, range(12))]
    assert sorted(done) == [*range(1, 13)]


def test_writes_that_are_refused(ctx: AppContext, clock: Clock) -> None:
    made = club(ctx, options={"deadlines": {"kind": "rolling", "hours": 5}})
    ada = made.players["p1"]
    orders.replace(ctx, ada, made.id, [])
    refused("wrong_phase", orders.replace, ctx, ada, made.id, [], number=9)
    refused("stale_revision", orders.replace, ctx, ada, made.id, [], revision=0)
    refused("not_found", orders.replace, ctx, ada, made.id, [], seat="p2")
    refused("forbidden", orders.replace, ctx, made.gm, made.id, [])
    campaigns.pause(ctx, made.gm, made.id)
    refused("phase_closed", orders.replace, ctx, ada, made.id, [])
    campaigns.resume(ctx, made.gm, made.id)
    clock.forward(hours=6)
    refused("deadline_passed", orders.replace, ctx, ada, made.id, [])
    assert orders.read(ctx, ada, made.id).revision == 1


Change = Callable[[AppContext, Club, Clock], object]
BETWEEN: dict[str, tuple[Change, str]] = {
    "the campaign is paused": (lambda ctx, made, _: campaigns.pause(ctx, made.gm, made.id), "phase_closed"),
    "the seat is another's": (
        lambda ctx, made, _: game_master.replace_player(ctx, made.gm, made.id, "p1", "Eve"), "forbidden",
    ),
    "the deadline passes": (lambda _, __, clock: clock.forward(hours=6), "deadline_passed"),
    "the phase ends": (
        lambda ctx, made, _: game_master.advance(ctx, made.gm, made.id, number=made.info.phase_number),
        "stale_revision",
    ),
    "the position is edited": (
        lambda ctx, made, _: game_master.edit(
            ctx, made.gm, made.id, [{"do": "set", "what": "vp", "player": "p1", "vp": 7}], "a test"
        ),
        "stale_revision",
    ),
}  # fmt: skip
"""What may happen after a writer has read, and how their write is refused then."""


@pytest.mark.parametrize("what", BETWEEN)
def test_what_happens_between_the_reading_and_the_writing_counts(
    ctx: AppContext, clock: Clock, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """Seen to fail where the write compares only the revision, but for the deadline, which is looked at just before."""
    made = club(ctx, options={"deadlines": {"kind": "rolling", "hours": 5}})
    person(ctx, "Eve")
    change, code = BETWEEN[what]
    read = reads.standing_with_orders

    def read_first(*asked: Any) -> Any:
        found = read(*asked)
        change(ctx, made, clock)
        return found

    monkeypatch.setattr(reads, "standing_with_orders", read_first)
    refused(code, orders.replace, ctx, made.players["p1"], made.id, [])
    monkeypatch.undo()
    with ctx.database.read() as session:
        assert not any(session.scalars(select(OrderSet.revision)))


def test_a_substitute_who_is_dismissed_between_reading_and_writing(
    ctx: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = club(ctx)
    ada, eve = made.players["p1"], person(ctx, "Eve")
    seats.choose_stand_in(ctx, ada, made.id, "user", substitute="Eve")
    read = reads.standing_with_orders

    def read_first(*asked: Any) -> Any:
        found = read(*asked)
        seats.choose_stand_in(ctx, ada, made.id, "")
        return found

    monkeypatch.setattr(reads, "standing_with_orders", read_first)
    refused("not_found", orders.replace, ctx, eve, made.id, [], seat="p1")
