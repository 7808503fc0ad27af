"""The BP of a Build phase and their use."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from server.bots.ground import Ground
from server.bots.posture import Posture
from server.rules.board import Hex
from server.rules.ruleset import Building
from server.rules.state import State

Order = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Goal:
    """The purpose of reserved BP."""

    at: Hex
    what: str
    """``host``, ``convoy``, ``growth`` or ``seat``."""
    cost: int
    waits: bool = False
    """The store has them; they are spent as soon as nobody stands in the way."""


@dataclass(slots=True)
class Budget:
    """The BP of the phase and their use."""

    ground: Ground
    posture: Posture
    thrift: bool = True
    """Invests in what pays itself back."""
    seats: tuple[Hex, ...] = ()
    """The seats beside the capital, or what becomes them."""
    purse: dict[Hex, int] = field(default_factory=dict)
    orders: list[Order] = field(default_factory=list)
    goals: list[Goal] = field(default_factory=list)
    raised: list[str] = field(default_factory=list)
    """Types of the detachments raised in this phase."""
    buildings: dict[Hex, tuple[str, ...]] = field(default_factory=dict)
    """Of own urban hexes, as they will be."""

    def pay(self, at: Hex, cost: int, order: Order) -> None:
        """Give an order at a price in BP."""
        self.purse[at] = self.purse.get(at, 0) - cost
        self.orders.append(order)

    def put_up(self, at: Hex, building: Building) -> None:
        """Order a building, in place of the one that it upgrades."""
        label = self.ground.state.board.label(at)
        self.pay(at, building.cost, {"type": "build_building", "at": label, "building": building.id})
        self.buildings[at] = (*(id_ for id_ in self.buildings[at] if id_ != building.upgrades), building.id)

    def has(self, at: Hex, cost: int) -> bool:
        """Say whether a store can pay."""
        return self.purse.get(at, 0) >= cost


def cheapest(state: State, kind: str) -> Building | None:
    """Return the building that allows a kind of unit with the least maintenance, no port and no upgrade."""
    fit = [
        building
        for building in state.ruleset.buildings.values()
        if kind in building.allows and not building.space_port and not building.upgrades
    ]
    return min(fit, key=lambda building: (building.maintenance, building.cost), default=None)
