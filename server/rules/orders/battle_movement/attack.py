"""The order ``attack`` (4.1.1, 4.1.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from server.rules.orders.battle_movement.assault import Assault


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack(Assault):
    """4.1.1, 4.1.2: move into the target's hex and take it."""

    TYPE: ClassVar[str] = "attack"
    FROM_ORBIT: ClassVar[bool] = True
