"""Players without models: their turns are skipped; the survivor plays on or ends the battle (T-29)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from server.core.errors import Problem
from server.referee.reading import state
from server.referee.refusals import refuse
from server.referee.rule import ALONE, Rule
from server.referee.units import EMBARKED, RESERVE, TABLE

if TYPE_CHECKING:
    from server.referee.game import Game


@dataclass(slots=True, kw_only=True)
class WipedOut(Rule):
    """A player who has no models at the start of their turn is wiped out."""

    NAME = "wiped_out"

    players: dict[str, None] = state(dict)

    def skips_turn(self, game: Game, player: str) -> bool:
        """Look at the player's army as their turn would begin; both wiped out: the battle ends."""
        if player not in self.players and not game.units_of(player, TABLE, EMBARKED, RESERVE):
            self.players[player] = None
            game.emit("wiped_out", player=player)
        if len(self.players) == len(game.players):
            game.end_battle()
        return player in self.players

    def may_end(self, game: Game, player: str) -> Problem | str | None:
        """Let the survivor end the battle."""
        if not self.players:
            return refuse("not_allowed", "Nobody is wiped out: the battle goes on.", rule="T-29")
        if player in self.players:
            return refuse("not_yours", "Only the survivor may end the battle.", rule="T-29")
        return ALONE

    def track(self, game: Game, name: str, value: Any) -> bool:
        """Take who is wiped out."""
        if name == "wiped_out" and isinstance(value, list):
            self.players = dict.fromkeys(value)
        return name == "wiped_out"

    def tracked(self, game: Game) -> Mapping[str, Any]:
        """Say who is."""
        return {"wiped_out": [player for player in game.players if player in self.players]}

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Everyone knows it."""
        return self.tracked(game)
