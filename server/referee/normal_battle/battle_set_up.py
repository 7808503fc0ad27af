"""Set-up of a normal battle, infiltrators, and the first turn (4.4, T-73 to T-75)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from server.core.errors import Problem
from server.referee.act import Act, Found, act_kind
from server.referee.battle import battle_of, bonus, contest, depth_of_zones, is_supporter
from server.referee.choices import Offer, offer, one_of, point, some_of
from server.referee.game import Game
from server.referee.geometry import Point, rectangle, squared
from server.referee.mission import ATTACKER, BATTLE, PLAYERS
from server.referee.normal_battle.models_together import move_together, takes_part
from server.referee.normal_battle.reinforcements import WITHHELD
from server.referee.normal_battle.sides import FIRST_TURN, SET_UP
from server.referee.normal_battle.which_battle import DEEP_STRIKE, INFILTRATE, RESERVES, SpecialRules, plays_scenario
from server.referee.reading import AT, ID, INCHES, OWN_UNIT, Integer, ListOf, OneOf, TableOf, given, state, to_inches
from server.referee.refusals import not_yours, refuse, unknown
from server.referee.rule import Rule, rule_kind
from server.referee.units import RESERVE, TABLE, UNPLACED, Unit

WHOLE, ALTERNATING = "whole", "alternating"
ALTERNATING_FROM = 4
SLOTS = ("heavy_support", "troops", "elites", "hq", "fast_attack")
"""The order of unit by unit."""
SLOT_OF = {"heavy": "heavy_support", "elite": "elites", "fast": "fast_attack"}
FIRST_TURN_TOPIC = "first_turn"


@act_kind("set_up", stages=(SET_UP,), turn=True)
class SetUpUnit(Act):
    """Set up one unit."""

    unit: str = given(OWN_UNIT)
    at: Point = given(AT)

    def check(self, game: Game) -> Found:
        """A unit that is to be set up now, in its player's zone; infiltrators far from all enemies."""
        rule, unit = game.rule(BattleSetUp), game.units[self.unit]
        if not rule.is_waiting(game, unit):
            yield unit.refused("not_allowed", "{unit} is not set up.", "4.4")
        elif unit not in rule.due(game)[1]:
            yield unit.refused("wrong_moment", "It is not the turn of {unit} to be set up.", "T-75")
        elif not game.mission.on_table(self.at):
            yield refuse("off_table", "This is off the table.", "at", to_inches(self.at), "4.4")
        elif (problem := rule.wrong_place(game, unit, self.at)) is not None:
            yield problem

    def play(self, game: Game) -> None:
        """Set it up."""
        rule, unit = game.rule(BattleSetUp), game.units[self.unit]
        rule.last = (*rule.step_of(game, unit), self.by)
        rule.has_set_up[self.by] = None
        game.put(unit, TABLE, self.at)
        to = (self.by,) if rule.is_hidden(game, self.by) else None
        game.emit("set_up", to, player=self.by, unit=unit.id, at=to_inches(self.at))

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer the units that are to be set up now."""
        rule = game.rule(BattleSetUp)
        who, units = rule.due(game)
        if who != player:
            return
        for unit in units:
            yield offer(unit=one_of([unit.id]), at=point((rule.ground_for(game, unit),)))


@act_kind("withhold", stages=(SET_UP,), holds=False)
class Withhold(Act):
    """Declare units that stay away for the whole battle, before you set up your first unit (T-82a)."""

    units: tuple[str, ...] = given(ListOf(ID, min=1, max=200))

    def check(self, game: Game) -> Found:
        """With the reserves rule, while one HQ and two troops choices are fielded."""
        rule, rules = game.rule(BattleSetUp), game.find(SpecialRules)
        if plays_scenario(game) or (rules is not None and RESERVES not in rules.usable[self.by]):
            yield refuse("not_allowed", "You may keep nothing in reserve.", rule="T-82a")
            return
        for id_ in self.units:
            if (unit := game.units.get(id_)) is None:
                yield unknown("unit", "units", id_)
            elif unit.side != self.by:
                yield not_yours("This is a unit of the other player.")
            elif not rule.is_waiting(game, unit):
                yield refuse("wrong_target", "{unit} is not set up.", "units", id_, "T-82a", unit=unit.name)
        if self.by in rule.has_set_up:
            yield refuse("wrong_moment", "You have set up a unit.", rule="T-82a")
        elif not rule.leaves_enough(game, self.by, self.units):
            yield refuse("too_few_choices", "One HQ and two troops choices are fielded.", "units", rule="T-82a")

    def play(self, game: Game) -> None:
        """They stay away."""
        for id_ in self.units:
            game.units[id_].marks[WITHHELD] = True
            game.put(game.units[id_], RESERVE)
        to = (self.by,) if game.rule(BattleSetUp).is_hidden(game, self.by) else None
        game.emit("withheld", to, player=self.by, units=list(self.units))

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer each unit that may stay away."""
        rule = game.rule(BattleSetUp)
        units = [unit.id for unit in game.units_of(player, UNPLACED) if rule.is_waiting(game, unit)]
        fit = [id_ for id_ in units if cls.fits(game, player, units=(id_,))] if game.version > 1 else []
        if fit:
            yield offer(units=some_of(fit, 1, 1))


