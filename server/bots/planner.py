"""Several plans for all forces, each tried by the rules against what the enemies may do, as far as the view tells.

The number of plans is the level's; no clock decides. Nothing here knows more than the view and the memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from server.bots import assault, march
from server.bots.ground import Ground
from server.bots.levels import Level
from server.bots.lot import Lot
from server.bots.posture import Figures, Posture
from server.bots.search import Trial, improved, likely_orders
from server.bots.temper import Temper
from server.core.dice import SeededDice
from server.rules.board import Hex
from server.rules.movement_phase import play_movement
from server.rules.orders.base import Order as Read
from server.rules.orders.sets import OrderBook, read_set
from server.rules.scene import Scene
from server.rules.state import BATTLE_MOVEMENT, MOVEMENT, Id, PlayerId, State

Order = dict[str, Any]
FOES = Posture("", 0, (*("advance", "close") * 3, *("melee",) * 4), 11, 20, 15, 30, 80)
"""How enemies are expected to march."""


# --- battle movement ---


def best_assault(ground: Ground, posture: Posture, goals: Mapping[Id, Hex], level: Level) -> list[Order]:
    """Return the best plan for Battle movement that so many trials find."""
    first = assault.plan(ground, posture, goals, caution=level.caution, supports=level.supports, steps=level.steps)
    if level.plans <= 1 or not ground.enemies():
        return first.orders
    trial = Trial.of(ground, level.plans)
    plans = [first.orders, *(assault.plan(ground, posture, goals, caution=more).orders for more in (-3, 4, 30))]
    tried = [(trial.value(orders), -place) for place, orders in enumerate(plans)]
    return improved(trial, plans[-max(tried)[1]])


# --- movement ---


def best_march(
    ground: Ground, posture: Posture, data: Figures, grudges: Mapping[str, int], level: Level, temper: Temper
) -> tuple[list[Order], Mapping[Id, str]]:
    """Return the best of several plans for Movement, and what each detachment intends in it."""
    target = march.choose_target(ground, grudges, temper.grudge)
    best = march.plan(ground, posture, data, target)
    if level.marches <= 1:
        return best.orders, best.intents
    theirs = likely_orders(ground, MOVEMENT, lambda foe: _expected_march(foe, data))
    best_value = _marched(ground, posture, best, theirs)
    for other in _marches(ground, posture, data, best, level.marches - 1):
        value = _marched(ground, posture, other, theirs)
        if value > best_value:
            best, best_value = other, value
    return best.orders, best.intents


def _marches(ground: Ground, posture: Posture, data: Figures, first: march.March, count: int) -> Iterator[march.March]:
    """Yield so many other plans: all together, more at home, another target, and other draws."""
    moods = [
        (replace(posture, draws=("close",) * 10), first.target),
        (replace(posture, draws=("advance",) * 10), first.target),
        (replace(posture, home=min(60, posture.home + 25)), first.target),
        *((posture, capital) for capital in ground.capitals() if capital != first.target),
    ]
    for mood, target in moods[:count]:
        yield march.plan(ground, mood, data, target)
    for number in range(count - len(moods)):
        drawn = replace(ground, lot=Lot.of(ground.lot.key, str(number), ground.state.turn))
        yield march.plan(drawn, posture, data, first.target)


def _expected_march(theirs: Ground, data: Figures) -> list[Order]:
    return march.plan(theirs, FOES, data, march.choose_target(theirs, {}, 0)).orders


def _marched(ground: Ground, posture: Posture, made: march.March, theirs: Mapping[PlayerId, tuple[Read, ...]]) -> float:
    """Return what a movement brings: land, and the battles that come of it."""
    state, me = ground.state, ground.me
    accepted = read_set(state, me, MOVEMENT, made.orders).accepted
    scene = Scene(state.copy(), SeededDice(ground.lot.key))
    play_movement(scene, OrderBook({**theirs, me: accepted}, {}))
    after = scene.state
    after.phase = BATTLE_MOVEMENT
    value = float(sum(ground.worth(at) for at, owner in enumerate(after.owner) if owner == me != state.owner[at]))
    mine = Ground(after, me, ground.lot, ground.ghosts)
    value += Trial.of(mine, 1).value(assault.plan(mine, posture, {}).orders)
    return value + _nearer(ground, after, made.target)


def _nearer(ground: Ground, after: State, target: Hex | None) -> float:
    """Return a little for being nearer to the enemies' capitals."""
    if target is None:
        return 0.0
    ways = ground.steps_to(*ground.capitals())
    total = 0.0
    for force in ground.mine():
        now = after.detachments.get(force.id)
        if now is not None:
            total += (ways.get(force.at, 0) - ways.get(now.at, 0)) * ground.points(force) / 100
    return total
