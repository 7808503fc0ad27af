from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from threading import Barrier, Event
from typing import Any

import pytest
from sqlalchemy import func, select

from server.bots import commander
from server.play.campaigns import seats
from server.play.context import AppContext
from server.play.orders import orders
from server.play.resolution.resolution import resolve_due, resolve_once
from server.rules.state import State
from server.store.database import Database
from server.store.tables import Campaign, OrderSet, Phase
from tests.play.campaigns import Club, club
from tests.play.conftest import Clock
from tests.store.loading import load_position

PHASES = 60
"""How many phases are raced for; each by four threads on two ways to the database."""


def stored_state(ctx: AppContext, made: Club) -> State:
    from server.play.game_data import game_data_of

    with ctx.database.read() as session:
        campaign = session.get_one(Campaign, made.id)
        world = game_data_of(ctx, campaign)
        return load_position(session, made.id, world.board, world.ruleset)


def records(ctx: AppContext, made: Club) -> list[Phase]:
    with ctx.database.read() as session:
        return list(session.scalars(select(Phase).where(Phase.campaign_id == made.id).order_by(Phase.number)))


def test_the_tables_hold_what_was_resolved(ctx: AppContext) -> None:
    from server.rules.codec import state_hash

    made = club(ctx)
    for _ in range(12):
        made.play_phase()
    done = [record for record in records(ctx, made) if record.resolved_at is not None]
    assert len(done) == made.info.phase_number
    assert state_hash(stored_state(ctx, made)) == done[-1].state_hash


def test_exactly_once_when_all_declare_final_at_the_same_moment(ctx: AppContext, clock: Clock) -> None:
    other = AppContext(Database(ctx.database.url), ctx.settings, clock)
    made = club(ctx)
    ways = {"p1": ctx, "p2": other, "p3": ctx, "p4": other}
    try:
        with ThreadPoolExecutor(len(ways)) as pool:
            for _ in range(PHASES):
                number = made.info.phase_number
                together = Barrier(len(ways))

                def one(seat: str, number: int = number, together: Barrier = together) -> None:
                    together.wait()
                    orders.declare_final(ways[seat], made.players[seat], made.id)

                list(pool.map(one, ways))
                assert made.info.phase_number > number
    finally:
        other.database.close()
    found = records(ctx, made)
    assert [each.number for each in found] == list(range(len(found)))
    assert sum(each.resolved_at is None for each in found) == 1
    assert len({each.chain_hash for each in found}) == len(found)
    with ctx.database.read() as session:
        count = session.scalar(select(func.count()).where(OrderSet.campaign_id == made.id))
    assert count == 4 * (len(found) - 1)


def test_many_resolvers_of_one_deadline(ctx: AppContext, clock: Clock) -> None:
    other = AppContext(Database(ctx.database.url), ctx.settings, clock)
    made = club(ctx, options={"deadlines": {"kind": "rolling", "hours": 10}})
    try:
        with ThreadPoolExecutor(4) as pool:
            for _ in range(8):
                number = made.info.phase_number
                clock.forward(hours=10)
                done = list(pool.map(lambda way: resolve_once(way, made.id), [ctx, other, ctx, other]))
                resolved = sorted(each.number for each in done if each is not None)
                assert resolved == list(
                    range(number, made.info.phase_number)
                )  # phases that wait for nobody follow at once
                assert resolved
    finally:
        other.database.close()


def test_missed_deadlines_and_stand_ins(ctx: AppContext, clock: Clock) -> None:
    made = club(ctx, options={"deadlines": {"kind": "rolling", "hours": 10}, "stand_in": "bot", "stand_in_after": 2})
    seats.go_away(ctx, made.players["p3"], made.id, clock.at.replace(year=2032))
    for _ in range(2):
        orders.replace(ctx, made.players["p4"], made.id, [])
        clock.forward(hours=10)
        assert resolve_once(ctx, made.id) is not None
    assert [seat.missed for seat in made.info.seats] == [2, 2, 0, 0]
    with ctx.database.read() as session:
        rows = session.scalars(select(OrderSet).where(OrderSet.campaign_id == made.id)).all()
    sources = {(row.phase_number, row.player_id): row.source for row in rows}
    assert [sources[1, f"p{n}"] for n in range(1, 5)] == ["defaults", "defaults", "bot", "web"]
    assert [sources[2, f"p{n}"] for n in range(1, 5)] == ["bot", "bot", "bot", "web"]


@pytest.mark.timeout(120)
def test_orders_do_not_wait_for_computer_players_who_think(
    ctx: AppContext, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes in meanwhile counts. Seen to fail when they thought with the campaign claimed."""
    made = club(ctx, options={"deadlines": {"kind": "rolling", "hours": 10}, "stand_in": "bot"}, phases=1)
    clock.forward(hours=9)
    deadline = clock.at + timedelta(hours=1)
    resolving = replace(ctx, clock=lambda: deadline)
    thinking, go_on, choose = Event(), Event(), commander.choose

    def think(*given: Any) -> Any:
        thinking.set()
        assert go_on.wait(60)
        return choose(*given)

    monkeypatch.setattr(commander, "choose", think)
    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(resolve_once, resolving, made.id)
        assert thinking.wait(60)
        orders.replace(ctx, made.players["p4"], made.id, [], final=True)
        go_on.set()
        assert done.result() is not None
    with ctx.database.read() as session:
        rows = session.scalars(select(OrderSet).where(OrderSet.campaign_id == made.id, OrderSet.phase_number == 2))
        assert {row.player_id: row.source for row in rows} == dict.fromkeys(("p1", "p2", "p3"), "bot") | {"p4": "web"}


def test_nothing_is_resolved_before_its_time(ctx: AppContext, clock: Clock) -> None:
    made = club(ctx, options={"deadlines": {"kind": "rolling", "hours": 10}})
    clock.forward(hours=9.99)
    assert resolve_due(ctx, [made.id]) == []
    assert resolve_once(ctx, made.id, by_gm=made.gm.user_id, number=7) is None
    done = resolve_once(ctx, made.id, by_gm=made.gm.user_id, number=1)
    assert done is not None
    assert done.why == "gm"
    assert [seat.missed for seat in made.info.seats] == [0, 0, 0, 0]
