"""The winner of a narrative mission, and what ends it at once (section 2).

A last stand, enemies off the battlefield; the Escape Route (2.2, 2.7); breaking through the lines (2.4).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from server.core.errors import Problem
from server.referee.act import Act, Found, act_kind
from server.referee.choices import BOOLEAN, TRUE, Offer, offer, one_of
from server.referee.game import Game
from server.referee.narrative.reports import not_in_play
from server.referee.narrative.roles import level
from server.referee.narrative.sentries import left_out
from server.referee.reading import BOOL, EDGE, ID, OWN_UNIT, ZONE, Integer, TableOf, given, state
from server.referee.refusals import not_yours, refuse
from server.referee.rule import BOTH, Result, Rule, rule_kind
from server.referee.units import CONCEALED, DESTROYED, EMBARKED, ESCAPED, TABLE, Unit

ON_BATTLEFIELD = (TABLE, CONCEALED)
NOWHERE = "none"
"""In no line."""
SET_UP_IN = "set_up_in"
"""Mark of a unit: the line in which it was set up."""


@rule_kind("last_stand")
class LastStand(Rule):
    """The Defender wins with any model left; without one it is over at once (2.1, N-41)."""

    def _stands(self, game: Game) -> bool:
        return any(game.state_with_transport(unit) in ON_BATTLEFIELD for unit in game.units_of(game.defender))

    def after_act(self, game: Game, act: object) -> None:
        """No model of the Defender is left: over at once."""
        if game.stage == "battle" and not game.clock.ending and not self._stands(game):
            game.end_battle()

    def result(self, game: Game) -> Result | None:
        """No draw."""
        return Result(game.defender if self._stands(game) else game.attacker, "major_victory")


@rule_kind("enemies_off_the_battlefield")
class EnemiesOffTheBattlefield(Rule):
    """At the end each side has VP for each enemy unit that is not on the battlefield (2.3, N-45)."""

    vp: int = given(Integer(1, 100), 1)

    def battle_ending(self, game: Game) -> None:
        """Count once."""
        for player in game.players:
            for unit in game.units_of(game.other(player)):
                if not unit.extra and game.state_with_transport(unit) not in ON_BATTLEFIELD:
                    game.score(player, self.vp, f"off the battlefield: {unit.id}")


@rule_kind("more_victory_points")
class MoreVictoryPoints(Rule):
    """More VP: major victory; equal: draw (2.3, 2.4)."""

    def result(self, game: Game) -> Result | None:
        """Compare."""
        return game.result_by_points("major_victory")


@rule_kind("end_by_agreement")
class EndByAgreement(Rule):
    """Both may end the battle; the referee offers it when it is decided (N-13)."""

    def may_end(self, game: Game, player: str) -> Problem | str | None:
        """Both must want it."""
        if game.clock.ending:
            return refuse("wrong_moment", "The battle is over already.", rule="N-13")
        return BOTH


@act_kind("escaped", stages=("battle",), turn=True, report=1)
class Escaped(Act):
    """Reports that a unit of the Defender has left by the Escape Route with all that is left of it."""

    unit: str = given(OWN_UNIT)
    whole: bool = given(BOOL, True)

    def check(self, game: Game) -> Found:
        """All remaining models in the same phase (N-42)."""
        unit = game.units[self.unit]
        if self.by != game.defender:
            yield not_yours("The Escape Route is the Defender's.", "2.2")
        elif problem := left_out(game, self.DO, self.unit):
            yield problem
        elif unit.state != TABLE:
            yield refuse("wrong_target", "This unit is not on the table itself.", "unit", self.unit, "N-42")
        elif unit.no_actions:
            yield refuse("not_allowed", "This unit went to ground.", "unit", self.unit, "N-26")
        elif not self.whole:
            message = "All remaining models must leave in the same phase."
            yield refuse("not_whole_unit", message, "whole", self.whole, "N-42")

    def play(self, game: Game) -> None:
        """It has escaped, with all that is embarked in it (N-08)."""
        unit = game.units[self.unit]
        leaving = [unit, *(other for other in game.passengers(unit) if other.state == EMBARKED)]
        for gone in leaving:
            game.put(gone, ESCAPED)
            game.emit("escaped", unit=gone.id)
        route = game.rule(EscapeRoute)
        if route.decisive and any(route.decisive in gone.flags for gone in leaving):
            route.decided_by = route.decisive
            game.end_battle()

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer every unit on the table."""
        more = {"whole": TRUE.optional()}
        yield from cls.offers(game, player, "unit", game.ids_of(player, TABLE), more)


@rule_kind("escape_route", acts=(Escaped,), needs=("power_level",))
class EscapeRoute(Rule):
    """Where the Defender's units may leave, and how many must."""

    edge: str = given(EDGE)
    share: int = given(Integer(1, 20), 3)
    """``share * escaped >= level`` wins for the Defender (N-10)."""
    decisive: str = given(ID, "")
    """Flag of a unit whose escape ends the battle at once (2.7)."""
    decided_by: str = state(str)

    def escaped(self, game: Game) -> int:
        """Return the full ratings of all that has escaped."""
        return sum(unit.power for unit in game.units_of(game.defender, ESCAPED))

    def enough(self, game: Game, escaped: int) -> bool:
        """Say whether such a sum wins for the Defender."""
        return self.share * escaped >= level(game, game.defender)

    def result(self, game: Game) -> Result | None:
        """A third or more has escaped: the Defender; else the Attacker (2.2)."""
        saved = bool(self.decided_by) or self.enough(game, self.escaped(game))
        return Result(game.defender if saved else game.attacker, "major_victory")

    def decided(self, game: Game) -> bool:
        """A third is off the table, or can no longer be (N-13)."""
        if self.enough(game, self.escaped(game)):
            return True
        hope = sum(unit.power for unit in game.units_of(game.defender) if unit.state != DESTROYED)
        decisive = any(self.decisive in unit.flags for unit in game.units_of(game.defender) if not unit.gone)
        return not self.enough(game, hope) and not (self.decisive and decisive)

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """How much has escaped, and of how much."""
        told = {"escaped": self.escaped(game), "level": level(game, game.defender), "share": self.share}
        return {self.NAME: told}


