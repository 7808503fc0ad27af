"""Normal battle or scenario, and which (4.2, T-65 to T-67); special rules, night and length (4.3, T-69, T-70)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from server.core.sentences import say
from server.referee.act import Act, Found, act_kind
from server.referee.battle import MAX_REROLLS, BattleData, battle_of, bonus, is_supporter, role_players
from server.referee.beginning import Start
from server.referee.choices import BOOLEAN, Offer, integer, offer, one_of
from server.referee.game import Game
from server.referee.mission import ATTACKER, BATTLE, PLAYERS, ROLES, Mission, higher
from server.referee.reading import (
    BOOL,
    ID,
    LOCALIZED_TEXT,
    Integer,
    ListOf,
    LocalizedText,
    OneOf,
    Record,
    TableOf,
    given,
    state,
)
from server.referee.refusals import refuse
from server.referee.rule import Rule, rule_kind

KIND = "kind"
"""The stage in which the kind of battle is found."""
NORMAL, SCENARIO = "normal", "scenario"
SPECIAL = "special"
"""On this face the players pick (T-66)."""
SCENARIO_FROM = 4
DEFAULT_STRATEGY = 2
RULES_STAGE = "rules"
"""The stage in which special rules are rolled for."""
RESERVES, INFILTRATE, DEEP_STRIKE = "reserves", "infiltrate", "deep_strike"
NEEDED = 4
BARRAGE = "barrage"
MAX_TURNS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """A row of the scenario table: when it fits, and what each face gives."""

    raid: bool = given(BOOL, False)
    stronghold: bool | None = given(BOOL, None)
    """None: whatever it is."""
    withdrawing: bool | None = given(BOOL, None)
    scenarios: tuple[str, ...] = given(ListOf(ID, min=6, max=6))

    def fits(self, battle: BattleData) -> bool:
        """True when the battle is such a one."""
        return (
            self.raid == battle.raid
            and self.stronghold in (None, bool(battle.stronghold))
            and self.withdrawing in (None, battle.withdrawing)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioName:
    """A scenario: a name that points to the players' rulebook (T-67)."""

    id: str = given(ID)
    text: LocalizedText = given(LOCALIZED_TEXT)
    halves: tuple[str, ...] = given(ListOf(ID, max=2), ())
    """One of two instead, by a D6: 1 to 3 the first (label: the id of the first)."""


@act_kind("prefer", stages=(KIND,), holds=False)
class Prefer(Act):
    """Say which kind of battle one wants; it is shown when both have."""

    kind: str = given(OneOf((NORMAL, SCENARIO)))

    def check(self, game: Game) -> Found:
        """Each says it once."""
        if self.by in game.rule(WhichBattle).wishes:
            yield refuse("limit_reached", "You have said which battle you want.", rule="4.2")

    def play(self, game: Game) -> None:
        """Note it; when both have spoken the kind is known."""
        rule = game.rule(WhichBattle)
        rule.wishes[self.by] = self.kind
        game.emit("has_preferred", player=self.by)
        if len(rule.wishes) == len(game.players):
            rule.find_kind(game)


@act_kind("pick_scenario", stages=(KIND,), holds=False)
class PickScenario(Act):
    """Pick a scenario, where the dice have given that choice (T-66)."""

    scenario: str = given(ID)

    def check(self, game: Game) -> Found:
        """The winner of the dice picks one of the row, or one of their army."""
        rule = game.rule(WhichBattle)
        if not rule.picks:
            yield refuse("wrong_moment", "The scenario is not picked now.", rule="T-66")
        elif rule.picks != self.by:
            yield refuse("not_yours", "The other player picks the scenario.", rule="T-66")
        elif self.scenario not in [scenario.id for scenario in rule.scenarios]:
            yield refuse("bad_value", "There is no such scenario.", "scenario", self.scenario, "T-66")
        elif self.scenario not in rule.pickable(game):
            message = say("In this battle it is one of {scenarios}.", scenarios=", ".join(rule.pickable(game)))
            yield refuse("not_allowed", message, "scenario", self.scenario, "T-66")

    def play(self, game: Game) -> None:
        """The scenario is found."""
        rule = game.rule(WhichBattle)
        rule.scenario, rule.picks = self.scenario, ""
        game.emit("scenario", scenario=self.scenario, player=self.by)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer the row's scenarios to the player who picks."""
        rule = game.rule(WhichBattle)
        if rule.picks == player:
            yield offer(scenario=one_of(rule.pickable(game)))


