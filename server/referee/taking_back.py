"""Taking back: by consent, the last acts one by one; dice stay as rolled, the record keeps everything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.referee.act import Act, Found
from server.referee.choices import Offer, offer
from server.referee.going_on import passed_without, sealed_by
from server.referee.mission import PLAYERS
from server.referee.refusals import refuse

if TYPE_CHECKING:
    from server.referee.game import Game

TAKE_BACK = "take_back"


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBack(Act):
    """Undo the last action, once the other player agrees; or withdraw your own objection.

    A player who was passed over undoes that alone (N-61). So does a player who has sealed something, while the
    other has not.
    """

    DO = TAKE_BACK
    ENDING = True
    HOLDS = False
    META = True

    @classmethod
    def wrong_now(cls, game: Game, by: str) -> str:
        """Be there always, also when the game is over."""
        return "" if by in PLAYERS else "not_yours"

    def check(self, game: Game) -> Found:
        """There must be something to undo."""
        if game.objection is not None and _objects(game, self.by):
            return
        if not game.acts:
            yield refuse("wrong_moment", "There is nothing to take back.")
        elif game.wanted(TAKE_BACK, self.by) == game.acts[-1][0]:
            yield refuse("wrong_moment", "You have said so; the other player has not.")

    def play(self, game: Game) -> None:
        """Give up the objection, or take the last act back when both want it."""
        if game.objection is not None and _objects(game, self.by):
            game.emit("objection_ended", player=self.by, act=game.objection)
            game.objection = None
            return
        number = game.acts[-1][0]
        alone = self.by in (passed_without(game), sealed_by(game))
        if game.objection == number or alone or game.agree(TAKE_BACK, self.by, number):
            game.undo, game.withdrawn = (number,), game.objection == number
        else:
            game.emit("wants_to_take_back", player=self.by, act=number)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer it if there is something to undo."""
        if cls.fits(game, player):
            yield offer()


def _objects(game: Game, player: str) -> bool:
    """Say whether the objection that stands is this player's: it is against an act of the other."""
    return any(number == game.objection and act.by != player for number, act in game.acts)
