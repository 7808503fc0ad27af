"""Reserves of narrative missions: who waits off the table, and how, when and where they arrive (1.5, 2.2-2.7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from server.core.errors import Problem
from server.core.sentences import say
from server.referee.going_on import missing
from server.referee.mission import ROLES, Mission
from server.referee.narrative.concealed_deployment import OWN_ARRIVAL
from server.referee.narrative.placing import ANYWHERE, MOVEMENT, Landing, LandingRule, own_movement
from server.referee.narrative.rolling import Roll, RollingRule
from server.referee.narrative.sentries import Sentries
from server.referee.narrative.set_up_in_battle import SetUp
from server.referee.narrative.stratagems import Stratagems
from server.referee.reading import BOOL, ID, Integer, ListOf, OneOf, Record, given, state
from server.referee.refusals import not_yours, refuse
from server.referee.units import RESERVE, Unit

if TYPE_CHECKING:
    from server.referee.game import Game

LATE = "late"
"""Mark of a unit for which its zone had no room (N-43)."""


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


@dataclass(slots=True, kw_only=True)
class Reserves(RollingRule, LandingRule):
    """Units in Reserve, their dice, and the places where they arrive."""

    NAME = "reserves_in_groups"
    ACTS = (Roll, SetUp)

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
        problem = own_movement(game, player) or self._too_early(game, group)
        if problem:
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
        group = self.group_of(game, unit)
        if group is None:
            return _of_its_own(game, unit)
        problem = own_movement(game, unit.side) or self._too_early(game, group)
        if problem:
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
            return refuse(code, say("Nothing arrives before round {round}.", round=group.from_round), rule="1.5")
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
                return refuse("choice_missing", say("Roll for {unit} first.", unit=unit.id), rule="1.5")
            if due:
                return refuse("choice_missing", say("{unit} arrives: set it up first.", unit=unit.id), rule="N-29")
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


@dataclass(slots=True, kw_only=True)
class OwnArrivals(LandingRule):
    """Where a mission has no Reserves of its own: units that arrive by rules of their own (N-17)."""

    NAME = "own_arrivals"
    ACTS = (SetUp,)

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
