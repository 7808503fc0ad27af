"""Unit orders a second, beside the ``diplomacy`` package: both carry out as many in the same run, at two sizes of ours.

Both are pure Python and resolve simultaneous orders for units on a map. Orders are thought up untimed. What counts is
the processor time from written orders to the next position: reading, checking, carrying out. The same number of orders
to units is held against each other in the phases that both games have: units move, hold, support and attack. Building,
and battles fought out unit by unit with dice, have no like in the other game; a second figure counts them, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from importlib import import_module
from random import Random
from statistics import median
from typing import Any

from bench.measure import Result, Stopwatch, rest
from bench.positions import Size, campaign, orders_for
from bench.turns import SMALL, dice_of
from server.play.gc_tuning import tune_gc
from server.rules.phases import resolve
from server.rules.state import BATTLE_MOVEMENT, BUILD, MOVEMENT, OVER

Rates = tuple[float, float]
"""Orders a second: those to units, and all."""

LARGE = Size(64, 64, players=8, detachments=1000)
ORDERS, RUNS, TURNS = 2_000, 5, 8
AIM = 6.0
FIRST = 5
"""The turn with which a campaign of :mod:`bench.positions` begins."""
MISSING = "the package diplomacy is missing: pip install diplomacy"


def peers() -> list[Result]:
    """Carry out the same number of unit orders by turns; medians of the runs count."""
    try:
        game_of = import_module("diplomacy").Game
        tune_gc()  # as a server does; for both
    except ModuleNotFoundError:
        return [Result("peers", MISSING, "-")]
    return [result for size in (SMALL, LARGE) for result in _beside(game_of, size)]


def _beside(game_of: Any, size: Size) -> list[Result]:
    mine, theirs = [], []
    for run in range(RUNS):
        theirs.append(_theirs(game_of, run))
        rest()
        mine.append(_mine(size, run))
        rest()
    on = f"{size.columns} x {size.rows}, {size.players} players, {size.detachments} detachments"
    return [
        _result(f"{ORDERS} orders to units carried out, {on}, of those of the diplomacy package", 0, mine, theirs, AIM),
        _result("the same with all that is built, and all battles fought out with dice", 1, mine, theirs),
    ]


def _result(what: str, at: int, mine: list[Rates], theirs: list[Rates], aim: float = 0.0) -> Result:
    share = median(one[at] / two[at] for one, two in zip(mine, theirs, strict=True))
    figure = f"{share:.1f}x ({median(one[at] for one in mine):.0f}/s of {median(one[at] for one in theirs):.0f}/s)"
    return Result("peers", what, figure, f"{aim:.0f}x", share >= aim) if aim else Result("peers", what, figure)


class _Count:
    """Orders and the time they took, those to units and all."""

    def __init__(self) -> None:
        self.units, self.all = (Stopwatch(), Stopwatch())
        self.orders = [0, 0]

    @contextmanager
    def carrying_out(self, orders: Mapping[str, Sequence[object]], to_units: bool) -> Iterator[None]:
        """Count the orders of a phase, and time it."""
        number = sum(map(len, orders.values()))
        with ExitStack() as stack:
            for place, watch in enumerate((self.units, self.all)):
                if place or to_units:
                    stack.enter_context(watch.running())
                    self.orders[place] += number
            yield

    @property
    def rates(self) -> Rates:
        """Orders a second."""
        return self.orders[0] / self.units.total, self.orders[1] / self.all.total


def _mine(size: Size, run: int) -> Rates:
    """Return how many orders a second the phases of whole turns take."""
    count, state = _Count(), campaign(size)
    while count.orders[0] < ORDERS or state.phase != BUILD:
        if state.phase == OVER or state.turn >= FIRST + TURNS:
            state = campaign(size)
        orders = orders_for(state, run)
        with count.carrying_out(orders, state.phase in (MOVEMENT, BATTLE_MOVEMENT)):
            resolution = resolve(state, orders, dice_of(state))
        state = resolution.state
    return count.rates


def _theirs(game_of: Any, run: int) -> Rates:
    """Return the same of the standard game; a new game begins where one is over."""
    count, random, game = _Count(), Random(f"peers/{run}"), game_of()
    while count.orders[0] < ORDERS:
        if game.is_game_done:
            game = game_of()
        possible = game.get_all_possible_orders()
        orders = {
            power: [random.choice(possible[at]) for at in game.get_orderable_locations(power) if possible[at]]
            for power in sorted(game.powers)
        }
        # reading orders and checking them is part of it, as it is of ours
        with count.carrying_out(orders, game.phase_type == "M"):
            for power, wanted in orders.items():
                game.set_orders(power, wanted)
            game.process()
    return count.rates
