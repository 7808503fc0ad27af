"""The order ``guard`` (4.1.6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from server.rules.orders.battle_movement.order import BattleOrder


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard(BattleOrder):
    """4.1.6: support the first friendly battle next door."""

    TYPE: ClassVar[str] = "guard"
