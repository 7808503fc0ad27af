"""Sustained Assault: destroyed units of the Attacker come back, remnants may be removed (1.7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from server.core.errors import Problem
from server.core.sentences import say
from server.referee.act import Act, Found
from server.referee.choices import Offer, offer, one_of, point
from server.referee.geometry import Point
from server.referee.narrative.placing import MOVEMENT, Landing, LandingRule, not_end_of_turn, on_table, own_movement
from server.referee.narrative.rolling import Roll, RollingRule
from server.referee.narrative.set_up_in_battle import SetUp, stand
from server.referee.reading import AT, BOOL, OWN_UNIT, Integer, Record, TableOf, given, state
from server.referee.refusals import not_yours, refuse
from server.referee.units import DESTROYED, TABLE, Unit

if TYPE_CHECKING:
    from server.referee.game import Game

REMNANT = 4
"""A unit with a quarter or less of its first models is a remnant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remove(Act):
    """Removes a remnant at the end of the Attacker's turn; it counts as destroyed (1.7)."""

    DO = "remove"
    STAGES = ("battle",)
    TURN = True
    REPORT = True

    unit: str = given(OWN_UNIT)
    out: Mapping[str, Point] = given(TableOf(AT), {})
    """Of a transport: where each passenger stands (N-94)."""

    def check(self, game: Game) -> Found:
        """``4 * now <= start`` (N-38); passengers stand somewhere (N-94)."""
        unit = game.units[self.unit]
        if self.by != game.attacker:
            yield not_yours("Only the Attacker removes units.", "1.7")
        elif problem := not_end_of_turn(game):
            yield problem
        elif unit.state != TABLE:
            yield refuse("wrong_target", "This unit is not on the table.", "unit", self.unit, "1.7")
        elif REMNANT * unit.strength[0] > unit.strength[1]:
            message = say(
                "More than a quarter of the unit is left: {now} of {start}.",
                now=unit.strength[0],
                start=unit.strength[1],
            )
            yield refuse("not_allowed", message, "unit", self.unit, "N-38")
        elif game.version > 1:
            yield from self._wrong_passengers(game)

    def _wrong_passengers(self, game: Game) -> Found:
        aboard = [passenger.id for passenger in game.passengers(game.units[self.unit])]
        for id_ in aboard:
            if id_ not in self.out:
                yield refuse("missing_field", say("Say where {unit} stands.", unit=id_), f"out.{id_}", "", "N-94")
        for id_, at in self.out.items():
            if id_ not in aboard:
                yield refuse("wrong_target", say("{unit} is not aboard.", unit=id_), f"out.{id_}", id_, "N-94")
            elif problem := next(on_table(game, at), None):
                yield problem

    def play(self, game: Game) -> None:
        """Take it off."""
        unit = game.units[self.unit]
        aboard = game.passengers(unit) if game.version > 1 else []
        game.emit("removed", unit=self.unit)
        game.put(unit, DESTROYED)
        for passenger in aboard:
            stand(game, passenger, self.out[passenger.id])

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer every remnant."""
        if not_end_of_turn(game) is None:
            units = game.units_of(player, TABLE)
            empty = [unit.id for unit in units if game.version == 1 or not game.passengers(unit)]
            remnants = cls.fitting(game, player, "unit", empty)
            if remnants:
                yield offer(unit=one_of(remnants))
            for unit in units if game.version > 1 else []:
                places = {passenger.id: (0, 0) for passenger in game.passengers(unit)}
                if places and cls.fits(game, player, unit=unit.id, out=places):
                    yield Offer({"unit": one_of([unit.id]), **{f"out.{id_}": point() for id_ in places}})


@dataclass(slots=True, kw_only=True)
class SustainedAssault(RollingRule, LandingRule):
    """The Attacker's destroyed units roll to come back at the end of each own Movement phase."""

    NAME = "sustained_assault"
    ACTS = (Roll, SetUp, Remove)

    needs: int = given(Integer(1, 7), 4)
    bonus: dict[str, int] = given(TableOf(Integer(0, 6)), {})
    """By Battlefield Role, added to the die."""
    must: bool = given(BOOL, False)
    """All must be rolled for (N-39)."""
    place: Landing = given(Record(Landing))

    rolled: dict[str, None] = state(dict)
    """In this turn."""
    arriving: dict[str, None] = state(dict)
    places: dict[str, Landing] = state(dict)
    """Other places that stratagems opened."""

    def turn_started(self, game: Game) -> None:
        """Begin with no dice rolled."""
        self.rolled.clear()
        self.arriving.clear()
        self.places.clear()

    def _lost(self, game: Game) -> list[Unit]:
        return [unit for unit in game.units_of(game.attacker, DESTROYED) if not unit.extra]

    def takes(self, game: Game, what: str) -> bool:
        """Dice for destroyed units of the Attacker."""
        unit = game.units.get(what)
        return unit is not None and unit.state == DESTROYED and unit.side == game.attacker and not unit.extra

    def refusal(self, game: Game, player: str, what: str) -> Problem | None:
        """1.7: the end of each Movement phase of the Attacker, one die a unit."""
        if player != game.attacker:
            return not_yours("This is a unit of the other player.")
        problem = own_movement(game, player)
        if problem:
            return problem
        if what in self.rolled:
            return refuse("limit_reached", "This unit was rolled for in this turn.", "for", what, "1.7")
        return None

    def make(self, game: Game, player: str, what: str) -> None:
        """Roll for a destroyed unit."""
        face = game.roll(f"replacement/{what}/{game.round}")
        total = face + self.bonus.get(game.units[what].role, 0)
        self.rolled[what] = None
        if total >= self.needs:
            self.arriving[what] = None
        game.emit("replacement_roll", unit=what, face=face, total=total, arrives=total >= self.needs)

    def rollable(self, game: Game, player: str) -> Iterator[str]:
        """Yield the destroyed units that may be rolled for now."""
        if player == game.attacker and own_movement(game, player) is None:
            for unit in self._lost(game):
                if unit.id not in self.rolled:
                    yield unit.id

    def landing(self, game: Game, unit: Unit) -> Landing | Problem | None:
        """Where a replacement comes."""
        if not self.takes(game, unit.id):
            return None
        if unit.id in self.arriving:
            return self.places.get(unit.id, self.place)
        problem = own_movement(game, unit.side)
        return problem or refuse("wrong_moment", "No die has brought this unit back.", "unit", unit.id, "1.7")

    def landed(self, game: Game, unit: Unit) -> None:
        """It comes back at full strength under the same id (N-38)."""
        self.arriving.pop(unit.id, None)
        unit.models_now, unit.wounds_now = unit.models, unit.wounds
        unit.returns += 1
        unit.suffers = None
        unit.dug_in = unit.no_actions = False
        game.emit("returned", unit=unit.id, returns=unit.returns)
        game.open_moment("replacement_set_up", units=(unit.id,))

    def phase_missing(self, game: Game, phase: str) -> Problem | None:
        """What must be rolled or set up and was not (fine print)."""
        if phase != MOVEMENT or game.turn != game.attacker:
            return None
        for unit_id in self.arriving:
            return refuse("choice_missing", say("{unit} comes back: set it up first.", unit=unit_id), rule="1.7")
        if self.must:
            for unit in self._lost(game):
                if unit.id not in self.rolled:
                    return refuse("choice_missing", say("Roll for {unit} first.", unit=unit.id), rule="N-39")
        return None

    def may_confirm(self, game: Game, player: str) -> bool:
        """The other side agrees that there is no place for what comes back (N-39)."""
        return player == game.defender and bool(self.arriving)

    def confirms(self, game: Game, player: str) -> Mapping[str, Any]:
        """There is no place for these units."""
        return {"what": "no_place", "units": tuple(self.arriving)}

    def confirmed(self, game: Game, player: str) -> None:
        """What finds no place stays destroyed (N-39)."""
        for unit_id in self.arriving:
            game.emit("no_place", unit=unit_id)
        self.arriving.clear()
