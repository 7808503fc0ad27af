"""The use of spare BP: garrisons fill up, forces grow, defences are built (1.2 to 1.5).

BP in a stockpile win nothing, and an enemy can loot them. So BP above the income of two turns are spent.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from server.bots.army import SECTION, SQUAD, VETERANS, Unit, price, units_for
from server.bots.budget import Budget
from server.bots.economy import LOAD, way_home
from server.rules.board import Hex
from server.rules.economy import income
from server.rules.orders.base import Order as Rule
from server.rules.orders.build.convoys import CreateConvoy
from server.rules.orders.build.detachments import AddUnits
from server.rules.orders.build.garrisons import BuildGarrison
from server.rules.orders.build.settlements import BuildBuilding, UpgradeUrban
from server.rules.orders.build.strongholds import BuildCamp, BuildDefence, UpgradeStronghold
from server.rules.orders.context import OrderContext
from server.rules.orders.sets import SetReader
from server.rules.state import BUILD, Detachment
from server.rules.structure import has_headquarters

Order = dict[str, Any]

TURNS = 2
"""Turns of income that may lie in the stores."""
NEAR = 2
"""Hexes within which an enemy lets a detachment at headquarters grow; it must stay there that turn."""
WORKS: tuple[type[Rule], ...] = (BuildBuilding, UpgradeUrban, BuildCamp, UpgradeStronghold, BuildDefence)
"""Construction when all forces are full, the most useful first."""


def allowance(made: Budget) -> int:
    """Return the BP that may stay unspent."""
    gains = income(made.ground.state).get(made.ground.me)
    return TURNS * max(0, 0 if gains is None else gains.total)


def spend(made: Budget) -> None:
    """Spend what is above the allowance, the richest store first. Orders that the rules refuse are left out."""
    reader = SetReader(OrderContext(made.ground.state, made.ground.me), BUILD)
    for order in made.orders:
        reader.add(order)
    maximum = allowance(made)
    for at in sorted(made.buildings, key=lambda at: (-made.purse.get(at, 0), made.ground.lot.rank(at))):
        for order in _wishes(made, reader, at):
            if sum(bp for bp in made.purse.values() if bp > 0) <= maximum:
                return
            _try(made, reader, at, order)
        _bring_home(made, reader, at)


def _bring_home(made: Budget, reader: SetReader, at: Hex) -> None:
    """Send what nothing in a place is worth buying for to the capital."""
    state, bp = made.ground.state, made.purse.get(at, 0)
    home = state.capital(made.ground.me)
    if home is None or state.owner[home] != made.ground.me:
        return
    if at == home or at in made.seats or has_headquarters(state, at):
        return
    if bp >= max(LOAD, state.ruleset.convoy_least) and way_home(made, at, home):
        _try(made, reader, at, {"type": CreateConvoy.TYPE, "at": state.board.label(at), "bp": bp})


def _try(made: Budget, reader: SetReader, at: Hex, order: Order) -> None:
    accepted = len(reader.accepted)
    reader.add(order)
    if len(reader.accepted) > accepted:
        made.orders.append(order)
        made.purse[at] = reader.context.state.store.get(at, 0)


def _wishes(made: Budget, reader: SetReader, at: Hex) -> Iterator[Order]:
    """Yield what might be bought in a place, each as the orders before it have left things."""
    context = reader.context
    yield from _manned(context, at)
    force = context.state.detachment_at.get(at)
    if force is not None and force.owner == made.ground.me and made.ground.strength_near(at, NEAR):
        yield from _grown(context, force)
    for work in WORKS:
        for option in list(work.offered_in(reader.context, at)):
            if not _idle(made, option["order"]):
                yield option["order"]
    yield from _manned(reader.context, at)


def _idle(made: Budget, order: Order) -> bool:
    """Say whether a building would only cost: it heals nobody, and computer players raise nobody by it."""
    if order["type"] != BuildBuilding.TYPE:
        return False
    building = made.ground.state.ruleset.buildings[order["building"]]
    return building.space_port or not ("elite" in building.allows or building.heals == "wounded")


def _grown(context: OrderContext, force: Detachment) -> Iterator[Order]:
    """Let a detachment at headquarters grow by what there is room for."""
    for option in AddUnits.offered_to_force(context, force):
        needs = option["needs"]["units"]
        units = [
            unit
            for unit in (SQUAD, VETERANS)
            if unit["slot"] in needs["kinds"]
            for _ in range(needs["most_of_slot"].get(unit["slot"], 0))
        ]
        chosen = _up_to(units, needs["most_points"])
        if chosen:
            yield {"type": AddUnits.TYPE, "detachment": force.id, "units": units_for(chosen)}


def _manned(context: OrderContext, at: Hex) -> Iterator[Order]:
    """Fill the garrison of a stronghold, or give it one."""
    for kind in (BuildGarrison, AddUnits):
        for option in list(kind.offered_in(context, at)):
            maximum = option["needs"]["units"]["most_points"]
            units = _up_to([SQUAD] * (maximum // price([SQUAD])) + [SECTION], maximum)
            if units:
                yield {"type": kind.TYPE, "at": context.state.board.label(at), "units": units_for(units)}


def _up_to(units: list[Unit], points: int) -> list[Unit]:
    chosen: list[Unit] = []
    for unit in units:
        if price([*chosen, unit]) <= points:
            chosen.append(unit)
    return chosen
