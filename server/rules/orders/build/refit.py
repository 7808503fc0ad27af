"""Finding and changing the units of forces that stand (1.2, D-36)."""

from __future__ import annotations

from server.core.errors import Problem
from server.core.fields import shown
from server.core.sentences import say
from server.rules.orders.context import OrderContext
from server.rules.state import Force, Id, State, Unit


def own_forces(context: OrderContext) -> list[Force]:
    """Return the player's detachments and garrisons, by id."""
    state = context.state
    forces: list[Force] = [*state.detachments.values(), *state.garrisons.values()]
    return sorted((force for force in forces if force.owner == context.player), key=lambda force: force.id)


def find_unit(force: Force, id_: Id) -> Unit | None:
    """Return the unit of that id in a force."""
    return next((unit for unit in force.units if unit.id == id_), None)


def put_unit(force: Force, unit: Unit) -> None:
    """Put a changed unit into its place; one without any models left is removed (D-64)."""
    kept = (unit,) if unit.ready or unit.wounded else ()
    place = next(n for n, one in enumerate(force.units) if one.id == unit.id)
    force.units = (*force.units[:place], *kept, *force.units[place + 1 :])


def dead_models(unit: Unit) -> int:
    """Return how many models of a unit are dead."""
    return unit.models - unit.ready - unit.wounded


def room_for_models(state: State, unit: Unit) -> int:
    """Return how many fit models a unit may take from another: for its dead and its wounded ones (D-35b)."""
    return dead_models(unit) + (unit.wounded if state.readings.wounded_are_exchanged else 0)


def no_unit(name: str, value: Id) -> Problem:
    """Refuse a unit the player does not have."""
    return Problem("unknown_id", say("You have no unit {value}.", value=shown(value)), name, shown(value), "D-07")
