"""Several plans for all forces, each tried by the rules against what the enemies may do, as far as the view tells.

The number of plans is the level's; no clock decides. Nothing here knows more than the view and the memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from server.bots import assault, manoeuvre, march
from server.bots.ground import Ground
from server.bots.levels import Level
from server.bots.manoeuvre import Rehearsal
from server.bots.posture import Figures, Posture
from server.bots.search import Trial, improved
from server.bots.target import choose_target
from server.bots.temper import Temper
from server.rules.board import Hex
from server.rules.state import Id

Order = dict[str, Any]


# --- battle movement ---


def best_assault(ground: Ground, posture: Posture, goals: Mapping[Id, Hex], level: Level) -> list[Order]:
    """Return the best plan for Battle movement that so many trials find."""
    first = assault.plan(ground, posture, goals, caution=level.caution, supports=level.supports, steps=level.steps)
    if level.plans <= 1 or not ground.enemies():
        return first.orders
    trial = Trial.of(ground, level.plans, foresight=level.foresight)
    plans = [first.orders, *(assault.plan(ground, posture, goals, caution=more).orders for more in (-3, 4, 30))]
    tried = [(trial.value(orders), -place) for place, orders in enumerate(plans)]
    return improved(trial, plans[-max(tried)[1]])


# --- movement ---


def best_march(
    ground: Ground, posture: Posture, data: Figures, grudges: Mapping[str, int], level: Level, temper: Temper
) -> tuple[list[Order], Mapping[Id, str]]:
    """Return the best plan for Movement that so many trials find, and what each detachment intends in the first."""
    target = choose_target(ground, grudges, temper.grudge)
    best = march.plan(ground, posture, data, target)
    if level.marches <= 1 or not ground.enemies():
        return best.orders, best.intents
    return manoeuvre.improved(Rehearsal.of(ground, posture, data, best.target, level), best.orders), best.intents
