"""What orders that help in battles next door have in common (4.1.6, 4.1.7)."""

from __future__ import annotations

from dataclasses import dataclass

from server.rules.battle_field import Field, battles_around, join_if_wanted
from server.rules.board import ORBIT
from server.rules.orders.battle_movement.order import BattleOrder
from server.rules.state import Battle, Detachment, State


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportingOrder(BattleOrder):
    """An order to stand by, and to join a battle in an adjacent hex when there is one."""

    def side(self, state: State, battle: Battle, supporter: Detachment) -> str:
        """Return the side it helps in a battle, ``attacker`` or ``defender``; empty for none."""
        raise NotImplementedError

    def play(self, field_: Field, detachment: Detachment) -> None:
        """Join the first battle there is already, or wait for one."""
        field_.standing_by[detachment.id] = self
        if detachment.at != ORBIT:
            for battle in battles_around(field_, detachment.at):
                join_if_wanted(field_, battle, detachment, self)
