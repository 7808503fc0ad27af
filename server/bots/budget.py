"""The BP of a Build phase and their use."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from server.bots.ground import Ground
from server.bots.posture import Posture
from server.rules.board import Hex

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

    def has(self, at: Hex, cost: int) -> bool:
        """Say whether a store can pay."""
        return self.purse.get(at, 0) >= cost
