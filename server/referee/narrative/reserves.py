"""Arrivals in narrative missions: Reserves (1.5, 2.2-2.7); units that come back (1.7).

Destroyed units of the Attacker come back in a Sustained Assault; remnants may be removed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from server.core.errors import Problem
from server.core.sentences import say
from server.referee.act import Act, Found, act_kind
from server.referee.choices import Offer, one_of, point
from server.referee.every_game import missing
from server.referee.game import Game
from server.referee.geometry import Point
from server.referee.mission import ROLES, Mission
from server.referee.narrative.concealed_deployment import OWN_ARRIVAL
from server.referee.narrative.placing import (
    ANYWHERE,
    MOVEMENT,
    Landing,
    LandingRule,
    not_end_of_turn,
    on_table,
    own_movement,
)
from server.referee.narrative.sentries import Sentries
from server.referee.narrative.shared_acts import Roll, RollingRule, SetUp, stand
from server.referee.narrative.stratagems import Stratagems
from server.referee.reading import AT, BOOL, ID, OWN_UNIT, Integer, ListOf, OneOf, Record, TableOf, given, state
from server.referee.refusals import not_yours, refuse
from server.referee.rule import rule_kind
from server.referee.units import DESTROYED, RESERVE, TABLE, Unit

LATE = "late"
"""Mark of a unit for which its zone had no room (N-43)."""
REMNANT = 4
"""A unit with a quarter or less of its first models is a remnant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Units that arrive in one way. The first group that fits a unit is its own."""

    side: str = given(OneOf(ROLES))
    keyword: str = given(ID, "")
    """Only units with this keyword."""
    late: bool = given(BOOL, False)
    """Only units for which there was no room."""
    from_round: int = given(Integer(1, 20), 1)
    needs: int = given(Integer(0, 6), 0)
    """The die that brings a unit; 0: none is rolled."""
    all_in_round: int = given(Integer(0, 20), 0)
    """From this round on no die is rolled; 0: never."""
    must: bool = given(BOOL, False)
    """Each unit must be rolled for, and set up where it arrives."""
    after_alarm: bool = given(BOOL, False)
    """Only after the alarm, and the die only in the turn of the response."""
    place: Landing = given(Record(Landing))


@rule_kind("reserves_in_groups", acts=(Roll, SetUp))
class Reserves(RollingRule, LandingRule):
    """Units in Reserve, their dice, and the places where they arrive."""

    groups: tuple[Group, ...] = given(ListOf(Record(Group), min=1, max=10))

    arriving: dict[str, None] = state(dict)
    """Their die was good: they must be set up now."""
    unhindered: dict[str, None] = state(dict)
    """They found no place: no die any more (N-29)."""
    certain: dict[str, None] = state(dict)
    """They need no die in this turn, by a stratagem."""
    tried: dict[str, None] = state(dict)
    """Rolled for, or waived, in this turn."""
    modifiers: dict[str, int] = state(dict)
    """By unit, for its next die."""
    bonus: dict[str, int] = state(dict)
    """By player, for all dice of this turn."""
    places: dict[str, Landing] = state(dict)
    """Other places that stratagems opened."""

    def unfit(self, mission: Mission) -> Iterator[str]:
        """An alarm takes Sentries."""
        if any(group.after_alarm for group in self.groups) and not any(data.kind is Sentries for data in mission.rules):
            yield "after_alarm needs the rule sentries"

    def group_of(self, game: Game, unit: Unit) -> Group | None:
        """Return the group of a unit; None: it arrives by rules of its own (N-17)."""
        role = game.role_of(unit.side)
        for group in self.groups:
            if group.side == role and _belongs(unit, group):
                return group
        return None

    def needs_die(self, game: Game, unit: Unit) -> bool:
        """Say whether a die decides about this unit in this turn."""
        group = self.group_of(game, unit)
        settled = unit.id in self.unhindered or unit.id in self.certain or unit.id in self.arriving
        return group is not None and not settled and _dice_decide(game, group)

    def dice_now(self, game: Game, player: str) -> bool:
        """Say whether dice decide about any units of a player in this turn."""
        role = game.role_of(player)
        return any(
            group.side == role and _dice_decide(game, group) and not self._too_early(game, group)
            for group in self.groups
        )

    def turn_started(self, game: Game) -> None:
        """Begin with no dice rolled."""
        self.tried.clear()
        self.certain.clear()
        self.modifiers.clear()
        self.bonus.clear()
        self.places.clear()

    # --- dice ---

    def takes(self, game: Game, what: str) -> bool:
        """Dice for units in Reserve."""
        unit = game.units.get(what)
        return unit is not None and unit.state == RESERVE

    def refusal(self, game: Game, player: str, what: str) -> Problem | None:
        """1.5, 2.3."""
        unit = game.units[what]
        if unit.side != player:
            return not_yours("This is a unit of the other player.")
        group = self.group_of(game, unit)
        if group is None or not group.needs:
            return refuse("not_allowed", "This unit arrives without a die.", "for", what, "N-17")
        if problem := own_movement(game, player) or self._too_early(game, group):
            return problem
        if what in self.tried:
            return refuse("limit_reached", "This unit was rolled for in this turn.", "for", what, "1.5")
        if not self.needs_die(game, unit):
            return refuse("not_allowed", "This unit arrives without a die now.", "for", what, "1.5")
        return missing(game, game.other(player), "roll", what) if game.version > 1 else None

    def make(self, game: Game, player: str, what: str) -> None:
        """Roll for a unit; a transport and its passengers are one roll (1.5)."""
        unit = game.units[what]
        group = self.group_of(game, unit)
        face = game.roll(f"reserve/{what}/{game.round}")
        total = face + self.modifiers.pop(what, 0) + self.bonus.get(player, 0)
        self.tried[what] = None
        if stratagems := game.find(Stratagems):
            stratagems.rolled(game, ("enemy_reserve_roll", "own_reserve_roll", "response_roll"), what)
        if group and total >= group.needs:
            self.arriving[what] = None
        game.emit("reserve_roll", unit=what, face=face, total=total, arrives=what in self.arriving)

    def rollable(self, game: Game, player: str) -> Iterator[str]:
        """Yield the units that may be rolled for now."""
        if game.turn == player and game.phase == MOVEMENT:
            for unit in game.units_of(player, RESERVE):
                if self.refusal(game, player, unit.id) is None:
                    yield unit.id

    # --- arriving ---

    def landing(self, game: Game, unit: Unit) -> Landing | Problem | None:
        """2.2-2.7, N-17."""
        if unit.state != RESERVE:
            return None
        if (group := self.group_of(game, unit)) is None:
            return _of_its_own(game, unit)
        if problem := own_movement(game, unit.side) or self._too_early(game, group):
            return problem
        if self.needs_die(game, unit):
            return refuse("wrong_moment", "Its die has not brought this unit.", "unit", unit.id, "1.5")
        return self.places.get(unit.id, group.place)

    def landed(self, game: Game, unit: Unit) -> None:
        """Note that it is here."""
        self.arriving.pop(unit.id, None)
        self.unhindered.pop(unit.id, None)
        unit.marks.pop(LATE, None)
        game.emit("arrived", unit=unit.id, round=game.round)

    def _too_early(self, game: Game, group: Group) -> Problem | None:
        if game.round < group.from_round:
            code = "reserves_round" if game.round == 1 else "wrong_moment"
            return refuse(code, "Nothing arrives before round {round}.", rule="1.5", round=group.from_round)
        if group.after_alarm and not game.rule(Sentries).alarm:
            return refuse("wrong_moment", "Nothing arrives before the alarm.", rule="2.5")
        return None

    def may_arrive(self, game: Game, unit: Unit) -> bool:
        """Say whether a unit arrives now, so that it may be set up."""
        return unit.state == RESERVE and isinstance(self.landing(game, unit), Landing)

    # --- the end of the Movement phase ---

    def _due(self, game: Game, unit: Unit) -> str:
        """Return what must still be done for a unit before the phase can end: ``roll``, ``set_up`` or nothing."""
        if unit.state != RESERVE:
            return ""
        if unit.id in self.arriving:
            return "set_up"
        group = self.group_of(game, unit)
        if group is None or not group.must or unit.id in self.tried or self._too_early(game, group):
            return ""
        return "roll" if self.needs_die(game, unit) else "set_up"

    def phase_missing(self, game: Game, phase: str) -> Problem | None:
        """What must be rolled or set up and was not (fine print)."""
        if phase != MOVEMENT:
            return None
        for unit in game.units_of(game.turn, RESERVE):
            due = self._due(game, unit)
            if due == "roll":
                return refuse("choice_missing", "Roll for {unit} first.", rule="1.5", unit=unit.id)
            if due:
                return refuse("choice_missing", "{unit} arrives: set it up first.", rule="N-29", unit=unit.id)
        return None

    def may_confirm(self, game: Game, player: str) -> bool:
        """The other side agrees that there is no place for what arrives (N-29)."""
        return game.phase == MOVEMENT and game.turn == game.other(player) and bool(self._homeless(game))

    def confirms(self, game: Game, player: str) -> Mapping[str, Any]:
        """There is no place for these units."""
        return {"what": "no_place", "units": tuple(unit.id for unit in self._homeless(game))}

    def confirmed(self, game: Game, player: str) -> None:
        """What finds no place stays and arrives next time without a roll (N-29)."""
        for unit in self._homeless(game):
            self.arriving.pop(unit.id, None)
            self.unhindered[unit.id] = None
            self.tried[unit.id] = None
            game.emit("no_place", unit=unit.id)

    def _homeless(self, game: Game) -> list[Unit]:
        return [unit for unit in game.units_of(game.turn, RESERVE) if self._due(game, unit) == "set_up"]


@rule_kind("own_arrivals", acts=(SetUp,))
class OwnArrivals(LandingRule):
    """Where a mission has no Reserves of its own: units that arrive by rules of their own (N-17)."""

    def landing(self, game: Game, unit: Unit) -> Landing | Problem | None:
        """Anywhere, as their own rules say."""
        return _of_its_own(game, unit) if unit.state == RESERVE else None


def _of_its_own(game: Game, unit: Unit) -> Landing | Problem:
    """Return the whole table for units that arrive by rules of their own, and for no others (N-17)."""
    if game.version == 1 or OWN_ARRIVAL in unit.flags:
        return ANYWHERE
    return refuse("wrong_moment", "This unit has no rule of its own to arrive by.", "unit", unit.id, "N-17")


def _dice_decide(game: Game, group: Group) -> bool:
    if not group.needs or (group.all_in_round and game.round >= group.all_in_round):
        return False
    return not group.after_alarm or game.rule(Sentries).response_turn


def _belongs(unit: Unit, group: Group) -> bool:
    if group.late:
        return bool(unit.marks.get(LATE))
    return not group.keyword or group.keyword in unit.keywords


@act_kind("remove", stages=("battle",), turn=True, report=1)
class Remove(Act):
    """Removes a remnant at the end of the Attacker's turn; it counts as destroyed (1.7)."""

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
                yield refuse("missing_field", "Say where {unit} stands.", f"out.{id_}", "", "N-94", unit=id_)
        for id_, at in self.out.items():
            if id_ not in aboard:
                yield refuse("wrong_target", "{unit} is not aboard.", f"out.{id_}", id_, "N-94", unit=id_)
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
            yield from cls.offers(game, player, "unit", empty)
            for unit in units if game.version > 1 else []:
                places = {passenger.id: (0, 0) for passenger in game.passengers(unit)}
                if places and cls.fits(game, player, unit=unit.id, out=places):
                    yield Offer({"unit": one_of([unit.id]), **{f"out.{id_}": point() for id_ in places}})


@rule_kind("sustained_assault", acts=(Roll, SetUp, Remove))
class SustainedAssault(RollingRule, LandingRule):
    """The Attacker's destroyed units roll to come back at the end of each own Movement phase."""

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
        if problem := own_movement(game, player):
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
            return refuse("choice_missing", "{unit} comes back: set it up first.", rule="1.7", unit=unit_id)
        if self.must:
            for unit in self._lost(game):
                if unit.id not in self.rolled:
                    return refuse("choice_missing", "Roll for {unit} first.", rule="N-39", unit=unit.id)
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
