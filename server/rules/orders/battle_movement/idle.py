"""The orders ``defend`` and ``inactive`` (4.1.5, 4.1.8)."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Inactive(BattleOrder):
    """4.1.8: do nothing."""

    TYPE: ClassVar[str] = "inactive"
    FROM_ORBIT: ClassVar[bool] = True
    WHEN_EXHAUSTED: ClassVar[bool] = True
    FIELDS: ClassVar[tuple[FormField, ...]] = (FormField("detachment", "detachment"),)
    TEXT: ClassVar[tuple[str, ...]] = (
        "{detachment}: inactive",
        "{detachment} does inactive",
        "inactive {detachment}",
    )
    DEFAULT: ClassVar[bool] = True
    IDLE: ClassVar[bool] = True
