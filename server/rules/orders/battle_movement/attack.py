"""The order ``attack`` (4.1.1, 4.1.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from server.rules.orders.battle_movement.assault import Assault
from server.rules.orders.form import FormField


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack(Assault):
    """4.1.1, 4.1.2: move into the target's hex and take it."""

    TYPE: ClassVar[str] = "attack"
    FROM_ORBIT: ClassVar[bool] = True
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("detachment", "detachment"),
        FormField("target", "enemy"),
        FormField("planned", "flag", needed=False, told="planned"),
        FormField("primary", "flag", needed=False, told="primary"),
    )
    TEXT: ClassVar[tuple[str, ...]] = (
        "{detachment}: attack {target} {flags}",
        "attack {detachment} {target} {flags}",
        "{detachment}: attack {target} an {flags}",
    )
