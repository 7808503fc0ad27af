"""Orders for a phase that has passed meanwhile are refused as such, whatever is wrong with them in the open one."""

from __future__ import annotations

from server.play.context import AppContext
from server.play.orders import orders
from tests.play.campaigns import club
from tests.play.test_campaigns import refused

SETUP = [{"type": "place", "what": "capital", "at": "0101"}]


def test_a_set_and_changes_of_it(ctx: AppContext) -> None:
    made = club(ctx)
    made.play_phase()
    ada = made.players["p1"]
    assert made.info.phase_number == 2
    for given in (SETUP, [7], []):
        error = refused("wrong_phase", orders.replace, ctx, ada, made.id, given, number=1)
        assert (error.field, error.value) == ("number", 1)
    refused("orders_refused", orders.replace, ctx, ada, made.id, SETUP, number=2)
    refused("wrong_phase", orders.patch, ctx, ada, made.id, [{"op": "remove", "at": 0}], number=1)
