"""Deployment of narrative missions: one side after the other, each in the way its mission says (section 2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from server.core.errors import Problem
from server.core.sentences import say
from server.referee.act import Act, Found, act_kind
from server.referee.beginning import Start
from server.referee.choices import Offer, offer, some_of
from server.referee.game import Game
from server.referee.geometry import Point
from server.referee.mission import ROLES, Mission
from server.referee.narrative.concealed_deployment import OWN_ARRIVAL, ConcealedDeployment
from server.referee.narrative.placing import Landing, fits
from server.referee.narrative.reserves import LATE
from server.referee.narrative.sentries import FOR_SALE, Sentries, is_sentry
from server.referee.narrative.shared_acts import SetUp, placing_offer, stand
from server.referee.reading import (
    ID,
    INCHES,
    ZONE,
    Integer,
    ListOf,
    OneOf,
    Record,
    given,
    inches,
    state,
    to_inches,
)
from server.referee.refusals import not_yours, refuse, unknown
from server.referee.rule import Rule, rule_kind
from server.referee.units import DESTROYED, EMBARKED, RESERVE, TABLE, UNPLACED, Unit

STAGE, BOTH_DEPLOYED = "deployment", "both_deployed"
MARKERS, ARMY, NUMBER, SENTRIES, SOME = WAYS = ("markers", "army", "number", "sentries", "some")
"""Markers instead of models; everything; a number of units; the Sentries only; as many units as one likes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Number and kind of units that one side sets up before the other continues."""

    side: str = given(OneOf(ROLES))
    what: str = given(OneOf(WAYS))
    zones: tuple[str, ...] = given(ListOf(ZONE, min=1), ())
    count: int = given(Integer(0, 100), 0)
    """Of a patrol: how many units."""
    role: str = given(ID, "")
    """Of a patrol: the Battlefield Role that one of them has."""
    near: int = given(Integer(0, 20), 0)
    """Of Sentries: ``near * those near the centre >= all`` (N-48); 0: anywhere."""
    inches: int = given(INCHES, 12_000)
    """How near the centre that is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptOff:
    """Units of one side with a keyword."""

    side: str = given(OneOf(ROLES))
    keyword: str = given(ID)

    def holds(self, game: Game, unit: Unit) -> bool:
        """Say whether a unit is one of them."""
        return game.role_of(unit.side) == self.side and self.keyword in unit.keywords


