"""Unit orders a second, beside the ``diplomacy`` package: both carry out as many in the same run, at two sizes of ours.

Both are pure Python and resolve simultaneous orders for units on a map. Orders are thought up untimed. What counts is
the processor time from written orders to the next position: reading, checking, carrying out.
"""

from __future__ import annotations

from importlib import import_module
from random import Random
from statistics import median
from typing import Any

from bench.measure import Result, Stopwatch, rest
from bench.positions import Size, campaign, orders_for
from bench.turns import SMALL, dice_of
from server.rules.phases import resolve
from server.rules.state import BUILD, OVER

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
    except ModuleNotFoundError:
        return [Result("peers", MISSING, "-")]
    return [_beside(game_of, size) for size in (SMALL, LARGE)]


def _beside(game_of: Any, size: Size) -> Result:
    mine, theirs = [], []
    for run in range(RUNS):
        theirs.append(_theirs(game_of, run))
        rest()
        mine.append(_mine(size, run))
        rest()
    share = median(one / two for one, two in zip(mine, theirs, strict=True))
    figure = f"{share:.1f}x ({median(mine):.0f}/s of {median(theirs):.0f}/s)"
    what = (
        f"{ORDERS} unit orders carried out, {size.columns} x {size.rows}, {size.players} players, "
        f"{size.detachments} detachments, of those of the diplomacy package"
    )
    return Result("peers", what, figure, f"{AIM:.0f}x", share >= AIM)


def _mine(size: Size, run: int) -> float:
    """Return how many orders a second the phases of whole turns take, all phases counted."""
    watch, done, state = Stopwatch(), 0, campaign(size)
    while done < ORDERS or state.phase != BUILD:
        if state.phase == OVER or state.turn >= FIRST + TURNS:
            state = campaign(size)
        orders = orders_for(state, run)
        with watch.running():
            resolution = resolve(state, orders, dice_of(state))
        done += sum(map(len, orders.values()))
        state = resolution.state
    return done / watch.total


def _theirs(game_of: Any, run: int) -> float:
    """Return the same of the standard game, all phases counted; a new game begins where one is over."""
    watch, done, random, game = Stopwatch(), 0, Random(f"peers/{run}"), game_of()
    while done < ORDERS:
        if game.is_game_done:
            game = game_of()
        possible = game.get_all_possible_orders()
        orders = {
            power: [random.choice(possible[at]) for at in game.get_orderable_locations(power) if possible[at]]
            for power in sorted(game.powers)
        }
        with watch.running():  # reading orders and checking them is part of it, as it is of ours
            for power, wanted in orders.items():
                game.set_orders(power, wanted)
            game.process()
        done += sum(map(len, orders.values()))
    return done / watch.total
