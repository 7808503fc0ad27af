"""The order ``guard`` (4.1.6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from server.rules.battle_field import side_by_owner
from server.rules.orders.battle_movement.supporting import SupportingOrder
from server.rules.orders.form import FormField
from server.rules.state import Battle, Detachment, State


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard(SupportingOrder):
    """4.1.6: support the first friendly battle next door."""

    TYPE: ClassVar[str] = "guard"
    STANDS: ClassVar[bool] = True
    FIELDS: ClassVar[tuple[FormField, ...]] = (FormField("detachment", "detachment"),)
    TEXT: ClassVar[tuple[str, ...]] = (
        "{detachment}: guard",
        "guard {detachment}",
    )

    def side(self, state: State, battle: Battle, supporter: Detachment) -> str:
        """Help its own side, and allies."""
        return side_by_owner(state, battle, supporter)
