"""Garrisons: what they may be made of, what they cost, the order that raises one (1.3, D-37)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any, ClassVar

from server.core.errors import Problem
from server.core.sentences import say, small, word
from server.rules.board import Hex
from server.rules.orders.base import Found, ImmediateOrder, Option
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import FormField
from server.rules.orders.setup import CAPITAL, capital_first, restrictions, start_bp
from server.rules.orders.sites import (
    bill,
    cannot_pay,
    enlist,
    found,
    muster_problem,
    no_stronghold,
    pay,
    payer,
    price_list,
    stronghold_type,
)
from server.rules.ruleset import SLOTS
from server.rules.scene import Scene
from server.rules.state import BUILD, SETUP, Garrison, Unit
from server.rules.structure import (
    character_problems,
    cheapest_model,
    lost_characters,
    points_of,
    told_of_prices,
    too_few_points,
)


def garrison_cost(context: OrderContext, points: int) -> int:
    """1.3, D-37: garrisons cost half their points, rounded up."""
    return -(-points // context.state.ruleset.garrison_divisor)


def field_share(context: OrderContext, units: Iterable[Unit]) -> int:
    """D-35d: what units cost that leave a garrison for the field: the share that was saved of their living models."""
    if not context.state.readings.garrison_units_cost:
        return 0
    living = sum((Fraction(unit.points * (unit.ready + unit.wounded), unit.models) for unit in units), Fraction(0))
    divisor = context.state.ruleset.garrison_divisor
    return ceil(living * Fraction(divisor - 1, divisor))


def garrison_needs(context: OrderContext, maximum: int) -> dict[str, Any]:
    """Return an option's terms for new units of a garrison: foot units of any slot (D-37), up to a number of points."""
    units = {"most_points": maximum, "kinds": list(SLOTS), "mobilities": ["infantry"]}
    return {"units": units | lost_characters(context.state, context.player) | told_of_prices(context.state)}


def garrison_room(context: OrderContext, at: Hex) -> int:
    """Return how many more points a stronghold's garrison may have and be paid for; 0 where no model is so cheap."""
    type_, here = stronghold_type(context, at), context.state.garrison_at.get(at)
    if type_ is None:
        return 0
    before = 0 if here is None else here.points
    bp = context.state.store.get(payer(context, at), 0) + garrison_cost(context, before)
    room = min(type_.garrison, bp * context.state.ruleset.garrison_divisor) - before
    return room if room >= cheapest_model(context.state, ["infantry"]) else 0