@act_kind("set_up", stages=(STAGE,), turn=True)
class Deploy(SetUp):
    """Sets up a unit before the battle."""

    def check(self, game: Game) -> Found:
        """In the zone, within what the mission lets this side set up now."""
        rule, unit = game.rule(SetUpInTurn), game.units[self.unit]
        if problem := rule.unfit_now(game, unit):
            yield problem
            return
        problem = next(fits(game, _zone(rule.step), self.at, self.by, self.wholly), None)
        if problem or (problem := rule.too_far(game, unit, self.at)):
            yield problem

    def play(self, game: Game) -> None:
        """Put it there."""
        unit = game.units[self.unit]
        stand(game, unit, self.at)
        game.open_moment("unit_deployed", units=(unit.id,))
        game.rule(SetUpInTurn).go_on(game)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer the units that may be set up in this step."""
        rule = game.rule(SetUpInTurn)
        if units := [unit.id for unit in game.units_of(player, UNPLACED) if rule.unfit_now(game, unit) is None]:
            yield placing_offer(game, units, _zone(rule.step))


@act_kind("set_up", stages=(STAGE,), turn=True, holds=False, report=1)
class Late(Act):
    """Says that units have no room; where the other side confirms, they are not set up (N-17, N-43)."""

    late: tuple[str, ...] = given(ListOf(ID, min=1, max=100))

    @classmethod
    def meant(cls, content: Mapping[str, Any]) -> bool:
        """``late`` alone says it."""
        return "late" in content

    def check(self, game: Game) -> Found:
        """Own units that are still to be set up, in a mission without Reserves of its own."""
        rule = game.rule(SetUpInTurn)
        if game.version == 1 or rule.has_reserves:
            yield refuse("not_allowed", "What is not set up here is in Reserve.", "late", list(self.late), "N-17")
            return
        for id_ in self.late:
            if (unit := game.units.get(id_)) is None:
                yield unknown("unit", "late", id_)
            elif unit.side != self.by:
                yield not_yours("This is a unit of the other player.")
            elif unit.state != UNPLACED or unit.extra:
                yield refuse("wrong_target", "This unit is not to be set up.", "late", id_, "N-17")

    def play(self, game: Game) -> None:
        """Wait for the other side's word."""
        game.rule(SetUpInTurn).said_late = (self.by, self.late)
        game.emit("no_room", player=self.by, units=list(self.late))

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer the units that are still to be set up."""
        rule = game.rule(SetUpInTurn)
        if not rule.said_late[1] and (units := [unit.id for unit in rule.must_stand(game, player)]):
            yield offer(late=some_of(units, 1))


def _zone(step: Step) -> Landing:
    return Landing(zones=step.zones, wholly=True)


@rule_kind("set_up_in_turn", acts=(Late, Deploy))
class SetUpInTurn(Rule):
    """The steps of deployment, and the fate of units that are not set up."""

    steps: tuple[Step, ...] = given(ListOf(Record(Step), min=1, max=10))
    late: str = given(OneOf(("", *ROLES)), "")
    """The side whose units without room arrive in the battle (N-43)."""
    kept_off: KeptOff | None = given(Record(KeptOff), None)
    """Units that are not set up (2.7)."""

    done: int = state(int)
    """Steps that are over."""
    said_late: tuple[str, tuple[str, ...]] = state(lambda: ("", ()))
    """Whose units are said to have no room, and which; the other side's word is awaited (N-17)."""
    more: dict[str, str] = state(dict)
    """Roles of the further units that stratagems let a player set up."""

    def unfit(self, mission: Mission) -> Iterator[str]:
        """A step with markers is that of who hides."""
        hiding = [data.values.get("side") for data in mission.rules if data.kind is ConcealedDeployment]
        for step in self.steps:
            if step.what == MARKERS and step.side not in hiding:
                yield "a step with markers needs the rule concealed_deployment for the same side"

    @property
    def step(self) -> Step:
        """Return the current step; after the end, the last one."""
        return self.steps[min(self.done, len(self.steps) - 1)]

    # --- the stage ---

    def stage_entered(self, game: Game, stage: str) -> None:
        """Begin with the first step that is not done already."""
        if stage == STAGE:
            for unit in game.units.values():
                if unit.state == UNPLACED and self.kept_off and self.kept_off.holds(game, unit):
                    game.put(unit, RESERVE)
            game.clock.turn = game.player_of(self.step.side)
            self.go_on(game)
        elif stage == BOTH_DEPLOYED:
            game.open_moment(BOTH_DEPLOYED)

    def go_on(self, game: Game) -> None:
        """Go to the next step where this one is complete."""
        while self.done < len(self.steps) and self._complete(game):
            self._next(game)

    def _next(self, game: Game) -> None:
        step = self.step
        self.done += 1
        game.emit("deployed", player=game.player_of(step.side), what=step.what)
        if step.what == SENTRIES:
            game.open_moment("sentries_set_up")
        elif step.what == NUMBER:
            game.open_moment(f"{step.side}_deployed")
        if self.done < len(self.steps):
            game.clock.turn = game.player_of(self.step.side)
            game.clock.passed.pop(game.clock.turn, None)
        else:
            game.clock.turn = ""

    def _complete(self, game: Game) -> bool:
        step = self.step
        if step.what == MARKERS:
            return game.rule(ConcealedDeployment).sealed
        return not any(self.unfit_now(game, unit) is None for unit in self._left(game, step))

    def _left(self, game: Game, step: Step) -> list[Unit]:
        return game.units_of(game.player_of(step.side), UNPLACED)

    def after_act(self, game: Game, act: Act) -> None:
        """``end_phase``: the rest stays off."""
        if game.stage != STAGE or self.done >= len(self.steps):
            return
        if act.DO == "end_phase" and act.by == game.clock.turn:
            self._next(game)
        self.go_on(game)

    def stage_wants(self, game: Game, stage: str) -> tuple[str, ...]:
        """Markers, Sentries and patrols must be set up; else it is for the player to say."""
        if stage != STAGE or self.done >= len(self.steps):
            return ()
        step = self.step
        if step.what == ARMY and self.must_stand(game, game.player_of(step.side)):
            return (game.player_of(step.side),)
        must = step.what in (MARKERS, SENTRIES) or (step.what == NUMBER and self._count(game, step) < step.count)
        return (game.player_of(step.side),) if must else ()

    @property
    def has_reserves(self) -> bool:
        """Say whether what is not set up is the mission's Reserve (N-17)."""
        return any(step.what in (NUMBER, SOME) for step in self.steps)

    def must_stand(self, game: Game, player: str) -> list[Unit]:
        """Return the units that *player* must set up, or agree to be without room (N-17)."""
        if game.version == 1 or self.has_reserves:
            return []
        off = self.kept_off
        return [
            unit
            for unit in game.units_of(player, UNPLACED)
            if not unit.extra and OWN_ARRIVAL not in unit.flags and not (off and off.holds(game, unit))
        ]

    def still_to_place(self, game: Game, player: str) -> tuple[str, ...]:
        """Name what keeps this player from leaving deployment."""
        return tuple(unit.name for unit in self.must_stand(game, player)) if game.stage == STAGE else ()

    def may_confirm(self, game: Game, player: str) -> bool:
        """The other side may agree that there is no room."""
        return bool(self.said_late[1]) and player == game.other(self.said_late[0])

    def confirms(self, game: Game, player: str) -> Mapping[str, Any]:
        """There is no room for these units."""
        return {"what": "no_room", "units": self.said_late[1]}

    def confirmed(self, game: Game, player: str) -> None:
        """A unit without room is destroyed, or comes late if the mission says so (N-43)."""
        side, late = self.said_late
        self.said_late = ("", ())
        for id_ in late:
            unit = game.units[id_]
            if unit.state != UNPLACED:
                continue
            self._mark_late(game, unit)
            game.put(unit, RESERVE if unit.marks.get(LATE) else DESTROYED)
            game.emit("agreed_late", player=side, unit=id_, destroyed=unit.state == DESTROYED)
        self.go_on(game)

    def stage_left(self, game: Game, stage: str) -> None:
        """Units that are not set up are in Reserve, of the mission's kind or their own (N-17, N-43)."""
        if stage != STAGE:
            return
        for unit in game.units.values():
            if unit.state == UNPLACED and not unit.extra:
                self._mark_late(game, unit)
                game.put(unit, RESERVE)

    def resumed(self, game: Game, start: Start) -> None:
        """What waits off the table had no room, unless it arrives by rules of its own (N-43)."""
        for player in game.players:
            for unit in game.units_of(player, RESERVE):
                self._mark_late(game, unit)

    def _mark_late(self, game: Game, unit: Unit) -> None:
        if self.late and game.role_of(unit.side) == self.late and OWN_ARRIVAL not in unit.flags:
            unit.marks[LATE] = True

    # --- one unit ---

    def unfit_now(self, game: Game, unit: Unit) -> Problem | None:
        """Return why a unit cannot be set up in this step."""
        step = self.step
        if self.done >= len(self.steps) or step.what == MARKERS:
            return refuse("wrong_moment", "Units are not set up now.", "unit", unit.id, "1.1")
        if unit.state == EMBARKED:
            return refuse("wrong_target", "Its transport is set up.", "unit", unit.id, "N-08")
        if unit.state != UNPLACED:
            return refuse("wrong_moment", "This unit cannot be set up now.", "unit", unit.id, "N-09")
        if "spy" in unit.flags or is_sentry(unit) != (step.what == SENTRIES) or unit.marks.get(FOR_SALE):
            return refuse("wrong_moment", "This unit is not set up now.", "unit", unit.id, "1.6")
        sentries = game.find(Sentries) if step.what == SENTRIES and game.version > 1 else None
        if sentries and (problem := sentries.too_large(unit)):
            return problem
        return self._unfit_for_patrol(game, step, unit) if step.what == NUMBER else None

    def _count(self, game: Game, step: Step) -> int:
        """Return how many units of a patrol stand, passengers included (N-44), or all there are if fewer are left."""
        player = game.player_of(step.side)
        more = any(self.unfit_now(game, unit) is None for unit in self._left(game, step))
        return len(self._standing(game, player)) if more else step.count

    def _standing(self, game: Game, player: str) -> list[Unit]:
        return [unit for unit in game.units_of(player, TABLE, EMBARKED) if game.state_with_transport(unit) == TABLE]

    def _unfit_for_patrol(self, game: Game, step: Step, unit: Unit) -> Problem | None:
        standing = self._standing(game, unit.side)
        joining = [unit, *game.passengers(unit)]
        room, further = step.count - len(standing), self.more.get(unit.side, "")
        if room == 0 and further:
            if unit.role != further:
                return refuse("not_troops", "The further unit must be {role}.", "unit", unit.id, "2.3", role=further)
            room = 1
        elif room == len(joining) and self._lacks_role(game, step, [*standing, *joining]):
            return refuse("not_troops", "One of the units must be {role}.", "unit", unit.id, "2.3", role=step.role)
        if len(joining) > room:
            message = say("No more than {count} units are set up.", count=step.count + bool(further))
            return refuse("limit_reached", message, "unit", unit.id, "2.3")
        return None

    def _lacks_role(self, game: Game, step: Step, patrol: list[Unit]) -> bool:
        """Say whether a patrol would lack the role that one of it must have, while the army has such a unit."""
        if not step.role or any(unit.role == step.role for unit in patrol):
            return False
        return any(unit.role == step.role and not unit.extra for unit in game.units_of(patrol[0].side))

    def too_far(self, game: Game, unit: Unit, at: Point) -> Problem | None:
        """Return why a Sentry stands too far from the centre: enough of them must be near it (N-48)."""
        step = self.step
        if step.what != SENTRIES or not step.near or game.mission.is_central(at, step.inches):
            return None
        all_of = [other for other in game.units_of(unit.side) if is_sentry(other)]
        standing = [other.at for other in all_of if other.state == TABLE and other.at]
        far = sum(not game.mission.is_central(place, step.inches) for place in standing)
        if step.near * (len(all_of) - far - 1) >= len(all_of):
            return None
        message = say('Enough Sentries must be within {inches}" of the centre.', inches=inches(step.inches))
        return refuse("too_far", message, "at", to_inches(at), "N-48")
