"""Deploying the armies (step 6) and the rules before the battle (step 8), in turns; Reserves and losses in it.

Reserves arrive from the second round on, or are lost (T-33); losses are as players report them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from server.core.sentences import say
from server.referee.act import Act, Found, act_kind
from server.referee.choices import TRUE, Offer, integer, offer, one_of, point, text
from server.referee.combat_patrol.formations import is_led_along, together
from server.referee.game import Game
from server.referee.geometry import Point
from server.referee.reading import AT, BOOL, OWN_UNIT, STAGE, TEXT, Integer, given, state
from server.referee.refusals import refuse
from server.referee.rule import Rule, rule_kind
from server.referee.units import DESTROYED, EMBARKED, MAX_MODELS, MAX_WOUNDS, RESERVE, TABLE, UNPLACED, Unit

ARRIVES_IN = "movement"


@act_kind("deploy", stages=("deploy",), turn=True, holds=False, report=2)
class Deploy(Act):
    """Set up one unit wholly within your zone; if there is no room, it goes into Reserves (T-32)."""

    unit: str = given(OWN_UNIT)
    at: Point | None = given(AT, None)
    wholly: bool = given(BOOL, True)
    reserve: bool = given(BOOL, False)

    def check(self, game: Game) -> Found:
        """The unit is still to be set up, and stands in the zone."""
        unit = game.units[self.unit]
        if unit not in waiting(game, self.by):
            yield unit.refused("not_allowed", "{unit} is not to be set up now.", "table 2, step 6")
        elif self.reserve:
            return
        elif self.at is not None and not game.mission.on_table(self.at):
            yield refuse("off_table", "That is off the table.", "at", rule="T-01")
        elif not self.wholly or (self.at is not None and not game.in_zone(game.role_of(self.by), self.at)):
            rule = "table 2, step 6"
            yield refuse("not_in_zone", "A unit is set up wholly within its player's zone.", "at", rule=rule)

    def play(self, game: Game) -> None:
        """Set it up; the other player is next, as long as they have units left."""
        for unit in together(game, game.units[self.unit]):
            if self.reserve:
                game.put(unit, RESERVE)
            else:
                game.put(unit, TABLE, self.at)
        game.emit("deployed", player=self.by, unit=self.unit, reserve=self.reserve)
        game.rule(DeployArmies).next_step(game, game.other(self.by))

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer every unit that is left."""
        units = one_of([unit.id for unit in waiting(game, player)])
        if units.values:
            yield offer(unit=units, at=point(game.mission.zones.get(game.role_of(player), ())).optional())
            yield offer(unit=units, reserve=TRUE)


def waiting(game: Game, player: str) -> list[Unit]:
    """Return the units of a player that are still to be set up."""
    return [unit for unit in game.units_of(player, UNPLACED) if not is_led_along(unit)]


@rule_kind("deploy", acts=(Deploy,))
class DeployArmies(Rule):
    """In turns, the Defender first, one unit each; who is done is skipped."""

    stage: str = given(STAGE, "deploy")

    def stage_entered(self, game: Game, stage: str) -> None:
        """Begin with the Defender."""
        if stage == self.stage:
            self.next_step(game, game.defender)

    def next_step(self, game: Game, player: str) -> None:
        """Let *player* be next, or the other player if *player* has no unit left."""
        game.clock.turn = player if waiting(game, player) else game.other(player)

    def stage_wants(self, game: Game, stage: str) -> tuple[str, ...]:
        """Wait for the player whose step it is, while units are left."""
        return (game.turn,) if stage == self.stage and waiting(game, game.turn) else ()


@act_kind("pre_battle", stages=("pre_battle",), turn=True, holds=False)
class PreBattle(Act):
    """Resolve a unit's rule before the battle, or end your part."""

    unit: str | None = given(OWN_UNIT, None)
    rule: str | None = given(TEXT, None)
    done: bool = given(BOOL, False)

    def check(self, game: Game) -> Found:
        """Either one rule of one unit, once, or ``done``."""
        if self.by in game.rule(PreBattleRules).done:
            yield refuse("wrong_moment", "You are done here already.", rule="table 2, step 8")
        elif self.done:
            if self.unit is not None or self.rule is not None:
                yield refuse("bad_value", "Name a unit and its rule, or done = true.", "done", True)
        elif self.unit is None or self.rule is None:
            name = "unit" if self.unit is None else "rule"
            yield refuse("missing_field", "The field {name} is missing.", name, name=name)
        elif (self.unit, self.rule) in game.rule(PreBattleRules).used:
            message = say("{unit} has done that.", unit=game.units[self.unit].name)
            yield refuse("already_used", message, "rule", self.rule, "table 2, step 8")

    def play(self, game: Game) -> None:
        """Note it; the other player is next, unless they are done."""
        rule = game.rule(PreBattleRules)
        if self.done:
            rule.done[self.by] = None
        elif self.unit is not None and self.rule is not None:
            rule.used[self.unit, self.rule] = None
            game.emit("pre_battle", player=self.by, unit=self.unit, rule=self.rule)
        other = game.other(self.by)
        game.clock.turn = self.by if other in rule.done else other

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer ``done``, and each rule of the player's own units."""
        if player in game.rule(PreBattleRules).done:
            return
        yield offer(done=TRUE)
        if units := [unit.id for unit in game.units_of(player) if not unit.gone]:
            yield offer(unit=one_of(units), rule=text())


