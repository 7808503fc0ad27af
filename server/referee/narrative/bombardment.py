"""Preliminary Bombardment: a die for each unit of the Defender on the table, before the first turn (1.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from server.referee.act import Act, Found, act_kind
from server.referee.choices import Offer, offer, one_of
from server.referee.every_game import still_to_choose
from server.referee.game import Game
from server.referee.mission import ATTACKER
from server.referee.narrative.stratagems import Stratagems, can_use
from server.referee.reading import BOOL, ENEMY_UNIT, OWN_UNIT, Integer, given, state
from server.referee.refusals import not_yours, refuse
from server.referee.rule import Awaited, Rule, rule_kind
from server.referee.units import TABLE, Unit

STAGE = "bombardment"
INFANTRY = "infantry"
BOMBARD_HIT = "bombard_hit"
"""The moment between a hit and its damage."""


@act_kind("bombard", stages=(STAGE,))
class Bombard(Act):
    """Rolls for one unit, in the Attacker's order."""

    unit: str = given(ENEMY_UNIT)

    def check(self, game: Game) -> Found:
        """Each unit on the table once; not what is embarked or in Reserve."""
        rule, unit = game.rule(Bombardment), game.units[self.unit]
        if self.by != game.attacker:
            yield not_yours("The Attacker bombards.", "1.3")
        elif not rule.on:
            yield refuse("wrong_moment", "There is no bombardment.", rule="1.3")
        elif unit.state != TABLE:
            yield refuse("wrong_target", "Only units on the table are bombarded.", "unit", self.unit, "N-08")
        elif self.unit in rule.rolled:
            yield refuse("already_used", "This unit was rolled for.", "unit", self.unit, "1.3")
        elif rule.hit and game.version > 1:
            yield still_to_choose(game.defender, rule.awaited(game, game.defender)[0])

    def play(self, game: Game) -> None:
        """Roll; damage that still waits for a choice is done first, without it."""
        rule = game.rule(Bombardment)
        rule.damage(game)
        rule.bombard(game, game.units[self.unit])

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer the units not rolled for."""
        rule = game.rule(Bombardment)
        waiting = [unit.id for unit in rule.waiting(game)]
        if player == game.attacker and waiting and not (rule.hit and game.version > 1):
            yield offer(unit=one_of(waiting))


@act_kind(stages=(STAGE,))
class Answer(Act):
    """What the Defender says to a hit, before its damage."""

    unit: str = given(OWN_UNIT)

    def check(self, game: Game) -> Found:
        """The unit must have been hit."""
        if self.by != game.defender:
            yield not_yours("The Defender chooses.", "1.3")
        elif game.rule(Bombardment).hit != self.unit:
            yield refuse("wrong_moment", "This unit has no hit to answer.", "unit", self.unit, "1.3")
        else:
            yield from self.unfit(game)

    def unfit(self, game: Game) -> Found:
        """Yield what speaks against this answer."""
        return iter(())

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer it to the unit that was hit."""
        hit = game.rule(Bombardment).hit
        if hit and cls.fits(game, player, unit=hit):
            yield offer(unit=one_of([hit]))


@act_kind("go_to_ground")
class GoToGround(Answer):
    """A hit INFANTRY unit goes to ground before its damage."""

    def unfit(self, game: Game) -> Found:
        """It must be INFANTRY, and not lie on the ground yet."""
        if INFANTRY not in game.units[self.unit].keywords:
            yield refuse("wrong_target", "Only INFANTRY goes to ground.", "unit", self.unit, "1.3")
        elif game.rule(Bombardment).low:
            yield refuse("already_used", "This unit has gone to ground.", "unit", self.unit, "1.3")

    def play(self, game: Game) -> None:
        """Less damage, and no actions in its first turn (N-26)."""
        rule, unit = game.rule(Bombardment), game.units[self.unit]
        rule.low = unit.no_actions = True
        rule.grounded[unit.id] = None
        game.emit("gone_to_ground", unit=unit.id)
        rule.damage_without_choice(game)


@act_kind("take_damage")
class TakeDamage(Answer):
    """The Defender does without what else could be done about a hit."""

    def play(self, game: Game) -> None:
        """Roll the damage."""
        game.rule(Bombardment).damage(game)


