"""Artillery that fires into a battle from another hex (4.6, T-78 to T-80, T-87)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from server.core.errors import Problem
from server.core.sentences import say
from server.referee.act import Act, Found, act_kind
from server.referee.battle import ORBIT, battle_of, half_up, is_supporter
from server.referee.choices import Offer, integer, offer, one_of, point
from server.referee.game import Game
from server.referee.geometry import Point, away
from server.referee.mission import ATTACKER, BATTLE
from server.referee.normal_battle.reinforcements import FLANK, FRONT, REAR, Reinforcements, side_of
from server.referee.normal_battle.which_battle import BARRAGE
from server.referee.reading import AT, INCHES, OWN_UNIT, Integer, given, state, to_inches
from server.referee.refusals import refuse
from server.referee.rule import Rule, rule_kind
from server.referee.units import Unit
from server.referee.view import point_to_json

MAX_TEMPLATES = 50
HIT = (1, 2)
"""Faces of the scatter die that are a hit; the others are an arrow (T-80)."""
COMMS, SMALL_BLAST = "comms", "small_blast"


@act_kind("bombard", stages=(BATTLE,), phases=("movement", "shooting"), turn=True, report=2)
class Bombard(Act):
    """Fire the guns of a supporting unit at a point of the table."""

    unit: str = given(OWN_UNIT)
    aim: Point = given(AT)
    templates: int = given(Integer(1, MAX_TEMPLATES), 1)

    def check(self, game: Game) -> Found:
        """Barrage guns in range that may fire this turn, at the table."""
        unit = game.units[self.unit]
        if problem := self._cannot_fire(game, unit) or self._not_now(game, unit):
            yield problem
        elif not game.mission.on_table(self.aim):
            yield refuse("off_table", "The aim is off the table.", "aim", to_inches(self.aim), "4.6")
        elif self.templates > unit.models_now:
            message = say("{unit} has {models} guns.", unit=unit.name, models=unit.models_now)
            yield refuse("bad_value", message, "templates", self.templates, "T-80")

    def _cannot_fire(self, game: Game, unit: Unit) -> Problem | None:
        battle = battle_of(game)
        if battle.raid:
            return refuse("not_allowed", "Nobody helps in a raid.", rule="4.6")
        if BARRAGE not in unit.flags:
            return unit.refused("not_allowed", "{unit} has no barrage guns.", "4.6")
        if not is_supporter(game, unit) or unit.gone:
            return unit.refused("not_allowed", "{unit} supports nobody from another hex.", "4.6")
        place = battle.supporters[unit.id].place
        if place == ORBIT and game.version > 1:
            return refuse("not_allowed", "A detachment in orbit bombards nothing.", "unit", unit.id, "4.6")
        if battle.hexes_off(place) > unit.bombardment:
            return unit.refused("too_far", "{unit} does not reach so far.", "4.6")
        return None

    def _not_now(self, game: Game, unit: Unit) -> Problem | None:
        rule, arrivals = game.rule(Artillery), game.rule(Reinforcements)
        detachment = battle_of(game).detachment_of(unit.id)
        if game.round < rule.first_turn(game, unit):
            code = "not_allowed" if game.version == 1 else "wrong_moment"
            return refuse(code, "This detachment fires from turn 2 on.", "unit", unit.id, "4.6")
        if rule.fired.get(unit.id) == game.round:
            return unit.refused("limit_reached", "{unit} has tried to fire.", "4.6")
        if arrivals.has_tried(game, detachment) or unit.on_table:
            return refuse("not_allowed", "This detachment reinforces this turn.", "unit", unit.id, "T-85")
        return None

    def play(self, game: Game) -> None:
        """Roll whether it can fire, and where its templates come down; comms allow one re-roll a turn and side."""
        unit, rule = game.units[self.unit], game.rule(Artillery)
        self.use_try(game)
        label = f"bombard/{game.round}/{unit.id}"
        fires = game.roll(label) >= rule.needed
        has_comms = any(COMMS in other.flags and other.on_table for other in game.units_of(self.by))
        if not fires and has_comms and rule.rerolled.get(self.by) != game.round:
            rule.rerolled[self.by] = game.round
            fires = game.roll(label) >= rule.needed
        game.emit("bombards", player=self.by, unit=unit.id, fires=fires, aim=to_inches(self.aim))
        if fires:
            rule.come_down(game, unit, self)

    def use_try(self, game: Game) -> None:
        """A unit tries to fire once a turn, and its detachment does not reinforce in it."""
        game.rule(Artillery).fired[self.unit] = game.round
        game.rule(Reinforcements).bombarded[battle_of(game).detachment_of(self.unit)] = (game.round, self.by)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer the guns that may fire."""
        for unit in game.units_of(player):
            act = cls(by=player, unit=unit.id, aim=(0, 0))
            if not (act._cannot_fire(game, unit) or act._not_now(game, unit)):
                templates = integer(1, min(unit.models_now, MAX_TEMPLATES)).optional()
                yield offer(unit=one_of([unit.id]), aim=point(), templates=templates)


