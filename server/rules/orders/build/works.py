"""What orders for urban hexes, strongholds and their buildings have in common (1.4, 1.5)."""

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
from server.rules.ruleset import Building, Ruleset, StrongholdType
from server.rules.state import BUILD


def versions(ruleset: Ruleset, building: Building) -> tuple[Building, ...]:
    """Return a building and all it was upgraded from, the latest first."""
    chain = [building]
    while chain[-1].upgrades:
        chain.append(ruleset.buildings[chain[-1].upgrades])
    return tuple(chain)


def refund(ruleset: Ruleset, building: Building) -> int:
    """Return half of the prices of a building and of its base, rounded down (D-20a)."""
    return sum(version.cost for version in versions(ruleset, building)) * ruleset.refund_percent // 100


def stands(ruleset: Ruleset, buildings: tuple[str, ...], id_: str) -> bool:
    """True when the building, or one it was upgraded to, is among *buildings*."""
    return any(id_ == version.id for there in buildings for version in versions(ruleset, ruleset.buildings[there]))


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildingOrder(ImmediateOrder):
    """What both have in common: an urban hex and a building."""

    PHASE: ClassVar[tuple[str, ...]] = (BUILD,)
    at: Hex
    building: str

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read ``at`` and ``building``."""
        known = fields.context.state.ruleset.buildings
        return cls(at=fields.hex("at"), building=fields.one_of("building", known, "building"))

    def data(self, context: OrderContext) -> Building:
        """Return the building's numbers."""
        return context.state.ruleset.buildings[self.building]

    def refused(self, code: str, message: str, rule: str = "1.5.1") -> Problem:
        """Return a problem with the building."""
        return Problem(code, message, "building", self.building, rule)


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
