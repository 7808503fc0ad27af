"""The order ``raid`` (4.1.3, 4.1.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from server.rules.orders.battle_movement.assault import Assault
from server.rules.orders.form import FormField


@dataclass(frozen=True, slots=True, kw_only=True)
class Raid(Assault):
    """4.1.3, 4.1.4: strike and return."""

    TYPE: ClassVar[str] = "raid"
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("detachment", "detachment"),
        FormField("target", "enemy"),
        FormField("planned", "flag", needed=False, told="planned"),
        FormField("primary", "flag", needed=False, told="primary"),
    )
    TEXT: ClassVar[tuple[str, ...]] = (
        "{detachment}: raid {target} {flags}",
        "raid {detachment} {target} {flags}",
    )
