"""Battle movement: attacks and their support, raids, guards and withdrawals (P-34)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from server.bots.battle import Attack, Field, best_attack, danger, may_enter
from server.bots.ground import FAR, Ground
from server.bots.march import keeps_clear
from server.bots.posture import Posture
from server.rules.board import Hex
from server.rules.state import Detachment, Id

Order = dict[str, Any]

MELEE = 2
"""Tenths of odds less at which one goes for those next door (P-34)."""


@dataclass(slots=True)
class Plan:
    """The orders so far; filled target by target."""

    ground: Ground
    posture: Posture
    caution: int = 0
    """Tenths of odds required beyond the posture's."""
    supports: bool = True
    """Everyone near is counted as support."""
    steps: bool = True
    """A detachment with nothing to fight moves a step further."""
    free: dict[Id, Detachment] = field(default_factory=dict)
    attacks: list[Attack] = field(default_factory=list)
    orders: list[Order] = field(default_factory=list)
    entered: dict[Hex, None] = field(default_factory=dict)


def plan(
    ground: Ground, posture: Posture, goals: Mapping[Id, Hex], *, caution: int = 0, supports: bool = True,
    steps: bool = True,
) -> Plan:  # fmt: skip
    """Return the orders of the phase; *goals* says where each detachment wants to get."""
    made = Plan(ground, posture, caution, supports, steps)
    made.free = {force.id: force for force in ground.mine() if force.battle_order != "inactive"}
    _drops(made)
    _attacks(made)
    _raids(made)
    _enter_capitals(made)
    _stand(made, goals)
    return made


def _attacks(made: Plan) -> None:
    ground, adjacent = made.ground, made.ground.state.board.adjacent
    fields = {target: Field.of(ground, target) for target in _targets(made)}
    while fields:
        best: Attack | None = None
        for target, field_ in list(fields.items()):
            near = [
                detachment
                for detachment in made.free.values()
                if target in adjacent[detachment.at] and ground.points(detachment)
            ]
            if not made.supports:
                near = near[:2]
            found = best_attack(field_, near, made.posture, more=made.caution - MELEE) if near else None
            if found is None:
                del fields[target]
            elif best is None or (found.value, ground.lot.rank(target)) > (best.value, ground.lot.rank(best.target)):
                best = found
        if best is None:
            return
        _commit(made, best)
        del fields[best.target]


def _targets(made: Plan) -> list[Hex]:
    """Return the hexes next to own forces where an enemy is known to be, or to have been."""
    near: dict[Hex, None] = {}
    enemies = made.ground.enemies()
    for detachment in made.free.values():
        for at in made.ground.state.board.adjacent[detachment.at]:
            if at in enemies and made.ground.land(at) and not made.ground.state.in_truce(made.ground.me, at):
                near[at] = None
    return list(near)


def _commit(made: Plan, attack: Attack) -> None:
    label = made.ground.state.board.label(attack.target)
    type_ = "raid" if attack.raid else "attack"
    made.attacks.append(attack)
    made.orders.append(
        {"type": type_, "detachment": attack.primary.id, "target": label, "planned": attack.planned, "primary": True}
    )
    del made.free[attack.primary.id]
    for detachment in attack.supporters:
        made.orders.append({"type": "support", "detachment": detachment.id, "target": label})
        del made.free[detachment.id]
    if not attack.raid:
        made.entered[attack.target] = None


# --- from orbit ---


def _drops(made: Plan) -> None:
    """Let those in orbit drop where it is worth most: on enemies in sight, on capitals whose watch they can beat."""
    ground, state = made.ground, made.ground.state
    taken: dict[Hex, None] = {}
    for force in ground.in_orbit():
        best: Attack | None = None
        for target in dict.fromkeys((*ground.enemies(), *ground.capitals())):
            if target in taken or not ground.land(target) or state.in_truce(ground.me, target):
                continue
            if not may_enter(state, force, target):
                continue
            field_ = Field.of(ground, target)
            if not field_.points:
                field_ = Field(ground, target, (), UNSEEN_WATCH, field_.helpers, field_.prize)
            found = field_.attack(force, ())
            good = made.posture.attacks(found.own, found.enemy, more=4) and found.value > 0
            if good and (best is None or found.value > best.value):
                best = found
        if best is not None:
            taken[best.target] = None
            label = state.board.label(best.target)
            made.attacks.append(best)
            made.orders.append({"type": "attack", "detachment": force.id, "target": label, "planned": True})


UNSEEN_WATCH = 700
"""Ready points the watch of a capital out of sight is taken to have."""


# --- raids ---


def _raids(made: Plan) -> None:
    """Rob what lies open next door, and raid those who cannot be driven away (6.2.3.9, 6.2.3.10)."""
    ground, state = made.ground, made.ground.state
    robbed: dict[Hex, None] = {}
    for force in list(made.free.values()):
        best, loot = None, 0
        for at in state.board.adjacent[force.at]:
            bp = 0 if at in robbed else _loot(ground, at)
            if bp > loot and may_enter(state, force, at):
                best, loot = at, bp
        if best is None or not ground.points(force):
            continue
        order: Order = {"type": "raid", "detachment": force.id, "target": state.board.label(best)}
        if best in ground.enemies():
            found = Field.of(ground, best).attack(force, (), planned=True, raid=True)
            if found.value + found.chances.wins * loot <= 0 or not made.posture.attacks(found.own, found.enemy):
                continue
            order["planned"] = True
            made.attacks.append(found)
        robbed[best] = None
        made.orders.append(order)
        del made.free[force.id]


