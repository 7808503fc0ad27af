"""Special rules of a normal battle: who may use which, night, and how long it lasts (4.3, T-69, T-70)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from server.core.sentences import say
from server.referee.act import Act, Found
from server.referee.battle import battle_of, bonus, is_supporter, role_players
from server.referee.choices import BOOLEAN, Offer, integer, offer
from server.referee.mission import ATTACKER, BATTLE, PLAYERS, ROLES
from server.referee.normal_battle.which_battle import plays_scenario
from server.referee.reading import BOOL, ID, Integer, ListOf, TableOf, given, state
from server.referee.refusals import refuse
from server.referee.rule import Rule

if TYPE_CHECKING:
    from server.referee.beginning import Start
    from server.referee.game import Game
    from server.referee.mission import Mission

RULES_STAGE = "rules"
"""The stage in which special rules are rolled for."""
RESERVES, INFILTRATE, DEEP_STRIKE = "reserves", "infiltrate", "deep_strike"
NEEDED = 4
BARRAGE = "barrage"
MAX_TURNS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Night(Act):
    """Say whether it is night: the attacker's choice, if they have planned (4.3)."""

    DO: ClassVar[str] = "night"
    STAGES: ClassVar[tuple[str, ...]] = (RULES_STAGE,)
    night: bool = given(BOOL)

    def check(self, game: Game) -> Found:
        """Only the attacker, with a plan, and once."""
        if self.by != game.attacker:
            yield refuse("not_yours", "The attacker says whether it is night.", rule="4.3")
        elif not battle_of(game).planned:
            yield refuse("not_allowed", "Without a plan the battle is fought by day.", rule="4.3")
        elif game.rule(SpecialRules).night is not None:
            yield refuse("limit_reached", "This has been said.", rule="4.3")

    def play(self, game: Game) -> None:
        """Note it."""
        game.rule(SpecialRules).night = self.night
        game.emit("night", night=self.night)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer it to an attacker with a plan."""
        if not plays_scenario(game) and cls(by=player, night=True) and cls.fits(game, player, night=True):
            yield offer(night=BOOLEAN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turns(Act):
    """Both fix how many turns are played (4.3)."""

    DO: ClassVar[str] = "turns"
    STAGES: ClassVar[tuple[str, ...]] = (RULES_STAGE,)
    turns: int = given(Integer(1, MAX_TURNS))

    def check(self, game: Game) -> Found:
        """No more than the mission knows, and fixed once."""
        if self.turns > game.mission.rounds:
            message = say("A battle lasts at most {turns} turns.", turns=game.mission.rounds)
            yield refuse("bad_value", message, "turns", self.turns, "T-70")
        elif game.rule(SpecialRules).fixed:
            yield refuse("limit_reached", "The number of turns is fixed.", rule="4.3")

    def play(self, game: Game) -> None:
        """Fix it, if both say the same."""
        game.emit("wants_turns", player=self.by, turns=self.turns)
        if game.agree(self.DO, self.by, self.turns):
            game.rule(SpecialRules).fix(game, self.turns)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer it until it is fixed."""
        if not plays_scenario(game) and cls.fits(game, player, turns=1):
            yield offer(turns=integer(1, game.mission.rounds))


