"""A greedy player: everyone goes for what is worth most next to them. Little code, to measure others by."""

from __future__ import annotations

from random import Random
from typing import Any

from server.bots.army import LINE, STRONG, bill, price, units_for
from server.bots.setup import places
from server.rules.board import Hex
from server.rules.movement import claiming_mv, mover, reachable
from server.rules.orders.sets import check
from server.rules.sight import View
from server.rules.state import BATTLE_MOVEMENT, BUILD, MOVEMENT, SETUP, Detachment, State

Order = dict[str, Any]
MUSTERED = 6


def choose(view: View, random: Random) -> list[Order]:
    """Return greedy orders; of equals chance takes one."""
    state, me = view.state, view.viewer
    orders: list[Order] = []
    if state.phase == SETUP:
        orders = _setup(state, me, random)
    elif state.phase == BUILD:
        orders = [_raise(state, state.capital(me), units) for units in (STRONG, LINE)]
    elif state.phase == MOVEMENT:
        orders = [_march(state, detachment, random) for detachment in _mine(state, me)]
    elif state.phase == BATTLE_MOVEMENT:
        orders = [_strike(state, detachment, random) for detachment in _mine(state, me)]
    refused = {problem.order for problem in check(view, orders)}
    return [order for place, order in enumerate(orders) if place not in refused]


def _mine(state: State, me: str) -> list[Detachment]:
    return [detachment for detachment in state.detachment_at.values() if detachment.owner == me]


def _raise(state: State, at: Hex | None, units: tuple[dict[str, Any], ...]) -> Order:
    label = "" if at is None else state.board.label(at)
    return {"type": "build_detachment", "at": label, "units": units_for(units)}


def _setup(state: State, me: str, random: Random) -> list[Order]:
    orders = places(state, me, lambda _: random.random())
    if not orders or not state.settings.muster:
        return orders
    own = [at for at, owner in enumerate(state.owner) if owner == me]
    watch = {"type": "build_garrison", "at": orders[0]["at"], "units": units_for(bill(4))}
    budget = state.store.get(state.capital(me) or 0, 5000) // price(STRONG)
    return [*orders, watch, *(_raise(state, at, STRONG) for at in random.sample(own, min(MUSTERED, budget, len(own))))]


def _worth(state: State, me: str, at: Hex) -> int:
    owner = state.owner[at]
    if owner and state.friendly(me, owner):
        return 0
    urban = state.urban.get(at)
    return 1 + bool(owner) + 8 * (at in state.resource) + (0 if urban is None else 50 if urban.capital else 6)


def _march(state: State, force: Detachment, random: Random) -> Order:
    """Claim the best path in reach; without one, go for the nearest enemy capital."""
    me, board, who = force.owner, state.board, mover(state, force)
    found = reachable(state, who, force.at, claiming_mv(who.mv, state.ruleset))
    free = [at for at in found if at not in state.detachment_at and _worth(state, me, at)]
    if free:
        best = max(free, key=lambda at: (_worth(state, me, at), random.random()))
        way = [best]
        while found[way[0]][1] != force.at:
            way.insert(0, found[way[0]][1])
        return {"type": "move_and_claim", "detachment": force.id, "path": [board.label(at) for at in way]}
    goals = [at for at, urban in state.urban.items() if urban.capital and not state.friendly(me, urban.capital)]
    far = reachable(state, who, force.at, who.mv)
    free = [at for at in far if at not in state.detachment_at and far[at][0] <= who.mv]
    if not goals or not free:
        return {"type": "guard", "detachment": force.id}
    best = min(free, key=lambda at: (min(board.distance(at, goal) for goal in goals), random.random()))
    way = [best]
    while far[way[0]][1] != force.at:
        way.insert(0, far[way[0]][1])
    return {"type": "path", "detachment": force.id, "path": [board.label(at) for at in way]}


def _strike(state: State, force: Detachment, random: Random) -> Order:
    """Attack the weakest enemy next door, whatever the odds."""
    near = [at for at in state.board.adjacent[force.at] if state.enemy_at(at, force.owner)]
    if not near:
        return {"type": "guard", "detachment": force.id}
    weakest = min(near, key=lambda at: (sum(map(state.ready_points, state.forces_at(at))), random.random()))
    return {"type": "attack", "detachment": force.id, "target": state.board.label(weakest)}
