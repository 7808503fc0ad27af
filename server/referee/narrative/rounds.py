"""What rounds bring: Dawn Raid in the first ones (1.2), Random Battle Length after the last ones (1.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from server.referee.game import Game
from server.referee.reading import Integer, TableOf, given, state
from server.referee.rule import Rule, rule_kind

SHOOTING = "shooting"


@rule_kind("dawn_raid")
class DawnRaid(Rule):
    """Both sides have -1 to hit rolls in the Shooting phases of the first rounds (N-23)."""

    rounds: int = given(Integer(0, 20), 0)
    """How many rounds; 0: none, unless a stratagem brings it."""
    more: int = state(int)
    """Rounds that stratagems added."""
    exempt: dict[str, None] = state(dict)
    """Units to which it does not apply in this phase."""
    told: int | None = state(lambda: None)
    """The last round, if a game that begins in the middle names it."""

    @property
    def until(self) -> int:
        """Return the last round in which it holds; 0: none."""
        return (self.rounds if self.told is None else self.told) + self.more

    def holds(self, game: Game) -> bool:
        """Say whether it holds in this round."""
        return 0 < game.round <= self.until

    def phase_entered(self, game: Game, phase: str) -> None:
        """Remind the players of it."""
        self.exempt.clear()
        if phase == SHOOTING and self.holds(game):
            game.emit("dawn_raid", round=game.round)

    def track(self, game: Game, name: str, value: Any) -> bool:
        """Take the last round."""
        if name != "dawn_raid_until" or type(value) is not int:
            return False
        self.told = value
        return True

    def tracked(self, game: Game) -> Mapping[str, Any]:
        """Return the last round."""
        return {"dawn_raid_until": self.until}

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Whether it holds, and the players it does not hold for."""
        return {self.NAME: {"until": self.until, "holds": self.holds(game), "exempt": list(self.exempt)}}


@rule_kind("random_battle_length")
class RandomBattleLength(Rule):
    """After the named rounds the game continues if the die is high enough; nothing changes these dice (N-28)."""

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
