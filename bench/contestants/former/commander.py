"""A computer player that gives a decent game.

It spreads over free land, builds where it can pay, keeps somebody at home, gathers against the nearest
enemy capital, and attacks where the odds are good, with those who stand near in support.
"""

from __future__ import annotations

from typing import Any

from bench.contestants.former import build
from bench.contestants.former.ground import FAR, Ground
from server.rules.board import Hex
from server.rules.movement import claiming_mv, mover, reachable
from server.rules.orders.sets import check
from server.rules.sides import side_of
from server.rules.sight import View
from server.rules.state import BATTLE_MOVEMENT, BATTLES, BUILD, MOVEMENT, SETUP, Detachment

Order = dict[str, Any]

GOOD_ODDS = 1.1
"""Own strength over the enemy's from which it attacks."""
SUPPORT_WORTH = 0.2
"""How much of the primary's strength a supporter adds."""
WORN = 0.4
"""Share of its points fit to fight up to which a detachment rests."""
HOME_GUARD = 3
"""Steps around the capital within which enemies bring the guard back."""


def choose(view: View) -> list[Order]:
    """Return orders for the open phase; all of them are legal as far as the view tells."""
    ground = Ground(view.state, view.viewer)
    phase = view.state.phase
    orders: list[Order] = []
    if phase == SETUP:
        orders = build.setup(ground)
    elif phase == BUILD:
        orders = build.orders(ground)
    elif phase == MOVEMENT:
        orders = _march(ground)
    elif phase == BATTLE_MOVEMENT:
        orders = _assault(ground)
    elif phase == BATTLES:
        orders = _fight(ground)
    refused = {problem.order for problem in check(view, orders)}
    return [order for place, order in enumerate(orders) if place not in refused]


# --- movement ---


def _march(ground: Ground) -> list[Order]:
    state, home = ground.state, ground.state.capital(ground.me)
    taken = dict.fromkeys(each.at for each in ground.mine())
    orders: list[Order] = []
    guard = _home_guard(ground, home)
    for detachment in ground.mine():
        if detachment.pinned:
            continue
        order = None
        if detachment is guard and home is not None:
            order = _towards(ground, detachment, home, taken)
        order = order or _homeward(ground, detachment, home, taken) or _rest(ground, detachment)
        order = order or _claim(ground, detachment, taken) or _advance(ground, detachment, taken)
        if order is not None:
            orders.append(order)
            if order.get("path"):
                taken.pop(detachment.at, None)
                taken[state.board.find(order["path"][-1]) or 0] = None
    return orders


def _homeward(ground: Ground, detachment: Detachment, home: Hex | None, taken: dict[Hex, None]) -> Order | None:
    """Bring a worn detachment to the capital, where models are bought and wounds heal faster, or stay there for it."""
    state = ground.state
    if home is None or state.ready_points(detachment) > detachment.points * WORN:
        return None
    if detachment.at == home:
        return {"type": "recover", "detachment": detachment.id} if not state.enemy_zoc(home, ground.me) else None
    return _towards(ground, detachment, home, taken)


def _rest(ground: Ground, detachment: Detachment) -> Order | None:
    """Look after the wounded when most of the detachment is, away from enemies."""
    hurt = any(unit.wounded or unit.damaged for unit in detachment.units)
    if (
        not hurt
        or ground.state.ready_points(detachment) > detachment.points * WORN
        or ground.state.enemy_zoc(detachment.at, ground.me)
    ):
        return None
    return {"type": "recover", "detachment": detachment.id}


def _home_guard(ground: Ground, home: Hex | None) -> Detachment | None:
    """Return who goes home: the nearest, when a known enemy stands near the capital."""
    if home is None:
        return None
    near = [at for at in ground.state.board.within(home, HOME_GUARD) if ground.enemies_at(at)]
    steps = ground.steps_to(home)
    return min(ground.mine(), key=lambda force: (steps.get(force.at, FAR), force.id), default=None) if near else None


def _claim(ground: Ground, detachment: Detachment, taken: dict[Hex, None]) -> Order | None:
    """Claim where it stands if that is worth more than moving on."""
    state, board = ground.state, ground.state.board
    here = 0
    if not state.enemy_zoc(detachment.at, ground.me):
        around = [at for at in board.within(detachment.at, 1) if at not in state.urban or at == detachment.at]
        here = sum(ground.worth(at) for at in around)
    who = mover(state, detachment)
    found = reachable(state, who, detachment.at, claiming_mv(who.mv, state.ruleset))
    best, path = 0, []
    for goal in sorted(found):
        if goal in taken:
            continue
        way = _way(found, goal, detachment.at)
        gain = sum(ground.worth(at) for at in way if not state.enemy_zoc(at, ground.me))
        if gain > best:
            best, path = gain, way
    if here >= max(best, 3):
        return {"type": "claim_area", "detachment": detachment.id}
    if best >= 1:
        return {"type": "move_and_claim", "detachment": detachment.id, "path": [board.label(at) for at in path]}
    return {"type": "claim_area", "detachment": detachment.id} if here else None


