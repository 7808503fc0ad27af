"""The usual write of orders does what the long way does, and leaves it everything that is not usual."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import delete, select

from server.play.accounts import tokens
from server.play.campaigns import campaigns
from server.play.context import AppContext
from server.play.errors import PlayError
from server.play.orders import order_fast_path, orders
from server.store.tables import LiveEvent
from tests.play.campaigns import Club, club
from tests.play.conftest import Clock, person
from tests.play.test_campaigns import refused

Write = Callable[..., Any]


@pytest.fixture
def ways(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which way each write went."""
    went: list[str] = []
    found = order_fast_path.find

    def noted(*given: Any) -> order_fast_path.FastPathOrders:
        try:
            done = found(*given)
        except order_fast_path.NotOnFastPath:
            went.append("long")
            raise
        went.append("usual")
        return done

    monkeypatch.setattr(order_fast_path, "find", noted)
    return went


def both_ways(ctx: AppContext, made: Club, write: Write) -> list[tuple[Any, Any]]:
    """Write twice, the long way and the usual one; return what each gave and told."""
    results = []
    for _ in ("long", "usual"):
        with ctx.database.write() as session:
            session.execute(delete(LiveEvent))
        given = write()
        with ctx.database.read() as session:
            told = [
                (each.topic, each.kind, set(each.data))
                for each in session.scalars(select(LiveEvent).order_by(LiveEvent.id))
            ]
        results.append((replace(given.orders, revision=0, receipt=None), told))
        orders.take_back(ctx, made.players["p1"], made.id)
    return results


@pytest.mark.parametrize(
    "more", [{}, {"temporary": True}, {"salt": "pepper"}, {"final": True}, {"seat": "p1"}], ids=str
)
def test_both_ways_are_the_same(ctx: AppContext, ways: list[str], more: dict[str, Any]) -> None:
    made = club(ctx)
    made.order("p1", final=False)
    mine = list(orders.read(ctx, made.players["p1"], made.id).orders)
    assert mine
    ctx.caches.order_states.clear()
    long, short = both_ways(ctx, made, lambda: orders.replace(ctx, made.players["p1"], made.id, mine, **more))
    assert ways == ["usual"]
    assert long == short


def test_a_changed_position_is_looked_at_again(ctx: AppContext, ways: list[str]) -> None:
    made = club(ctx)
    ada = made.players["p1"]
    orders.replace(ctx, ada, made.id, [])
    for seat in made.players:
        made.order(seat)
    assert made.info.phase == "build"
    ways.clear()
    assert orders.replace(ctx, ada, made.id, []).orders.phase == "build"
    assert orders.replace(ctx, ada, made.id, []).orders.revision == 2
    assert ways == ["usual", "usual"]


@pytest.mark.parametrize("final", [False, True])
def test_a_set_that_changes_meanwhile_goes_the_long_way(
    ctx: AppContext, monkeypatch: pytest.MonkeyPatch, final: bool
) -> None:
    made = club(ctx)
    ada = made.players["p1"]
    orders.replace(ctx, ada, made.id, [])
    found = order_fast_path.find

    def stale(*given: Any) -> order_fast_path.FastPathOrders:
        now = found(*given)
        return replace(now, revision=now.revision - 1)

    monkeypatch.setattr(order_fast_path, "find", stale)
    with ctx.database.write() as session:
        session.execute(delete(LiveEvent))
    assert orders.replace(ctx, ada, made.id, [], final=final).orders.revision == 2
    with ctx.database.read() as session:
        told = [
            each.data
            for each in session.scalars(select(LiveEvent).order_by(LiveEvent.id))
            if each.kind == "orders_changed"
        ]
    assert [event["revision"] for event in told] == [2]


def test_what_is_not_usual_is_refused_as_ever(ctx: AppContext, clock: Clock, ways: list[str]) -> None:
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


def test_a_secret_is_believed_for_a_moment_and_no_longer(ctx: AppContext, clock: Clock) -> None:
    ada = person(ctx, "Ada")
    token = tokens.create(ctx, ada, "bot", ["read"])
    assert tokens.authenticate(ctx, token.secret).user_id == ada.user_id
    elsewhere = AppContext(ctx.database, ctx.settings, ctx.clock)
    tokens.revoke(elsewhere, ada, token.info.id)
    assert tokens.authenticate(ctx, token.secret).user_id == ada.user_id
    clock.forward(seconds=1.1)
    with pytest.raises(PlayError):
        tokens.authenticate(ctx, token.secret)


def test_what_is_revoked_here_is_worthless_at_once(ctx: AppContext) -> None:
    ada = person(ctx, "Ada")
    token = tokens.create(ctx, ada, "bot", ["read"])
    tokens.authenticate(ctx, token.secret)
    tokens.revoke(ctx, ada, token.info.id)
    with pytest.raises(PlayError):
        tokens.authenticate(ctx, token.secret)