@act_kind("choose_first", stages=(FIRST_TURN,), holds=False)
class ChooseFirst(Act):
    """Say who has the first turn."""

    player: str = given(OneOf(PLAYERS))

    def check(self, game: Game) -> Found:
        """The winner of the dice decides."""
        if game.rule(BattleSetUp).chooses_first != self.by:
            yield refuse("not_yours", "The other player says who begins.", rule="4.4")

    def play(self, game: Game) -> None:
        """That player begins every round."""
        game.clock.first = self.player
        game.rule(BattleSetUp).first_chosen = True
        game.emit("first_turn", player=self.player)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer both players to the player who chooses."""
        if cls.fits(game, player, player=player) and not game.rule(BattleSetUp).first_chosen:
            yield offer(player=one_of(PLAYERS))


@act_kind("choose_first", stages=(BATTLE,), holds=False)
class FirstByScenario(Act):
    """Both say who begins, as their scenario has it (T-67); without a word the attacker does."""

    player: str = given(OneOf(PLAYERS))

    def check(self, game: Game) -> Found:
        """Only before anything else was done in a scenario's battle."""
        if not plays_scenario(game):
            yield refuse("wrong_stage", "Who begins is settled.", rule="4.4")
        elif not (game.round == 1 and not game.clock.second and game.phase == game.mission.phases[0]):
            yield refuse("wrong_moment", "The battle has begun.", rule="T-67")

    def play(self, game: Game) -> None:
        """Let that player begin, if both say the same."""
        game.emit("wants_first", player=self.by, first=self.player)
        if game.agree(FIRST_TURN_TOPIC, self.by, self.player):
            game.clock.first = game.clock.turn = self.player
            game.emit("first_turn", player=self.player)


