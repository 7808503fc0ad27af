"""Sabotage: the Objective, the attempts on it, the die at the end (2.5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from server.core.errors import Problem
from server.core.sentences import say
from server.referee.act import Act, Found, act_kind
from server.referee.choices import Offer, point
from server.referee.game import Game
from server.referee.geometry import Point, square
from server.referee.mission import DEFENDER, Mission
from server.referee.narrative.placing import not_end_of_turn, on_table
from server.referee.narrative.sentries import Sentries
from server.referee.narrative.shared_acts import NearRule, Roll, RollingRule, Within, distance, own_units_only
from server.referee.narrative.stratagems import can_use, may_still_use
from server.referee.reading import (
    AT,
    ID,
    INCHES,
    OWN_UNIT,
    ZONE,
    Integer,
    ListOf,
    TableOf,
    given,
    inches,
    state,
    to_inches,
)
from server.referee.refusals import not_yours, refuse, unknown
from server.referee.rule import Result, rule_kind
from server.referee.units import TABLE, Unit

TERRAIN = "terrain"
BATTLE_END = "battle_end"
"""The moment before it."""


@act_kind("place_markers", stages=(TERRAIN,))
class PlaceObjective(Act):
    """The Defender places the Objective (N-48)."""

    markers: Mapping[str, Point] = given(TableOf(AT))

    def check(self, game: Game) -> Found:
        """In the Defender's zone, near the centre."""
        rule = game.rule(Sabotage)
        if self.by != game.defender:
            yield not_yours("The Defender places the Objective.", "N-48")
            return
        for marker in self.markers:
            if marker != rule.objective:
                yield unknown("marker", f"markers.{marker}", marker)
        if (at := self.markers.get(rule.objective)) is None:
            yield refuse("missing_field", "Say where the Objective lies.", f"markers.{rule.objective}", "", "2.5")
            return
        field, shown = f"markers.{rule.objective}", to_inches(at)
        if problem := next(on_table(game, at), None):
            yield problem
        elif not game.in_zone(rule.zone, at):
            yield refuse("outside_zone", "The Objective lies in the Defender's zone.", field, shown, "2.5")
        elif not game.mission.is_central(at, rule.from_centre):
            message = say('The Objective lies within {inches}" of the centre.', inches=inches(rule.from_centre))
            yield refuse("too_far", message, field, shown, "2.5")

    def play(self, game: Game) -> None:
        """Put it down."""
        rule = game.rule(Sabotage)
        marker = game.markers[rule.objective]
        marker.at = self.markers[rule.objective]
        marker.zone = game.zone_of(marker.at)
        game.emit("marker_placed", marker=marker.id, at=to_inches(marker.at))

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer places around the centre."""
        rule = game.rule(Sabotage)
        if player == game.defender:
            middle = game.mission.width // 2, game.mission.height // 2
            yield Offer({f"markers.{rule.objective}": point((square(middle, rule.from_centre * 7 // 10),))})


@act_kind("attempt", stages=("battle",), turn=True, report=1)
class Attempt(Act):
    """A unit of the Attacker attempts Sabotage at the end of the Attacker's turn (2.5)."""

    unit: str = given(OWN_UNIT)

    def check(self, game: Game) -> Found:
        """Near enough, able, and once a unit and battle; the attempt itself always succeeds (N-48)."""
        rule, unit = game.rule(Sabotage), game.units[self.unit]
        if self.by != game.attacker:
            yield not_yours("The Attacker attempts Sabotage.", "2.5")
        elif problem := not_end_of_turn(game):
            yield problem
        elif unit.state != TABLE or rule.is_barred(game, unit):
            yield refuse("wrong_target", "This unit cannot attempt Sabotage.", "unit", self.unit, "2.5")
        elif self.unit in rule.tried_now or rule.left_to(unit) <= 0:
            yield refuse("already_used", "This unit has made its attempt.", "unit", self.unit, "2.5")
        elif game.version > 1 and rule.near_objective(game, unit) is None:
            yield refuse(
                "report_missing", "Say first how near the unit is to the Objective.", "unit", self.unit, "N-96"
            )
        elif rule.near_objective(game, unit) is False:
            message = say('Only within {inches}" of the Objective.', inches=inches(rule.within))
            yield refuse("too_far", message, "unit", self.unit, "2.5")

    def play(self, game: Game) -> None:
        """Count it; the first one raises the alarm at the end of this turn."""
        rule = game.rule(Sabotage)
        rule.attempts += 1
        rule.tried[self.unit] = rule.tried.get(self.unit, 0) + 1
        rule.tried_now[self.unit] = None
        game.emit("sabotage_attempt", unit=self.unit, attempts=rule.attempts)
        game.open_moment("attempt_made", units=(self.unit,))
        if sentries := game.find(Sentries):
            sentries.raise_at_end("attempt")

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer every unit that could."""
        if player == game.attacker and not_end_of_turn(game) is None:
            yield from cls.offers(game, player, "unit", game.ids_of(player, TABLE))


@rule_kind("sabotage_attempts", acts=(PlaceObjective, Within, Attempt, Roll))
class Sabotage(RollingRule, NearRule):
    """The Objective, the attempts, and whether it is destroyed."""

    die: str = given(ID)
    """What ``roll`` calls the die at the end, and its label."""
    objective: str = given(ID)
    """Id of the marker."""
    zone: str = given(ZONE, DEFENDER)
    from_centre: int = given(INCHES, 12_000)
    within: int = given(INCHES, 3_000)
    barred: tuple[str, ...] = given(ListOf(ID), ("vehicle", "monster"))
    needs: int = given(Integer(2, 50), 7)
    """The die and the attempts together."""

    attempts: int = state(int)
    tried: dict[str, int] = state(dict)
    tried_now: dict[str, None] = state(dict)
    """In this turn."""
    further: dict[str, int] = state(dict)
    """Attempts that stratagems added, by unit."""
    destroyed: bool | None = state(lambda: None)

    def unfit(self, mission: Mission) -> Iterator[str]:
        """The Objective must be a marker."""
        if self.objective not in [marker.id for marker in mission.markers]:
            yield f"this mission has no marker {self.objective}"

    def is_barred(self, game: Game, unit: Unit) -> bool:
        """Return whether a unit cannot make an attempt; here bikes do not count as vehicles."""
        bike = game.version > 1 and "bike" in unit.keywords
        return any(word in unit.keywords for word in self.barred if not (bike and word == "vehicle"))

    def left_to(self, unit: Unit) -> int:
        """Return how many attempts a unit has left."""
        return 1 + self.further.get(unit.id, 0) - self.tried.get(unit.id, 0)

    def near_objective(self, game: Game, unit: Unit) -> bool | None:
        """Say whether a unit is near the Objective; None where nobody has said."""
        return distance(game, unit, self.objective, game.markers[self.objective].at, self.within)

    # --- before the battle, turns ---

    def stage_wants(self, game: Game, stage: str) -> tuple[str, ...]:
        """The Objective must lie."""
        return (game.defender,) if stage == TERRAIN and game.markers[self.objective].at is None else ()

    def turn_started(self, game: Game) -> None:
        """A turn begins without attempts."""
        self.tried_now.clear()

    def phase_ending(self, game: Game, phase: str) -> None:
        """Hold the end of a turn that spotting has cut, for the attempts of units that are there (N-34)."""
        sentries = game.find(Sentries)
        if game.version == 1 and sentries and sentries.just_spotted and game.turn == game.attacker:
            sentries.just_spotted = False
            there = [unit.id for unit in game.units_of(game.attacker, TABLE) if self.near_objective(game, unit)]
            game.clock.stay = bool(Attempt.fitting(game, game.attacker, "unit", there))

    def things(self, game: Game) -> tuple[str, ...]:
        """Distances are reported to the Objective."""
        return (self.objective,)

    def unfit_report(self, game: Game, player: str, unit: Unit, thing: str) -> Problem | None:
        """Each side reports for its own units."""
        return own_units_only(player, unit)

    def reported(self, game: Game, unit: Unit, thing: str, inches: int) -> None:
        """Nothing follows automatically."""

    # --- the end ---

    def ending_wants(self, game: Game) -> tuple[str, ...]:
        """The Attacker rolls, if there was any attempt (N-48)."""
        return (game.attacker,) if self.attempts and self.destroyed is None else ()

    def takes(self, game: Game, what: str) -> bool:
        """The die for the Objective."""
        return what == self.die

    def refusal(self, game: Game, player: str, what: str) -> Problem | None:
        """By the Attacker, when the battle is over and the Defender has passed."""
        if player != game.attacker:
            return not_yours("The Attacker rolls.", "2.5")
        if not game.clock.ending or not self.attempts or self.destroyed is not None:
            return refuse("wrong_moment", "The die is rolled when the battle ends.", "for", what, "2.5")
        if game.defender not in game.clock.passed and can_use(game, game.defender, BATTLE_END):
            code = "wrong_moment" if game.version == 1 else "choice_missing"
            return refuse(code, "The Defender may still use a stratagem.", "for", what, "2.5")
        return None

    def make(self, game: Game, player: str, what: str) -> None:
        """D6 + attempts."""
        face = game.roll(self.die)
        self.destroyed = face + self.attempts >= self.needs
        game.emit("objective_rolled", destroyed=self.destroyed, face=face, attempts=self.attempts)

    def rollable(self, game: Game, player: str) -> Iterator[str]:
        """Yield the die when its time has come."""
        if self.refusal(game, player, self.die) is None:
            yield self.die

    def result(self, game: Game) -> Result | None:
        """Destroyed: the Attacker; else the Defender."""
        return Result(game.attacker if self.destroyed else game.defender, "major_victory")

    def decided(self, game: Game) -> bool:
        """So many attempts that no die can fail, the Defender's stratagem or not (N-13)."""
        if self.destroyed is not None:
            return True
        return self.attempts - may_still_use(game, game.defender, BATTLE_END) + 1 >= self.needs

    # --- what is known ---

    def track(self, game: Game, name: str, value: Any) -> bool:
        """Take the number of attempts, and that the Objective is destroyed."""
        if name == "attempts" and type(value) is int and value >= 0:
            self.attempts = value
        elif name == "objective_destroyed" and isinstance(value, bool):
            self.destroyed = value or None
        else:
            return False
        return True

    def tracked(self, game: Game) -> Mapping[str, Any]:
        """Attempts, and the state of the Objective."""
        return {"attempts": self.attempts, "objective_destroyed": bool(self.destroyed)}

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Units that have tried."""
        return {self.NAME: {**self.tracked(game), "tried": dict(self.tried)}}
