"""The act ``within``: how near a unit is to a Sentry, the Objective or a hiding place (N-09, 1.6, 2.5, 2.6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from server.core.errors import Problem
from server.referee.act import Act, Found
from server.referee.choices import TRUE, Offer, integer, offer, one_of
from server.referee.geometry import Point, squared
from server.referee.reading import BOOL, ID, INCHES, UNIT, given
from server.referee.refusals import not_yours, refuse, unknown
from server.referee.rule import Rule
from server.referee.units import TABLE, Unit

if TYPE_CHECKING:
    from server.referee.game import Game

DISTANCES, CLEAR = "distances", "clear"
"""Marks of a unit: its reported distances since it last moved, by thing; what it is said to be far from."""
FARTHEST = 36
"""Inches that are offered."""


class NearRule(Rule):
    """A rule that asks how near units are to something."""

    watches: ClassVar[bool] = False
    """It asks for all units at the end of a phase, so that ``clear`` answers (N-90)."""

    def things(self, game: Game) -> tuple[str, ...]:
        """Return the ids of what distances may be reported to."""
        raise NotImplementedError

    def watched(self, game: Game) -> list[Unit]:
        """Return the units that are looked out for."""
        return []

    def unknown(self, game: Game) -> list[tuple[Unit, str]]:
        """Return the pairs of unit and thing of which nobody has said how near they are."""
        return []

    def unfit_report(self, game: Game, player: str, unit: Unit, thing: str) -> Problem | None:
        """Return why this player cannot report about this unit and this thing."""
        raise NotImplementedError

    def reported(self, game: Game, unit: Unit, thing: str, inches: int) -> None:
        """Follow a report. *inches* are thousandths."""


def _rule_for(game: Game, thing: str) -> NearRule | None:
    return next((rule for rule in game.rules if isinstance(rule, NearRule) and thing in rule.things(game)), None)


def distance(game: Game, unit: Unit, thing: str, at: Point | None, limit: int) -> bool | None:
    """Say whether a unit is within *limit* of a thing: as reported since it last moved, or by their points (N-90).

    None where nobody has said and the points are not known. Where both are there, the smaller counts; before version 2
    what was reported.
    """
    told: int | None = unit.marks.get(DISTANCES, {}).get(thing)
    measured = None if unit.at is None or at is None else squared(unit.at, at) <= limit**2
    if told is None:
        return False if measured is None and thing in unit.marks.get(CLEAR, {}) else measured
    return told <= limit or (bool(measured) and game.version > 1)


def forget(unit: Unit) -> None:
    """Forget what was reported of a unit: it has moved."""
    unit.marks.pop(DISTANCES, None)
    unit.marks.pop(CLEAR, None)


def forget_thing(game: Game, thing: str) -> None:
    """Forget what was reported of all units and one thing: it has moved."""
    for unit in game.units.values():
        for mark in (DISTANCES, CLEAR):
            unit.marks.get(mark, {}).pop(thing, None)


def unknown_pairs(game: Game, units: list[Unit], things: Mapping[str, Point | None]) -> list[tuple[Unit, str]]:
    """Return the pairs of which nobody knows how near they are (N-90)."""
    return [
        (unit, thing) for unit in units for thing, at in things.items() if distance(game, unit, thing, at, 0) is None
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Clear(Act):
    """Reports that units are near no Sentry: one unit, one Sentry, or all whose points are not known (N-90)."""

    DO = "within"
    STAGES = ("battle",)
    HOLDS = False
    REPORT = True

    unit: str | None = given(UNIT, None)
    thing: str = given(ID, "")
    clear: bool = given(BOOL)

    @classmethod
    def meant(cls, content: Mapping[str, Any]) -> bool:
        """``clear`` says it."""
        return "clear" in content

    def check(self, game: Game) -> Found:
        """A unit that could be near, the thing there; without a unit it is for whose turn it is."""
        rules = [rule for rule in game.rules if isinstance(rule, NearRule) and rule.watches]
        things = [thing for rule in rules for thing in rule.things(game)]
        if game.version == 1 or not rules:
            yield refuse("wrong_moment", "Nobody looks out.", rule="N-90")
        elif not self.clear:
            yield refuse("bad_value", "Say how near it is.", "clear", self.clear, "N-90")
        elif self.thing and self.thing not in things:
            yield unknown("Sentry", "thing", self.thing)
        elif self.unit is None:
            if self.by != game.turn:
                yield not_yours("Without a unit it is for whose turn it is.", "N-90")
        elif game.units[self.unit].state != TABLE:
            yield refuse("wrong_target", "This unit is not on the table itself.", "unit", self.unit, "N-08")
        elif problem := rules[0].unfit_report(game, self.by, game.units[self.unit], self.thing):
            yield problem

    def play(self, game: Game) -> None:
        """Note it of every pair that it speaks of."""
        for rule in game.rules:
            if isinstance(rule, NearRule) and rule.watches:
                for unit in rule.watched(game) if self.unit is None else [game.units[self.unit]]:
                    for thing in [self.thing] if self.thing else rule.things(game):
                        unit.marks.setdefault(CLEAR, {})[thing] = True
        game.emit("clear", player=self.by, unit=self.unit or "", thing=self.thing)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer it while something is not known."""
        if game.version > 1 and game.turn == player:
            for rule in game.rules:
                if isinstance(rule, NearRule) and rule.watches and rule.unknown(game):
                    yield offer(clear=TRUE)


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
