"""The order ``build_camp`` (1.4, D-24)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.core.sentences import say
from server.rules.board import Hex
from server.rules.orders.base import Found, Option
from server.rules.orders.build.works import Work, stronghold_cost
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import Fields
from server.rules.orders.form import FormField
from server.rules.orders.sites import (
    bill,
    cannot_pay,
    convoy_cannot_pay,
    first,
    pay,
)
from server.rules.scene import Scene
from server.rules.state import Convoy, Id, Stronghold


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildCamp(Work):
    """1.4, D-24: build a new stronghold, paid by a convoy or, in an urban hex, by that (D-23)."""

    TYPE: ClassVar[str] = "build_camp"
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("at", "place"),
        FormField("convoy", "convoy", needed=False),
    )
    TEXT: ClassVar[tuple[str, ...]] = ("build camp at {at} [with {convoy}]",)
    convoy: Id = ""

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read ``at``, and ``convoy`` where one pays."""
        return cls(at=fields.hex("at"), convoy=fields.own_convoy() if fields.has("convoy") else "")

    def check(self, context: OrderContext) -> Found:
        """A controlled land hex without a stronghold, outside enemy ZOC."""
        return first(context, self._controlled, self._taken, self._zoc, self._poor)

    def _taken(self, context: OrderContext) -> Problem | None:
        if self.at not in context.state.stronghold:
            return None
        label = context.state.board.label(self.at)
        return self.problem(context, "already_built", say("{hex} has a stronghold already.", hex=label), "1.4")

    def _poor(self, context: OrderContext) -> Problem | None:
        cost = self._cost(context)
        if self.convoy:
            return convoy_cannot_pay(context, self.convoy, self.at, cost)
        if self.at in context.state.urban:
            return cannot_pay(context, self.at, cost, rule="1.4")
        message = "Outside urban hexes a convoy in the hex pays: name it in the field convoy."
        return Problem("missing_field", message, "convoy", None, "D-23")

    def _cost(self, context: OrderContext) -> int:
        return stronghold_cost(context, context.state.ruleset.strongholds[0])

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say what it costs and who pays."""
        return bill(context, self.at, self._cost(context), self.convoy, why="1.4, D-23")

    def carry_out(self, scene: Scene, context: OrderContext) -> None:
        """Pay; it stands at once."""
        type_ = scene.state.ruleset.strongholds[0].id
        pay(context, self.at, self._cost(context), self.convoy)
        scene.state.stronghold[self.at] = Stronghold(type_, changed=scene.state.turn)
        scene.emit_public("stronghold_built", hex=scene.label(self.at), by=context.player, stronghold=type_)

    @classmethod
    def offered_in(cls, context: OrderContext, at: Hex) -> Iterator[Option]:
        """Offer it in an urban hex, which pays."""
        if at in context.state.urban:
            yield from cls(at=at).offer(context, at=context.state.board.label(at))

    @classmethod
    def offered_to_convoy(cls, context: OrderContext, convoy: Convoy) -> Iterator[Option]:
        """Offer it where a convoy stands, which pays."""
        at = context.state.board.label(convoy.at)
        return cls(at=convoy.at, convoy=convoy.id).offer(context, at=at, convoy=convoy.id)
