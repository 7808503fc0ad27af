"""The order ``repair`` (1.1, D-36)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.core.sentences import say
from server.rules.orders.base import Found, ImmediateOrder, Option
from server.rules.orders.build.refit import find_unit, no_unit, put_unit
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import Fields
from server.rules.orders.form import FormField
from server.rules.orders.sites import bill, cannot_pay, found, not_in_town, pay
from server.rules.scene import Scene
from server.rules.state import BUILD, Detachment, Force, Id, Unit
from server.rules.structure import allowed_kinds, kind_problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair(ImmediateOrder):
    """1.1, D-36: BP repair a damaged vehicle in an urban hex that could build it."""

    TYPE: ClassVar[str] = "repair"
    PHASE: ClassVar[tuple[str, ...]] = (BUILD,)
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("detachment", "detachment"),
        FormField("unit", "unit"),
    )
    TEXT: ClassVar[tuple[str, ...]] = ("repair {unit} of {detachment}",)
    detachment: Id
    unit: Id

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read ``detachment`` and ``unit``."""
        return cls(detachment=fields.own_detachment(), unit=fields.text("unit"))

    def check(self, context: OrderContext) -> Found:
        """A damaged vehicle, at a place that builds its kind and can pay."""
        force, unit = self._find(context)
        if force is None:
            yield Problem("unknown_id", "That detachment is no more.", "detachment", self.detachment, "D-07")
        elif unit is None:
            yield no_unit("unit", self.unit)
        elif (place := not_in_town(context, force, self.detachment)) is not None:
            yield place
        elif not unit.damaged:
            yield Problem("not_allowed", say("{unit} is not damaged.", unit=unit.name), "unit", self.unit, "D-36")
        else:
            yield from found(kind_problem((unit,), allowed_kinds(context.state, force.at)))
            yield from found(cannot_pay(context, force.at, self._cost(context, unit), "unit", "D-36"))

    def _find(self, context: OrderContext) -> tuple[Detachment | None, Unit | None]:
        force = context.mine(self.detachment)
        if not isinstance(force, Detachment):
            return None, None
        return force, find_unit(force, context.aliases.get(self.unit, self.unit))

    def _cost(self, context: OrderContext, unit: Unit) -> int:
        return -(-unit.points // context.state.ruleset.repair_divisor)

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say what it costs and who pays."""
        force, unit = self._find(context)
        if force is None or unit is None:
            return {}
        why = f"D-36: {unit.points} points, divided by {context.state.ruleset.repair_divisor}, rounded up"
        return bill(context, force.at, self._cost(context, unit), ready_turn=context.state.turn, why=why)

    def carry_out(self, scene: Scene, context: OrderContext) -> None:
        """Pay; the vehicle is whole at once."""
        force, unit = self._find(context)
        if force is None or unit is None:
            return
        cost = self._cost(context, unit)
        pay(context, force.at, cost)
        put_unit(force, replace(unit, damaged=False))
        scene.emit("repaired", [context.player], force=force.id, unit=unit.id, bp=cost)

    @classmethod
    def offered_to_force(cls, context: OrderContext, force: Force) -> Iterator[Option]:
        """Offer it for every damaged vehicle of a detachment."""
        for unit in force.units:
            if unit.damaged and isinstance(force, Detachment):
                yield from cls(detachment=force.id, unit=unit.id).offer(context, detachment=force.id, unit=unit.id)
