"""What both players must want: confirming what the other said, ending the game early."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.core.errors import Problem
from server.referee.act import Act, Found
from server.referee.choices import Offer, offer
from server.referee.mission import BATTLE, GAME_MASTER, PLAYERS
from server.referee.refusals import refuse
from server.referee.rule import ALONE, Rule

if TYPE_CHECKING:
    from server.referee.game import Game

END_NOW = "end_now"


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm(Act):
    """Confirm what the rules ask this player to confirm; the game master decides in a player's place."""

    DO = "confirm"
    BY = (*PLAYERS, GAME_MASTER)
    ENDING = True

    instead_of: str = ""
    """The player whose word the game master's is; empty: whoever the rules wait for."""

    def check(self, game: Game) -> Found:
        """There must be something to confirm."""
        if not any(_waiting(game, self.by, self.instead_of)):
            yield refuse("wrong_moment", "There is nothing for you to confirm.")

    def play(self, game: Game) -> None:
        """Let the first rule that waits for it have it."""
        rule, player = next(_waiting(game, self.by, self.instead_of))
        game.emit("confirmed", player=self.by)
        rule.confirmed(game, player)

    @classmethod
    def holding(cls, game: Game, player: str) -> Iterator[Offer]:
        """Hold a stage only if the mission asks for the players' word."""
        if any(not rule.word_is_free(game) for rule, _ in _waiting(game, player)):
            yield offer()

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer it where something waits for it."""
        if any(_waiting(game, player)):
            yield offer()


def _waiting(game: Game, by: str, instead_of: str = "") -> Iterator[tuple[Rule, str]]:
    """Yield the rules that wait for a word of *by*, and for which player it counts."""
    for rule in game.rules:
        player = by if by != GAME_MASTER else instead_of or rule.waits_for(game)
        if player and rule.may_confirm(game, player):
            yield rule, player


@dataclass(frozen=True, slots=True, kw_only=True)
class EndNow(Act):
    """End the battle before its time, where the rules allow it or both want it."""

    DO = "end_now"
    STAGES = (BATTLE,)
    HOLDS = False

    def check(self, game: Game) -> Found:
        """Ask the mission's rules."""
        answer = game.refusal_of_end(self.by)
        if answer is None:
            yield refuse("not_allowed", "The battle cannot be ended now.", rule="T-29")
        elif isinstance(answer, Problem):
            yield answer
        elif answer != ALONE and game.wanted(END_NOW, self.by):
            yield refuse("wrong_moment", "You have said so; the other player has not.")

    def play(self, game: Game) -> None:
        """End it, or wait for the other player."""
        if game.refusal_of_end(self.by) == ALONE or game.agree(END_NOW, self.by, True):
            game.emit("ended_early", player=self.by)
            game.end_battle()
        else:
            game.emit("wants_to_end", player=self.by)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer it where the rules allow it."""
        if cls.fits(game, player):
            yield offer()