@dataclass(slots=True, kw_only=True)
class SpecialRules(Rule):
    """Rolls for special rules, and the length of the battle."""

    NAME = "special_rules"
    ACTS = (Night, Turns)
    always: Mapping[str, tuple[str, ...]] = given(TableOf(ListOf(ID), keys="role"), {})
    """What a role may always use."""
    rolls: Mapping[str, tuple[str, ...]] = given(TableOf(ListOf(ID), keys="role"), {})
    """What a role rolls for."""
    turns: int = given(Integer(1, MAX_TURNS), 6)
    """Without random length."""
    dice_from: int = given(Integer(1, MAX_TURNS), 5)
    """With random length: from the end of this turn a D6 of 4 or more gives another (T-70)."""
    usable: dict[str, list[str]] = state(lambda: {player: [] for player in PLAYERS})
    """What each player may use."""
    known: bool = state(bool)
    """Whether that has been found."""
    night: bool | None = state(lambda: None)
    random_length: bool = state(bool)
    fixed: int = state(int)
    """Turns both agreed on; 0: they did not."""
    goes_on: bool = state(lambda: True)

    def unfit(self, mission: Mission) -> Iterator[str]:
        """Yield what does not fit: what is given to nobody."""
        if not all(role in ROLES for role in (*self.always, *self.rolls)):
            yield "special rules are given by role: attacker, defender"

    def resumed(self, game: Game, start: Start) -> None:
        """A game that begins later and does not say what was rolled has what is certain (4.3)."""
        stages = game.mission.stages
        later = start.stage in stages and stages.index(start.stage) > stages.index(RULES_STAGE)
        if later and not self.known and not plays_scenario(game):
            for role, player in role_players(game):
                self.usable[player] = list(self.always.get(role, ()))

    def stage_entered(self, game: Game, stage: str) -> None:
        """Roll for everything (T-69)."""
        if stage != RULES_STAGE or plays_scenario(game):
            return
        self.known = True
        battle = battle_of(game)
        for role, player in role_players(game):
            add = bonus(game, player) - int(battle.raid and role != ATTACKER)
            self.usable[player] = list(self.always.get(role, ()))
            for name in self.rolls.get(role, ()):
                if game.roll(f"rule/{name}/{role}") + add >= NEEDED:
                    self.usable[player].append(name)
        self.random_length = game.roll("random-length") >= NEEDED
        game.emit("special_rules", rules=dict(self.usable), random_length=self.random_length)
        if self._may_bombard_first(game):
            game.emit("preliminary_bombardment", player=game.attacker)

    def _may_bombard_first(self, game: Game) -> bool:
        """True when the attacker has barrage guns and a planned attack; supporters count within range (T-89)."""
        battle = battle_of(game)
        if battle.kind != "planned_attack":
            return False
        return any(
            BARRAGE in unit.flags
            and (not is_supporter(game, unit) or battle.hexes_off(battle.supporters[unit.id].place) <= unit.bombardment)
            for unit in game.units_of(game.attacker)
            if not unit.gone
        )

    def fix(self, game: Game, turns: int) -> None:
        """Both have agreed on a number of turns."""
        self.fixed, self.random_length = turns, False
        game.emit("turns", turns=turns)

    def may_use(self, player: str, name: str) -> bool:
        """True when a player may use a special rule; also where a game began too late to know."""
        return not self.known or name in self.usable[player]

    # --- length ---

    def round_ending(self, game: Game) -> None:
        """Roll whether another turn is played (T-70)."""
        if plays_scenario(game):
            return
        if not self.random_length:
            self.goes_on = game.round < (self.fixed or self.turns)
        elif self.dice_from <= game.round < game.mission.rounds:
            self.goes_on = game.roll(f"length/{game.round}") >= NEEDED
            game.emit("another_turn", plays=self.goes_on)

    def battle_over(self, game: Game) -> bool:
        """True when no further turn is played."""
        return not self.goes_on

    # --- what is known ---

    def track(self, game: Game, name: str, value: Any) -> bool:
        """Take what was rolled in a game that begins later."""
        if name == "night" and isinstance(value, bool):
            self.night = value
        elif name == "random_length" and isinstance(value, bool):
            self.random_length = value
        elif name == "rules" and isinstance(value, Mapping):
            self.known = True
            for player in PLAYERS:
                usable = value.get(player, ())
                self.usable[player] = [str(rule) for rule in usable] if isinstance(usable, list | tuple) else []
        else:
            return False
        return True

    def tracked(self, game: Game) -> Mapping[str, Any]:
        """Return night, length and who may use what."""
        return {"night": bool(self.night), "random_length": self.random_length, "rules": self.usable}

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Both know all of it."""
        return {
            "night": bool(self.night),
            "random_length": self.random_length,
            "turns": self.fixed or self.turns,
            "rules": {side: list(names) for side, names in self.usable.items()},
            "preliminary_bombardment": self._may_bombard_first(game) and game.stage != BATTLE,
        }
