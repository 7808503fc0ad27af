"""The order ``disband_detachment`` (D-20a)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.rules.board import ORBIT
from server.rules.orders.base import Found, ImmediateOrder, Option
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import Fields
from server.rules.orders.form import FormField
from server.rules.orders.sites import enemy_present, found
from server.rules.scene import Scene
from server.rules.state import BUILD, Detachment, Force, Id


@dataclass(frozen=True, slots=True, kw_only=True)
class DisbandDetachment(ImmediateOrder):
    """D-20a: give up a detachment, ready or not; nothing is paid back."""

    TYPE: ClassVar[str] = "disband_detachment"
    PHASE: ClassVar[tuple[str, ...]] = (BUILD,)
    FIELDS: ClassVar[tuple[FormField, ...]] = (FormField("detachment", "detachment"),)
    TEXT: ClassVar[tuple[str, ...]] = (
        "disband {detachment}",
        "disband detachment {detachment}",
    )
    detachment: Id

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read ``detachment``, which must be the player's own."""
        return cls(detachment=fields.own_detachment())

    def check(self, context: OrderContext) -> Found:
        """It must still be there."""
        force = context.mine(self.detachment)
        if not isinstance(force, Detachment):
            yield Problem("unknown_id", "That detachment is no more.", "detachment", self.detachment, "D-07")
        elif force.at != ORBIT:
            yield from found(enemy_present(context, force.at, "detachment"))

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say that nothing is paid back."""
        force = context.detachment(self.detachment)
        return {"cost": 0, "refund": 0, "points": force.points, "why": "D-20a: disbanding brings no refund"}

    def carry_out(self, scene: Scene, context: OrderContext) -> None:
        """Remove it; its zone of control lasts until the end of the phase."""
        force = context.detachment(self.detachment)
        scene.state.remove_force(force)
        context.gone[force.id] = force
        scene.emit("disbanded", [context.player], force=force.id, name=force.name, hex=scene.label(force.at))

    @classmethod
    def offered_to_force(cls, context: OrderContext, force: Force) -> Iterator[Option]:
        """Offer it for every detachment."""
        if isinstance(force, Detachment) and next(iter(cls(detachment=force.id).check(context)), None) is None:
            yield {"order": {"type": cls.TYPE, "detachment": force.id}, "cost": 0}