def _loot(ground: Ground, at: Hex) -> int:
    """Return the BP a raid on a hex would carry off, as far as they are known."""
    state = ground.state
    bp = sum(convoy.bp for convoy in state.convoys_at.get(at, ()) if ground.hostile(convoy.owner))
    if not ground.hostile(state.owner[at]):
        return bp
    if at in state.resource:
        incomes = {size.id: size.income for size in state.ruleset.resources}
        bp += state.harvest.get(at, incomes[state.resource[at]] if at not in state.harvest else 0)
    if at in state.urban:
        bp += state.store.get(at, 0)
    return bp


# --- stepping on ---


def _enter_capitals(made: Plan) -> None:
    """P-36: an empty enemy capital in reach is taken."""
    ground, state = made.ground, made.ground.state
    for capital in ground.capitals():
        near = [detachment for detachment in made.free.values() if capital in state.board.adjacent[detachment.at]]
        if capital in ground.enemies() or capital in made.entered or capital in state.detachment_at or not near:
            continue
        able = [detachment for detachment in near if may_enter(state, detachment, capital)]
        if able:
            force = max(able, key=lambda one: (ground.points(one), ground.lot.rank(one.id)))
            _step(made, force, capital)


def _step(made: Plan, force: Detachment, at: Hex) -> None:
    label = made.ground.state.board.label(at)
    made.orders.append({"type": "attack", "detachment": force.id, "target": label})
    made.entered[at] = None
    del made.free[force.id]


# --- standing ---


def _stand(made: Plan, goals: Mapping[Id, Hex]) -> None:
    """Give every other detachment an order: withdraw, defend, guard, or move a step further."""
    ground = made.ground
    for force in list(made.free.values()):
        if force.id not in made.free:
            continue
        around = [at for at in ground.state.board.adjacent[force.at] if at in ground.enemies()]
        if around:
            made.orders.append(_brace(made, force, around))
            continue
        goal = goals.get(force.id)
        to = _onward(made, force, goal) if made.steps and goal is not None else None
        if to is not None:
            _step(made, force, to)
        else:
            made.orders.append({"type": "guard", "detachment": force.id})


def _brace(made: Plan, force: Detachment, around: list[Hex]) -> Order:
    """Withdraw from enemies that are too strong, defend against strong ones, else support."""
    ground, state = made.ground, made.ground.state
    threat = max(ground.enemies()[at] for at in around)
    mine = max(1, ground.points(force))
    friends = sum(1 for near in state.board.adjacent[force.at] if _friend(ground, near))
    total = sum(ground.enemies()[at] for at in around)
    way = made.posture.gives_way
    at_home = force.at == state.capital(ground.me)
    if way and total * 10 >= way * mine * (1 + friends) and not at_home:
        return {"type": "withdraw", "detachment": force.id}
    if not state.faction(ground.me).defend_bonus:
        return {"type": "guard", "detachment": force.id}  # it supports, and loses nothing by it (D-71)
    lost = danger(state, threat + (total - threat) // 2, force, friends)
    if friends and lost < 0.6 and any(_threatened(ground, near) for near in state.board.adjacent[force.at]):
        bigger = any(ground.points(detachment) > mine for detachment in _friends(ground, force))
        return {"type": "guard" if bigger else "defend", "detachment": force.id}
    return {"type": "defend", "detachment": force.id}


def _friend(ground: Ground, at: Hex) -> bool:
    force = ground.state.detachment_at.get(at)
    return force is not None and force.owner == ground.me and ground.state.fit(force)


def _friends(ground: Ground, force: Detachment) -> Iterator[Detachment]:
    for near in ground.state.board.adjacent[force.at]:
        if _friend(ground, near):
            yield ground.state.detachment_at[near]


def _threatened(ground: Ground, at: Hex) -> bool:
    return _friend(ground, at) and any(near in ground.enemies() for near in ground.state.board.adjacent[at])


def _onward(made: Plan, force: Detachment, goal: Hex) -> Hex | None:
    """Return the free hex next door from which the goal is nearer; or None."""
    ground, state = made.ground, made.ground.state
    if goal == force.at:
        return None
    ways = ground.steps_to(goal)
    best, fewest = None, ways.get(force.at, FAR)
    home = state.capital(ground.me)
    for at in state.board.adjacent[force.at]:
        if at == home and keeps_clear(ground, at):
            continue
        taken = at in state.detachment_at or at in state.garrison_at or at in made.entered or at in ground.enemies()
        left = ways.get(at, FAR)
        if taken or left >= fewest or not may_enter(state, force, at):
            continue
        if ground.strength_near(at, 1) > ground.points(force):
            continue
        best, fewest = at, left
    return best