def garrison_problems(
    context: OrderContext, at: Hex, units: tuple[Unit, ...], before: int, *, paid: bool = False
) -> Iterator[Problem]:
    """D-37: foot units only, limited points, at half cost of the total; *before* are the existing points.

    Units that are *paid* already exist: only their kind and points are checked.
    """
    for unit in units:
        if unit.vehicle or unit.mobility != "infantry":
            message = say(
                "{unit} is {mobility}: garrisons have neither vehicles nor mounted units.",
                unit=unit.name,
                mobility=word("mobility", unit.mobility),
            )
            yield Problem("not_allowed", message, "units", unit.name, "D-37")
    if not paid:
        yield from too_few_points(context.state, units)
    type_ = stronghold_type(context, at)
    total = before + points_of(units)
    if type_ is not None and total > type_.garrison:
        message = say(
            "A garrison in a {type} has at most {most} points, not {have}.",
            type=small(type_.name),
            most=type_.garrison,
            have=total,
        )
        yield Problem("too_many_points", message, "units", total, "1.3")
    if paid:
        return
    yield from character_problems(context.state, context.player, units)
    cost = garrison_cost(context, total) - garrison_cost(context, before)
    yield from found(cannot_pay(context, payer(context, at), cost, rule="1.3"))


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildGarrison(ImmediateOrder):
    """1.3: put a garrison into a stronghold; in Setup, muster one (D-33)."""

    TYPE: ClassVar[str] = "build_garrison"
    EXPLAINED: ClassVar[tuple[str, ...]] = ("needs", "after", "why")
    PHASE: ClassVar[tuple[str, ...]] = (SETUP, BUILD)
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("at", "place"),
        FormField("units", "new_units"),
    )
    TEXT: ClassVar[tuple[str, ...]] = (
        "raise garrison at {at} [as {as}]: {units}",
        "build garrison at {at} [as {as}]: {units}",
        "garrison at {at} [as {as}]: {units}",
    )
    at: Hex
    units: tuple[Unit, ...]

    def check(self, context: OrderContext) -> Found:
        """One garrison for each stronghold (D-37)."""
        place = self._place(context)
        if place is not None:
            yield place
            return
        yield from garrison_problems(context, self.at, self.units, 0)

    def _place(self, context: OrderContext) -> Problem | None:
        state, label = context.state, context.label(self.at)
        mustered = muster_problem(context, self.at) if state.phase == SETUP else None
        problem = mustered or no_stronghold(context, self.at, "1.3")
        if problem is not None:
            return problem
        if self.at in state.garrison_at:
            return Problem("already_built", say("{hex} already has a garrison.", hex=label), "at", label, "D-37")
        if state.enemy_at(self.at, context.player):
            return Problem("occupied", say("An enemy stands in {hex}.", hex=label), "at", label, "3.1")
        return None

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say what it costs and who pays."""
        points = points_of(self.units)
        why = f"1.3: half of {points} points, rounded up"
        cost = garrison_cost(context, points)
        return bill(
            context,
            payer(context, self.at),
            cost,
            prices=price_list(self.units),
            turns=0,
            ready_turn=context.state.turn,
            why=why,
        )

    def carry_out(self, scene: Scene, context: OrderContext) -> None:
        """Pay; the garrison stands at once, and exerts ZOC from the end of the phase on."""
        state = scene.state
        cost = garrison_cost(context, points_of(self.units))
        pay(context, payer(context, self.at), cost)
        id_ = state.new_id(context.player, self.alias)
        state.add_garrison(Garrison(id_, context.player, self.at, enlist(context, self.units)))
        context.fresh[id_] = None
        if self.alias:
            context.aliases[self.alias] = id_
        scene.emit("garrison_built", [context.player], force=id_, hex=scene.label(self.at), bp=cost)

    @classmethod
    def offered(cls, context: OrderContext) -> Iterator[Option]:
        """In Setup, while the capital is still to be placed: offer the garrison of its fortress (D-33)."""
        state = context.state
        if state.phase != SETUP or not state.settings.muster or state.capital(context.player) is not None:
            return
        own = [at for at, owner in enumerate(state.owner) if owner == context.player]
        places = [at for at in own if next(restrictions(context, CAPITAL, at), None) is None]
        fortress = next(
            stronghold for stronghold in state.ruleset.strongholds if stronghold.id == state.ruleset.capital_stronghold
        )
        maximum = min(fortress.garrison, start_bp(state, context.player) * state.ruleset.garrison_divisor)
        if places and maximum > 0:
            choices = {"at": [state.board.label(at) for at in places]}
            option = {"order": {"type": cls.TYPE}, "choices": choices, "needs": garrison_needs(context, maximum)}
            yield option | capital_first(context) | {"why": "D-33: the garrison of the capital's fortress"}

    @classmethod
    def offered_in(cls, context: OrderContext, at: Hex) -> Iterator[Option]:
        """Offer it in strongholds without a garrison, with the points it may have; in Setup as muster (D-33)."""
        state = context.state
        mustered = state.phase != SETUP or (state.settings.muster and state.capital(context.player) is not None)
        if not mustered or at not in state.stronghold or at in state.garrison_at or state.enemy_at(at, context.player):
            return
        maximum = garrison_room(context, at)
        if maximum > 0:
            order = {"type": cls.TYPE, "at": state.board.label(at)}
            yield {"order": order, "needs": garrison_needs(context, maximum)}