@rule_kind("artillery", acts=(Bombard,))
class Artillery(Rule):
    """Units that may fire, the turn from which they may, and the scatter of templates."""

    needed: int = given(Integer(1, 7), 2)
    scatter: int = given(Integer(1, 20), 3)
    """An arrow scatters this many times a D6, in inches."""
    diameter: int = given(INCHES, 5_000)
    small_diameter: int = given(INCHES, 3_000)
    """Of units with the flag ``small_blast`` (T-87)."""
    fired: dict[str, int] = state(dict)
    """The turn in which each unit last tried to fire."""
    rerolled: dict[str, int] = state(dict)
    """The turn in which each player last used comms."""
    templates: dict[str, Point] = state(dict)
    """Where each template came down, by ``<turn>/<unit>/<n>``."""

    def first_turn(self, game: Game, unit: Unit) -> int:
        """Return the first turn in which a unit may fire (4.6)."""
        battle, ordered = battle_of(game), battle_of(game).supporters[unit.id].ordered
        if game.role_of(unit.side) == ATTACKER:
            early = battle.kind == "planned_attack" and ordered in ("support", "attack")
        else:
            early = battle.defending and ordered == "support"
        return 1 if early else 2

    def come_down(self, game: Game, unit: Unit, act: Bombard) -> None:
        """Scatter the first template; the others touch it, each in a direction of its own (T-80, T-87)."""
        first = act.aim
        across = self.small_diameter if SMALL_BLAST in unit.flags else self.diameter
        for number in range(1, act.templates + 1):
            name = f"{game.round}/{unit.id}/{number}"
            hit = game.roll(f"scatter/{name}") in HIT
            tens = 6 * (game.roll(f"scatter/{name}") - 1) + game.roll(f"scatter/{name}") - 1
            if number == 1:
                face = game.roll(f"scatter/{name}")
                first = away(act.aim, tens, 1000 * (half_up(face) if hit else self.scatter * face))
                self.templates[name] = first
            else:
                self.templates[name] = away(first, tens, across)
            game.emit("template", unit=unit.id, n=number, hit=hit, at=to_inches(self.templates[name]))

    def origin(self, game: Game, unit: Unit) -> Point | None:
        """Return the middle of the edge from which a supporter's fire is measured (T-79); None: its owner chooses."""
        battle, (width, height) = battle_of(game), (game.mission.width, game.mission.height)
        supporter = battle.supporters[unit.id]
        attacking = game.role_of(unit.side) == ATTACKER
        near, far = ((width + 1) // 2, 0), ((width + 1) // 2, height)
        if battle.from_orbit:
            return near if attacking else far
        if battle.direction(supporter.place) is None:
            return None
        where, left = side_of(battle, supporter)
        side = (0 if left else width, (height + 1) // 2)
        return {FRONT: near, FLANK: side, REAR: far}[where] if attacking else side if where == FRONT else far

    def expected(self, game: Game, part: str, id_: str) -> Mapping[str, Any] | None:
        """Return where a template came down."""
        return {"at": self.templates[id_]} if part == "templates" and id_ in self.templates else None

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Everyone sees where shells fall, and from where they are measured."""
        guns = [unit for unit in game.units.values() if BARRAGE in unit.flags and is_supporter(game, unit)]
        measured = {unit.id: self.origin(game, unit) for unit in guns}
        return {
            "templates": {name: to_inches(at) for name, at in self.templates.items()},
            "measured_from": {id_: point_to_json(at) for id_, at in measured.items()},
        }
