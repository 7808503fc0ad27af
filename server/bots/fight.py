"""Battle orders: the casualty order and the picks (D-60)."""

from __future__ import annotations

from typing import Any

from server.bots.ground import Ground
from server.rules.sides import side_of
from server.rules.state import Unit

Order = dict[str, Any]


def orders(ground: Ground) -> list[Order]:
    """Let the cheapest fall first, half a unit at a time; spare leaders and scouts. Pick the enemy's dearest."""
    state = ground.state
    given: list[Order] = []
    for battle in state.battles.values():
        if battle.winner or ground.me not in (battle.attacking, battle.defended_by):
            continue
        attacking = battle.attacking == ground.me
        mine = [unit for force in side_of(state, battle, attacking=attacking) for unit in force.units]
        theirs = [unit for force in side_of(state, battle, attacking=not attacking) for unit in force.units]
        mine.sort(key=lambda unit: (unit.slot == "hq", "scout" in unit.flags, _price(unit), unit.id))
        halves = [f"{unit.id}:half" for unit in mine if state.can_be_halved(unit)]
        order: Order = {
            "type": "fight",
            "battle": state.board.label(battle.hex),
            "mode": "quick",
            "casualties": halves + [unit.id for unit in mine],
        }
        picks = battle.planned if attacking else battle.defending
        if picks:
            dear = sorted((unit for unit in theirs if state.can_be_halved(unit)), key=_price, reverse=True)
            order["picks"] = [f"{unit.id}:half" for unit in dear]
        given.append(order)
    return given


def _price(unit: Unit) -> float:
    return unit.points / unit.models
