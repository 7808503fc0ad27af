"""The order ``end_alliance`` (D-04)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from server.rules.orders.base import Option
from server.rules.orders.context import OrderContext
from server.rules.orders.diplomacy.alliance import AllianceOrder
from server.rules.orders.form import FormField
from server.rules.scene import Scene
from server.rules.state import Player, PlayerId


@dataclass(frozen=True, slots=True, kw_only=True)
class EndAlliance(AllianceOrder):
    """D-04: take a declaration back."""

    TYPE: ClassVar[str] = "end_alliance"
    FIELDS: ClassVar[tuple[FormField, ...]] = (FormField("with", "player"),)
    TEXT: ClassVar[tuple[str, ...]] = ("end alliance with {with}",)

    def _declared(self, context: OrderContext) -> tuple[PlayerId, ...]:
        return tuple(ally for ally in context.state.players[context.player].declared if ally != self.other)

    def carry_out(self, scene: Scene, context: OrderContext) -> None:
        """Note it; before the next Build phase nothing changes."""
        scene.state.players[context.player].declared = self._declared(context)
        scene.emit("alliance_ended", [context.player, self.other], by=context.player, other=self.other)

    @classmethod
    def offered_about(cls, context: OrderContext, other: Player) -> Iterator[Option]:
        """Offer it with those with whom it is declared."""
        if other.id in context.state.players[context.player].declared:
            yield from cls(other=other.id).offer(context, **{"with": other.id})
