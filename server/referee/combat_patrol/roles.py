"""The Attacker: the winner of a roll-off chooses (step 4). The first turn: a roll-off (step 7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from server.referee.act import Act, Found
from server.referee.beginning import said_attacker
from server.referee.choices import Offer, offer, one_of
from server.referee.mission import ATTACKER, ROLES
from server.referee.reading import STAGE, OneOf, given, state
from server.referee.refusals import not_yours
from server.referee.rule import Rule

if TYPE_CHECKING:
    from server.referee.game import Game


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseRole(Act):
    """The winner of the roll-off says which side they are."""

    DO = "choose_role"
    STAGES = ("roles",)
    HOLDS = False

    role: str = given(OneOf(ROLES))

    def check(self, game: Game) -> Found:
        """The loser does not choose."""
        if game.rule(RollOffRoles).winner != self.by:
            yield not_yours("The winner of the roll-off chooses.", "table 2, step 4")

    def play(self, game: Game) -> None:
        """Fix the roles."""
        game.attacker = self.by if self.role == ATTACKER else game.other(self.by)
        game.emit("roles", attacker=game.attacker)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer both roles to the winner."""
        if game.rule(RollOffRoles).winner == player:
            yield offer(role=one_of(ROLES))


@dataclass(slots=True, kw_only=True)
class RollOffRoles(Rule):
    """A roll-off; its winner is Attacker or Defender, as they choose."""

    NAME = "roll_off_roles"
    ACTS = (ChooseRole,)

    stage: str = given(STAGE, "roles")
    winner: str = state(str)

    def stage_entered(self, game: Game, stage: str) -> None:
        """Roll off; in a battle of the campaign its attacker is the Attacker (T-28)."""
        if stage != self.stage:
            return
        if game.beginning.battle is not None and not game.attacker:
            game.attacker = said_attacker(game.armies) or game.players[0]
            game.emit("roles", attacker=game.attacker)
        if not game.attacker:
            self.winner = game.roll_off("roles")
            game.emit("roll_off", what="roles", winner=self.winner)

    def stage_wants(self, game: Game, stage: str) -> tuple[str, ...]:
        """Wait for the winner's choice."""
        return (self.winner,) if stage == self.stage and not game.attacker else ()

    def track(self, game: Game, name: str, value: Any) -> bool:
        """Take who won the latest roll-off."""
        if name != "winner_of_roll" or value not in game.players:
            return False
        self.winner = value
        return True

    def tracked(self, game: Game) -> Mapping[str, Any]:
        """Name the winner of the latest roll-off."""
        return {"winner_of_roll": self.winner}

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Everyone knows it."""
        return self.tracked(game)


@dataclass(slots=True, kw_only=True)
class RollOffFirstTurn(Rule):
    """A roll-off; its winner has the first turn."""

    NAME = "roll_off_first_turn"

    stage: str = given(STAGE, "first_turn")

    def stage_entered(self, game: Game, stage: str) -> None:
        """Roll off."""
        if stage == self.stage:
            game.clock.first = game.roll_off("first-turn")
            roles = game.find(RollOffRoles)
            if roles is not None:
                roles.winner = game.clock.first
            game.emit("first_turn", player=game.clock.first)
