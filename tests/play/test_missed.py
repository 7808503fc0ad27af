"""Missed deadlines: counted where something of that player was missing, and as the line of play has them."""

from __future__ import annotations

from server.play.context import AppContext
from server.play.game_masters import rollback
from server.play.orders import orders
from server.play.schedule import ticker
from server.store.tables import Seat
from tests.play.campaigns import Club, club
from tests.play.conftest import Clock

ROLLING = {"deadlines": {"kind": "rolling", "hours": 24}}


def counts(made: Club) -> list[tuple[int, int]]:
    with made.ctx.database.read() as session:
        return [
            (row.missed, row.missed_in_a_row)
            for row in (session.get_one(Seat, (made.id, seat)) for seat in ("p1", "p2", "p3", "p4"))
        ]


def pass_deadline(made: Club, clock: Clock, *handing_in: str) -> None:
    for seat in handing_in:
        orders.replace(made.ctx, made.players[seat], made.id, [])
    clock.forward(hours=25)
    ticker.tick(made.ctx)


def test_counts_follow_a_rollback(ctx: AppContext, clock: Clock) -> None:
    """Seen to fail where a rollback leaves the counts as they are."""
    made = club(ctx, options=ROLLING)
    pass_deadline(made, clock, "p1", "p2")
    assert counts(made) == [(0, 0), (0, 0), (1, 1), (1, 1)]
    pass_deadline(made, clock, "p1", "p3")
    assert counts(made) == [(0, 0), (1, 1), (1, 0), (2, 2)]
    rollback.roll_back(ctx, made.gm, made.id, 2, "The store was wrong.")
    assert counts(made) == [(0, 0), (0, 0), (1, 1), (1, 1)]
    pass_deadline(made, clock, "p1", "p2", "p3", "p4")
    assert counts(made) == [(0, 0), (0, 0), (1, 0), (1, 0)]
    rollback.roll_back(ctx, made.gm, made.id, 1, "Again from the start.")
    assert counts(made) == [(0, 0)] * 4


def test_a_phase_that_asks_nothing_counts_neither_for_nor_against(ctx: AppContext, clock: Clock) -> None:
    """Seen to fail where it ends a row of missed deadlines. Nobody has anything to move: those phases pass at once."""
    made = club(ctx, options=ROLLING)
    pass_deadline(made, clock)
    pass_deadline(made, clock)
    assert made.info.phase == "build"
    assert made.info.turn == 2
    assert counts(made) == [(2, 2)] * 4
    pass_deadline(made, clock)
    assert counts(made) == [(3, 3)] * 4
