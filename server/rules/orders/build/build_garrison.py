"""The order ``build_garrison`` (1.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.core.sentences import say
from server.rules.board import Hex
from server.rules.orders.base import Found, ImmediateOrder, Option
from server.rules.orders.build.garrisons import garrison_cost, garrison_needs, garrison_problems, garrison_room
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import Fields
from server.rules.orders.form import FormField
from server.rules.orders.setup.placement import CAPITAL, capital_first, restrictions, start_bp
from server.rules.orders.sites import (
    bill,
    enlist,
    muster_problem,
    no_stronghold,
    pay,
    payer,
    price_list,
)
from server.rules.scene import Scene
from server.rules.state import BUILD, SETUP, Garrison, Unit
from server.rules.structure import points_of


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

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read ``at`` and ``units``."""
        return cls(at=fields.hex("at"), units=fields.units())

    def check(self, context: OrderContext) -> Found:
        """One garrison for each stronghold (D-37)."""
        place = self._place(context)
        if place is not None:
            yield place
            return
        yield from garrison_problems(context, self.at, self.units, 0)

    def _place(self, context: OrderContext) -> Problem | None:
        state, label = context.state, context.state.board.label(self.at)
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
