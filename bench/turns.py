"""What is timed: phases with the checks of all orders and the views of all players; orders are thought up untimed."""

from __future__ import annotations

from math import log

from bench.measure import Result, Stopwatch, middle, peak_megabytes, rest
from bench.positions import Size, campaign, orders_for
from server.core.dice import SeededDice
from server.rules.orders.sets import check
from server.rules.phases import resolve
from server.rules.sight import views_for
from server.rules.state import OVER, State

SMALL = Size(11, 10, players=4, detachments=40, units=5)
GREAT = Size(64, 64, players=50, detachments=1000)
VAST = (Size(200, 200, players=50, detachments=5_000), Size(200, 200, players=50, detachments=20_000))


def dice_of(state: State) -> SeededDice:
    """Return the dice of a phase."""
    return SeededDice(f"bench/{state.turn}/{state.phase}".encode())


def small(runs: int = 7, turns: int = 8) -> list[Result]:
    """(a) A club's campaign: phases per second."""
    rates, twice = [], []
    for run in range(runs):
        resolving, handing_in = Stopwatch(), Stopwatch()
        state = campaign(SMALL)
        views = views_for(state, ())
        while state.phase != OVER and state.turn < 5 + turns:
            orders = orders_for(state, run)
            with handing_in.running():
                for player, view in views.items():
                    check(view, orders[player])
            with resolving.running():
                resolution = resolve(state, orders, dice_of(state))
                views = views_for(resolution.state, resolution.events)
            state = resolution.state
        rates.append(len(resolving.laps) / resolving.total)
        twice.append(len(resolving.laps) / (resolving.total + handing_in.total))
        rest()
    rate, less = middle(rates), middle(twice)
    what = "11 x 10, 4 players, 10 detachments each: phases a second, all orders checked and all views made"
    return [
        Result("small", what, f"{rate:.0f}/s", "500/s", rate >= 500),
        Result("small", "the same, each order set also checked once before, when it is handed in", f"{less:.0f}/s"),
    ]


def play_turn(size: Size) -> tuple[float, dict[str, float]]:
    """Play one turn of a campaign; return its seconds and those of each phase, views and events included."""
    state = campaign(size)
    turn, parts = state.turn, {}
    while state.turn == turn and state.phase != OVER:
        orders = orders_for(state)
        watch = Stopwatch()
        with watch.running():
            resolution = resolve(state, orders, dice_of(state))
            views = views_for(resolution.state, resolution.events)
            told = sum(len(view.events) for view in views.values())
        assert told
        parts[state.phase] = watch.total
        state = resolution.state
    return sum(parts.values()), parts


def great(runs: int = 5) -> list[Result]:
    """(b) As many as there may be: one whole turn, with all views and event lists."""
    times = []
    for _ in range(runs):
        times.append(play_turn(GREAT)[0])
        rest()
    seconds, peak = middle(times), peak_megabytes("great")
    what = "64 x 64, 50 players, 1,000 detachments of 8 units: one turn with all 50 views and event lists"
    return [
        Result("great", what, f"{seconds:.2f} s", "1 s", seconds < 1),
        Result("great", "the same: peak memory of the process", f"{peak:.0f} MB", "400 MB", peak < 400),
    ]


def growth(runs: int = 3) -> list[Result]:
    """(c) How the time of a turn grows with the forces."""
    times: list[float] = []
    for size in VAST:
        found = []
        for _ in range(runs):
            found.append(play_turn(size)[0])
            rest()
        times.append(min(found))
    exponent = log(times[1] / times[0]) / log(VAST[1].detachments / VAST[0].detachments)
    what = "200 x 200, 5,000 and 20,000 detachments: exponent of a turn's time over forces"
    return [
        Result("growth", what, f"{exponent:.2f}", "1.1", exponent <= 1.1),
        Result("growth", "the same: seconds for each", f"{times[0]:.2f} and {times[1]:.2f} s"),
    ]
