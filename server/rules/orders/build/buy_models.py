"""The order ``buy_models`` (1.2, D-35a)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.core.sentences import say
from server.rules.board import NOWHERE, Hex
from server.rules.orders.base import Found, ImmediateOrder, Option
from server.rules.orders.build.refit import dead_models, find_unit, no_unit, put_unit
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import MAX_MODELS, Fields
from server.rules.orders.form import FormField
from server.rules.orders.sites import (
    bill,
    cannot_pay,
    found,
    no_stronghold,
    not_at_headquarters,
    not_raised_here,
    pay,
)
from server.rules.scene import Scene
from server.rules.state import BUILD, Detachment, Force, Garrison, Id, Unit
from server.rules.structure import allowed_kinds, kind_problem


@dataclass(frozen=True, slots=True, kw_only=True)
class BuyModels(ImmediateOrder):
    """1.2, D-35a: new models take the places of a unit's dead ones."""

    TYPE: ClassVar[str] = "buy_models"
    REPEATS: ClassVar[bool] = True
    EXPLAINED: ClassVar[tuple[str, ...]] = ("cost", "costs", "dead")
    PHASE: ClassVar[tuple[str, ...]] = (BUILD,)
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("detachment", "detachment", needed=False),
        FormField("at", "place", needed=False),
        FormField("unit", "unit"),
        FormField("models", "number"),
    )
    TEXT: ClassVar[tuple[str, ...]] = (
        "buy {models} models for {unit} of {detachment}",
        "buy {models} models for {unit} at {at}",
    )
    SENTENCES: ClassVar[tuple[tuple[str, str], ...]] = (("detachment", "buy_models"), ("", "buy_models_garrison"))
    detachment: Id = ""
    at: Hex = NOWHERE
    """The hex of the garrison, where no detachment is named."""
    unit: Id
    models: int

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the order: for a unit of a detachment, or of the garrison of a hex."""
        garrison = not fields.has("detachment") and fields.has("at")
        at = fields.hex("at") if garrison else NOWHERE
        detachment = "" if garrison else fields.own_detachment()
        return cls(
            detachment=detachment, at=at, unit=fields.text("unit"), models=fields.integer("models", 1, MAX_MODELS)
        )

    def check(self, context: OrderContext) -> Found:
        """Dead models of a squad, at a place that adds units of its kind and can pay; ranks and slots are not asked."""
        force = self._force(context)
        if force is None:
            yield self._nobody(context)
            return
        place = _wrong_place(context, force, self.detachment)
        if place is not None:
            yield place
            return
        unit = find_unit(force, context.aliases.get(self.unit, self.unit))
        if unit is None:
            yield no_unit("unit", self.unit)
        elif unit.vehicle:
            message = say("{unit} is a vehicle: vehicles are repaired.", unit=unit.name)
            yield Problem("not_allowed", message, "unit", self.unit, "D-35a")
        else:
            yield from self._unit_problems(context, force, unit)

    def _unit_problems(self, context: OrderContext, force: Force, unit: Unit) -> Found:
        if isinstance(force, Detachment):
            yield from found(kind_problem((unit,), allowed_kinds(context.state, force.at)))
        dead = dead_models(unit)
        if self.models > dead:
            message = say("{unit} has lost only {dead} models.", unit=unit.name, dead=dead)
            yield Problem("limit_reached", message, "models", self.models, "D-35a")
        yield from found(
            cannot_pay(context, force.at, models_cost(context, force, unit, self.models), "models", "D-35a")
        )

    def _force(self, context: OrderContext) -> Force | None:
        if self.detachment:
            force = context.mine(self.detachment)
            return force if isinstance(force, Detachment) else None
        garrison = context.state.garrison_at.get(self.at)
        return garrison if garrison is not None and garrison.owner == context.player else None

    def _nobody(self, context: OrderContext) -> Problem:
        if self.detachment:
            return Problem("unknown_id", "That detachment is no more.", "detachment", self.detachment, "D-07")
        label = context.state.board.label(self.at)
        none = Problem("not_allowed", say("You have no garrison in {hex}.", hex=label), "at", label, "D-35a")
        return no_stronghold(context, self.at, "D-35a") or none

    def _found(self, context: OrderContext) -> tuple[Force, Unit] | None:
        force = self._force(context)
        unit = None if force is None else find_unit(force, context.aliases.get(self.unit, self.unit))
        return None if force is None or unit is None else (force, unit)

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say what they cost and who pays."""
        there = self._found(context)
        if there is None:
            return {}
        force, unit = there
        why = f"D-35a: {self.models} of {unit.models} models of {unit.points} points, rounded up"
        if isinstance(force, Garrison):
            why += "; half of that in a garrison, rounded up"
        cost = models_cost(context, force, unit, self.models)
        ready = unit.ready + self.models
        return bill(context, force.at, cost, turns=0, ready_turn=context.state.turn, ready={unit.id: ready}, why=why)

    def carry_out(self, scene: Scene, context: OrderContext) -> None:
        """Pay; the models are fit at once. A detachment does nothing but guard this turn (D-35)."""
        there = self._found(context)
        if there is None:
            return
        force, unit = there
        cost = models_cost(context, force, unit, self.models)
        pay(context, force.at, cost)
        put_unit(force, replace(unit, ready=unit.ready + self.models))
        if isinstance(force, Detachment):
            force.pinned = True
        told = {"force": force.id, "hex": scene.label(force.at), "unit": unit.id, "models": self.models, "bp": cost}
        scene.emit("models_bought", [context.player], **told)

    @classmethod
    def offered_to_force(cls, context: OrderContext, force: Force) -> Iterator[Option]:
        """Offer the dead models of each unit, as many as can be paid, with the price of each number."""
        garrison = isinstance(force, Garrison)
        named = {"at": context.state.board.label(force.at)} if garrison else {"detachment": force.id}
        for unit in force.units:
            one = cls(
                detachment="" if garrison else force.id, at=force.at if garrison else NOWHERE, unit=unit.id, models=1
            )
            if next(iter(one.check(context)), None) is not None:
                continue
            prices = [models_cost(context, force, unit, n) for n in range(1, dead_models(unit) + 1)]
            costs = [price for price in prices if price <= context.state.store.get(force.at, 0)]
            yield {
                "order": {"type": cls.TYPE, **named, "unit": unit.id},
                "choices": {"models": list(range(1, len(costs) + 1))},
                "costs": costs,
                "dead": len(prices),
            }


def _wrong_place(context: OrderContext, force: Force, name: str) -> Problem | None:
    """D-35, D-35e, D-37: a detachment stands where units may be added, a garrison in its owner's stronghold."""
    if isinstance(force, Garrison):
        return no_stronghold(context, force.at, "D-35a")
    return not_at_headquarters(context, force, name) or not_raised_here(context, force.at, "detachment")


def models_cost(context: OrderContext, force: Force, unit: Unit, models: int) -> int:
    """Return the BP for so many models of a unit: their share of its points, half in a garrison (D-35a, D-37)."""
    cost = -(-unit.points * models // unit.models)
    return -(-cost // context.state.ruleset.garrison_divisor) if isinstance(force, Garrison) else cost
