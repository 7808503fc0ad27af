"""What all orders of the battle movement phase have in common (4.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from server.core.errors import Problem
from server.core.sentences import say
from server.rules.battle_field import Field
from server.rules.board import ORBIT, Hex
from server.rules.orders.base import DetachmentOrder, Found, Option, option_for
from server.rules.orders.context import OrderContext
from server.rules.state import BATTLE_MOVEMENT, Detachment, State


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleOrder(DetachmentOrder):
    """What all battle orders have in common: one detachment, which must be able to obey."""

    PHASE: ClassVar[tuple[str, ...]] = (BATTLE_MOVEMENT,)
    FROM_ORBIT: ClassVar[bool] = False
    """A detachment in orbit may be given it (D-56)."""
    STANDS: ClassVar[bool] = False
    """It lasts for a detachment that gets no new order."""
    WHEN_EXHAUSTED: ClassVar[bool] = False
    """A detachment that its movement made inactive may be given it (D-50a)."""

    def check(self, context: OrderContext) -> Found:
        """Under construction, exhausted or in orbit not every order can be obeyed."""
        detachment = context.detachment(self.detachment)
        if detachment.ready_in:
            yield self.under_construction(detachment)
        elif detachment.at == ORBIT and not self.FROM_ORBIT:
            message = say("{detachment} is in orbit: it can only attack or stay inactive.", detachment=detachment.name)
            yield Problem("orbit_only", message, "detachment", self.detachment, "D-56")
        elif detachment.battle_order == "inactive" and not self.WHEN_EXHAUSTED:
            message = say("{detachment} is inactive this turn after its movement.", detachment=detachment.name)
            yield Problem("forced_inactive", message, "detachment", self.detachment, "D-50a")

    def preview(self, context: OrderContext) -> dict[str, Any]:  # noqa: ARG002
        """Say nothing more than that it is understood."""
        return {}

    @classmethod
    def offered_to(cls, context: OrderContext, detachment: Detachment) -> Iterator[Option]:
        """Offer it to detachments that are able to obey it."""
        if detachment.battle_order == "inactive" and not cls.WHEN_EXHAUSTED:
            return
        if detachment.at != ORBIT or cls.FROM_ORBIT:
            yield from cls.offered_to_able(context, detachment)

    @classmethod
    def offered_to_able(cls, context: OrderContext, detachment: Detachment) -> Iterator[Option]:  # noqa: ARG003
        """Offer it to a detachment that is able to obey it."""
        yield option_for(cls.TYPE, detachment)

    @property
    def late(self) -> bool:
        """True when it is carried out after all others' orders (4.1.2, 4.1.4)."""
        return False

    @property
    def leads(self) -> bool:
        """True when its detachment is the primary of those that strike at one target (D-51)."""
        return False

    def strikes(self, state: State) -> Hex | None:  # noqa: ARG002
        """Return the hex it strikes at, None where it strikes at none."""
        return None

    def play(self, field_: Field, detachment: Detachment) -> None:
        """Carry it out when its turn has come."""

    def gives_way(self, field_: Field, defender: Detachment, attacker: Detachment) -> bool:  # noqa: ARG002
        """Answer an attack that comes when it has been carried out; return whether the defender has left its hex."""
        return False
