"""Orders while they are being written: what each would do, what is wrong, what may be added (1 to 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from server.core.errors import Problem
from server.rules.options import options_at
from server.rules.orders.base import Option, Order
from server.rules.orders.context import OrderContext
from server.rules.orders.sets import MAX_ORDERS, SetReader, closed
from server.rules.sight import View
from server.rules.state import Force, State

NAMING = ("detachment", "convoy", "unit", "from_unit", "to_unit")
"""Fields of options that name something by its id."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What can be said of a set of orders that is being written, as far as its player can know."""

    says: tuple[dict[str, Any], ...] = ()
    """What each order would do, after those before it; empty for those with a problem."""
    problems: tuple[Problem, ...] = ()
    options: tuple[Option, ...] = ()
    """The other orders that are possible (:mod:`server.rules.options`)."""
    stores: dict[str, int] = field(default_factory=dict)
    """BP that are left in each of the player's stores, by hex."""
    left: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Sizes that are left to be placed in Setup, by kind of hex."""


def draft(view: View, orders: Sequence[object]) -> Draft:
    """Return what can be said of *orders*, arbitrary JSON, one after the other; nothing is raised."""
    refusal = closed(view.state, view.viewer)
    if refusal is not None:
        return Draft(problems=(refusal,))
    reader = SetReader(OrderContext(view.state, view.viewer), view.state.phase)
    says: list[dict[str, Any]] = []
    for raw in orders[:MAX_ORDERS]:
        said: dict[str, Any] = {}

        def note(order: Order, into: dict[str, Any] = said) -> None:
            into.update(order.preview(reader.context))
            order.foresee(reader.context, into)

        reader.add(raw, note)
        says.append(said)
    context = reader.context
    me = context.state.players.get(context.player)
    left = {"urban": me.start_urban, "resource": me.start_resource} if me is not None else {}
    known = _known(view.state)
    options = tuple(option for option in options_at(context) if _stands(known, option))
    return Draft(tuple(says), tuple(reader.problems), options, _stores(context), left)


def stores_left(view: View, orders: Sequence[object]) -> dict[str, int]:
    """Return the BP that are left in each of the player's stores after *orders*, by hex; nothing is raised."""
    if closed(view.state, view.viewer) is not None:
        return {}
    reader = SetReader(OrderContext(view.state, view.viewer), view.state.phase)
    for raw in orders[:MAX_ORDERS]:
        reader.add(raw)
    return _stores(reader.context)


def _stores(context: OrderContext) -> dict[str, int]:
    state = context.state
    return {state.board.label(at): bp for at, bp in state.store.items() if state.owner[at] == context.player}


def _known(state: State) -> frozenset[str]:
    """Return the ids of all forces, convoys and units."""
    forces: list[Force] = [*state.detachments.values(), *state.garrisons.values()]
    units = (unit.id for force in forces for unit in force.units)
    return frozenset({*state.detachments, *state.garrisons, *state.convoys, *units})


def _stands(known: frozenset[str], option: Option) -> bool:
    """Say whether everything an option names is *known*: what the set creates gets its id only later.

    What asks for another order of the set first is offered once that is written.
    """
    if "after" in option:
        return False
    return all(option["order"][name] in known for name in NAMING if name in option["order"])


def preview(view: View, order: object, before: Sequence[object] = ()) -> tuple[dict[str, Any], list[Problem]]:
    """Return what *order* would do and what is wrong with it; the first is empty when anything is.

    *before* are the orders that stand ahead of it in the set: they may have spent the BP it needs.
    """
    refusal = closed(view.state, view.viewer)
    if refusal is not None:
        return {}, [refusal]
    reader = SetReader(OrderContext(view.state, view.viewer), view.state.phase)
    for change in before:
        reader.add(change, lambda order: order.foresee(reader.context, order.preview(reader.context)))
    reader.problems.clear()
    said: dict[str, Any] = {}
    reader.add(order, lambda accepted: said.update(accepted.preview(reader.context)))
    return said, [replace(problem, order=0) for problem in reader.problems]