@rule_kind("which_battle", acts=(Prefer, PickScenario))
class WhichBattle(Rule):
    """The kind of battle, the scenario table, and the dice for the special one."""

    situations: tuple[Situation, ...] = given(ListOf(Record(Situation), min=1, max=20))
    """The first that fits counts."""
    scenarios: tuple[ScenarioName, ...] = given(ListOf(Record(ScenarioName), min=1, max=50))
    wishes: dict[str, str] = state(dict)
    kind: str = state(str)
    scenario: str = state(str)
    picks: str = state(str)
    """The player who picks the scenario."""
    won: str = state(str)

    def unfit(self, mission: Mission) -> Iterator[str]:
        """Yield what does not fit: scenarios without a name."""
        known = [scenario.id for scenario in self.scenarios]
        for situation in self.situations:
            yield from (f"there is no scenario {name}" for name in situation.scenarios if name not in known)

    def resumed(self, game: Game, start: Start) -> None:
        """A game that begins later and names no scenario is a normal battle."""
        stages = game.mission.stages
        if start.stage in stages and stages.index(start.stage) > stages.index(KIND):
            self.kind = self.kind or NORMAL

    def stage_wants(self, game: Game, stage: str) -> tuple[str, ...]:
        """Both say what they want; then who picks, picks."""
        if stage != KIND or (self.kind and not self.picks):
            return ()
        return (self.picks,) if self.picks else tuple(player for player in game.players if player not in self.wishes)

    def find_kind(self, game: Game) -> None:
        """Find the kind of battle, and its scenario if it has one."""
        wished = list(self.wishes.values())
        if wished[0] == wished[1]:
            self.kind = wished[0]
        else:
            self.kind = SCENARIO if game.roll("kind") >= SCENARIO_FROM else NORMAL
        game.emit("kind", kind=self.kind, wishes=dict(self.wishes))
        if self.kind == SCENARIO:
            self._find_scenario(game)

    def _row(self, game: Game) -> tuple[str, ...]:
        battle = battle_of(game)
        return next((row for row in self.situations if row.fits(battle)), self.situations[-1]).scenarios

    def _find_scenario(self, game: Game) -> None:
        name = self._row(game)[game.roll("scenario") - 1]
        if halves := next(scenario.halves for scenario in self.scenarios if scenario.id == name):
            name = halves[int(game.roll(halves[0]) >= SCENARIO_FROM)]
        self.scenario = name
        if name == SPECIAL:
            self.picks = self.won = self._roll_special(game)
        game.emit("scenario", scenario=name, picks=self.picks)

    def _roll_special(self, game: Game) -> str:
        """Return who picks: best die against best die, then the next (T-66)."""
        for _ in range(MAX_REROLLS):
            if winner := higher({player: self._best_first(game, player) for player in game.players}):
                return winner
        return game.defender

    def _best_first(self, game: Game, player: str) -> list[int]:
        strategy = game.armies[player].strategy
        dice = (DEFAULT_STRATEGY if strategy is None else strategy) + bonus(game, player)
        return sorted((game.roll(f"special/{player}") for _ in range(dice)), reverse=True)

    def pickable(self, game: Game) -> list[str]:
        """Return the scenarios that may be picked: those of the row, and one of the player's own army."""
        names: list[str] = []
        for name in self._row(game):
            halves = next(scenario.halves for scenario in self.scenarios if scenario.id == name)
            names += [half for half in halves or (name,) if half not in names and half != SPECIAL]
        return [*names, SPECIAL]

    def track(self, game: Game, name: str, value: Any) -> bool:
        """Take kind and scenario of a game that begins later."""
        if name == "kind" and value in (NORMAL, SCENARIO):
            self.kind = value
        elif name == "scenario" and isinstance(value, str):
            self.scenario, self.kind = value, SCENARIO
        elif name == "winner_of_roll" and value in game.players:
            self.won = value
        else:
            return False
        return True

    def tracked(self, game: Game) -> Mapping[str, Any]:
        """Return kind and scenario."""
        return {"kind": self.kind, "scenario": self.scenario, "winner_of_roll": self.won}

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """A wish is its player's own until both are known."""
        shown = self.wishes if self.kind else {side: wish for side, wish in self.wishes.items() if side == player}
        return {"kind": self.kind, "scenario": self.scenario, "wishes": dict(shown), "picks": self.picks}


def plays_scenario(game: Game) -> bool:
    """True when zones, rules and victory are a scenario's, told by the players' rulebook (T-67)."""
    rule = game.find(WhichBattle)
    return rule is not None and rule.kind == SCENARIO


@act_kind("night", stages=(RULES_STAGE,))
class Night(Act):
    """Say whether it is night: the attacker's choice, if they have planned (4.3)."""

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
        if not plays_scenario(game) and cls.fits(game, player, night=True):
            yield offer(night=BOOLEAN)


@act_kind("turns", stages=(RULES_STAGE,))
class Turns(Act):
    """Both fix how many turns are played (4.3)."""

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
            rule = game.rule(SpecialRules)
            rule.fixed, rule.random_length = self.turns, False
            game.emit("turns", turns=self.turns)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer it until it is fixed."""
        if not plays_scenario(game) and cls.fits(game, player, turns=1):
            yield offer(turns=integer(1, game.mission.rounds))


@rule_kind("special_rules", acts=(Night, Turns))
class SpecialRules(Rule):
    """Rolls for special rules, and the length of the battle."""

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
