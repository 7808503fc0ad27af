"""What orders for urban hexes and strongholds have in common (1.4, 1.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from server.core.errors import Problem
from server.rules.board import Hex
from server.rules.orders.base import ImmediateOrder
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import Fields
from server.rules.orders.sites import (
    in_enemy_zoc,
    not_controlled,
    not_land,
)
from server.rules.ruleset import StrongholdType
from server.rules.state import BUILD


@dataclass(frozen=True, slots=True, kw_only=True)
class Work(ImmediateOrder):
    """What all works have in common: a hex."""

    PHASE: ClassVar[tuple[str, ...]] = (BUILD,)
    at: Hex

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read ``at``."""
        return cls(at=fields.hex("at"))

    def problem(self, context: OrderContext, code: str, message: str, rule: str) -> Problem:
        """Return a problem with the hex."""
        return Problem(code, message, "at", context.state.board.label(self.at), rule)

    def _controlled(self, context: OrderContext) -> Problem | None:
        return not_land(context, self.at) or not_controlled(context, self.at)

    def _zoc(self, context: OrderContext) -> Problem | None:
        return in_enemy_zoc(context, self.at)


# --- strongholds ---


def stronghold_cost(context: OrderContext, type_: StrongholdType) -> int:
    """1.4, D-71: some factions build strongholds at a part of the price, rounded up."""
    return -(-type_.cost * context.state.faction(context.player).stronghold_percent // 100)