@rule_kind("battle_set_up", acts=(SetUpUnit, Withhold, ChooseFirst, FirstByScenario))
class BattleSetUp(Rule):
    """Order and areas of set-up, and the player who begins."""

    attacker_adds: Mapping[str, int] = given(TableOf(Integer(0, 10)), {})
    """Added to the die for the first set-up, by kind of battle."""
    from_enemies: int = given(INCHES, 18_000)
    """Infiltrators."""
    from_edges: int = given(INCHES, 6_000)
    """A hidden defender's units."""
    slots: tuple[str, ...] = given(ListOf(OneOf(SLOTS), min=1), SLOTS)
    style: str = state(str)
    first: str = state(str)
    """The player who sets up first."""
    last: tuple[str, bool, str] = state(lambda: ("", False, ""))
    """Slot, infiltrator or not, and player of the unit set up last."""
    has_set_up: dict[str, None] = state(dict)
    """Players who have set up a unit."""
    chooses_first: str = state(str)
    first_chosen: bool = state(bool)
    moved: dict[str, tuple[int, int]] = state(dict)
    """Models that units of a kind brought, and field since they were moved together (6.2.1.3.1)."""

    # --- stages ---

    def stage_entered(self, game: Game, stage: str) -> None:
        """Roll for style and order of set-up; roll for the choice of the first turn."""
        if plays_scenario(game):
            return
        adds = {player: bonus(game, player) for player in game.players}
        if stage == SET_UP:
            for player in game.players:
                self.moved |= move_together(game, player)
            self._order(game, adds)
            game.emit("set_up_order", style=self.style, first=self.first)
            self.go_on(game)
        elif stage == FIRST_TURN:
            self.chooses_first = contest(game, "first-turn", adds)
            game.emit("chooses_first", player=self.chooses_first)

    def _order(self, game: Game, adds: Mapping[str, int]) -> None:
        battle = battle_of(game)
        self.style, self.first = WHOLE, game.defender
        if battle.from_orbit:
            for unit in game.units_of(game.attacker, UNPLACED):
                if takes_part(unit):
                    game.put(unit, RESERVE)
        elif not battle.raid:
            if game.roll("set-up-style") >= ALTERNATING_FROM:
                self.style = ALTERNATING
            add = self.attacker_adds.get(battle.kind, 0)
            self.first = contest(game, "set-up", {**adds, game.attacker: add})

    def stage_wants(self, game: Game, stage: str) -> tuple[str, ...]:
        """Units that cannot stay off the table must be set up; the winner of the dice chooses who begins."""
        if plays_scenario(game):
            return ()
        if stage == FIRST_TURN:
            return () if self.first_chosen else (self.chooses_first,)
        if stage != SET_UP:
            return ()
        return tuple(
            player for player in game.players if not all(map(self._off, [game] * 200, self._waiting(game, player)))
        )

    def _off(self, game: Game, unit: Unit) -> bool:
        """True for a unit that may stay off the table for now."""
        rules = game.find(SpecialRules)
        usable = rules.usable[unit.side] if rules is not None else []
        if RESERVES in usable or game.role_of(unit.side) == ATTACKER:
            return True
        return DEEP_STRIKE in usable and DEEP_STRIKE in unit.flags

    def after_act(self, game: Game, act: Act) -> None:
        """Go on to the next unit, also when a player has passed."""
        if game.stage == SET_UP:
            self.go_on(game)

    def stage_left(self, game: Game, stage: str) -> None:
        """What takes part and was not set up is in reserve; what does not take part stays away.

        A scenario has a set-up of its own (T-67): there all of it is on the table but for what drops from orbit.
        """
        if stage != SET_UP:
            return
        for unit in game.units.values():
            if unit.state == UNPLACED and takes_part(unit):
                drops = battle_of(game).from_orbit and unit.side == game.attacker
                game.put(unit, TABLE if plays_scenario(game) and not drops else RESERVE)

    def go_on(self, game: Game) -> None:
        """Find who sets up now."""
        game.clock.turn = self.due(game)[0]

    # --- order ---

    def is_waiting(self, game: Game, unit: Unit) -> bool:
        """True for a unit that takes part and is still to be set up."""
        return unit.state == UNPLACED and not is_supporter(game, unit) and takes_part(unit)

    def leaves_enough(self, game: Game, player: str, away: tuple[str, ...]) -> bool:
        """Say whether one HQ and two troops choices are fielded without these units (T-82a)."""
        choices = [
            (unit.choice or unit.id, unit.role)
            for unit in game.units_of(player)
            if self.is_waiting(game, unit) and unit.id not in away
        ]
        roles = [role for _, role in dict.fromkeys(choices)]
        return roles.count("hq") >= 1 and roles.count("troops") >= 2

    def _waiting(self, game: Game, player: str) -> list[Unit]:
        return [unit for unit in game.units_of(player) if self.is_waiting(game, unit)]

    def step_of(self, game: Game, unit: Unit) -> tuple[str, bool]:
        """Return the slot a unit is set up with, and whether it infiltrates."""
        rules = game.find(SpecialRules)
        infiltrates = INFILTRATE in unit.flags and rules is not None and INFILTRATE in rules.usable[unit.side]
        return slot_of(game, unit), infiltrates

    def due(self, game: Game) -> tuple[str, list[Unit]]:
        """Return who sets up now, and which units (T-75); infiltrators come last."""
        order = (self.first, game.other(self.first)) if self.first else game.players
        waiting = {
            player: [] if player in game.clock.passed else self._waiting(game, player) for player in game.players
        }
        for infiltrating in (False, True):
            for slot in self.slots if self.style == ALTERNATING else ("",):
                fitting = {
                    player: [
                        unit
                        for unit in waiting[player]
                        if self.step_of(game, unit)[1] == infiltrating and slot in ("", self.step_of(game, unit)[0])
                    ]
                    for player in order
                }
                if named := [player for player in order if fitting[player]]:
                    player = self._alternate(named, slot, infiltrating)
                    return player, fitting[player]
        return "", []

    def _alternate(self, named: list[str], slot: str, infiltrating: bool) -> str:
        """Return who of those with units left in a slot is next."""
        last_slot, last_infiltrating, last = self.last
        if slot and (last_slot, last_infiltrating) == (slot, infiltrating) and named[0] == last:
            return named[-1]
        return named[0]

    # --- places ---

    def ground_for(self, game: Game, unit: Unit) -> tuple[Point, ...]:
        """Return where a unit may be set up; infiltrators also keep away from enemies."""
        width, height = game.mission.width, game.mission.height
        depth, off = depth_of_zones(game), 0
        if self.step_of(game, unit)[1]:
            low, high = 0, height
        elif game.role_of(unit.side) == ATTACKER:
            low, high = 0, depth
        elif battle_of(game).from_orbit:
            off = self.from_edges
            low, high = off, height - off
        else:
            low, high = height - depth, height
        return rectangle(off, low, width - off, high)

    def wrong_place(self, game: Game, unit: Unit, at: Point) -> Problem | None:
        """Return why a unit may not be set up there."""
        (left, low), _, (right, high), _ = self.ground_for(game, unit)
        if not (left <= at[0] <= right and low <= at[1] <= high):
            return refuse("not_in_zone", "This is outside the zone.", "at", to_inches(at), "T-73")
        if self.step_of(game, unit)[1]:
            enemies = [enemy.at for enemy in game.units_of(game.other(unit.side), TABLE) if enemy.at is not None]
            if any(squared(at, enemy) < self.from_enemies**2 for enemy in enemies):
                return refuse("too_near_enemy", "Infiltrators keep away from enemies.", "at", to_inches(at), "T-75")
        return None

    def is_hidden(self, game: Game, player: str) -> bool:
        """True for a defender who sets up hidden: the attack comes from orbit (4.3)."""
        return battle_of(game).from_orbit and player == game.defender and not plays_scenario(game)

    def hides(self, game: Game, player: str, unit: Unit) -> bool:
        """Hide what a hidden defender sets up, until the battle begins."""
        return self.is_hidden(game, unit.side) and unit.side != player and game.stage in (SET_UP, FIRST_TURN)

    # --- what is known ---

    def track(self, game: Game, name: str, value: Any) -> bool:
        """Take the order of set-up in a game that begins there."""
        if name == "set_up_first" and value in PLAYERS:
            self.first = value
        elif name == "set_up_style" and value in (WHOLE, ALTERNATING):
            self.style = value
        elif name == "chooses_first" and value in PLAYERS:
            self.chooses_first = value
        else:
            return False
        return True

    def tracked(self, game: Game) -> Mapping[str, Any]:
        """Return style and order of set-up, and who chooses the first turn."""
        return {"set_up_first": self.first, "set_up_style": self.style, "chooses_first": self.chooses_first}

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Both know the order."""
        return dict(self.tracked(game))


def slot_of(game: Game, unit: Unit) -> str:
    """Return the slot a unit counts in; a transport that of the unit embarked in it, else troops (T-75)."""
    if unit.role == "transport":
        first = next(iter(game.passengers(unit)), None)
        return "troops" if first is None or first.role == "transport" else slot_of(game, first)
    slot = SLOT_OF.get(unit.role, unit.role)
    return slot if slot in SLOTS else "troops"
