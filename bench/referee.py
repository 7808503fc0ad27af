"""The referee: acts per second in games of random open acts of each mission, with what is open asked before each act.

A machine that others use is slow at times: the figures are also told as ratios to a yardstick of plain Python, which
runs in between.
"""

from __future__ import annotations

from bench.measure import Result, Stopwatch, middle, rest
from server import missions
from server.referee.fold import submit
from server.referee.mission import Mission
from tests.referee.random_play import new_table, play

GAMES, RUNS, AIM = 6, 5, 3000
YARDSTICK = 100_000
"""Steps of a loop over a small table: what an act may cost is told in such steps."""


def referee() -> list[Result]:
    """Play games of every mission; then submit the same acts again without asking what is open."""
    submitted: dict[str, list[float]] = {id_: [] for id_ in missions.library()}
    asked: dict[str, list[float]] = {id_: [] for id_ in missions.library()}
    steps: list[float] = []
    for run in range(RUNS):
        for id_, mission in missions.library().items():
            asking, submitting = _games(mission, run)
            asked[id_].append(asking)
            submitted[id_].append(submitting)
            steps.append(_yardstick())
        rest()
    rates = {id_: middle(values) for id_, values in submitted.items()}
    slowest = min(rates, key=rates.__getitem__)
    offers = {id_: middle(values) for id_, values in asked.items()}
    last = min(offers, key=offers.__getitem__)
    step = middle(steps)
    return [
        Result("referee", "accepted acts a second, median of all missions", f"{middle(list(rates.values())):.0f}/s"),
        Result(
            "referee",
            f"the same in the slowest mission, {slowest}",
            f"{rates[slowest]:.0f}/s",
            f"{AIM}/s",
            rates[slowest] >= AIM,
        ),
        Result("referee", "such an act in steps of the yardstick", f"{step / rates[slowest]:.0f}"),
        Result("referee", f"with everything open asked before each act, the slowest: {last}", f"{offers[last]:.0f}/s"),
        Result("referee", "such an act in steps of the yardstick", f"{step / offers[last]:.0f}"),
    ]


def _games(mission: Mission, run: int) -> tuple[float, float]:
    """Return acts a second, with everything open asked before each, and submitted alone."""
    playing, submitting, acts = Stopwatch(), Stopwatch(), 0
    for number in range(GAMES):
        seed = f"bench/{run}/{number}"
        table = new_table(mission, seed)
        with playing.running():
            played = play(table, seed)
        again = new_table(mission, seed)
        with submitting.running():
            for by, act in played.accepted:
                submit(again, by, act)
        acts += played.acts
    return acts / playing.total, acts / submitting.total


def _yardstick() -> float:
    """Return steps of a plain loop a second."""
    watch, known, value = Stopwatch(), dict.fromkeys(range(97), 0), 0
    with watch.running():
        for step in range(YARDSTICK):
            known[step % 97] = value
            value = (value * 31 + step) % 1_000_003
    return YARDSTICK / watch.total