@act_kind("enters", stages=("battle",), report=1)
class Enters(Act):
    """Reports that a unit has a model completely within a line; it holds until the unit enters another zone."""

    unit: str = given(OWN_UNIT)
    zone: str = given(ID)
    wholly: bool = given(BOOL, False)
    """With nobody left in another line (N-97)."""

    def check(self, game: Game) -> Found:
        """A unit of the Attacker on the table, a zone of the mission."""
        unit = game.units[self.unit]
        if self.by != game.attacker:
            yield not_yours("The Attacker's units break through.", "2.4")
        elif self.zone not in game.mission.zones and (self.zone != NOWHERE or game.version == 1):
            names = ", ".join(game.mission.zones)
            yield refuse("bad_value", "The zones are {zones}.", "zone", self.zone, "2.4", zones=names)
        elif problem := not_in_play(unit) or left_out(game, self.DO, self.unit):
            yield problem
        elif unit.state == EMBARKED:
            yield refuse("wrong_target", "Its transport enters.", "unit", self.unit, "N-47")

    def play(self, game: Game) -> None:
        """Note it; the first time may be answered with mines (N-64)."""
        rule, unit = game.rule(BreakThrough), game.units[self.unit]
        game.emit("entered", unit=unit.id, zone=self.zone)
        if game.version == 1:
            rule.where[unit.id] = self.zone
        else:
            rule.stands(unit, self.zone, self.wholly)
        if rule.is_mined(game, unit, self.zone) and unit.id not in rule.entered:
            rule.entered[unit.id] = None
            game.open_moment("enters_mined_zone", units=(unit.id,))

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer every unit with every zone."""
        units = game.ids_of(player, TABLE) if player == game.attacker else []
        if units:
            zones = game.mission.zones if game.version == 1 else (*game.mission.zones, NOWHERE)
            wholly = {} if game.version == 1 else {"wholly": BOOLEAN.optional()}
            yield offer(unit=one_of(units), zone=one_of(zones), **wholly)


@rule_kind("break_through", acts=(Enters,))
class BreakThrough(Rule):
    """VP at the end for each unit of the Attacker in a line, the better one where it is in both (N-47)."""

    vp: dict[str, int] = given(TableOf(Integer(0, 100)))
    """By zone."""
    mined: str = given(ZONE, "")
    """The zone whose first entry a stratagem may answer."""
    where: dict[str, str] = state(dict)
    entered: dict[str, None] = state(dict)
    """Units that were in the mined zone at least once (N-64)."""

    def stands(self, unit: Unit, zone: str, wholly: bool) -> None:
        """Note a unit's line: one that moves into a lesser line is in both, unless it is wholly in it (N-97)."""
        before = self.where.get(unit.id, "")
        if self.vp.get(zone, 0) == 0:
            self.where.pop(unit.id, None)
        elif wholly or self.vp.get(before, 0) < self.vp[zone]:
            self.where[unit.id] = zone

    def is_mined(self, game: Game, unit: Unit, zone: str) -> bool:
        """Say whether a unit has come into the mined zone, or through it into another line (N-64)."""
        if zone == self.mined:
            return True
        return game.version > 1 and bool(self.mined) and zone in self.vp and unit.marks.get(SET_UP_IN) != zone

    def unit_changed(self, game: Game, unit: Unit, before: str) -> None:
        """Take destroyed and removed units out of their zones; note the line in which a unit is set up."""
        if unit.state == DESTROYED:
            self.where.pop(unit.id, None)
        unit.marks.pop(SET_UP_IN, None)
        at = unit.at if unit.state == TABLE else None
        if zone := next((zone for zone in self.vp if at is not None and game.in_zone(zone, at)), ""):
            unit.marks[SET_UP_IN] = zone

    def battle_ending(self, game: Game) -> None:
        """Count the units; each embarked unit counts separately, at its transport's place (N-47)."""
        for unit in game.units_of(game.attacker, TABLE, EMBARKED):
            place = self.where.get(unit.inside if unit.state == EMBARKED else unit.id, "")
            game.score(game.attacker, self.vp.get(place, 0), f"break_through {unit.id}")

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Return who is where."""
        return {self.NAME: dict(self.where)}


@rule_kind("destroy_any_approach")
class DestroyAnyApproach(Rule):
    """The Defender has VP each time a unit of the Attacker is destroyed, again after each return (2.4)."""

    vp: int = given(Integer(1, 100), 1)

    def unit_changed(self, game: Game, unit: Unit, before: str) -> None:
        """Count it."""
        if unit.state == DESTROYED and unit.side == game.attacker and not unit.extra:
            game.score(game.defender, self.vp, f"destroyed {unit.id}")
