"""Battle orders: the casualty order and the picks (D-60)."""

from __future__ import annotations

from typing import Any

from server.bots.ground import Ground
from server.rules.sides import side_of
from server.rules.state import Unit

Order = dict[str, Any]


def orders(ground: Ground, *, whole: bool = False) -> list[Order]:
    """Let the cheapest fall first, half a unit at a time; spare leaders and scouts. Pick the enemy's dearest.

    *whole*: the second half of a unit falls before the first of another. Each unit at half its models still counts in
    full for the enemy's victory points (6.2.3.5).
    """
    state = ground.state
    given: list[Order] = []
    for battle in state.battles.values():
        if battle.winner or ground.me not in (battle.attacking, battle.defended_by):
            continue
        attacking = battle.attacking == ground.me
        mine = [unit for force in side_of(state, battle, attacking=attacking) for unit in force.units]
        theirs = [unit for force in side_of(state, battle, attacking=not attacking) for unit in force.units]
        mine.sort(key=lambda unit: (unit.slot == "hq", "scout" in unit.flags, _price(unit), unit.id))
        parts = [[f"{unit.id}:half"] if state.can_be_halved(unit) else [] for unit in mine]
        fallen = [part for half in parts for part in half] + [unit.id for unit in mine]
        if whole:
            fallen = [part for half, unit in zip(parts, mine, strict=True) for part in (*half, unit.id)]
        order: Order = {
            "type": "fight",
            "battle": state.board.label(battle.hex),
            "mode": "quick",
            "casualties": fallen,
        }
        picks = battle.planned if attacking else battle.defending
        if picks:
            dear = sorted((unit for unit in theirs if state.can_be_halved(unit)), key=_price, reverse=True)
            order["picks"] = [f"{unit.id}:half" for unit in dear]
        given.append(order)
    return given


def _price(unit: Unit) -> float:
    return unit.points / unit.models
