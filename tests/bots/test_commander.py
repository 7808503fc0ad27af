"""The computer player: always legal, and clearly better than chance."""

from __future__ import annotations

import os
from random import Random

import pytest

from server.bots import chance, commander
from server.core.dice import SeededDice
from server.rules.orders.sets import check
from server.rules.phases import begin, resolve
from server.rules.sight import views_for
from server.rules.state import OVER, Settings, State
from server.rulesets import load
from server.scenarios import library
from server.scenarios.begin import initial_state

CAMPAIGNS = 100 if os.environ.get("SEALED_ORDERS_LONG") else 10


def started(seed: int, ruleset: str) -> State:
    random = Random(seed)
    rules, scenario = load(ruleset), library.load("four-corners")
    factions = list(rules.factions)
    players = [(f"p{seat}", random.choice(factions)) for seat in range(4)]
    settings = Settings(turn_limit=15, alliances=False)
    return begin(initial_state(scenario, rules, settings, players, b"key"), SeededDice(b"%d" % seed)).state


def won_against_chance(seed: int, ruleset: str) -> bool:
    state, hero, phase = started(seed, ruleset), f"p{seed % 4}", 0
    while state.phase != OVER:
        orders = {}
        for player, view in views_for(state, ()).items():
            if player == hero:
                orders[player] = commander.choose(view)
                assert check(view, orders[player]) == []
            else:
                orders[player] = chance.choose(view, Random(f"{seed}/{phase}/{player}"))
        state = resolve(state, orders, SeededDice(b"%d/%d" % (seed, phase))).state
        phase += 1
    return hero in state.winners


@pytest.mark.parametrize("ruleset", ["wh40k-2001", "frontier"])
def test_it_beats_a_player_of_random_legal_orders(ruleset: str) -> None:
    """95 of 100, one against three."""
    won = sum(won_against_chance(seed, ruleset) for seed in range(CAMPAIGNS))
    assert won * 100 >= CAMPAIGNS * 95, f"{won} of {CAMPAIGNS}"


def test_the_same_view_gives_the_same_orders() -> None:
    state = started(1, "wh40k-2001")
    for view in views_for(state, ()).values():
        assert commander.choose(view) == commander.choose(view)
