"""Decide the first turn of a narrative mission (section 2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from server.core.errors import Problem, RulesError
from server.referee.act import Act, Found
from server.referee.choices import Offer, offer, one_of
from server.referee.mission import PLAYERS
from server.referee.narrative.rolling import Roll, RollingRule
from server.referee.narrative.stratagems import can_use
from server.referee.reading import Integer, OneOf, given, state
from server.referee.refusals import not_yours, refuse

if TYPE_CHECKING:
    from server.referee.game import Game

STAGE = "first_turn"
ROLL = "first_turn"
"""What ``roll`` calls it, and the stratagems' moment."""
ATTACKER_GOES, DIE, ROLL_OFF = WAYS = ("attacker", "die", "roll_off")
MAX_TIES = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseFirst(Act):
    """The winner of the roll-off chooses who goes first (2.3)."""

    DO = "choose_first"
    STAGES = (STAGE,)

    player: str = given(OneOf(PLAYERS))

    def check(self, game: Game) -> Found:
        """Only the winner, after the roll."""
        rule = game.rule(FirstTurn)
        if not rule.winner or rule.chosen:
            yield refuse("wrong_moment", "There is nothing to choose now.", rule="2.3")
        elif rule.winner != self.by:
            yield not_yours("The winner of the roll-off chooses.", "2.3")

    def play(self, game: Game) -> None:
        """Note who goes first."""
        game.rule(FirstTurn).goes_first(game, self.player)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer both players."""
        rule = game.rule(FirstTurn)
        if rule.winner == player and not rule.chosen:
            yield offer(player=one_of(PLAYERS))


@dataclass(slots=True, kw_only=True)
class FirstTurn(RollingRule):
    """The Attacker, a die of the Attacker, or a roll-off whose winner chooses."""

    NAME = "first_turn"
    ACTS = (Roll, ChooseFirst)

    goes: str = given(OneOf(WAYS), ATTACKER_GOES)
    attacker_to: int = given(Integer(0, 6), 3)
    """The highest face with which the Attacker goes first."""

    dice: dict[str, int] = state(dict)
    """By player: number of dice, if more than one; the highest counts."""
    turned: str = state(str)
    """The player who goes first, whatever the mission says."""
    winner: str = state(str)
    chosen: str = state(str)

    def stage_entered(self, game: Game, stage: str) -> None:
        """Roll what nobody asks for."""
        if stage != STAGE:
            return
        if self.turned:
            self.goes_first(game, self.turned)
        elif self.goes == ATTACKER_GOES:
            self.goes_first(game, game.attacker)
        elif self.goes == DIE:
            face = game.roll("first-turn")
            self.goes_first(game, game.attacker if face <= self.attacker_to else game.defender)

    def goes_first(self, game: Game, player: str) -> None:
        """Let a player have the first turn of every round."""
        self.chosen = game.clock.first = player
        game.emit("first_turn", player=player)

    def stage_wants(self, game: Game, stage: str) -> tuple[str, ...]:
        """A player must call for the dice, and the winner must choose."""
        if stage != STAGE or self.chosen:
            return ()
        return (self.winner or game.attacker,)

    # --- the roll-off ---

    def takes(self, game: Game, what: str) -> bool:
        """The roll-off for the first turn."""
        return what == ROLL

    def refusal(self, game: Game, player: str, what: str) -> Problem | None:
        """Either player may ask, once the Defender has passed what may be bought before it."""
        if game.stage != STAGE:
            return refuse("wrong_stage", "This is for the stage first_turn.", "for", what, "2.3")
        if self.goes != ROLL_OFF or self.winner:
            return refuse("wrong_moment", "There is no roll-off now.", "for", what, "2.3")
        other = game.other(player)
        if other not in game.clock.passed and can_use(game, other, ROLL):
            code = "wrong_moment" if game.version == 1 else "choice_missing"
            return refuse(code, "The other player may still use a stratagem before it.", "for", what, "2.3")
        return None

    def make(self, game: Game, player: str, what: str) -> None:
        """Roll until someone is higher; more dice than one hold in ties, too (N-68)."""
        for _ in range(MAX_TIES):
            red, blue = (self._highest(game, roller) for roller in game.players)
            if red != blue:
                self.winner = game.players[0] if red > blue else game.players[1]
                game.emit("roll_off", winner=self.winner)
                return
        raise RulesError(f"first-turn: {MAX_TIES} ties in a row")

    def _highest(self, game: Game, player: str) -> int:
        return max(game.roll(f"first-turn/{player}") for _ in range(self.dice.get(player, 1)))

    def rollable(self, game: Game, player: str) -> Iterator[str]:
        """Yield the roll-off if it may be rolled now."""
        if game.stage == STAGE and self.refusal(game, player, ROLL) is None:
            yield ROLL

    def track(self, game: Game, name: str, value: Any) -> bool:
        """Take who won the roll-off, in a game that begins with the choice."""
        start = game.beginning.start
        begins_here = start is not None and start.stage == STAGE
        if name != "winner_of_roll" or value not in game.players or not begins_here:
            return False
        self.winner = value
        return True

    def tracked(self, game: Game) -> Mapping[str, Any]:
        """Return who won the roll-off."""
        return {"winner_of_roll": self.winner} if self.winner else {}
