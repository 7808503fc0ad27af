"""The levels: each is legal, always the same, and follows the posture's figures."""

from __future__ import annotations

from dataclasses import replace

import pytest

from server.bots import commander
from server.bots.commander import Mind, decide
from server.bots.levels import LEVELS
from server.bots.memory import remember
from server.core.dice import SeededDice
from server.rules.economy import income
from server.rules.orders.sets import check
from server.rules.phases import resolve
from server.rules.sight import views_for
from server.rules.state import BUILD, OVER
from tests.bots.test_commander import started


@pytest.mark.parametrize("level", LEVELS)
def test_every_order_is_legal_and_the_same_mind_decides_the_same(level: str) -> None:
    state = started(3, "wh40k-2001")
    minds = {id_: Mind(LEVELS[level], secret=id_.encode()) for id_ in state.players}
    views, phase = views_for(state, ()), 0
    while state.phase != OVER and state.turn < 4:
        minds = {id_: replace(mind, memory=remember(mind.memory, views[id_])) for id_, mind in minds.items()}
        orders = {id_: commander.choose(view, minds[id_]) for id_, view in views.items()}
        for id_, view in views.items():
            assert check(view, orders[id_]) == []
            assert commander.choose(view, minds[id_]) == orders[id_]
        resolution = resolve(state, orders, SeededDice(b"%d" % phase))
        state, phase = resolution.state, phase + 1
        assert not any(resolution.problems.values())
        views = views_for(state, resolution.events)
    assert all(len(mind.memory.history) >= state.turn - 2 for mind in minds.values())


def test_bp_are_spent_or_saved_for_something_named() -> None:
    """Never three turns' income without a goal."""
    state = started(5, "wh40k-2001")
    mind, phase = Mind(), 0
    while state.phase != OVER and state.turn < 8:
        views = views_for(state, ())
        orders = {id_: commander.choose(view, mind) for id_, view in views.items()}
        if state.phase == BUILD:
            for id_, view in views.items():
                resolved = resolve(state, {id_: orders[id_]}, SeededDice(b"")).state
                left = sum(bp for at, bp in resolved.store.items() if resolved.owner[at] == id_)
                assert left < 3 * income(state)[id_].total or decide(view, mind).goals
        state, phase = resolve(state, orders, SeededDice(b"%d" % phase)).state, phase + 1
