"""Armies (step 1), mission (step 2) and battlefield (3), sides (4) and first turn (7): sealed, agreed or rolled for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from server.core.sentences import say
from server.referee.act import Act, Found, act_kind
from server.referee.beginning import said_attacker
from server.referee.choices import BOOLEAN, TRUE, Offer, offer, one_of, some_of
from server.referee.game import Game
from server.referee.mission import ATTACKER, ROLES
from server.referee.reading import BOOL, ID, OWN_UNIT, STAGE, ListOf, OneOf, given, state
from server.referee.refusals import not_yours, refuse, unknown
from server.referee.rule import Rule, rule_kind
from server.referee.units import Unit

ENHANCEMENTS = ("default", "optional")
WARLORD = "warlord"
PROPOSAL = "mission"
LOT = "lot"


@act_kind("declare", stages=("select",), holds=False, sealed=True)
class Declare(Act):
    """Name your patrol, its enhancement, and whether it is painted; sealed until both players have (T-30)."""

    units: tuple[str, ...] = given(ListOf(OWN_UNIT, min=1, max=200))
    enhancement: str = given(OneOf(ENHANCEMENTS), "default")
    painted: bool | None = given(BOOL, None)
    """Left out: as the player has said before."""

    def check(self, game: Game) -> Found:
        """A patrol has one Warlord; it is declared once."""
        if self.by in game.rule(SelectArmies).declared:
            yield refuse("limit_reached", "You have declared your patrol.", rule="T-30")
        warlords = sum(WARLORD in game.units[id_].flags for id_ in dict.fromkeys(self.units))
        if warlords != 1:
            message = say("A patrol has one Warlord, not {number}.", number=warlords)
            yield refuse("not_allowed", message, "units", warlords, "table 2, step 1")
        if len(dict.fromkeys(self.units)) != len(self.units):
            yield refuse("bad_value", "A unit is named twice.", "units")

    def play(self, game: Game) -> None:
        """Seal it; the second one opens both."""
        declared = game.rule(SelectArmies).declared
        declared[self.by] = self
        game.emit("sealed", player=self.by, what="patrol")
        for player in game.players if len(declared) == len(game.players) else ():
            declared[player].open_up(game)

    def open_up(self, game: Game) -> None:
        """Leave out the units that are not named, and tell what was declared."""
        for unit in game.units_of(self.by):
            if unit.id not in self.units:
                del game.units[unit.id]
        army = game.armies[self.by]
        army = game.armies[self.by] = replace(army, painted=army.painted if self.painted is None else self.painted)
        told = {"units": list(self.units), "enhancement": self.enhancement, "painted": army.painted}
        game.emit("declared", player=self.by, **told)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer the units, with one Warlord at a time."""
        if player in game.rule(SelectArmies).declared:
            return
        units = game.ids_of(player)
        warlords = [unit.id for unit in game.units_of(player) if WARLORD in unit.flags]
        if len(warlords) == 1:
            yield offer(
                units=some_of(units, len(units)),
                enhancement=one_of(ENHANCEMENTS).optional(),
                painted=BOOLEAN.optional(),
            )


@rule_kind("select_armies", acts=(Declare,))
class SelectArmies(Rule):
    """Both declare their patrols, sealed until both are in."""

    stage: str = given(STAGE, "select")
    declared: dict[str, Declare] = state(dict)

    def stage_wants(self, game: Game, stage: str) -> tuple[str, ...]:
        """Wait for both."""
        return tuple(player for player in game.players if player not in self.declared) if stage == self.stage else ()

    def hides(self, game: Game, player: str, unit: Unit) -> bool:
        """Nobody sees the other's patrol before both are declared."""
        return game.stage == self.stage

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Say who has declared."""
        return {"declared": [name for name in game.players if name in self.declared]}


@act_kind("propose", stages=("mission",), holds=False)
class Propose(Act):
    """Propose a mission, or to draw one; it counts when both propose the same."""

    mission: str | None = given(ID, None, name="game")
    lot: bool = given(BOOL, False)

    def check(self, game: Game) -> Found:
        """Name a mission that can be played from here, or the lot."""
        rule = game.rule(DetermineMission)
        if (self.mission is None) != self.lot:
            yield refuse("bad_value", "Name a mission, or lot = true.", "game" if self.mission else "lot", self.mission)
        elif self.mission is not None and self.mission not in game.beginning.library:
            yield unknown("mission", "game", self.mission)
        elif self.mission is not None and self.mission not in rule.playable(game):
            message = say("{mission} cannot be begun here.", mission=self.mission)
            yield refuse("not_allowed", message, "game", self.mission, "table 2, step 2")
        elif self.lot and not rule.drawn(game):
            yield refuse("not_allowed", "There is no mission to draw.", "lot", self.lot)

    def play(self, game: Game) -> None:
        """Note it; the same by both decides."""
        rule, wanted = game.rule(DetermineMission), self.mission or LOT
        game.emit("proposed", player=self.by, what=wanted)
        if not game.agree(PROPOSAL, self.by, wanted):
            return
        rule.found = True
        id_ = self.mission or rule.drawn(game)[game.roll("mission")]
        game.emit("mission", game=id_)
        if id_ != game.mission.id:
            mission, size = game.beginning.library[id_], game.beginning.sized
            game.next_mission = mission.sized(*size) if size else mission

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer every mission that is not proposed already, and the lot."""
        rule, wanted = game.rule(DetermineMission), game.wanted(PROPOSAL, player)
        if missions := [id_ for id_ in rule.playable(game) if id_ != wanted]:
            yield offer(game=one_of(missions))
        if rule.drawn(game) and wanted != LOT:
            yield offer(lot=TRUE)


