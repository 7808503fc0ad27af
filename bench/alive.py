"""Whether campaigns of computer players stay alive: ``python -m bench.alive [CAMPAIGNS [TURNS]]``.

``python -m bench.alive table`` is the longer form, with a table of how they go (:mod:`bench.alive_table`).

Without numbers it plays 50 campaigns of 60 turns: every shipped map, both rulesets, twelve line-ups; lost capitals
eliminate. Campaigns are alive when the median one has in its last third at least half the battles of its second
third, and when no detachment without ready points stands beside an enemy for long.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from statistics import median

from server import rulesets
from server.bots import commander
from server.bots.commander import Mind
from server.bots.memory import remember
from server.core.dice import SeededDice
from server.rules.board import ORBIT
from server.rules.phases import begin, resolve
from server.rules.sight import views_for
from server.rules.state import OVER, Settings, State
from server.scenarios import library
from server.scenarios.begin import initial_state

CAMPAIGNS, TURNS = 50, 60
LINE_UPS = 12
MAX_STAY_LENGTH = 5
"""Turns a detachment without ready points may stand beside an enemy."""


@dataclass(slots=True)
class Run:
    """What happened in one campaign."""

    name: str
    battles: dict[int, int] = field(default_factory=dict)
    """Battles fought, by turn."""
    longest_stay: int = 0
    """Most turns in a row that a detachment without ready points stood beside an enemy."""

    def in_third(self, third: int) -> int:
        """Return the battles of a third of the turns that were played: 0, 1 or 2."""
        turns = len(self.battles)
        return sum(count for turn, count in self.battles.items() if (turn - 1) * 3 // turns == third)


def plans(campaigns: int) -> Iterator[tuple[str, str, int]]:
    """Yield map, ruleset and line-up of each campaign: each map with both rulesets before one comes again."""
    pairs = [(scenario, ruleset) for ruleset in rulesets.names() for scenario in library.names()]
    for number in range(campaigns):
        yield *pairs[number % len(pairs)], (number * 5 + number // LINE_UPS) % LINE_UPS


def play(scenario: str, ruleset: str, line_up: int, turns: int) -> Run:
    """Play a campaign to its end or its last turn."""
    plan, rules = library.load(scenario), rulesets.load(ruleset)
    factions = list(rules.factions)
    players = [(f"p{seat}", factions[(seat * 7 + line_up) % len(factions)]) for seat in range(plan.max_players)]
    settings = Settings(turn_limit=turns, capital_eliminates=True, last_standing=True, alliances=False)
    run = Run(f"{scenario}, {ruleset}, line-up {line_up + 1}")
    seed = f"alive/{run.name}"
    state = begin(initial_state(plan, rules, settings, players, b"alive"), SeededDice(seed.encode())).state
    stays: dict[str, int] = {}
    minds = {player: Mind() for player, _ in players}
    views = views_for(state, ())
    while state.phase != OVER:
        minds = {id_: replace(mind, memory=remember(mind.memory, views[id_])) for id_, mind in minds.items()}
        orders = {player: commander.choose(view, minds[player]) for player, view in views.items()}
        turn = state.turn
        resolution = resolve(state, orders, SeededDice(f"{seed}/{turn}/{state.phase}".encode()))
        state, views = resolution.state, views_for(resolution.state, resolution.events)
        if any(resolution.problems.values()):
            raise RuntimeError(f"{run.name}: an order was refused: {resolution.problems}")
        fought = sum(event.type == "battle_fought" for event in resolution.events)
        if turn:
            run.battles[turn] = run.battles.get(turn, 0) + fought
        if state.turn != turn:
            stays = _stays(state, stays)
            run.longest_stay = max([run.longest_stay, *stays.values()])
    return run


def _stays(state: State, before: Mapping[str, int]) -> dict[str, int]:
    """Return how long each detachment without ready points has stood beside an enemy."""
    return {
        detachment.id: before.get(detachment.id, 0) + 1
        for detachment in state.detachments.values()
        if detachment.at != ORBIT
        and not detachment.ready_in
        and not state.fit(detachment)
        and state.beside_enemy(detachment.at, detachment.owner)
    }


def main(campaigns: int = CAMPAIGNS, turns: int = TURNS) -> int:
    """Play them all and print the figures; 1 when they miss the aims."""
    runs = []
    for plan in plans(campaigns):
        run = play(*plan, turns)
        runs.append(run)
        battles = " / ".join(str(run.in_third(third)) for third in range(3))
        told = f"{len(run.battles)} turns, battles {battles}, longest stay {run.longest_stay}"
        print(f"{run.name}: {told}", flush=True)
    second, last = (median(run.in_third(third) for run in runs) for third in (1, 2))
    stay = max(run.longest_stay for run in runs)
    print(
        f"{len(runs)} campaigns of at most {turns} turns, median battles: second third {second:g}, last {last:g}; "
        f"longest stay of a detachment without ready points beside an enemy: {stay} turns"
    )
    return 0 if last * 2 >= second and stay <= MAX_STAY_LENGTH else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["table"]:
        from bench import alive_table  # its games are other ones

        sys.exit(alive_table.run(sys.argv[2:]))
    sys.exit(main(*map(int, sys.argv[1:3])))
