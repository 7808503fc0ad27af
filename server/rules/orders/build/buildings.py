"""What orders for the buildings of urban hexes have in common (1.5.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from server.core.errors import Problem
from server.rules.board import Hex
from server.rules.orders.base import ImmediateOrder
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import Fields
from server.rules.ruleset import Building, Ruleset
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
