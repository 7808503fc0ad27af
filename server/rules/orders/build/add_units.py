"""The order ``add_units`` (1.2, D-35, D-37)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.core.sentences import called, say
from server.rules.board import NOWHERE, ORBIT, Hex
from server.rules.least_prices import cheapest_model, told_of_prices, too_few_points, wrong_units
from server.rules.orders.base import Found, ImmediateOrder, Option
from server.rules.orders.build.garrisons import garrison_cost, garrison_needs, garrison_problems, garrison_room
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import Fields
from server.rules.orders.form import FormField
from server.rules.orders.sites import (
    bill,
    cannot_pay,
    enemy_present,
    enlist,
    found,
    no_headquarters,
    no_stronghold,
    not_in_town,
    not_raised_here,
    pay,
    price_list,
)
from server.rules.scene import Scene
from server.rules.state import BUILD, Detachment, Force, Garrison, Id, Unit
from server.rules.structure import (
    allowed_kinds,
    character_problems,
    kind_problem,
    lost_characters,
    max_points,
    points_of,
    slot_problems,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AddUnits(ImmediateOrder):
    """1.2, D-35, D-37: new units for a standing detachment or garrison."""

    TYPE: ClassVar[str] = "add_units"
    REPEATS: ClassVar[bool] = True
    EXPLAINED: ClassVar[tuple[str, ...]] = ("needs", "after", "why")
    PHASE: ClassVar[tuple[str, ...]] = (BUILD,)
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("detachment", "detachment", needed=False),
        FormField("at", "place", needed=False),
        FormField("units", "new_units"),
    )
    TEXT: ClassVar[tuple[str, ...]] = (
        "add units to {detachment}: {units}",
        "add units at {at}: {units}",
        "add units to garrison at {at}: {units}",
        "add to {detachment}: {units}",
    )
    SENTENCES: ClassVar[tuple[tuple[str, str], ...]] = (("detachment", "add_units"), ("", "add_garrison"))
    detachment: Id = ""
    at: Hex = NOWHERE
    """The hex of the garrison, where no detachment is named."""
    units: tuple[Unit, ...]

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the order: for a detachment, or for the garrison of a hex."""
        if not fields.has("detachment") and fields.has("at"):
            fields.has("detachment")
            return cls(at=fields.hex("at"), units=fields.units())
        return cls(detachment=fields.own_detachment(), units=fields.units())

    def check(self, context: OrderContext) -> Found:
        """As for building, on the force as it will be."""
        yield from self._check_detachment(context) if self.detachment else self._check_garrison(context)

    def _check_garrison(self, context: OrderContext) -> Found:
        garrison = context.state.garrison_at.get(self.at)
        if garrison is not None and garrison.owner == context.player:
            enemy = enemy_present(context, self.at)
            yield from found(enemy) if enemy else garrison_problems(context, self.at, self.units, garrison.points)
            return
        label = context.state.board.label(self.at)
        none = Problem(
            "not_allowed", say("You have no garrison in {hex}; build one first.", hex=label), "at", label, "D-37"
        )
        yield no_stronghold(context, self.at, "D-37") or none

    def _check_detachment(self, context: OrderContext) -> Found:
        force = context.mine(self.detachment)
        if not isinstance(force, Detachment):
            yield Problem("unknown_id", "That detachment is no more.", "detachment", self.detachment, "D-07")
            return
        place = _wrong_place(context, force)
        if place is not None:
            yield place
            return
        state, units = context.state, (*force.units, *self.units)
        type_, before = state.ruleset.detachment_types[force.type], (force.units, force.mounted)
        yield from found(kind_problem(self.units, allowed_kinds(state, force.at)))
        yield from slot_problems(type_, units, minimum=False)
        yield from wrong_units(state, type_, units, mounted=force.mounted, before=before)
        yield from too_few_points(state, self.units)
        total = force.points + points_of(self.units)
        rank = state.ruleset.rank(force.dxp)[1]
        maximum = max_points(state, force.dxp)
        if total > maximum:
            message = say(
                "A detachment of the rank {rank} has at most {most} points, not {have}.",
                rank=called(rank),
                most=maximum,
                have=total,
            )
            yield Problem("too_many_points", message, "units", total, "6.2.3.7")
        yield from character_problems(state, context.player, self.units)
        yield from found(cannot_pay(context, force.at, points_of(self.units), "detachment", "1.2"))

    def _cost(self, context: OrderContext) -> int:
        added = points_of(self.units)
        if self.detachment:
            return added
        before = context.state.garrison_at[self.at].points
        return garrison_cost(context, before + added) - garrison_cost(context, before)

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say what they cost and who pays."""
        at = context.detachment(self.detachment).at if self.detachment else self.at
        why = "D-35: they join at once, and the detachment guards this turn"
        if not self.detachment:
            why = "D-37: half cost of the whole garrison, rounded up, less what is paid"
        prices = price_list(self.units)
        return bill(context, at, self._cost(context), prices=prices, turns=0, ready_turn=context.state.turn, why=why)

    def carry_out(self, scene: Scene, context: OrderContext) -> None:
        """Pay; they join at once. A detachment does nothing else this turn (D-35)."""
        cost = self._cost(context)
        force: Detachment | Garrison
        if self.detachment:
            force = context.detachment(self.detachment)
            force.pinned = True
        else:
            force = scene.state.garrison_at[self.at]
        pay(context, force.at, cost)
        force.units += enlist(context, self.units)
        told = {
            "force": force.id,
            "hex": scene.label(force.at),
            "units": [unit.name for unit in self.units],
            "bp": cost,
        }
        scene.emit("units_added", [context.player], **told)

    @classmethod
    def offered_in(cls, context: OrderContext, at: Hex) -> Iterator[Option]:
        """Offer it for the garrison of a stronghold, with the points that it may have more."""
        garrison = context.state.garrison_at.get(at)
        if at not in context.state.stronghold or garrison is None or garrison.owner != context.player:
            return
        if enemy_present(context, at) is not None:
            return
        maximum = garrison_room(context, at)
        if maximum > 0:
            order = {"type": cls.TYPE, "at": context.state.board.label(at)}
            yield {"order": order, "needs": garrison_needs(context, maximum)}

    @classmethod
    def offered_to_force(cls, context: OrderContext, force: Force) -> Iterator[Option]:
        """Offer it for a detachment where it may grow, with the room there is in each slot."""
        if not isinstance(force, Detachment) or force.at == ORBIT:
            return
        if _wrong_place(context, force) is not None:
            return
        state, kinds = context.state, allowed_kinds(context.state, force.at)
        maximum = min(max_points(state, force.dxp) - force.points, state.store.get(force.at, 0))
        if kinds and maximum >= cheapest_model(state, state.ruleset.least_points):
            slots = state.ruleset.detachment_types[force.type].slots
            have = [unit.slot for unit in force.units]
            room = {slot: max(0, span[1] - have.count(slot)) for slot, span in slots.items()}
            units = {"most_of_slot": room, "kinds": list(kinds), "most_points": maximum}
            needs = {"units": units | lost_characters(state, context.player) | told_of_prices(state)}
            yield {"order": {"type": cls.TYPE, "detachment": force.id}, "needs": needs}


def _wrong_place(context: OrderContext, force: Detachment) -> Problem | None:
    """D-35, D-35e: a detachment takes in units at headquarters, where its list may raise them."""
    return (
        not_in_town(context, force, force.id)
        or no_headquarters(context, force.at)
        or not_raised_here(context, force.at, "detachment")
    )