def _advance(ground: Ground, detachment: Detachment, taken: dict[Hex, None]) -> Order | None:
    """Go for free land while there is some near, else for the nearest enemy capital."""
    state = ground.state
    targets = [at for at in range(state.board.size) if ground.worth(at) and at not in taken]
    near = [at for at in targets if state.board.distance(at, detachment.at) <= 4]
    goal = ground.nearest(detachment.at, ground.capitals()) or ground.nearest(detachment.at, near)
    return None if goal is None else _towards(ground, detachment, goal, taken)


def _towards(ground: Ground, detachment: Detachment, goal: Hex, taken: dict[Hex, None]) -> Order | None:
    state = ground.state
    who = mover(state, detachment)
    found = reachable(state, who, detachment.at, who.mv)
    steps = ground.steps_to(goal)
    fit = [at for at in found if at not in taken and found[at][0] <= who.mv]
    best = min(fit, key=lambda at: (steps.get(at, FAR), found[at][0], at), default=None)
    if best is None or steps.get(best, FAR) >= steps.get(detachment.at, FAR):
        return None
    way = [state.board.label(at) for at in _way(found, best, detachment.at)]
    return {"type": "path", "detachment": detachment.id, "path": way}


def _way(found: dict[Hex, tuple[int, Hex]], goal: Hex, start: Hex) -> list[Hex]:
    way = []
    here = goal
    while here != start:
        way.append(here)
        here = found[here][1]
    way.reverse()
    return way


# --- battle movement ---


def _assault(ground: Ground) -> list[Order]:
    """Choose the best targets one after the other; who is left digs in or stands guard."""
    state, board = ground.state, ground.state.board
    free = {each.id: each for each in ground.mine() if each.battle_order != "inactive"}
    orders: list[Order] = []
    for target in _targets(ground, free):
        near = [each for each in free.values() if target in board.adjacent[each.at]]
        if not near:
            continue
        primary = max(near, key=lambda force: (state.ready_points(force), force.id))
        strength = state.ready_points(primary) * (1 + SUPPORT_WORTH * (len(near) - 1))
        enemy = ground.enemies_at(target)
        if strength < GOOD_ODDS * enemy or not strength:
            continue
        label = board.label(target)
        orders.append({"type": "attack", "detachment": primary.id, "target": label, "planned": enemy > 0})
        del free[primary.id]
        if enemy:
            for each in near:
                if each is not primary:
                    orders.append({"type": "support", "detachment": each.id, "target": label})
                    del free[each.id]
    for each in free.values():
        threat = sum(ground.enemies_at(at) for at in board.adjacent[each.at])
        orders.append({"type": "defend" if threat > state.ready_points(each) else "guard", "detachment": each.id})
    return orders


def _targets(ground: Ground, free: dict[str, Detachment]) -> list[Hex]:
    """Return hexes worth attacking: known enemies, and enemy towns to walk into; the most worth first."""
    state = ground.state
    near = dict.fromkeys(at for each in free.values() for at in state.board.adjacent[each.at] if ground.land(at))

    def value(at: Hex) -> int:
        urban = state.urban.get(at)
        prize = 0 if urban is None or not ground.hostile(state.owner[at]) else (1000 if urban.capital else 100)
        return prize + (1 + ground.enemies_at(at) // 10 if state.enemy_at(at, ground.me) else 0)

    return sorted((at for at in near if value(at)), key=lambda at: (-value(at), at))


def _fight(ground: Ground) -> list[Order]:
    """Let the cheapest fall first, half a unit at a time; spare the leader."""
    orders: list[Order] = []
    for battle in ground.state.battles.values():
        if ground.me not in (battle.attacking, battle.defended_by):
            continue
        mine = side_of(ground.state, battle, attacking=battle.attacking == ground.me)
        units = sorted(
            (unit for force in mine for unit in force.units), key=lambda unit: (unit.slot == "hq", unit.points, unit.id)
        )
        halves = [f"{unit.id}:half" for unit in units if ground.state.can_be_halved(unit)]
        casualties = halves + [unit.id for unit in units]
        label = ground.state.board.label(battle.hex)
        orders.append({"type": "fight", "battle": label, "mode": "quick", "casualties": casualties})
    return orders
