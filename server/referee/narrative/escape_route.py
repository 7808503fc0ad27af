"""The Escape Route: whole units leave the ambush for good, and a third of the army saves the day (2.2, 2.7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from server.referee.act import Act, Found
from server.referee.choices import TRUE, Offer, offer, one_of
from server.referee.narrative.power_level import level
from server.referee.narrative.sentries import left_out
from server.referee.reading import BOOL, EDGE, ID, OWN_UNIT, Integer, given, state
from server.referee.refusals import not_yours, refuse
from server.referee.rule import Result, Rule
from server.referee.units import DESTROYED, EMBARKED, ESCAPED, TABLE

if TYPE_CHECKING:
    from server.referee.game import Game


@dataclass(frozen=True, slots=True, kw_only=True)
class Escaped(Act):
    """Reports that a unit of the Defender has left by the Escape Route with all that is left of it."""

    DO = "escaped"
    STAGES = ("battle",)
    TURN = True
    REPORT = True

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
        units = cls.fitting(game, player, "unit", [unit.id for unit in game.units_of(player, TABLE)])
        if units:
            yield offer(unit=one_of(units), whole=TRUE.optional())


@dataclass(slots=True, kw_only=True)
class EscapeRoute(Rule):
    """Where the Defender's units may leave, and how many must."""

    NAME = "escape_route"
    ACTS = (Escaped,)
    NEEDS = ("power_level",)

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
