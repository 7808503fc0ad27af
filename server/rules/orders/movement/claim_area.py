"""The order ``claim_area`` (2.1.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from server.rules.claims import claim_area
from server.rules.orders.form import FormField
from server.rules.orders.movement.order import (
    MovementOrder,
    MovementPhase,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimArea(MovementOrder):
    """2.1.5: stay, and claim the hex and all around it."""

    TYPE: ClassVar[str] = "claim_area"
    REPEATS: ClassVar[bool] = True
    FIELDS: ClassVar[tuple[FormField, ...]] = (FormField("detachment", "detachment"),)
    TEXT: ClassVar[tuple[str, ...]] = (
        "{detachment}: claim area",
        "claim area {detachment}",
        "claim {detachment}",
        "{detachment}: claim",
    )

    def claim(self, march: MovementPhase) -> None:
        """Claim the hex and those around it, as enemy ZOC is then (D-48)."""
        detachment = march.detachment(self.detachment)
        if detachment is not None:
            claim_area(march.scene.state, march.claims, detachment)
