"""What the commander does for forces that have lost models: new ones at headquarters, the end for lost causes.

Worn units change places with the garrison, remnants join, vehicles are repaired.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from server.bots.ground import FAR, Ground
from server.rules.board import ORBIT, Hex
from server.rules.orders.build.garrisons import field_share
from server.rules.orders.context import OrderContext
from server.rules.orders.sites import not_raised_here
from server.rules.state import Detachment, Force, Id, Unit
from server.rules.structure import allowed_kinds, has_headquarters

Order = dict[str, Any]

LOST_CAUSE = 0.2
"""Share of its points in wounded models below which a detachment without fit ones is given up."""

FEWEST_PAIRS = 2
"""Worn units that change places with fresh ones of the garrison: below, the turn is worth more."""

HEMMED = 2
"""Turns in a row with enemies in its way after which a detachment without fit models is given up."""

REMNANT = 15
"""Ready percentage below which a detachment is a remnant."""

FRONT = 3
"""Hexes to an enemy within which a remnant still supports others."""

FAR_FROM_HELP = 12
"""MV to headquarters beyond which a remnant without wounded is given up."""

PREY = 100
"""Ready points up to which a detachment in reach of an enemy is given up, by a player who hides the weak."""

LONG_WORN = 4
"""Turns without fit models after which a detachment is given up: it neither recovers nor comes home."""


def orders(ground: Ground, purse: dict[Hex, int]) -> list[Order]:
    """Return the orders of the Build phase; what they cost is taken out of *purse*, the BP by hex."""
    swapped, inside = _relieve(ground, purse)
    bought = [*_repair(ground, purse), *_make_up(ground, purse, inside)]
    helped = {order.get("detachment", "") for order in (*swapped, *bought)}
    return [*swapped, *bought, *_merge(ground, helped), *_disband(ground, helped)]


# --- worn forces that nothing helps ---


def _disband(ground: Ground, helped: set[str]) -> list[Order]:
    """Give up detachments that nothing helps, and those by which an enemy would only win VP (6.2.3.5)."""
    headquarters = [
        at for at in ground.state.urban if ground.state.owner[at] == ground.me and has_headquarters(ground.state, at)
    ]
    ways = ground.steps_to(*headquarters)
    return [
        {"type": "disband_detachment", "detachment": detachment.id}
        for detachment in ground.mine()
        if detachment.id not in helped
        and (
            _is_lost(ground, detachment)
            or (ground.hiding and _is_prey(ground, detachment))
            or _is_far(ground, detachment, ways)
        )
    ]


def _is_lost(ground: Ground, detachment: Detachment) -> bool:
    """Say whether a detachment has no ready points, and neither time nor wounded enough to get some."""
    state = ground.state
    return not state.fit(detachment) and (
        state.beside_enemy(detachment.at, ground.me)
        or ground.hemmed.get(detachment.id, 0) >= HEMMED
        or state.turn - ground.worn.get(detachment.id, state.turn) >= LONG_WORN
        or _wounded_points(detachment) < detachment.points * LOST_CAUSE
    )


def _is_prey(ground: Ground, detachment: Detachment) -> bool:
    """Say whether a detachment out of the capital has next to no ready points, and a stronger enemy can attack it."""
    away = detachment.at != ground.state.capital(ground.me)
    return away and ground.points(detachment) <= PREY and ground.is_exposed(detachment, detachment.at)


def _is_far(ground: Ground, detachment: Detachment, ways: Mapping[Hex, int]) -> bool:
    """Say whether a detachment is a remnant without wounded, far from help and from enemies: near one it supports."""
    return (
        0 < ground.points(detachment) * 100 < detachment.points * REMNANT
        and not _wounded_points(detachment)
        and not ground.strength_near(detachment.at, FRONT)
        and ways.get(detachment.at, FAR) > FAR_FROM_HELP
    )


def _wounded_points(force: Detachment) -> int:
    """Return what the wounded and damaged of a force would be worth if they were fit."""
    return sum(
        unit.points * unit.wounded // unit.models + (unit.points // 2 if unit.damaged else 0) for unit in force.units
    )


# --- fresh units out of the garrison ---


def _relieve(ground: Ground, purse: dict[Hex, int]) -> tuple[list[Order], dict[Id, tuple[Unit, ...]]]:
    """Let worn units change places with fresh ones of the garrison, where the dead cost half (D-35c, D-37).

    Return the orders, and the units of each garrison as they will be. The detachment stays this turn, so no enemy may
    be near. The hex pays what the fresh ones saved when they joined the garrison (D-35d): as many go as it can pay.
    """
    state = ground.state
    context = OrderContext(state, ground.me)
    given: list[Order] = []
    inside: dict[Id, tuple[Unit, ...]] = {}
    for force in ground.mine():
        garrison = state.garrison_at.get(force.at)
        if garrison is None or not _at_headquarters(ground, force) or ground.strength_near(force.at, 2):
            continue
        if not {unit.kind for unit in force.units} <= {*allowed_kinds(state, force.at)}:
            continue
        if not_raised_here(context, force.at, "from_garrison") is not None:
            continue
        pairs = _pairs(force, garrison)
        while pairs and _share(context, pairs) > max(0, purse.get(force.at, 0)):
            pairs.pop()
        if len(pairs) < FEWEST_PAIRS:
            continue
        order = {
            "type": "restructure",
            "detachment": force.id,
            "to_garrison": [worn.id for worn, _ in pairs],
            "from_garrison": [fresh.id for _, fresh in pairs],
        }
        given.append(order)
        purse[force.at] = purse.get(force.at, 0) - _share(context, pairs)
        left = {fresh.id for _, fresh in pairs}
        inside[garrison.id] = (
            *(unit for unit in garrison.units if unit.id not in left),
            *(worn for worn, _ in pairs),
        )
    return given, inside


def _share(context: OrderContext, pairs: list[tuple[Unit, Unit]]) -> int:
    return field_share(context, (fresh for _, fresh in pairs))


def _pairs(force: Detachment, garrison: Force) -> list[tuple[Unit, Unit]]:
    """Return the worn units of a force, each with a fresh one of the garrison that may take its place."""
    pairs: list[tuple[Unit, Unit]] = []
    fresh = [unit for unit in garrison.units if unit.ready == unit.models]
    for worn in force.units:
        alike = (worn.slot, worn.points, worn.kind)
        other = next((unit for unit in fresh if (unit.slot, unit.points, unit.kind) == alike), None)
        foot = not worn.vehicle and worn.mobility == "infantry"
        if foot and other is not None and 2 * worn.ready < worn.models:
            pairs.append((worn, other))
            fresh.remove(other)
    return pairs


# --- remnants ---


def _merge(ground: Ground, helped: set[str]) -> list[Order]:
    """Make one unit of two remnants, where no new models are to be had: what fights counts less strength for the enemy.

    A detachment's strength counts whole units (6.2.3.5): two halves are worth more to the victor than one unit.
    """
    given: list[Order] = []
    for force in ground.mine():
        if force.id in helped or _at_headquarters(ground, force):
            continue
        left = [unit for unit in force.units if unit.ready and not unit.wounded and not unit.vehicle]
        left.sort(key=lambda unit: (unit.ready, unit.id))
        while left:
            source = left.pop(0)
            target = next((unit for unit in left if _fits_into(source, unit)), None)
            if target is not None:
                left.remove(target)
                given.append(
                    {"type": "transfer_models", "from_unit": source.id, "to_unit": target.id, "models": source.ready}
                )
    return given


def _fits_into(source: Unit, target: Unit) -> bool:
    """Say whether all ready models of a unit can replace dead ones in another of its kind (6.2.1.3.1)."""
    alike = (source.name, source.slot, source.mobility, source.flags) == (
        target.name,
        target.slot,
        target.mobility,
        target.flags,
    )
    worth = source.points * target.models >= target.points * source.models
    return alike and worth and source.ready <= _dead(target)


# --- what BP buy ---


def _repair(ground: Ground, purse: dict[Hex, int]) -> list[Order]:
    """Repair the dearest vehicles where their kind is built and the BP are there (D-36)."""
    state = ground.state
    given: list[Order] = []
    for force in ground.mine():
        if force.at not in state.urban or state.owner[force.at] != ground.me:
            continue
        kinds = allowed_kinds(state, force.at)
        for unit in sorted(force.units, key=lambda unit: (-unit.points, unit.id)):
            cost = -(-unit.points // state.ruleset.repair_divisor)
            if unit.damaged and unit.kind in kinds and purse.get(force.at, 0) >= cost:
                purse[force.at] -= cost
                given.append({"type": "repair", "detachment": force.id, "unit": unit.id})
    return given


def _make_up(ground: Ground, purse: dict[Hex, int], inside: Mapping[Id, tuple[Unit, ...]]) -> list[Order]:
    """Buy back dead models where there are the buildings and the BP: detachments first, garrisons after them.

    *inside* has the garrisons that change units before.
    """
    state = ground.state
    given: list[Order] = []
    for force in ground.mine():
        if _at_headquarters(ground, force):
            kinds = allowed_kinds(state, force.at)
            gone = {unit.id for units in inside.values() for unit in units}
            units = [unit for unit in force.units if unit.id not in gone]
            given += _models(ground, force.at, units, kinds, purse, {"detachment": force.id})
    for garrison in state.garrisons.values():
        if garrison.owner == ground.me:
            units = list(inside.get(garrison.id, garrison.units))
            given += _models(ground, garrison.at, units, None, purse, {"at": state.board.label(garrison.at)})
    return given


def _at_headquarters(ground: Ground, force: Detachment) -> bool:
    return force.at != ORBIT and ground.state.owner[force.at] == ground.me and has_headquarters(ground.state, force.at)


def _models(
    ground: Ground, at: Hex, units: list[Unit], kinds: tuple[str, ...] | None, purse: dict[Hex, int], named: Order
) -> list[Order]:
    given: list[Order] = []
    for unit in units:
        if unit.vehicle or (kinds is not None and unit.kind not in kinds):
            continue
        bp = purse.get(at, 0)
        halves = 1 if kinds is not None else ground.state.ruleset.garrison_divisor
        models = next((n for n in range(_dead(unit), 0, -1) if _price(unit, n, halves) <= bp), 0)
        if models:
            purse[at] = bp - _price(unit, models, halves)
            given.append({"type": "buy_models", **named, "unit": unit.id, "models": models})
    return given


def _dead(unit: Unit) -> int:
    return unit.models - unit.ready - unit.wounded


def _price(unit: Unit, models: int, halves: int) -> int:
    share = -(-unit.points * models // unit.models)
    return -(-share // halves)
