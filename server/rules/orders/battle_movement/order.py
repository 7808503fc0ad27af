"""What all orders of the battle movement phase have in common (4.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from server.core.errors import Problem
from server.core.sentences import say
from server.rules.board import ORBIT
from server.rules.orders.base import DetachmentOrder, Found
from server.rules.orders.desk import Desk
from server.rules.state import BATTLE_MOVEMENT


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleOrder(DetachmentOrder):
    """What all battle orders have in common: one detachment, which must be able to obey."""

    PHASE: ClassVar[tuple[str, ...]] = (BATTLE_MOVEMENT,)
    FROM_ORBIT: ClassVar[bool] = False
    """A detachment in orbit may be given it (D-56)."""
    WHEN_EXHAUSTED: ClassVar[bool] = False
    """A detachment that its movement made inactive may be given it (D-50a)."""

    def check(self, desk: Desk) -> Found:
        """Under construction, exhausted or in orbit not every order can be obeyed."""
        detachment = desk.detachment(self.detachment)
        if (problem := self.under_construction(desk)) is not None:
            yield problem
        elif detachment.at == ORBIT and not self.FROM_ORBIT:
            message = say("{detachment} is in orbit: it can only attack or stay inactive.", detachment=detachment.name)
            yield Problem("orbit_only", message, "detachment", self.detachment, "D-56")
        elif detachment.battle_order == "inactive" and not self.WHEN_EXHAUSTED:
            message = say("{detachment} is inactive this turn after its movement.", detachment=detachment.name)
            yield Problem("forced_inactive", message, "detachment", self.detachment, "D-50a")

    def preview(self, desk: Desk) -> dict[str, Any]:  # noqa: ARG002
        """Say nothing more than that it is understood."""
        return {}
