"""Decide the winner of a narrative mission, and end one that is over at once (section 2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.core.errors import Problem
from server.referee.reading import Integer, given
from server.referee.refusals import refuse
from server.referee.rule import BOTH, Result, Rule
from server.referee.units import CONCEALED, EMBARKED, TABLE, Unit

if TYPE_CHECKING:
    from server.referee.game import Game

ON_BATTLEFIELD = (TABLE, CONCEALED)


def on_battlefield(game: Game, unit: Unit) -> bool:
    """Say whether a unit is on the battlefield; what is embarked is where its transport is (N-08)."""
    if unit.state == EMBARKED:
        transport = game.units.get(unit.inside)
        return transport is not None and transport.state in ON_BATTLEFIELD
    return unit.state in ON_BATTLEFIELD


@dataclass(slots=True, kw_only=True)
class LastStand(Rule):
    """The Defender wins with any model left; without one it is over at once (2.1, N-41)."""

    NAME = "last_stand"

    def _stands(self, game: Game) -> bool:
        return any(on_battlefield(game, unit) for unit in game.units_of(game.defender))

    def after_act(self, game: Game, act: object) -> None:
        """No model of the Defender is left: over at once."""
        if game.stage == "battle" and not game.clock.ending and not self._stands(game):
            game.end_battle()

    def result(self, game: Game) -> Result | None:
        """No draw."""
        return Result(game.defender if self._stands(game) else game.attacker, "major_victory")


@dataclass(slots=True, kw_only=True)
class EnemiesOffTheBattlefield(Rule):
    """At the end each side has VP for each enemy unit that is not on the battlefield (2.3, N-45)."""

    NAME = "enemies_off_the_battlefield"

    vp: int = given(Integer(1, 100), 1)

    def battle_ending(self, game: Game) -> None:
        """Count once."""
        for player in game.players:
            for unit in game.units_of(game.other(player)):
                if not unit.extra and not on_battlefield(game, unit):
                    game.score(player, self.vp, f"off the battlefield: {unit.id}")


@dataclass(slots=True, kw_only=True)
class MoreVictoryPoints(Rule):
    """More VP: major victory; equal: draw (2.3, 2.4)."""

    NAME = "more_victory_points"

    def result(self, game: Game) -> Result | None:
        """Compare."""
        red, blue = game.players
        if game.vp[red] == game.vp[blue]:
            return Result("", "draw")
        return Result(red if game.vp[red] > game.vp[blue] else blue, "major_victory")


@dataclass(slots=True, kw_only=True)
class EndByAgreement(Rule):
    """Both may end the battle; the referee offers it when it is decided (N-13)."""

    NAME = "end_by_agreement"

    def may_end(self, game: Game, player: str) -> Problem | str | None:
        """Both must want it."""
        if game.clock.ending:
            return refuse("wrong_moment", "The battle is over already.", rule="N-13")
        return BOTH
