"""A computer player: what it orders in each phase, from its view, its memory and its posture.

It claims land by its yield, spends its BP, gathers its forces, attacks with everyone's support where the exact
odds are good, raids open targets, withdraws from stronger enemies, and keeps a force at home.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from server.bots import build, diplomacy, fight, planner, setup
from server.bots.budget import Goal
from server.bots.ground import Ground
from server.bots.levels import LEVELS, REGULAR, Level
from server.bots.lot import SeededTiebreak
from server.bots.memory import Memory
from server.bots.posture import Posture, figures
from server.bots.target import choose_target
from server.bots.temper import Temper, temper_of
from server.rules.board import Hex
from server.rules.orders.sets import check
from server.rules.sight import View
from server.rules.state import BATTLE_MOVEMENT, BATTLES, BUILD, MOVEMENT, REPORTS, SETUP, Id

Order = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Mind:
    """The player of a seat: level, memory and the key of its draws."""

    level: Level = LEVELS[REGULAR]
    memory: Memory = field(default_factory=Memory)
    secret: bytes = b""
    """The seat's own: without it nobody can foresee what is drawn."""
    diplomatic: bool = False
    """It makes and breaks alliances; one who stands in for someone leaves that to them."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a computer player orders, and why."""

    orders: tuple[Order, ...]
    posture: Posture
    intents: Mapping[Id, str] = field(default_factory=dict)
    """What each free detachment drew (P-33)."""
    goals: tuple[Goal, ...] = ()
    """The purpose of unspent BP."""


def choose(view: View, mind: Mind | None = None) -> list[Order]:
    """Return orders for the open phase; all of them are legal as far as the view tells."""
    return list(decide(view, mind).orders)


def decide(view: View, mind: Mind | None = None) -> Decision:
    """Return orders for the open phase and what stands behind them.

    The same view and mind give the same decision.
    """
    mind = mind or Mind()
    level, data = mind.level, figures()
    posture = mind.memory.posture(data) if level.postured else data.posture(0)
    temper = temper_of(view.state.players[view.viewer].faction)
    posture = temper.of(posture)
    lot = SeededTiebreak.of(mind.secret, view.viewer, view.state.turn)
    ghosts = mind.memory.ghosts(view) if level.remembers else {}
    hemmed, worn = mind.memory.hemmed(view.state.turn), mind.memory.worn
    ground = Ground(view.state, view.viewer, lot, ghosts, hemmed, worn, level.invests, level.thrift, level.hides)
    orders: list[Order] = []
    intents: Mapping[Id, str] = {}
    goals: tuple[Goal, ...] = ()
    phase = view.state.phase
    if phase == SETUP:
        orders = setup.setup(ground, level)
    elif phase == BUILD:
        budget = build.plan(ground, posture, thrift=level.thrift, hosts=level.raises)
        orders, goals = budget.orders, tuple(budget.goals)
    elif phase == MOVEMENT:
        orders, intents = planner.best_march(ground, posture, data, mind.memory.attacked_by, level, temper)
    elif phase == BATTLE_MOVEMENT:
        orders = planner.best_assault(ground, posture, _goals(ground, mind, temper), level)
    elif phase in (BATTLES, REPORTS):
        orders = fight.orders(ground, whole=level.whole) if phase == BATTLES else []
    orders = _forgetful(lot, level, phase, orders)
    if phase == BUILD and mind.diplomatic:
        plans = mind.memory.relations.plans
        orders += diplomacy.orders(act for act in plans if act.turn == view.state.turn)
    refused = {problem.order for problem in check(view, orders)}
    kept = tuple(order for place, order in enumerate(orders) if place not in refused)
    return Decision(kept, posture, intents, goals)


def _forgetful(lot: SeededTiebreak, level: Level, phase: str, orders: list[Order]) -> list[Order]:
    """Leave out the orders to forces that a gentle player forgets; what is placed, built and fought never is."""
    if not level.mistakes or phase not in (MOVEMENT, BATTLE_MOVEMENT):
        return orders
    return [
        order
        for place, order in enumerate(orders)
        if lot.face(f"mistake/{phase}/{order.get('detachment', place)}", 100) > level.mistakes
    ]


def _goals(ground: Ground, mind: Mind, temper: Temper) -> dict[Id, Hex]:
    """Return each detachment's destination after its movement: adjacent free land, else the army's target."""
    target = choose_target(ground, mind.memory.attacked_by, temper.grudge)
    goals: dict[Id, Hex] = {}
    home = ground.state.capital(ground.me)
    for force in ground.mine():
        if home is not None and ground.state.board.distance(force.at, home) <= 1 and len(ground.mine()) > 2:
            continue
        near = [at for at in ground.state.board.within(force.at, 3) if ground.worth(at)]
        best = max(
            near,
            key=lambda at: (ground.worth(at) / (1 + ground.state.board.distance(at, force.at)), ground.lot.rank(at)),
            default=target,
        )
        if best is not None:
            goals[force.id] = best
    return goals
