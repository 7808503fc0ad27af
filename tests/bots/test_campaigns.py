"""Whole campaigns of computer players: no order refused, no idle Build phase, no hoard without a goal.

``SEALED_ORDERS_LONG=1`` plays 100 campaigns on all shipped maps; else a few short ones.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from itertools import product
from random import Random

import pytest

from server.bots import commander
from server.bots.budget import Goal
from server.bots.commander import Decision, Mind
from server.bots.levels import LEVELS
from server.bots.memory import remember
from server.core.dice import SeededDice
from server.rules.economy import income
from server.rules.options import legal_orders
from server.rules.phases import begin, resolve
from server.rules.sight import View, views_for
from server.rules.state import BUILD, OVER, Settings, State
from server.rulesets import load
from server.scenarios import library
from server.scenarios.begin import initial_state

LONG = bool(os.environ.get("SEALED_ORDERS_LONG"))
CAMPAIGNS = 100 if LONG else 4
TURNS = 12 if LONG else 7
MAPS = tuple(library.names()) if LONG else ("the-pass", "four-corners")
ARENAS = list(product(MAPS, ("wh40k-2001", "frontier")))
BUILDS = ("build_", "upgrade_", "add_units", "buy_models", "create_convoy", "repair")


@dataclass(frozen=True)
class Built:
    """A Build phase of one seat."""

    view: View
    decision: Decision


@pytest.mark.timeout(0 if LONG else 600)
@pytest.mark.parametrize("number", range(CAMPAIGNS))
def test_no_order_is_refused_and_no_bp_lie_about_without_a_goal(number: int) -> None:
    """Seen to fail without :mod:`server.bots.surplus`."""
    map_, ruleset = ARENAS[number % len(ARENAS)]
    scenario, rules, random = library.load(map_), load(ruleset), Random(number)
    players = [(f"p{seat}", random.choice(list(rules.factions))) for seat in range(scenario.max_players)]
    settings = Settings(turn_limit=TURNS, capital_eliminates=True, last_standing=True)
    state = begin(initial_state(scenario, rules, settings, players, b"key"), SeededDice(b"%d" % number)).state
    levels = list(LEVELS.values())
    minds = {
        player: Mind(levels[(number + seat) % len(levels)], secret=player.encode())
        for seat, (player, _) in enumerate(players)
    }
    views = views_for(state, ())
    while state.phase != OVER:
        made: dict[str, Decision] = {}
        for player in state.living():
            mind = minds[player.id]
            minds[player.id] = mind = replace(mind, memory=remember(mind.memory, views[player.id]))
            made[player.id] = commander.decide(views[player.id], mind)
        before = state
        dice = SeededDice(f"{number}/{state.turn}/{state.phase}".encode())
        done = resolve(state, {id_: list(each.orders) for id_, each in made.items()}, dice)
        assert done.problems == {}, (map_, ruleset, state.turn, state.phase)
        state = done.state
        if before.phase == BUILD:
            for id_, decision in made.items():
                _has_built(Built(views[id_], decision), id_)
                _has_spent(Built(views[id_], decision), state, id_)
        views = views_for(state, done.events)


def _has_built(built: Built, player: str) -> None:
    """Whoever has an enemy in each of their settlements may wait: nothing is built there (D-20b)."""
    state = built.view.state
    if built.decision.orders or all(state.enemy_at(at, player) for at in state.urban if state.owner[at] == player):
        return
    payable = [option for option in legal_orders(built.view) if option["order"]["type"].startswith(BUILDS)]
    if payable:
        named = [goal for goal in built.decision.goals if _honest(goal, state, state.store.get(goal.at, 0))]
        assert named, (player, state.turn, payable[:3])


def _has_spent(built: Built, after: State, player: str) -> None:
    """Nothing is spent where an enemy stands."""
    before = built.view.state
    left = {at: bp for at, bp in after.store.items() if before.owner[at] == player}
    spared = {goal.at for goal in built.decision.goals if _honest(goal, after, left.get(goal.at, 0))}
    spared |= {at for at in left if (force := before.detachment_at.get(at)) is not None and force.owner != player}
    gains = income(before).get(player)
    maximum = 3 * max(100, 0 if gains is None else gains.total)
    unspent = sum(bp for at, bp in left.items() if at not in spared)
    assert unspent < maximum, (player, before.turn, left, built.decision.goals)


def _honest(goal: Goal, state: State, bp: int) -> bool:
    """A goal is one that the store cannot pay yet, or one that somebody stands in the way of."""
    blocked = goal.at in state.detachment_at or goal.at in state.raising_at
    return bp < goal.cost or (goal.waits and blocked)
