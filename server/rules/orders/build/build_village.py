"""The order ``build_village`` (1.5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.core.sentences import say
from server.rules.orders.base import Found, Option
from server.rules.orders.build.works import Work
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import Fields
from server.rules.orders.form import FormField
from server.rules.orders.sites import (
    bill,
    convoy_cannot_pay,
    first,
    pay,
)
from server.rules.ruleset import UrbanSize
from server.rules.scene import Scene
from server.rules.state import Convoy, Id, Urban


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildVillage(Work):
    """1.5: found a village, paid by a convoy in the hex (D-23)."""

    TYPE: ClassVar[str] = "build_village"
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("at", "place"),
        FormField("convoy", "convoy"),
    )
    TEXT: ClassVar[tuple[str, ...]] = ("build village at {at} with {convoy}",)
    convoy: Id

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read ``at`` and ``convoy``."""
        return cls(at=fields.hex("at"), convoy=fields.own_convoy())

    def check(self, context: OrderContext) -> Found:
        """Any controlled hex, except resource hexes and in enemy ZOC."""
        return first(context, self._controlled, self._taken, self._zoc, self._poor)

    def _taken(self, context: OrderContext) -> Problem | None:
        label = context.state.board.label(self.at)
        if self.at in context.state.urban:
            return self.problem(context, "already_built", say("{hex} is an urban hex already.", hex=label), "1.5")
        if self.at in context.state.resource:
            return self.problem(context, "occupied", say("{hex} is a resource hex.", hex=label), "1.5")
        return None

    def _poor(self, context: OrderContext) -> Problem | None:
        return convoy_cannot_pay(context, self.convoy, self.at, self._size(context).cost)

    def _size(self, context: OrderContext) -> UrbanSize:
        return context.state.ruleset.urban[0]

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say what it costs and what the convoy has left."""
        size = self._size(context)
        return bill(
            context, self.at, size.cost, self.convoy, income=size.income, why="1.5: paid by a convoy in the hex"
        )

    def carry_out(self, scene: Scene, context: OrderContext) -> None:
        """Pay and found it; it is remembered who did (D-71a)."""
        state, size = scene.state, self._size(context)
        pay(context, self.at, size.cost, self.convoy)
        race = state.players[context.player].faction
        state.urban[self.at] = Urban(size.id, race=race, changed=state.turn)
        scene.emit_public("urban_built", hex=scene.label(self.at), by=context.player, size=size.id)

    @classmethod
    def offered_to_convoy(cls, context: OrderContext, convoy: Convoy) -> Iterator[Option]:
        """Offer it where a convoy stands, which pays."""
        at = context.state.board.label(convoy.at)
        return cls(at=convoy.at, convoy=convoy.id).offer(context, at=at, convoy=convoy.id)
