"""Plans tried by the rules: no more than the level allows, never worse than the regular player's, at times better."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from server.bots import assault, commander, manoeuvre, planner, search
from server.bots.commander import Mind
from server.bots.ground import Ground
from server.bots.levels import LEVELS, MARSHAL, REGULAR, VETERAN
from server.bots.lot import SeededTiebreak
from server.bots.manoeuvre import Rehearsal
from server.bots.memory import remember
from server.bots.posture import figures
from server.bots.search import FADES, Trial
from server.bots.temper import temper_of
from server.core.dice import SeededDice
from server.rules.orders.sets import OrderBook
from server.rules.phases import resolve
from server.rules.scene import Scene
from server.rules.sight import views_for
from server.rules.state import BATTLE_MOVEMENT, MOVEMENT, OVER
from tests.bots.test_commander import started

NORMAL = figures().posture(0)


def grounds(phase: str, turns: int, seed: int = 3) -> Iterator[Ground]:
    """Yield each player's reading of each such phase of a campaign of regular players, where an enemy is in sight."""
    state = started(seed, "wh40k-2001")
    minds = {id_: Mind(secret=id_.encode()) for id_ in state.players}
    views, number = views_for(state, ()), 0
    while state.phase != OVER and state.turn <= turns:
        minds = {id_: replace(mind, memory=remember(mind.memory, views[id_])) for id_, mind in minds.items()}
        if state.phase == phase:
            for id_ in minds:
                ground = Ground(views[id_].state, id_, SeededTiebreak.of(id_.encode(), id_, state.turn))
                if ground.enemies():
                    yield ground
        orders = {id_: commander.choose(view, minds[id_]) for id_, view in views.items()}
        resolution = resolve(state, orders, SeededDice(b"%d" % number))
        state, number = resolution.state, number + 1
        views = views_for(state, resolution.events)


def test_a_plan_is_changed_only_for_a_better_one_and_the_limit_holds() -> None:
    """Seen to fail when a change is kept that is worth less, and when the number of trials is not looked at."""
    better = 0
    for ground in grounds(BATTLE_MOVEMENT, 6):
        first = assault.plan(ground, NORMAL, {}).orders
        trial = Trial.of(ground, 30)
        found = search.improved(trial, first)
        assert trial.value(found) >= trial.value(first)
        assert len(trial.known) <= 30
        better += trial.value(found) > trial.value(first)
    assert better


def test_veterans_and_marshals_try_as_many_plans_as_their_level_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen to fail when the regular player tries plans, too."""
    tried: list[Trial] = []
    made = Trial.of.__func__  # type: ignore[attr-defined]

    def noted(cls: type[Trial], /, ground: Ground, plans: int, **more: int) -> Trial:
        tried.append(made(cls, ground, plans, **more))
        return tried[-1]

    monkeypatch.setattr(Trial, "of", classmethod(noted))
    ground = next(ground for ground in grounds(BATTLE_MOVEMENT, 6) if assault.plan(ground, NORMAL, {}).attacks)
    planner.best_assault(ground, NORMAL, {}, LEVELS[REGULAR])
    assert not tried
    for level in (VETERAN, MARSHAL):
        planner.best_assault(ground, NORMAL, {}, LEVELS[level])
        assert 1 < len(tried.pop().known) <= LEVELS[level].plans


def test_a_marshal_also_expects_enemies_who_try_plans() -> None:
    """Seen to fail when they are expected to do what the regular player would."""
    otherwise = 0
    for ground in grounds(BATTLE_MOVEMENT, 6):
        plain, foreseen = Trial.of(ground, 1).answers, Trial.of(ground, 1, foresight=20).answers
        assert plain[0] == foreseen[0]
        otherwise += any(answer != plain[0] for answer in foreseen[1:])
    assert otherwise


def test_a_march_is_changed_only_for_a_better_one_and_the_limit_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen to fail when a change is kept that is worth less, and when the number of marches is not looked at."""
    rehearsed: list[Rehearsal] = []
    made = Rehearsal.of.__func__  # type: ignore[attr-defined]

    def noted(cls: type[Rehearsal], *of: Any) -> Rehearsal:
        rehearsed.append(made(cls, *of))
        return rehearsed[-1]

    def marched(ground: Ground, level: str) -> list[dict[str, Any]]:
        return planner.best_march(ground, NORMAL, figures(), {}, LEVELS[level], temper_of(""))[0]

    monkeypatch.setattr(Rehearsal, "of", classmethod(noted))
    otherwise = {VETERAN: 0, MARSHAL: 0}
    for ground in grounds(MOVEMENT, 5):
        first = marched(ground, REGULAR)
        assert not rehearsed
        for level in otherwise:
            best = marched(ground, level)
            rehearsal = rehearsed.pop()
            assert sum(not plans for plans, _ in rehearsal.known) <= LEVELS[level].marches
            for plans in (0, LEVELS[level].deep):
                assert rehearsal.value(best, plans) >= rehearsal.value(first, plans)
            otherwise[level] += best != first
    assert all(otherwise.values())


def test_a_marshal_counts_the_land_that_a_march_would_lose(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen to fail when it counts what it wins only, and when it counts only in what an enemy stands."""
    ground = next(iter(grounds(MOVEMENT, 5)))
    home, foe = ground.state.capital(ground.me), next(iter(ground.state.players.keys() - {ground.me}))
    assert home is not None
    taken = next(at for at in ground.state.board.adjacent[home] if ground.state.owner[at] == ground.me)

    def worth(level: str, *, lost: bool, out: bool = False) -> float:
        def played(scene: Scene, _: OrderBook) -> None:
            scene.state.owner[taken] = foe if lost else ground.me
            scene.state.players[ground.me].eliminated = out

        monkeypatch.setattr(manoeuvre, "play_movement", played)
        return Rehearsal.of(ground, NORMAL, figures(), None, LEVELS[level]).value([])

    assert worth(MARSHAL, lost=True) < worth(MARSHAL, lost=False)
    assert worth(MARSHAL, lost=False, out=True) < worth(MARSHAL, lost=True) - 1000
    assert worth(VETERAN, lost=True) == worth(VETERAN, lost=False)


def test_losses_count_for_nothing_in_the_last_turn() -> None:
    """Seen to fail when lost models always count."""
    ground = next(iter(grounds(BATTLE_MOVEMENT, 6)))
    state = ground.state
    for left, share in ((0, 0.0), (1, 1 / FADES), (FADES, 1.0), (FADES + 5, 1.0)):
        last = replace(ground, state=replace(state, settings=replace(state.settings, turn_limit=state.turn + left)))
        assert Trial.of(last, 1).models == share
