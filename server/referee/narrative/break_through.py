"""Breaking through the Defender's lines, and destroying the approach (2.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from server.core.sentences import say
from server.referee.act import Act, Found
from server.referee.choices import BOOLEAN, Offer, offer, one_of
from server.referee.narrative.losses_reported import not_in_play
from server.referee.narrative.sentries import left_out
from server.referee.reading import BOOL, ID, OWN_UNIT, ZONE, Integer, TableOf, given, state
from server.referee.refusals import not_yours, refuse
from server.referee.rule import Rule
from server.referee.units import DESTROYED, EMBARKED, TABLE, Unit

if TYPE_CHECKING:
    from server.referee.game import Game


NOWHERE = "none"
"""In no line."""
SET_UP_IN = "set_up_in"
"""Mark of a unit: the line in which it was set up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Enters(Act):
    """Reports that a unit has a model completely within a line; it holds until the unit enters another zone."""

    DO = "enters"
    STAGES = ("battle",)
    REPORT = True

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
            yield refuse("bad_value", say("The zones are {zones}.", zones=names), "zone", self.zone, "2.4")
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
        units = [unit.id for unit in game.units_of(player, TABLE)] if player == game.attacker else []
        if units:
            zones = game.mission.zones if game.version == 1 else (*game.mission.zones, NOWHERE)
            wholly = {} if game.version == 1 else {"wholly": BOOLEAN.optional()}
            yield offer(unit=one_of(units), zone=one_of(zones), **wholly)


@dataclass(slots=True, kw_only=True)
class BreakThrough(Rule):
    """VP at the end for each unit of the Attacker in a line, the better one where it is in both (N-47)."""

    NAME = "break_through"
    ACTS = (Enters,)

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
        if unit.state == TABLE and unit.at is not None:
            zone = next((zone for zone in self.vp if game.in_zone(zone, unit.at)), "")
            if zone:
                unit.marks[SET_UP_IN] = zone

    def battle_ending(self, game: Game) -> None:
        """Count the units; each embarked unit counts separately, at its transport's place (N-47)."""
        for unit in game.units_of(game.attacker, TABLE, EMBARKED):
            place = self.where.get(unit.inside if unit.state == EMBARKED else unit.id, "")
            game.score(game.attacker, self.vp.get(place, 0), f"break_through {unit.id}")

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Return who is where."""
        return {self.NAME: dict(self.where)}


@dataclass(slots=True, kw_only=True)
class DestroyAnyApproach(Rule):
    """The Defender has VP each time a unit of the Attacker is destroyed, again after each return (2.4)."""

    NAME = "destroy_any_approach"

    vp: int = given(Integer(1, 100), 1)

    def unit_changed(self, game: Game, unit: Unit, before: str) -> None:
        """Count it."""
        if unit.state == DESTROYED and unit.side == game.attacker and not unit.extra:
            game.score(game.defender, self.vp, f"destroyed {unit.id}")
