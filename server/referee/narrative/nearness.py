"""The act ``within``: how near a unit is to a Sentry, the Objective or a hiding place (N-09, 1.6, 2.5, 2.6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.core.errors import Problem
from server.referee.act import Act, Found
from server.referee.choices import Offer, integer, offer, one_of
from server.referee.geometry import Point
from server.referee.reading import ID, INCHES, UNIT, given
from server.referee.refusals import not_yours, refuse, unknown
from server.referee.rule import Rule
from server.referee.units import TABLE, Unit

if TYPE_CHECKING:
    from server.referee.game import Game

DISTANCES = "distances"
"""Mark of a unit: its reported distances since it last moved, by thing."""
FARTHEST = 36
"""Inches that are offered."""


class NearRule(Rule):
    """A rule that asks how near units are to something."""

    def things(self, game: Game) -> tuple[str, ...]:
        """Return the ids of what distances may be reported to."""
        raise NotImplementedError

    def unfit_report(self, game: Game, player: str, unit: Unit, thing: str) -> Problem | None:
        """Return why this player cannot report about this unit and this thing."""
        raise NotImplementedError

    def reported(self, game: Game, unit: Unit, thing: str, inches: int) -> None:
        """Follow a report. *inches* are thousandths."""


def _rule_for(game: Game, thing: str) -> NearRule | None:
    return next((rule for rule in game.rules if isinstance(rule, NearRule) and thing in rule.things(game)), None)


def distance(unit: Unit, thing: str, at: Point | None, limit: int) -> bool | None:
    """Say whether a unit is within *limit* of a thing: as reported since it last moved, else by their points.

    None where nobody has said and the points are not known.
    """
    told: int | None = unit.marks.get(DISTANCES, {}).get(thing)
    if told is not None:
        return told <= limit
    if unit.at is None or at is None:
        return None
    return (unit.at[0] - at[0]) ** 2 + (unit.at[1] - at[1]) ** 2 <= limit**2


def forget(unit: Unit) -> None:
    """Forget what was reported of a unit: it has moved."""
    unit.marks.pop(DISTANCES, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Within(Act):
    """Reports the distance of a unit from a Sentry, the Objective or a hiding place."""

    DO = "within"
    STAGES = ("battle",)
    ENDING = True
    HOLDS = False
    REPORT = True

    unit: str = given(UNIT)
    thing: str = given(ID)
    inches: int = given(INCHES)

    def check(self, game: Game) -> Found:
        """The thing must be there, the unit on the table, and the report this player's."""
        rule = _rule_for(game, self.thing)
        unit = game.units[self.unit]
        if rule is None:
            yield unknown("Sentry, objective or hiding place", "thing", self.thing)
        elif unit.state != TABLE:
            yield refuse("wrong_target", "This unit is not on the table itself.", "unit", self.unit, "N-08")
        elif problem := rule.unfit_report(game, self.by, unit, self.thing):
            yield problem

    def play(self, game: Game) -> None:
        """Note it, and let the rule follow."""
        unit = game.units[self.unit]
        unit.marks.setdefault(DISTANCES, {})[self.thing] = self.inches
        rule = _rule_for(game, self.thing)
        if rule:
            rule.reported(game, unit, self.thing, self.inches)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer each thing with the units that may be reported."""
        for rule in game.rules:
            if not isinstance(rule, NearRule):
                continue
            for thing in rule.things(game):
                units = [
                    unit.id
                    for unit in game.units.values()
                    if unit.state == TABLE and rule.unfit_report(game, player, unit, thing) is None
                ]
                if units:
                    yield offer(unit=one_of(units), thing=one_of([thing]), inches=integer(0, FARTHEST))


def own_units_only(player: str, unit: Unit) -> Problem | None:
    """Return why a player cannot report of this unit: each side reports for its own (N-09)."""
    return not_yours("Each side reports for its own units.", "N-09") if unit.side != player else None
