"""The order ``recover`` (2.1.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from server.core.errors import Problem
from server.core.sentences import say
from server.rules.board import ORBIT
from server.rules.orders.base import Found, Option, option_for
from server.rules.orders.context import OrderContext
from server.rules.orders.form import FormField
from server.rules.orders.movement.order import (
    MovementOrder,
    MovementPhase,
)
from server.rules.recovery import recover
from server.rules.state import Detachment, PlayerId


@dataclass(frozen=True, slots=True, kw_only=True)
class Recover(MovementOrder):
    """2.1.3: stay, and look after the wounded and damaged."""

    TYPE: ClassVar[str] = "recover"
    REPEATS: ClassVar[bool] = True
    FIELDS: ClassVar[tuple[FormField, ...]] = (FormField("detachment", "detachment"),)
    TEXT: ClassVar[tuple[str, ...]] = (
        "{detachment}: recover",
        "recover {detachment}",
    )

    def check(self, context: OrderContext) -> Found:
        """Not in enemy ZOC, as far as the player can see."""
        yield from MovementOrder.check(self, context)
        detachment = context.detachment(self.detachment)
        if detachment.at != ORBIT and context.enemy_zoc(detachment.at):
            message = say("{detachment} is in an enemy zone of control.", detachment=detachment.name)
            yield Problem("in_enemy_zoc", message, "detachment", self.detachment, "2.1.3")

    def begin(self, march: MovementPhase) -> None:
        """Nobody recovers who begins the phase in enemy ZOC, seen or not (D-07)."""
        detachment = march.detachment(self.detachment)
        if detachment is not None and not march.scene.state.enemy_zoc(detachment.at, detachment.owner):
            march.undisturbed[detachment.id] = None

    def move(self, march: MovementPhase, player: PlayerId) -> None:
        """Look after the wounded and damaged, if nobody disturbs."""
        detachment = march.detachment(self.detachment)
        if detachment is None:
            return
        if detachment.id in march.undisturbed:
            recover(march.scene, detachment)
        else:
            march.scene.emit("recovery_disturbed", (player,), force=detachment.id, hex=march.scene.label(detachment.at))

    @classmethod
    def offered_to_free(cls, context: OrderContext, detachment: Detachment) -> Iterator[Option]:
        """Offer it outside enemy ZOC."""
        if not context.enemy_zoc(detachment.at):
            yield option_for(cls.TYPE, detachment)
