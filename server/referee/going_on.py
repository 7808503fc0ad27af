"""``go_on``: continue without the other side's answer; which player waits for the other (N-61)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.core.errors import Problem
from server.core.sentences import say
from server.referee.act import Act, Found
from server.referee.choices import Offer, offer
from server.referee.mission import BATTLE
from server.referee.refusals import refuse
from server.referee.rule import Awaited

if TYPE_CHECKING:
    from server.referee.game import Game

GO_ON = "go_on"
UNDONE_ALONE = 3
"""The first version of the referee in which a player who was passed over undoes that alone."""
REOPENED_ALONE = 4
"""The first version in which a player reopens alone what they sealed."""


def waits_for(game: Game, player: str) -> list[Awaited]:
    """Return the actions of *player* that the other side waits for and may pass; a stage's ``done`` is last."""
    if game.over or game.version == 1:
        return []
    found = [awaited for part in game.ask("awaited", player) for awaited in part]
    if _may_be_done(game, player):
        found.append(Awaited("end_phase", before="stage"))
    return found


def passed_without(game: Game) -> str:
    """Return the player that the last action passed over, if they may undo it alone; empty: nobody.

    If it rolled dice, the other player must agree: nobody chooses with the dice known.
    """
    if game.version < UNDONE_ALONE or not game.acts:
        return ""
    last = game.acts[-1][1]
    if not isinstance(last, GoOn) or game.rolled_in == len(game.acts):
        return ""
    return game.other(last.by)


def sealed_by(game: Game) -> str:
    """Return the player who sealed the last action and may reopen it alone; empty: nobody.

    They may while the other has not sealed theirs: until both are in, nobody has seen anything. The second seal opens
    both, so it never is one of these.
    """
    if game.version < REOPENED_ALONE or not game.acts:
        return ""
    last = game.acts[-1][1]
    waits = last.SEALED and game.stage in last.STAGES
    return last.by if waits and last.by not in game.ask_players("stage_wants", game.stage) else ""


def _may_be_done(game: Game, player: str) -> bool:
    """Say whether a stage, or the end of the battle, waits only for *player* to say that they are done."""
    clock = game.clock
    if (game.stage == BATTLE and not clock.ending) or player in clock.passed:
        return False
    if player in game.ask_players(*(("ending_wants",) if game.stage == BATTLE else ("stage_wants", game.stage))):
        return False
    if game.stage in game.mission.left_by_both:
        return game.other(player) in clock.passed
    return game.has_open(player)


def missing(game: Game, player: str, before: str, unit: str = "") -> Problem | None:
    """Return whether anything waits for *player* before ``end_phase`` or ``roll`` (about a unit)."""
    for part in game.ask("awaited", player):
        for awaited in part:
            if awaited.before == before and (not unit or not awaited.units or unit in awaited.units):
                return still_to_choose(player, awaited)
    return None


def still_to_choose(player: str, awaited: Awaited) -> Problem:
    """Return the refusal that names who is awaited, and what for."""
    message = say("{player} may still act: {what}.", player=player, what=awaited.name or awaited.what)
    return refuse("choice_missing", message, "awaited", player, "N-61")


@dataclass(frozen=True, slots=True, kw_only=True)
class GoOn(Act):
    """Passes for the other side what one waits for; the page offers it when they have had their time."""

    DO = GO_ON
    ENDING = True
    HOLDS = False

    def check(self, game: Game) -> Found:
        """There must be something that one waits for."""
        if not waits_for(game, game.other(self.by)):
            yield refuse("wrong_moment", "You wait for nothing that could be passed.", rule="N-61")

    def play(self, game: Game) -> None:
        """Pass it."""
        other = game.other(self.by)
        done = _may_be_done(game, other)
        game.emit("went_on", player=self.by, without=other)
        game.call("passed_for", other)
        if done:
            game.clock.passed[other] = None

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer it where one waits."""
        if cls.fits(game, player):
            yield offer()
