"""The orders ``declare_alliance`` and ``end_alliance``, taken in every phase that takes orders (D-04)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.core.fields import shown
from server.rules.orders.base import Found, ImmediateOrder, Option
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import Fields, FormField
from server.rules.scene import Scene
from server.rules.state import ORDER_PHASES, Player, PlayerId


@dataclass(frozen=True, slots=True, kw_only=True)
class AllianceOrder(ImmediateOrder):
    """What both have in common: the other player. Nothing changes before the next Build phase (D-04)."""

    PHASE: ClassVar[tuple[str, ...]] = ORDER_PHASES
    other: PlayerId

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read ``with``, the other player."""
        return cls(other=fields.one_of("with", fields.context.state.players, "player"))

    def check(self, context: OrderContext) -> Found:
        """With someone else, where the campaign has alliances at all."""
        if not context.state.settings.alliances:
            yield Problem("not_allowed", "There are no alliances in this campaign.", "", None, "D-04")
        elif self.other == context.player:
            message = "You need no alliance with yourself."
            yield Problem("not_allowed", message, "with", shown(self.other), "D-04")

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say what will be in force, and from when."""
        declared = self._declared(context)
        mutual = self.other in declared and context.player in context.state.players[self.other].declared
        why = "D-04: an alliance needs both, and takes effect at the next Build phase"
        return {"cost": 0, "declared": list(declared), "mutual": mutual, "why": why}

    def _declared(self, context: OrderContext) -> tuple[PlayerId, ...]:
        """Return the player's declarations as they will be."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclareAlliance(AllianceOrder):
    """D-04: declare an alliance; it needs the other's declaration too."""

    TYPE: ClassVar[str] = "declare_alliance"
    FIELDS: ClassVar[tuple[FormField, ...]] = (FormField("with", "player"),)
    TEXT: ClassVar[tuple[str, ...]] = (
        "ally with {with}",
        "declare alliance with {with}",
        "ally {with}",
    )

    def _declared(self, context: OrderContext) -> tuple[PlayerId, ...]:
        now = context.state.players[context.player].declared
        return tuple(sorted(dict.fromkeys((*now, self.other))))

    def carry_out(self, scene: Scene, context: OrderContext) -> None:
        """Note it."""
        scene.state.players[context.player].declared = self._declared(context)
        scene.emit("alliance_declared", [context.player, self.other], by=context.player, other=self.other)

    @classmethod
    def offered_about(cls, context: OrderContext, other: Player) -> Iterator[Option]:
        """Offer it for every player without such a declaration."""
        if other.id not in context.state.players[context.player].declared:
            yield from cls(other=other.id).offer(context, **{"with": other.id})


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
        """Offer it for every player with such a declaration."""
        if other.id in context.state.players[context.player].declared:
            yield from cls(other=other.id).offer(context, **{"with": other.id})
