"""The order ``reserve`` (2.1.6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from server.rules.movement import Mover
from server.rules.orders.form import FormField
from server.rules.orders.movement.order import (
    MovementPhase,
    MoveOrder,
)
from server.rules.ruleset import Ruleset
from server.rules.state import PlayerId


@dataclass(frozen=True, slots=True, kw_only=True)
class Reserve(MoveOrder):
    """2.1.6: move fast behind the lines (D-47)."""

    TYPE: ClassVar[str] = "reserve"
    EXPLAINED: ClassVar[tuple[str, ...]] = ("mv", "reach", "after", "why")
    BEHIND_THE_LINES: ClassVar[bool] = True
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("detachment", "detachment"),
        FormField("path", "path"),
    )
    TEXT: ClassVar[tuple[str, ...]] = (
        "{detachment}: reserve {path}",
        "reserve {detachment} [to] {path}",
    )

    @classmethod
    def mv(cls, who: Mover, ruleset: Ruleset) -> int:
        """More than its MV."""
        return who.mv + ruleset.reserve_mv

    def move(self, march: MovementPhase, player: PlayerId) -> None:  # noqa: ARG002
        """Move, and do nothing more this turn."""
        detachment = march.detachment(self.detachment)
        if detachment is not None:
            self.walk(march, detachment)
            detachment.battle_order = "inactive"
