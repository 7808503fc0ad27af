"""Acts that several rules share: ``roll`` (N-11), ``within`` (N-09, 1.6, 2.5, 2.6), ``set_up`` in a battle (N-05).

Dice are rolled by an act where the player chooses when or whether. A player reports a distance to a Sentry, the
Objective or a hiding place. A unit is set up that arrives, returns, is found or disembarks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from server.core.errors import Problem
from server.referee.act import Act, Found, act_kind
from server.referee.choices import BOOLEAN, TRUE, Offer, integer, offer, one_of, point, some_of
from server.referee.game import Game
from server.referee.geometry import Point, squared
from server.referee.narrative.placing import ANYWHERE, Landing, LandingRule, areas, fits, own_movement
from server.referee.reading import AT, BOOL, ID, INCHES, OWN_UNIT, UNIT, ListOf, given
from server.referee.refusals import not_yours, refuse, unknown
from server.referee.rule import Rule
from server.referee.units import EMBARKED, TABLE, Unit

DISTANCES, CLEAR = "distances", "clear"
"""Marks of a unit: its reported distances since it last moved, by thing; what it is said to be far from."""
FARTHEST = 36
"""Inches that are offered."""
ARRIVED = "arrived"
"""Mark of a unit that came to the table in a phase: round, turn, phase (T-90)."""
FAR = 48
"""Inches; enough for any enemy."""
OUT = "out"
"""Mark of a unit whose transport was destroyed: its player may report where it stands (N-08)."""


class RollingRule(Rule):
    """A rule whose dice a player calls for."""

    def takes(self, game: Game, what: str) -> bool:
        """Say whether the die *what* belongs to this rule now, allowed or not."""
        raise NotImplementedError

    def refusal(self, game: Game, player: str, what: str) -> Problem | None:
        """Return why *player* cannot have it rolled now."""
        raise NotImplementedError

    def make(self, game: Game, player: str, what: str) -> None:
        """Roll it, and do what follows."""
        raise NotImplementedError

    def rollable(self, game: Game, player: str) -> Iterator[str]:
        """Yield what *player* could have rolled now."""
        raise NotImplementedError


def _roller_of(game: Game, what: str) -> RollingRule | None:
    return next((rule for rule in game.rules if isinstance(rule, RollingRule) and rule.takes(game, what)), None)


@act_kind("roll", stages=("first_turn", "battle"), ending=True)
class Roll(Act):
    """Rolls for one thing, or for several units one after the other."""

    for_: str = given(ID, "", name="for")
    units: tuple[str, ...] = given(ListOf(ID, max=100), ())

    def _wanted(self) -> tuple[str, ...]:
        return ((self.for_,) if self.for_ else ()) + self.units

    def check(self, game: Game) -> Found:
        """N-11, fine print on the end of a phase."""
        if not (wanted := self._wanted()):
            yield refuse("missing_field", "Say what to roll for.", "for", "")
        if len(dict.fromkeys(wanted)) < len(wanted):
            yield refuse("bad_value", "Each unit is rolled for once.", "units", list(wanted))
            return
        for what in wanted:
            if problem := self._refusal(game, what):
                yield problem

    def _refusal(self, game: Game, what: str) -> Problem | None:
        if rule := _roller_of(game, what):
            return rule.refusal(game, self.by, what)
        field = "for" if what == self.for_ else "units"
        if (unit := game.units.get(what)) is None:
            return unknown("unit", field, what)
        if unit.side != self.by:
            return not_yours("This is a unit of the other player.")
        return refuse("wrong_target", "There is nothing to roll for this unit.", field, what, "N-11")

    def play(self, game: Game) -> None:
        """Roll them in the order named."""
        for what in self._wanted():
            if rule := _roller_of(game, what):
                rule.make(game, self.by, what)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer each unit alone, and all units at once."""
        found = [what for rule in game.rules if isinstance(rule, RollingRule) for what in rule.rollable(game, player)]
        if found:
            yield Offer({"for": one_of(found)})
        units = [what for what in found if what in game.units]
        if len(units) > 1:
            yield offer(units=some_of(units, 1))


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


def _near_rule_of(game: Game, thing: str) -> NearRule | None:
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


@act_kind("within", stages=("battle",), holds=False, report=1)
class Clear(Act):
    """Reports that units are near no Sentry: one unit, one Sentry, or all whose points are not known (N-90)."""

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


@act_kind("within", stages=("battle",), ending=True, holds=False, report=1)
class Within(Act):
    """Reports the distance of a unit from a Sentry, the Objective or a hiding place."""

    unit: str = given(UNIT)
    thing: str = given(ID)
    inches: int = given(INCHES)

    def check(self, game: Game) -> Found:
        """The thing must be there, the unit on the table, and the report this player's."""
        rule = _near_rule_of(game, self.thing)
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
        if rule := _near_rule_of(game, self.thing):
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


def landing_of(game: Game, unit: Unit) -> tuple[Landing | Problem, LandingRule | None]:
    """Return where a unit may be set up now, or why nowhere, and the rule that says so."""
    for rule in game.rules:
        if isinstance(rule, LandingRule) and (answer := rule.landing(game, unit)) is not None:
            return answer, rule
    if unit.state == EMBARKED:
        transport = game.units.get(unit.inside)
        if transport is None or transport.on_table:
            return own_movement(game, unit.side) or ANYWHERE, None
        return refuse("wrong_moment", "Its transport is not on the table.", "unit", unit.id, "N-08"), None
    if unit.on_table and unit.marks.get(OUT):
        return ANYWHERE, None
    return refuse("wrong_moment", "This unit cannot be set up now.", "unit", unit.id, "N-09"), None


@act_kind("set_up", stages=("battle",), report=1)
class SetUp(Act):
    """Sets up a unit that comes to the table in the battle."""

    unit: str = given(OWN_UNIT)
    at: Point = given(AT)
    wholly: bool = given(BOOL, True)
    near: int | None = given(INCHES, None)

    def check(self, game: Game) -> Found:
        """N-29 and the mission's places."""
        unit = game.units[self.unit]
        landing, rule = landing_of(game, unit)
        if isinstance(landing, Problem):
            yield landing
            return
        yield from fits(game, landing, self.at, self.by, self.wholly, self.near)
        if rule and (problem := rule.unfit_place(game, unit, self.at)):
            yield problem

    def play(self, game: Game) -> None:
        """Put it there and tell the rule it came by."""
        unit = game.units[self.unit]
        _, rule = landing_of(game, unit)
        stand(game, unit, self.at)
        if rule:
            unit.marks[ARRIVED] = (game.round, game.turn, game.phase)
            rule.landed(game, unit)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer each unit that may be set up now, with its places."""
        for unit in game.units_of(player):
            landing, _ = landing_of(game, unit)
            if isinstance(landing, Landing):
                yield placing_offer(game, [unit.id], landing)


def placing_offer(game: Game, units: list[str], landing: Landing) -> Offer:
    """Return the offer to set up one of some units at a landing."""
    near = integer(landing.away // 1000 + 1, FAR) if landing.away else integer(0, FAR)
    return offer(
        unit=one_of(units),
        at=point(areas(game, landing)),
        wholly=(TRUE if landing.wholly else BOOLEAN).optional(),
        near=near.optional(),
    )


def stand(game: Game, unit: Unit, at: Point) -> None:
    """Put a unit on the table; stratagems may answer (3: *a unit has been set up*)."""
    unit.inside = ""
    unit.marks.pop(OUT, None)
    game.put(unit, TABLE, at)
    game.emit("set_up", unit=unit.id, at=list(at))
    game.open_moment("unit_set_up", units=(unit.id,))
