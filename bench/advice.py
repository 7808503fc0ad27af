"""What legal orders and drafts of a big position cost, in times of what the player's view costs in the same run."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from bench.measure import Result, Stopwatch, middle, rest
from bench.positions import campaign, orders_for
from bench.turns import GREAT, dice_of
from server.rules.drafting import draft
from server.rules.options import legal_orders
from server.rules.phases import resolve
from server.rules.sight import view_for
from server.rules.state import BUILD, MOVEMENT

RUNS = 5


def advice() -> list[Result]:
    """Time the advice for one of 50 players with 20 detachments, in the phases that offer the most."""
    state, results = campaign(GREAT), []
    while state.phase in (BUILD, MOVEMENT):
        player = next(iter(state.players))
        view, orders = view_for(state, (), player), orders_for(state)
        own = orders[player]
        base = _seconds(partial(view_for, state, (), player))
        offering = _seconds(partial(legal_orders, view))
        drafting = _seconds(partial(draft, view, own))
        many = len(legal_orders(view))
        results += [
            Result("advice", f"{state.phase}: {many} legal orders, in times of a view", f"{offering / base:.1f}"),
            Result(
                "advice", f"{state.phase}: a draft of {len(own)} orders, in times of a view", f"{drafting / base:.1f}"
            ),
        ]
        state = resolve(state, orders, dice_of(state)).state
    return results


def _seconds(work: Callable[[], object]) -> float:
    laps = []
    for _ in range(RUNS):
        rest()
        watch = Stopwatch()
        with watch.running():
            work()
        laps.append(watch.total)
    return middle(laps)
