"""Supply lines: the marker in a player's own zone may bring a command point (1.5, T-24)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.referee.combat_patrol.chosen_markers import gain
from server.referee.reading import PHASE, Integer, given
from server.referee.rule import Rule

if TYPE_CHECKING:
    from server.referee.game import Game


@dataclass(slots=True, kw_only=True)
class SupplyLines(Rule):
    """At the start of a player's phase, with the marker in their own zone under control, one D6."""

    NAME = "supply_lines"

    phase: str = given(PHASE, "command")
    needs: int = given(Integer(2, 6), 4)
    cp: int = given(Integer(1, 10), 1)

    def phase_entered(self, game: Game, phase: str) -> None:
        """Roll."""
        own = game.role_of(game.turn)
        if phase != self.phase or not any(marker.zone == own for marker in game.held(game.turn)):
            return
        if game.roll(f"supply/{game.round}/{game.turn}") >= self.needs:
            gain(game, game.turn, self.cp, "supply lines")