@rule_kind("bombardment", acts=(Bombard, GoToGround, TakeDamage))
class Bombardment(Rule):
    """The dice of the bombardment, its hits and their effects."""

    bought: bool = given(BOOL, False)
    """It takes a stratagem to have one (2.2)."""
    needs: int = given(Integer(1, 6), 6)

    on: bool = state(bool)
    rolled: dict[str, None] = state(dict)
    hit: str = state(str)
    """The unit whose damage is still to be rolled."""
    low: bool = state(bool)
    """It has gone to ground."""
    halved: bool = state(bool)
    """Its wounds are halved, rounded up (N-25)."""
    dice: dict[str, int] = state(dict)
    """More dice than one, by unit (N-24)."""
    easier: dict[str, int] = state(dict)
    """The face that hits, by unit, if it differs from ``needs``."""
    grounded: dict[str, None] = state(dict)

    def waiting(self, game: Game) -> list[Unit]:
        """Return the units that are still to be rolled for."""
        if not self.on:
            return []
        return [unit for unit in game.units_of(game.defender, TABLE) if unit.id not in self.rolled]

    def stage_entered(self, game: Game, stage: str) -> None:
        """It is on, unless it must be bought."""
        if stage == STAGE and not self.bought:
            self.on = True

    def stage_wants(self, game: Game, stage: str) -> tuple[str, ...]:
        """Every unit must be rolled for."""
        return (game.player_of(ATTACKER),) if stage == STAGE and self.waiting(game) else ()

    def after_act(self, game: Game, act: Act) -> None:
        """A player who passes, or buys the last possible answer, takes the damage."""
        if not self.hit:
            return
        if act.DO == "end_phase" and act.by == game.defender:
            self.damage(game)
        elif act.DO in ("use", "pass"):
            self.damage_without_choice(game)

    def stage_left(self, game: Game, stage: str) -> None:
        """No hit remains without damage."""
        if stage == STAGE:
            self.damage(game)

    def bombard(self, game: Game, unit: Unit) -> None:
        """Roll for a unit."""
        self.rolled[unit.id] = None
        faces = [game.roll(f"bombardment/{unit.id}") for _ in range(self.dice.get(unit.id, 1))]
        hits = any(face >= self.easier.get(unit.id, self.needs) for face in faces)
        game.emit("bombarded", unit=unit.id, faces=faces, hit=hits)
        if hits:
            self.hit, self.low, self.halved = unit.id, False, False
            game.call("moment_opened", BOMBARD_HIT, (unit.id,))
            game.clock.passed.pop(game.defender, None)
            if (rule := game.find(Stratagems)) and rule.passed_beforehand(game.defender, BOMBARD_HIT, unit.id):
                self.damage(game)
            else:
                self.damage_without_choice(game)
        self._done(game)

    def damage_without_choice(self, game: Game) -> None:
        """Roll the damage at once where the Defender has nothing left to choose."""
        unit = game.units[self.hit]
        may_go_low = INFANTRY in unit.keywords and not self.low
        if not may_go_low and (self.halved or not can_use(game, game.defender, BOMBARD_HIT, unit)):
            self.damage(game)

    def damage(self, game: Game) -> None:
        """D6 mortal wounds, D3 on the ground; halved in foxholes (1.3, N-25)."""
        if not self.hit:
            return
        unit, self.hit = game.units[self.hit], ""
        face = game.roll(f"bombardment-wounds/{unit.id}")
        wounds = (face + 1) // 2 if self.low else face
        unit.suffers = (wounds + 1) // 2 if self.halved else wounds
        game.emit("mortal_wounds", unit=unit.id, wounds=unit.suffers)
        self._done(game)

    def _done(self, game: Game) -> None:
        if self.on and not self.hit and not self.waiting(game):
            game.open_moment("bombard_done")
            game.clock.passed.pop(game.defender, None)

    def awaited(self, game: Game, player: str) -> tuple[Awaited, ...]:
        """Return the hit that waits for the Defender's answer (N-61)."""
        if not self.hit or player != game.defender:
            return ()
        low = INFANTRY in game.units[self.hit].keywords and not self.low
        return (Awaited(GoToGround.DO if low else TakeDamage.DO, "", (self.hit,), "roll"),)

    def passes_moment(self, game: Game, player: str, moment: str, unit: str) -> bool:
        """Take the damage without an answer."""
        if moment != BOMBARD_HIT or player != game.defender or not self.hit or unit not in ("", self.hit):
            return False
        self.damage(game)
        return True

    def passed_for(self, game: Game, player: str) -> None:
        """Roll the damage without an answer."""
        if player == game.defender:
            self.damage(game)

    def turn_ending(self, game: Game) -> None:
        """At the end of its player's first turn a unit may act again (N-26)."""
        for unit in game.units_of(game.turn):
            unit.no_actions = False

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Units that have been rolled for, and units whose damage is open."""
        told = {"on": self.on, "rolled": list(self.rolled), "hit": self.hit, "grounded": list(self.grounded)}
        return {self.NAME: told}
