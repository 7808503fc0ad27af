"""Random Battle Length: after some rounds a die says whether another is played (1.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.referee.reading import Integer, TableOf, given
from server.referee.rule import Rule

if TYPE_CHECKING:
    from server.referee.game import Game


@dataclass(slots=True, kw_only=True)
class RandomBattleLength(Rule):
    """After the named rounds the game continues if the die is high enough; nothing changes these dice (N-28)."""

    NAME = "random_battle_length"

    goes_on: Mapping[str, int] = given(TableOf(Integer(1, 6)))
    """By round."""

    def battle_over(self, game: Game) -> bool:
        """Roll, where this round is named."""
        needs = self.goes_on.get(str(game.round))
        if needs is None or game.round >= game.mission.rounds:
            return False
        goes_on = game.roll(f"battle-length/{game.round}") >= needs
        game.emit("battle_length", round=game.round, goes_on=goes_on)
        return not goes_on
