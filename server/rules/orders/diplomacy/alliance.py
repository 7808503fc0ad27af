"""What orders about alliances have in common (D-04)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.core.fields import shown
from server.rules.orders.base import Found, ImmediateOrder
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import Fields
from server.rules.state import ORDER_PHASES, PlayerId


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
        """With somebody else, where the campaign has alliances at all."""
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
