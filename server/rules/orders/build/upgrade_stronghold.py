"""The order ``upgrade_stronghold`` (1.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from server.core.errors import Problem
from server.core.sentences import say
from server.rules.board import Hex
from server.rules.orders.base import Found, Option
from server.rules.orders.build.works import Work, stronghold_cost
from server.rules.orders.context import OrderContext
from server.rules.orders.form import FormField
from server.rules.orders.sites import (
    bill,
    cannot_pay,
    first,
    not_controlled,
    pay,
)
from server.rules.ruleset import StrongholdType
from server.rules.scene import Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class UpgradeStronghold(Work):
    """1.4: make a stronghold one type stronger. "Capital fortification" is a fortress in the capital (D-24)."""

    TYPE: ClassVar[str] = "upgrade_stronghold"
    FIELDS: ClassVar[tuple[FormField, ...]] = (FormField("at", "place"),)
    TEXT: ClassVar[tuple[str, ...]] = ("upgrade stronghold at {at}",)

    def check(self, context: OrderContext) -> Found:
        """One step a turn, not in the turn it was built, not in enemy ZOC (D-24)."""
        return first(context, self._here, self._top, self._hasty, self._zoc, self._poor)

    def _here(self, context: OrderContext) -> Problem | None:
        problem = not_controlled(context, self.at)
        if problem is not None or self.at in context.state.stronghold:
            return problem
        label = context.state.board.label(self.at)
        return self.problem(context, "needs_stronghold", say("There is no stronghold in {hex}.", hex=label), "1.4")

    def _top(self, context: OrderContext) -> Problem | None:
        if self._next(context) is not None:
            return None
        label = context.state.board.label(self.at)
        return self.problem(context, "already_built", say("{hex} has the strongest type already.", hex=label), "1.4")

    def _hasty(self, context: OrderContext) -> Problem | None:
        if context.state.stronghold[self.at].changed != context.state.turn:
            return None
        label = context.state.board.label(self.at)
        message = say("The stronghold in {hex} was built or upgraded this turn already.", hex=label)
        return self.problem(context, "limit_reached", message, "D-24")

    def _poor(self, context: OrderContext) -> Problem | None:
        type_ = self._next(context)
        return None if type_ is None else cannot_pay(context, self.at, stronghold_cost(context, type_), rule="1.4")

    def _next(self, context: OrderContext) -> StrongholdType | None:
        types = context.state.ruleset.strongholds
        level = context.state.ruleset.stronghold_level(context.state.stronghold[self.at].type)
        return types[level] if level < len(types) else None

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say what it costs."""
        type_ = self._next(context)
        if type_ is None:
            return {}
        return bill(context, self.at, stronghold_cost(context, type_), stronghold=type_.id, why="1.4")

    def carry_out(self, scene: Scene, context: OrderContext) -> None:
        """Pay; it is stronger at once."""
        type_, stronghold = self._next(context), scene.state.stronghold[self.at]
        if type_ is None:
            return
        pay(context, self.at, stronghold_cost(context, type_))
        stronghold.type, stronghold.changed = type_.id, scene.state.turn
        scene.emit_public("stronghold_upgraded", hex=scene.label(self.at), by=context.player, stronghold=type_.id)

    @classmethod
    def offered_in(cls, context: OrderContext, at: Hex) -> Iterator[Option]:
        """Offer it where it may be done."""
        if at in context.state.stronghold:
            yield from cls(at=at).offer(context, at=context.state.board.label(at))
