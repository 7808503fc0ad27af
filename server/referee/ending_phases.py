"""``end_phase``: leave a phase of your turn, or skip the optional actions of a stage."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.core.errors import Problem
from server.core.sentences import say
from server.referee import clock as clocks
from server.referee.act import Act, Found
from server.referee.choices import Offer, offer
from server.referee.going_on import missing
from server.referee.mission import BATTLE
from server.referee.refusals import not_yours, refuse

if TYPE_CHECKING:
    from server.referee.game import Game


@dataclass(frozen=True, slots=True, kw_only=True)
class EndPhase(Act):
    """The side that has the turn leaves its phase; in a stage, or after the last turn, a player is done."""

    DO = "end_phase"
    ENDING = True
    HOLDS = False

    def check(self, game: Game) -> Found:
        """Wait for what the rules want first."""
        in_turn = game.stage == BATTLE and not game.clock.ending
        if in_turn and game.turn != self.by:
            yield not_yours()
        elif game.objection is not None:
            yield refuse("objection_open", "An objection stands.", rule="N-09")
        elif in_turn:
            yield from _missing(game)
        elif self.by in game.clock.passed:
            yield refuse("wrong_moment", "You are done here already.")
        else:
            hook, args = ("ending_wants", ()) if game.stage == BATTLE else ("stage_wants", (game.stage,))
            if self.by in game.ask_players(hook, *args):
                yield _still_to_choose(game, self.by)

    def play(self, game: Game) -> None:
        """Go on."""
        if game.stage == BATTLE and not game.clock.ending:
            clocks.end_phase(game)
        else:
            game.clock.passed[self.by] = None
            game.emit("passed", player=self.by, stage=game.stage)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer it where nothing is missing."""
        if cls.fits(game, player):
            yield offer()


def _still_to_choose(game: Game, player: str) -> Problem:
    names = [name for part in game.ask("still_to_place", player) for name in part]
    if names:
        message = say("These units are still to be set up: {units}.", units=", ".join(names))
        return refuse("choice_missing", message, "units", names, "N-17")
    return refuse("choice_missing", say("Something must still be chosen in {stage}.", stage=game.stage))


def _missing(game: Game) -> Iterator[Problem]:
    for problem in game.ask("phase_missing", game.phase):
        if problem is not None:
            yield problem
    if game.version > 1:
        awaited = missing(game, game.other(game.turn), "end_phase")
        if awaited is not None:
            yield awaited
