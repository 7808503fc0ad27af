"""The order ``follow`` (2.1.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.rules.board import ORBIT
from server.rules.movement import follow, mover, path_next_to
from server.rules.orders.base import Found, Option, option_for
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import Fields
from server.rules.orders.form import FormField
from server.rules.orders.movement.order import (
    MovementOrder,
    MovementPhase,
    walk_preview,
)
from server.rules.state import Detachment, Id


@dataclass(frozen=True, slots=True, kw_only=True)
class Follow(MovementOrder):
    """2.1.2: wait until all others have moved, then move next to another detachment (D-46)."""

    TYPE: ClassVar[str] = "follow"
    REPEATS: ClassVar[bool] = True
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("detachment", "detachment"),
        FormField("target", "seen_detachment"),
    )
    TEXT: ClassVar[tuple[str, ...]] = (
        "{detachment}: follow {target}",
        "follow {detachment} {target}",
    )
    target: Id

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read ``detachment`` and ``target``."""
        return cls(detachment=fields.own_detachment(), target=fields.id("target"))

    def check(self, context: OrderContext) -> Found:
        """The target is another detachment on the map, own, allied or seen."""
        yield from MovementOrder.check(self, context)
        target = context.find(self.target)
        if not isinstance(target, Detachment) or target.at == ORBIT or target.ready_in:
            message = "Only a detachment that you see on the map can be followed."
            yield Problem("not_allowed", message, "target", self.target, "D-46")
        elif target.id == self.detachment:
            yield Problem("not_allowed", "It cannot follow itself.", "target", self.target, "D-46")

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say how it would go if the target stayed where it is."""
        state, detachment = context.state, context.detachment(self.detachment)
        target = context.detachment(self.target)
        who = mover(state, detachment)
        near = state.board.distance(detachment.at, target.at) <= 1
        path = () if near else tuple(path_next_to(state, who, detachment.at, target.at))
        return walk_preview(context, detachment, who, path, who.mv, reserve=False)

    def move_last(self, march: MovementPhase) -> None:
        """Move towards where the target stands now."""
        detachment, target = march.detachment(self.detachment), march.detachment(self.target)
        if detachment is not None and target is not None and target.at != ORBIT:
            follow(march.scene, detachment, target)

    @classmethod
    def offered_to_free(cls, context: OrderContext, detachment: Detachment) -> Iterator[Option]:
        """Offer every detachment on the map that the player knows of."""
        targets = [other.id for other in context.state.detachment_at.values() if other is not detachment]
        if targets:
            yield option_for(cls.TYPE, detachment, target=sorted(targets))
