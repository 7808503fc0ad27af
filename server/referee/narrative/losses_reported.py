"""Reports of losses: what is left of a unit, what is destroyed (N-01, N-09)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.core.errors import Problem
from server.referee.act import Act, Found
from server.referee.choices import Offer, integer, offer, one_of
from server.referee.narrative.set_up_in_battle import OUT
from server.referee.reading import OWN_UNIT, Integer, given
from server.referee.refusals import refuse
from server.referee.units import DESTROYED, EMBARKED, MAX_MODELS, MAX_WOUNDS, TABLE, Unit

if TYPE_CHECKING:
    from server.referee.game import Game

AFTER_DEPLOYMENT = ("deployment", "both_deployed", "bombardment", "first_turn", "battle")
ROLLED_AWAY = "rolled_away"
"""Mark of a unit that dice of the referee have destroyed: its player may still report it, once (N-65)."""
HOMELESS = "homeless"
"""Mark of a unit that must be set up, and is destroyed if there is no room for it (2.6)."""


def not_in_play(unit: Unit) -> Problem | None:
    """Return why nothing can happen to a unit: it is neither on the table nor in a transport there."""
    if unit.state in (TABLE, EMBARKED):
        return None
    return refuse("wrong_target", "This unit is not on the table.", "unit", unit.id, "N-09")


def destroy(game: Game, unit: Unit) -> None:
    """Destroy a unit; its passengers are at its place until their player reports (N-08)."""
    at = unit.at
    game.emit("destroyed", unit=unit.id)
    game.put(unit, DESTROYED)
    for passenger in game.passengers(unit):
        if passenger.state == EMBARKED:
            passenger.inside = ""
            passenger.marks[OUT] = True
            game.put(passenger, TABLE, at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength(Act):
    """Reports what is left of a unit."""

    DO = "strength"
    STAGES = AFTER_DEPLOYMENT[2:]
    HOLDS = False
    REPORT = True

    unit: str = given(OWN_UNIT)
    models: int | None = given(Integer(0, MAX_MODELS), None)
    wounds: int | None = given(Integer(0, MAX_WOUNDS), None)

    def check(self, game: Game) -> Found:
        """No more than it began with."""
        unit = game.units[self.unit]
        if self.models is None and self.wounds is None:
            yield refuse("missing_field", "Say how many models, or wounds, are left.", "models", "")
            return
        if unit.marks.get(ROLLED_AWAY) and not self.models and not self.wounds:
            return
        if problem := not_in_play(unit):
            yield problem
        if self.models is not None and self.models > unit.models:
            yield refuse("bad_value", "That is more than the unit began with.", "models", self.models, "N-06")
        if self.wounds is not None and (unit.models > 1 or self.wounds > (unit.wounds or MAX_WOUNDS)):
            yield refuse("bad_value", "Wounds are those of a unit of one model.", "wounds", self.wounds, "N-06")

    def play(self, game: Game) -> None:
        """Note it; nothing left is destroyed."""
        unit = game.units[self.unit]
        if unit.marks.pop(ROLLED_AWAY, None):
            return
        if self.models is not None:
            unit.models_now = self.models
        if self.wounds is not None:
            unit.wounds_now = self.wounds
        game.emit("strength", unit=unit.id, models=unit.models_now, wounds=unit.wounds_now)
        if 0 in (self.models, self.wounds):
            destroy(game, unit)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer every unit in play."""
        for unit in game.units_of(player, TABLE, EMBARKED):
            if unit.models == 1 and unit.wounds:
                yield offer(unit=one_of([unit.id]), wounds=integer(0, unit.wounds))
            else:
                yield offer(unit=one_of([unit.id]), models=integer(0, unit.models))


@dataclass(frozen=True, slots=True, kw_only=True)
class Destroyed(Act):
    """Reports that a unit is destroyed."""

    DO = "destroyed"
    STAGES = AFTER_DEPLOYMENT
    HOLDS = False
    REPORT = True

    unit: str = given(OWN_UNIT)

    def check(self, game: Game) -> Found:
        """It must have been in play; the Spy may have found no place (2.6)."""
        unit = game.units[self.unit]
        if not unit.marks.get(ROLLED_AWAY) and not unit.marks.get(HOMELESS) and (problem := not_in_play(unit)):
            yield problem

    def play(self, game: Game) -> None:
        """Take it off."""
        unit = game.units[self.unit]
        if not unit.marks.pop(ROLLED_AWAY, None):
            destroy(game, unit)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer every unit in play."""
        units = [
            unit.id
            for unit in game.units_of(player)
            if unit.state in (TABLE, EMBARKED) or unit.marks.get(ROLLED_AWAY) or unit.marks.get(HOMELESS)
        ]
        if units:
            yield offer(unit=one_of(units))