@rule_kind("determine_mission", acts=(Propose,))
class DetermineMission(Rule):
    """Both agree on a mission of the family, or the referee draws one by D6."""

    stage: str = given(STAGE, "mission")
    found: bool = state(bool)

    def playable(self, game: Game) -> list[str]:
        """Return the missions of the family that can follow this stage."""
        family = game.beginning.mission.family
        return [
            mission.id
            for mission in game.beginning.library.values()
            if mission.family == family and self.stage in mission.stages
        ]

    def drawn(self, game: Game) -> dict[int, str]:
        """Return the missions by the face that draws them, where each face draws one."""
        missions = [game.beginning.library[id_] for id_ in self.playable(game)]
        by_face = {mission.number: mission.id for mission in missions if mission.number}
        return by_face if len(by_face) == 6 else {}

    def stage_wants(self, game: Game, stage: str) -> tuple[str, ...]:
        """Wait until there is a mission."""
        found = self.found or game.mission.id != game.beginning.mission.id
        return game.players if stage == self.stage and not found else ()

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Say what each has proposed."""
        wanted = {name: game.wanted(PROPOSAL, name) for name in game.players}
        return {"proposed": {name: what for name, what in wanted.items() if what}}


@rule_kind("create_battlefield")
class CreateBattlefield(Rule):
    """Both confirm terrain and markers as they stand (step 3)."""

    stage: str = given(STAGE, "battlefield")
    agreed: dict[str, None] = state(dict)

    def stage_wants(self, game: Game, stage: str) -> tuple[str, ...]:
        """Wait for both."""
        return tuple(player for player in game.players if self.may_confirm(game, player)) if stage == self.stage else ()

    def may_confirm(self, game: Game, player: str) -> bool:
        """Let each confirm once."""
        return game.stage == self.stage and player not in self.agreed

    def confirmed(self, game: Game, player: str) -> None:
        """Note it."""
        self.agreed[player] = None


@act_kind("choose_role", stages=("roles",), holds=False)
class ChooseRole(Act):
    """The winner of the roll-off says which side they are."""

    role: str = given(OneOf(ROLES))

    def check(self, game: Game) -> Found:
        """The loser does not choose."""
        if game.rule(RollOffRoles).winner != self.by:
            yield not_yours("The winner of the roll-off chooses.", "table 2, step 4")

    def play(self, game: Game) -> None:
        """Fix the roles."""
        game.attacker = self.by if self.role == ATTACKER else game.other(self.by)
        game.emit("roles", attacker=game.attacker)


@rule_kind("roll_off_roles", acts=(ChooseRole,))
class RollOffRoles(Rule):
    """A roll-off; its winner is Attacker or Defender, as they choose."""

    stage: str = given(STAGE, "roles")
    winner: str = state(str)

    def stage_entered(self, game: Game, stage: str) -> None:
        """Roll off; in a battle of the campaign its attacker is the Attacker (T-28)."""
        if stage != self.stage:
            return
        if game.beginning.battle is not None and not game.attacker:
            game.attacker = said_attacker(game.armies) or game.players[0]
            game.emit("roles", attacker=game.attacker)
        if not game.attacker:
            self.winner = game.roll_off("roles")
            game.emit("roll_off", what="roles", winner=self.winner)

    def stage_wants(self, game: Game, stage: str) -> tuple[str, ...]:
        """Wait for the winner's choice."""
        return (self.winner,) if stage == self.stage and not game.attacker else ()

    def track(self, game: Game, name: str, value: Any) -> bool:
        """Take who won the latest roll-off."""
        if name != "winner_of_roll" or value not in game.players:
            return False
        self.winner = value
        return True

    def tracked(self, game: Game) -> Mapping[str, Any]:
        """Name the winner of the latest roll-off."""
        return {"winner_of_roll": self.winner}

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Everyone knows it."""
        return self.tracked(game)


@rule_kind("roll_off_first_turn")
class RollOffFirstTurn(Rule):
    """A roll-off; its winner has the first turn."""

    stage: str = given(STAGE, "first_turn")

    def stage_entered(self, game: Game, stage: str) -> None:
        """Roll off."""
        if stage == self.stage:
            game.clock.first = game.roll_off("first-turn")
            if (roles := game.find(RollOffRoles)) is not None:
                roles.winner = game.clock.first
            game.emit("first_turn", player=game.clock.first)
