"""Stratagems of other books that a mission forbids: by sabotage (1.3), far from the Warlord (1.6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from server.core.errors import Problem
from server.core.sentences import say
from server.referee.combat_patrol.markers import warlord_on_table
from server.referee.game import Game
from server.referee.reading import ID, INCHES, given, inches, state
from server.referee.refusals import refuse
from server.referee.rule import Rule, rule_kind


def is_called(name: str, id_: str) -> bool:
    """Say whether a player's name for a stratagem means this one: "Command Re-roll" is ``command_reroll``."""
    one, other = (filter(str.isalnum, text.casefold()) for text in (name, id_))
    return "".join(one) == "".join(other)


@rule_kind("sabotage_comms")
class SabotageComms(Rule):
    """A player who holds the marker in the enemy's zone as their turn ends bars the enemy from a stratagem for good."""

    stratagem: str = given(ID)
    barred: dict[str, None] = state(dict)
    """Players who may not use it any more."""

    def turn_ending(self, game: Game) -> None:
        """Look at the marker in the enemy's zone."""
        enemy = game.other(game.turn)
        zone = game.role_of(enemy)
        if enemy not in self.barred and any(marker.zone == zone for marker in game.held(game.turn)):
            self.barred[enemy] = None
            game.emit("comms_sabotaged", player=enemy, stratagem=self.stratagem)

    def spend_refusal(self, game: Game, player: str, stratagem: str, near: int | None) -> Problem | None:
        """Refuse the stratagem to a side that is barred."""
        if not is_called(stratagem, self.stratagem) or player not in self.barred:
            return None
        return refuse("not_allowed", "Your comms are sabotaged.", "stratagem", stratagem, "1.3")

    def track(self, game: Game, name: str, value: Any) -> bool:
        """Take who is barred."""
        if name == self._name and isinstance(value, list):
            self.barred = dict.fromkeys(value)
        return name == self._name

    @property
    def _name(self) -> str:
        return f"no_{self.stratagem}"

    def tracked(self, game: Game) -> Mapping[str, Any]:
        """Name who is barred."""
        return {self._name: [player for player in game.players if player in self.barred]}

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Everyone knows it."""
        return self.tracked(game)


ASSUMED_NEAR = 2
"""The last version of the referee that took a target for near whose distance nobody told."""


@rule_kind("near_warlord")
class NearWarlord(Rule):
    """A stratagem needs a target near its own Warlord; without a Warlord it cannot be used."""

    stratagem: str = given(ID)
    within: int = given(INCHES, 6000)

    def spend_refusal(self, game: Game, player: str, stratagem: str, near: int | None) -> Problem | None:
        """Refuse it where the target is said to be too far."""
        if not is_called(stratagem, self.stratagem):
            return None
        if not warlord_on_table(game, player):
            return refuse("not_allowed", "Your Warlord is not on the table.", "stratagem", stratagem, "1.6")
        if (near is None and game.version > ASSUMED_NEAR) or (near is not None and near > self.within):
            message = say('The target must be within {inches}" of your Warlord.', inches=inches(self.within))
            return refuse("not_allowed", message, "near", None if near is None else inches(near), "N-93")
        return None
