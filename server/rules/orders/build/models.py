"""Models and vehicles of forces that stand: changed between units, bought, repaired (1.1, 1.2, 6.2.1.3.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.core.fields import shown
from server.core.sentences import say
from server.rules.board import NOWHERE, Hex
from server.rules.orders.base import Found, ImmediateOrder, Option
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import MAX_MODELS, Fields, FormField
from server.rules.orders.sites import (
    bill,
    cannot_pay,
    found,
    no_stronghold,
    not_at_headquarters,
    not_in_town,
    not_raised_here,
    pay,
)
from server.rules.scene import Scene
from server.rules.state import Detachment, Force, Garrison, Id, State, Unit
from server.rules.structure import allowed_kinds, kind_problem


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


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferModels(ImmediateOrder):
    """6.2.1.3.1, D-35b: ready models replace dead or wounded ones in a unit of their kind."""

    TYPE: ClassVar[str] = "transfer_models"
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("from_unit", "unit"),
        FormField("to_unit", "unit"),
        FormField("models", "number"),
    )
    TEXT: ClassVar[tuple[str, ...]] = ("transfer {models} models from {from_unit} to {to_unit}",)
    from_unit: Id
    to_unit: Id
    models: int

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read ``from_unit``, ``to_unit`` and ``models``."""
        models = fields.integer("models", 1, MAX_MODELS)
        return cls(from_unit=fields.text("from_unit"), to_unit=fields.text("to_unit"), models=models)

    def check(self, context: OrderContext) -> Found:
        """Both units are of one force and one kind, and the numbers fit."""
        force, source, target = self._find(context)
        if force is None or source is None:
            yield self._unknown(context.state, "from_unit", self.from_unit)
        elif target is None:
            elsewhere = any(find_unit(force, self._id(context, self.to_unit)) for force in own_forces(context))
            message = "Models change only between units of one detachment or garrison."
            apart = Problem("not_allowed", message, "to_unit", self.to_unit, "6.2.1.3.1")
            yield apart if elsewhere else self._unknown(context.state, "to_unit", self.to_unit)
        else:
            yield from _mismatch(source, target)
            yield from self._numbers(context.state, source, target)

    def _numbers(self, state: State, source: Unit, target: Unit) -> Found:
        room = room_for_models(state, target)
        if source.ready < self.models:
            message = say("{unit} has only {ready} models fit to fight.", unit=source.name, ready=source.ready)
            yield Problem("limit_reached", message, "models", self.models, "6.2.1.3.1")
        if room < self.models:
            message = say("{unit} has room for only {room} more models.", unit=target.name, room=room)
            yield Problem("limit_reached", message, "models", self.models, "6.2.1.3.1")

    def _exchanged(self, target: Unit) -> int:
        """D-35b: dead places are filled first; for each further model a wounded one goes back."""
        return max(0, self.models - dead_models(target))

    def _unknown(self, state: State, field: str, id_: Id) -> Problem:
        """An enemy's unit in sight is not the player's; any other is unknown to them (D-07)."""
        forces: list[Force] = [*state.detachments.values(), *state.garrisons.values()]
        if any(find_unit(force, id_) for force in forces):
            return Problem("not_yours", "That unit is not yours to command.", field, id_)
        return no_unit(field, id_)

    def _id(self, context: OrderContext, name: str) -> Id:
        return context.aliases.get(name, name)

    def _find(self, context: OrderContext) -> tuple[Force | None, Unit | None, Unit | None]:
        """Return the force that holds the first unit, and both units where they are in it."""
        for force in own_forces(context):
            source = find_unit(force, self._id(context, self.from_unit))
            if source is not None:
                return force, source, find_unit(force, self._id(context, self.to_unit))
        return None, None, None

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say how many models each unit has afterwards."""
        _, source, target = self._find(context)
        if source is None or target is None:
            return {}
        return {
            "cost": 0,
            "ready": {source.id: source.ready - self.models, target.id: target.ready + self.models},
            "wounded_back": self._exchanged(target),
            "why": "6.2.1.3.1: models of the same type change units",
        }

    def carry_out(self, scene: Scene, context: OrderContext) -> None:
        """Move the models, and wounded ones back for those beyond the dead places; an empty unit is removed."""
        force, source, target = self._find(context)
        if force is None or source is None or target is None:
            return
        back = self._exchanged(target)
        put_unit(force, replace(target, ready=target.ready + self.models, wounded=target.wounded - back))
        put_unit(force, replace(source, ready=source.ready - self.models, wounded=source.wounded + back))
        told = {"force": force.id, "from_unit": source.id, "to_unit": target.id, "models": self.models}
        scene.emit("models_transferred", [context.player], **told)

    @classmethod
    def offered_to_force(cls, context: OrderContext, force: Force) -> Iterator[Option]:
        """Offer as many models as fit, for each two units of one name."""
        short = [unit for unit in force.units if room_for_models(context.state, unit)]
        for target in short:
            for source in force.units:
                models = min(source.ready, room_for_models(context.state, target))
                if models and source is not target and source.name == target.name:
                    order = cls(from_unit=source.id, to_unit=target.id, models=models)
                    yield from order.offer(context, from_unit=source.id, to_unit=target.id, models=models)


def _mismatch(source: Unit, target: Unit) -> Found:
    """Yield why models of one unit cannot serve in the other."""
    why = ""
    if source.id == target.id:
        why = "A unit cannot give models to itself."
    elif source.vehicle or target.vehicle:
        why = "Vehicles cannot change units."
    elif (source.name, source.slot, source.mobility) != (target.name, target.slot, target.mobility):
        why = say("{source} and {target} are not of the same type of model.", source=source.name, target=target.name)
    elif source.flags != target.flags:
        why = say("The two units {unit} do not have the same equipment.", unit=source.name)
    elif source.points * target.models < target.points * source.models:
        why = say("The models of that unit {unit} are worth less than those of the other.", unit=source.name)
    if why:
        yield Problem("not_allowed", why, "to_unit", target.id, "6.2.1.3.1")


@dataclass(frozen=True, slots=True, kw_only=True)
class BuyModels(ImmediateOrder):
    """1.2, D-35a: new models take the places of a unit's dead ones."""

    TYPE: ClassVar[str] = "buy_models"
    REPEATS: ClassVar[bool] = True
    EXPLAINED: ClassVar[tuple[str, ...]] = ("cost", "costs", "dead")
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
        label = context.label(self.at)
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
        named = {"at": context.label(force.at)} if garrison else {"detachment": force.id}
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair(ImmediateOrder):
    """1.1, D-36: BP repair a damaged vehicle in an urban hex that could build it."""

    TYPE: ClassVar[str] = "repair"
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("detachment", "detachment"),
        FormField("unit", "unit"),
    )
    TEXT: ClassVar[tuple[str, ...]] = ("repair {unit} of {detachment}",)
    detachment: Id
    unit: Id

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
