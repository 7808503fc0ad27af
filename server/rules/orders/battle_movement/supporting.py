"""What orders that help in battles next door have in common (4.1.6, 4.1.7)."""

from __future__ import annotations

from dataclasses import dataclass

from server.rules.battle_field import Field, battles_around, join_if_wanted
from server.rules.board import ORBIT
from server.rules.orders.battle_movement.order import BattleOrder
from server.rules.state import Battle, Detachment, State


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportingOrder(BattleOrder):
    """An order to stand by, and to join a battle in reach when there is one."""

    def reach(self, state: State, supporter: Detachment) -> int:  # noqa: ARG002
        """Return how many hexes away the battles are that it joins: those next door."""
        return 1

    def side(self, state: State, battle: Battle, supporter: Detachment) -> str:
        """Return the side it helps in a battle, ``attacker`` or ``defender``; empty for none."""
        raise NotImplementedError

    def play(self, field_: Field, detachment: Detachment) -> None:
        """Join the first battle there is already, or wait for one."""
        field_.standing_by[detachment.id] = self
        if detachment.at != ORBIT:
            for battle in battles_around(field_, detachment.at, self.reach(field_.state, detachment)):
                join_if_wanted(field_, battle, detachment, self)
