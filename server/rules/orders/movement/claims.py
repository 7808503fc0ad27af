"""The orders ``move_and_claim`` (2.1.4) and ``claim_area`` (2.1.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from server.rules.board import Hex
from server.rules.claims import claim_area
from server.rules.movement import Mover, claiming_mv
from server.rules.orders.form import FormField
from server.rules.orders.movement.order import (
    MovementOrder,
    MovementPhase,
    MoveOrder,
)
from server.rules.ruleset import Ruleset
from server.rules.state import PlayerId


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveAndClaim(MoveOrder):
    """2.1.4: move at half MV and claim every hex on the way (D-48)."""

    TYPE: ClassVar[str] = "move_and_claim"
    EXPLAINED: ClassVar[tuple[str, ...]] = ("mv", "reach", "after", "why")
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("detachment", "detachment"),
        FormField("path", "path"),
    )
    TEXT: ClassVar[tuple[str, ...]] = (
        "{detachment}: move and claim {path}",
        "move and claim {detachment} [to] {path}",
        "{detachment}: claim {path}",
    )

    @classmethod
    def mv(cls, who: Mover, ruleset: Ruleset) -> int:
        """Half its MV, rounded up."""
        return claiming_mv(who.mv, ruleset)

    def move(self, march: MovementPhase, player: PlayerId) -> None:
        """Claim each hex entered (D-48); whether that counts shows when all have moved."""
        detachment = march.detachment(self.detachment)
        if detachment is None:
            return
        start = detachment.at
        if march.scene.state.readings.claims_after_moves:
            for hex_ in dict.fromkeys(self.walk(march, detachment).entered):
                march.claims.claim(hex_, detachment)
            return
        free_start = not march.scene.state.enemy_zoc(start, player)
        result = self.walk(march, detachment)
        claimed: list[Hex] = [start] if free_start else []
        claimed += [hex_ for hex_, zoc in zip(result.entered, result.in_zoc, strict=True) if not zoc]
        for hex_ in claimed:
            march.claims.claim(hex_, detachment)


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
