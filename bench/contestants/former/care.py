"""What the commander does for forces that have lost models: new ones at headquarters, the end for lost causes."""

from __future__ import annotations

from typing import Any

from bench.contestants.former.ground import Ground
from server.rules.board import ORBIT, Hex
from server.rules.state import Detachment, Force, Unit
from server.rules.structure import allowed_kinds, has_headquarters

Order = dict[str, Any]

LOST_CAUSE = 0.2
"""Share of its points in wounded models below which a detachment without fit ones is given up."""


def orders(ground: Ground, purse: dict[Hex, int]) -> list[Order]:
    """Return the orders of the Build phase; what they cost is taken out of *purse*, the BP by hex."""
    bought = _make_up(ground, purse)
    return [*bought, *_disband(ground, {each.get("detachment", "") for each in bought})]


def _disband(ground: Ground, helped: set[str]) -> list[Order]:
    """Give up detachments without ready points beside an enemy, or with few wounded left, that nothing helps."""
    state = ground.state
    return [
        {"type": "disband_detachment", "detachment": each.id}
        for each in ground.mine()
        if not state.fit(each)
        and each.id not in helped
        and (state.beside_enemy(each.at, ground.me) or _wounded_points(each) < each.points * LOST_CAUSE)
    ]


def _wounded_points(force: Detachment) -> int:
    """Return what the wounded and damaged of a force would be worth if they were fit."""
    return sum(
        unit.points * unit.wounded // unit.models + (unit.points // 2 if unit.damaged else 0) for unit in force.units
    )


def _make_up(ground: Ground, purse: dict[Hex, int]) -> list[Order]:
    """Buy back dead models where there are the buildings and the BP: detachments first, garrisons after them."""
    state = ground.state
    given: list[Order] = []
    for force in ground.mine():
        if _at_headquarters(ground, force):
            kinds = allowed_kinds(state, force.at)
            given += _models(ground, force, kinds, purse, {"detachment": force.id})
    for garrison in state.garrisons.values():
        if garrison.owner == ground.me:
            given += _models(ground, garrison, None, purse, {"at": state.board.label(garrison.at)})
    return given


def _at_headquarters(ground: Ground, force: Detachment) -> bool:
    return force.at != ORBIT and ground.state.owner[force.at] == ground.me and has_headquarters(ground.state, force.at)


def _models(
    ground: Ground, force: Force, kinds: tuple[str, ...] | None, purse: dict[Hex, int], named: Order
) -> list[Order]:
    given: list[Order] = []
    for unit in force.units:
        if unit.vehicle or (kinds is not None and unit.kind not in kinds):
            continue
        bp = purse.get(force.at, 0)
        halves = 1 if kinds is not None else ground.state.ruleset.garrison_divisor
        models = next((n for n in range(_dead(unit), 0, -1) if _price(unit, n, halves) <= bp), 0)
        if models:
            purse[force.at] = bp - _price(unit, models, halves)
            given.append({"type": "buy_models", **named, "unit": unit.id, "models": models})
    return given


def _dead(unit: Unit) -> int:
    return unit.models - unit.ready - unit.wounded


def _price(unit: Unit, models: int, halves: int) -> int:
    share = -(-unit.points * models // unit.models)
    return -(-share // halves)
