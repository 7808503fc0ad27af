"""The order ``defend`` (4.1.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from server.rules.orders.battle_movement.order import BattleOrder
from server.rules.orders.form import FormField


@dataclass(frozen=True, slots=True, kw_only=True)
class Defend(BattleOrder):
    """4.1.5: dig in."""

    TYPE: ClassVar[str] = "defend"
    IDLE: ClassVar[bool] = True
    FIELDS: ClassVar[tuple[FormField, ...]] = (FormField("detachment", "detachment"),)
    TEXT: ClassVar[tuple[str, ...]] = (
        "{detachment}: defend",
        "defend {detachment}",
    )