@rule_kind("pre_battle", acts=(PreBattle,))
class PreBattleRules(Rule):
    """Players take turns, starting with the player of the first turn; ``done`` ends a player's part."""

    stage: str = given(STAGE, "pre_battle")
    used: dict[tuple[str, str], None] = state(dict)
    done: dict[str, None] = state(dict)

    def stage_entered(self, game: Game, stage: str) -> None:
        """Begin with who has the first turn."""
        if stage == self.stage:
            game.clock.turn = game.clock.first or game.attacker

    def stage_wants(self, game: Game, stage: str) -> tuple[str, ...]:
        """Wait until both are done."""
        return tuple(player for player in game.players if player not in self.done) if stage == self.stage else ()

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Say what was done."""
        return {"pre_battle": [{"unit": unit, "rule": rule} for unit, rule in self.used]}


@act_kind("arrive", stages=("battle",), turn=True, report=2)
class Arrive(Act):
    """A unit comes out of Reserves, with all embarked in it."""

    unit: str = given(OWN_UNIT)
    at: Point | None = given(AT, None)

    def check(self, game: Game) -> Found:
        """Never in the first round; only what is in Reserves."""
        unit = game.units[self.unit]
        if unit.state != RESERVE or is_led_along(unit):
            yield unit.refused("wrong_target", "{unit} is not in Reserves.", "T-33")
        elif game.round < game.rule(Reserves).from_round:
            yield refuse("reserves_round", "Reserves do not arrive in this round.", "unit", self.unit, "T-33")
        elif game.version > 1 and game.phase != ARRIVES_IN:
            yield refuse("wrong_phase", "Reserves arrive in the Movement phase.", "unit", self.unit, "T-90")
        elif self.at is not None and not game.mission.on_table(self.at):
            yield refuse("off_table", "That is off the table.", "at", rule="T-01")

    def play(self, game: Game) -> None:
        """Set it up."""
        for unit in together(game, game.units[self.unit]):
            game.put(unit, TABLE, self.at)
        game.emit("arrived", player=self.by, unit=self.unit)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer what may arrive."""
        if game.round < game.rule(Reserves).from_round or (game.version > 1 and game.phase != ARRIVES_IN):
            return
        if units := [unit.id for unit in game.units_of(player, RESERVE) if not is_led_along(unit)]:
            yield offer(unit=one_of(units), at=point().optional())


@rule_kind("reserves", acts=(Arrive,))
class Reserves(Rule):
    """Reserves arrive from a round on; what has not arrived at the end of another is destroyed (T-33)."""

    from_round: int = given(Integer(1, 50), 2)
    lost_after: int = given(Integer(0, 50), 3)
    """Round at whose end they are lost; 0: never."""

    def round_ending(self, game: Game) -> None:
        """Destroy what has not arrived."""
        if game.round != self.lost_after:
            return
        for unit in list(game.units.values()):
            if unit.state == RESERVE:
                destroy(game, unit, "never arrived")


@act_kind("lost", stages=("battle",), holds=False, report=1)
class Lost(Act):
    """Report your lost models, or wounds of a single model; without a number, the whole unit."""

    unit: str = given(OWN_UNIT)
    models: int | None = given(Integer(1, MAX_MODELS), None)
    wounds: int | None = given(Integer(1, MAX_WOUNDS), None)

    def check(self, game: Game) -> Found:
        """There must be that many left; wounds are counted for single models alone."""
        unit = game.units[self.unit]
        if unit.gone:
            yield unit.refused("wrong_target", "{unit} is gone already.")
        elif self.models is not None and self.models > unit.models_now:
            message = say("{unit} has {models} models.", unit=unit.name, models=unit.models_now)
            yield refuse("bad_value", message, "models", self.models)
        elif self.wounds is not None and not has_wounds(unit):
            yield refuse("bad_value", "Wounds of {unit} are not counted.", "wounds", self.wounds, unit=unit.name)
        elif self.wounds is not None and self.wounds > unit.wounds_now:
            message = say("{unit} has {wounds} wounds.", unit=unit.name, wounds=unit.wounds_now)
            yield refuse("bad_value", message, "wounds", self.wounds)

    def play(self, game: Game) -> None:
        """Take them away; the last model, or its last wound, takes the unit."""
        unit = game.units[self.unit]
        if self.models is None and self.wounds is not None and self.wounds < unit.wounds_now:
            unit.wounds_now -= self.wounds
            game.emit("wounds_lost", unit=unit.id, wounds=self.wounds, left=unit.wounds_now)
        elif self.models is None or self.models == unit.models_now:
            destroy(game, unit, "lost")
        else:
            unit.models_now -= self.models
            unit.lost += self.models
            game.emit("models_lost", unit=unit.id, models=self.models, left=unit.models_now)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer units on the table or embarked."""
        for unit in game.units_of(player, TABLE, EMBARKED):
            if has_wounds(unit):
                yield offer(unit=one_of([unit.id]), wounds=integer(1, unit.wounds_now).optional())
            elif unit.models_now:
                yield offer(unit=one_of([unit.id]), models=integer(1, unit.models_now).optional())
            else:  # nobody counts its models: it is lost as a whole
                yield offer(unit=one_of([unit.id]))


def has_wounds(unit: Unit) -> bool:
    """Say whether a unit is a single model whose wounds are counted."""
    return unit.models == 1 and unit.wounds_now > 0


@rule_kind("losses", acts=(Lost,))
class Losses(Rule):
    """Players report their losses."""


def destroy(game: Game, unit: Unit, why: str) -> None:
    """Destroy a unit. In Reserves its passengers go with it; on the table they are set up there."""
    from_reserve = unit.state == RESERVE
    game.put(unit, DESTROYED)
    game.emit("destroyed", unit=unit.id, why=why)
    for passenger in game.passengers(unit):
        passenger.inside = ""
        if passenger.state == EMBARKED and from_reserve:
            destroy(game, passenger, why)
        elif passenger.state == EMBARKED:
            game.put(passenger, TABLE)
