"""Objections to the other player's report (N-09): ``object``, and ``settle`` by the game master."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.core.sentences import say
from server.referee.act import Act, Found
from server.referee.agreement import Confirm
from server.referee.choices import Offer, offer, one_of
from server.referee.mission import GAME_MASTER
from server.referee.reading import Integer, OneOf, given
from server.referee.refusals import refuse

if TYPE_CHECKING:
    from server.referee.game import Game

VERDICTS = STANDS, WITHDRAWN = ("stands", "withdrawn")
"""What becomes of the report: it stands as it is, or it is as if it had not been given."""


def reports(game: Game, of: str) -> list[int]:
    """Return the numbers of the reports of a player since the last ``end_phase``, in order."""
    found: list[int] = []
    for number, act in reversed(game.acts):
        if act.DO == "end_phase":
            break
        if act.REPORT and game.version >= act.REPORT_FROM and act.by == of:
            found.append(number)
    return found[::-1]


def reports_waiting(game: Game) -> list[int]:
    """Return the numbers of each player's last report if the other player must still confirm it (T-07)."""
    last = {act.by: number for number, act in game.acts if act.CONFIRMED}
    return [number for by, number in last.items() if Confirm.fits(game, GAME_MASTER, instead_of=game.other(by))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Object(Act):
    """Object to a report of the other player; the phase then waits."""

    DO = "object"
    ENDING = True
    HOLDS = False
    META = True

    act: int | None = given(Integer(), None)
    """Its number in the record; left out: the last one."""

    def check(self, game: Game) -> Found:
        """There must be such a report, and no objection yet."""
        known = reports(game, game.other(self.by))
        if game.objection is not None:
            yield refuse("limit_reached", "An objection stands already.", rule="N-09")
        elif self.act is not None and self.act not in known:
            message = say("Act {act} is no report that you could object to now.", act=self.act)
            yield refuse("wrong_target", message, "act", self.act, "N-09")
        elif not known:
            yield refuse("wrong_moment", "There is no report to object to.", rule="N-09")

    def play(self, game: Game) -> None:
        """Let the phase wait."""
        game.objection = reports(game, game.other(self.by))[-1] if self.act is None else self.act
        game.emit("objection", player=self.by, act=game.objection)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer every report since the last ``end_phase``."""
        if game.objection is None and (known := reports(game, game.other(player))):
            yield offer(act=one_of(known).optional())


@dataclass(frozen=True, slots=True, kw_only=True)
class Settle(Act):
    """The game master ends an objection: the report stands, or is withdrawn."""

    DO = "settle"
    BY = (GAME_MASTER,)
    ENDING = True
    HOLDS = False
    META = True

    verdict: str = given(OneOf(VERDICTS), name="as")

    def check(self, game: Game) -> Found:
        """There must be an objection."""
        if game.objection is None:
            yield refuse("wrong_moment", "There is no objection.", rule="N-09")

    def play(self, game: Game) -> None:
        """End the objection; a report that stands needs no other word (T-07)."""
        number = game.objection
        game.objection = None
        game.emit("settled", act=number, verdict=self.verdict)
        if number is None:
            return
        if self.verdict == WITHDRAWN:
            game.undo, game.withdrawn = (number,), True
        elif number in reports_waiting(game):
            objector = game.other(dict(game.acts)[number].by)
            game.follow = Confirm(by=self.by, instead_of=objector)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer both verdicts while an objection stands."""
        if game.objection is not None:
            yield Offer({"as": one_of(VERDICTS)})
