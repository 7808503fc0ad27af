"""The referee: acts per second in games of random open acts, with what is open asked before each of them."""

from __future__ import annotations

from bench.measure import Result, Stopwatch, middle, rest
from server import missions
from server.referee.fold import submit
from tests.referee.random_play import new_table, play

GAMES, RUNS, AIM = 3, 3, 3000


def referee() -> list[Result]:
    """Play games of every mission; then submit the same acts again without asking what is open."""
    asked, alone = [], []
    for run in range(RUNS):
        playing, submitting, acts = Stopwatch(), Stopwatch(), 0
        for mission in missions.library().values():
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
        asked.append(acts / playing.total)
        alone.append(acts / submitting.total)
        rest()
    rate, less = middle(alone), middle(asked)
    return [
        Result("referee", "accepted acts a second, all missions", f"{rate:.0f}/s", f"{AIM}/s", rate >= AIM),
        Result(
            "referee", "the same with everything open asked before each act, refused ones tried too", f"{less:.0f}/s"
        ),
    ]
