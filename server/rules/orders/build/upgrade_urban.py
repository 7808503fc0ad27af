"""The order ``upgrade_urban`` (1.5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from server.core.errors import Problem
from server.core.sentences import say
from server.rules.board import Hex
from server.rules.orders.base import Found, Option
from server.rules.orders.build.works import Work
from server.rules.orders.context import OrderContext
from server.rules.orders.form import FormField
from server.rules.orders.sites import (
    bill,
    cannot_pay,
    first,
    not_urban,
    pay,
)
from server.rules.ruleset import UrbanSize
from server.rules.scene import Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class UpgradeUrban(Work):
    """1.5: make an urban hex one size larger."""

    TYPE: ClassVar[str] = "upgrade_urban"
    FIELDS: ClassVar[tuple[FormField, ...]] = (FormField("at", "place"),)
    TEXT: ClassVar[tuple[str, ...]] = ("upgrade urban at {at}",)

    def check(self, context: OrderContext) -> Found:
        """One step a turn, not in the turn it was built, not in enemy ZOC (D-24)."""
        return first(context, self._here, self._top, self._hasty, self._zoc, self._poor)

    def _here(self, context: OrderContext) -> Problem | None:
        return not_urban(context, self.at)

    def _top(self, context: OrderContext) -> Problem | None:
        if self._next(context) is not None:
            return None
        label = context.state.board.label(self.at)
        return self.problem(context, "already_built", say("{hex} has reached the largest size.", hex=label), "1.5")

    def _hasty(self, context: OrderContext) -> Problem | None:
        if context.state.urban[self.at].changed != context.state.turn:
            return None
        label = context.state.board.label(self.at)
        return self.problem(
            context, "limit_reached", say("{hex} was built or upgraded this turn already.", hex=label), "1.5"
        )

    def _poor(self, context: OrderContext) -> Problem | None:
        size = self._next(context)
        return None if size is None else cannot_pay(context, self.at, size.cost, rule="1.5")

    def _next(self, context: OrderContext) -> UrbanSize | None:
        sizes = context.state.ruleset.urban
        level = context.state.ruleset.urban_level(context.state.urban[self.at].size)
        return sizes[level] if level < len(sizes) else None

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say what it costs and what the hex will yield."""
        size = self._next(context)
        if size is None:
            return {}
        return bill(context, self.at, size.cost, size=size.id, income=size.income, why="1.5: paid by the urban hex")

    def carry_out(self, scene: Scene, context: OrderContext) -> None:
        """Pay; it grows at once."""
        size, urban = self._next(context), scene.state.urban[self.at]
        if size is None:
            return
        pay(context, self.at, size.cost)
        urban.size, urban.changed = size.id, scene.state.turn
        scene.emit_public("urban_upgraded", hex=scene.label(self.at), by=context.player, size=size.id)

    @classmethod
    def offered_in(cls, context: OrderContext, at: Hex) -> Iterator[Option]:
        """Offer it where it may be done."""
        if at in context.state.urban:
            yield from cls(at=at).offer(context, at=context.state.board.label(at))
