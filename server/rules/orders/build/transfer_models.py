"""The order ``transfer_models`` (6.2.1.3.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.core.sentences import say
from server.rules.orders.base import Found, ImmediateOrder, Option
from server.rules.orders.build.refit import (
    dead_models,
    find_unit,
    no_unit,
    own_forces,
    put_unit,
    room_for_models,
)
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import MAX_MODELS, Fields
from server.rules.orders.form import FormField
from server.rules.scene import Scene
from server.rules.state import BUILD, Force, Id, State, Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferModels(ImmediateOrder):
    """6.2.1.3.1, D-35b: ready models replace dead or wounded ones in a unit of their kind."""

    TYPE: ClassVar[str] = "transfer_models"
    PHASE: ClassVar[tuple[str, ...]] = (BUILD,)
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
