"""Scenario and terrain of a game against the opponent of the dice, its points and its end (4.1, 4.2, P-10 to P-15)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from server.core.sentences import say
from server.referee.act import Act, Found, act_kind
from server.referee.choices import Offer, integer, offer, one_of
from server.referee.game import Game
from server.referee.mission import BATTLE, Mission
from server.referee.reading import (
    BOOL,
    ID,
    INCHES,
    LOCALIZED_TEXT,
    UNIT,
    Integer,
    ListOf,
    LocalizedText,
    OneOf,
    Record,
    TableOf,
    given,
    inches,
    state,
)
from server.referee.refusals import refuse
from server.referee.rule import Result, Rule, rule_kind
from server.referee.solo.posture import HUMAN, OPPONENT, Activate, Posture
from server.referee.units import RESERVE, TABLE, UNPLACED

SCENARIO = "scenario"
"""The stage in which terrain and scenario are drawn."""
MAX_FIGURES = 5000
PLACES = ("headquarters", "structure")
SIX = ListOf(ID, min=6, max=6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """A row of the terrain table: what the first die gives, and what the second adds."""

    id: str = given(ID)
    text: LocalizedText = given(LOCALIZED_TEXT)
    details: tuple[LocalizedText, ...] = given(ListOf(LOCALIZED_TEXT, min=6, max=6))
    """By the second die."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Objective:
    """What raiders have come for."""

    text: LocalizedText = given(LOCALIZED_TEXT)
    fallen_percent: int = given(Integer(0, 100), 0)
    """It is reached when this share of the defenders' figures has fallen (P-12); 0: players say."""
    structure: bool = given(BOOL, False)
    """It is about one of the structures near the centre, which players have numbered: a D6 says which (4.2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SoloScenario:
    """A scenario: who the human player is, what a fallen figure is worth, what must be set up."""

    id: str = given(ID)
    even: str = given(ID)
    """The human player's role on an even card, 0 included."""
    odd: str = given(ID)
    text: LocalizedText = given(LOCALIZED_TEXT)
    extra_cards: Mapping[str, int] = given(TableOf(Integer(0, 20)), {})
    """Activation cards that a role has in addition."""
    points: Mapping[str, int] = given(TableOf(Integer(0, 100)), {})
    """Doubled points that a fallen figure of a role gives its enemy (P-12)."""
    late_in: int = given(Integer(0, 50), 0)
    """The turn in which figures that were not placed in time enter (P-13); 0: there is no such limit."""
    raiders: str = given(ID, "")
    """The role that has a secret objective."""
    objectives: tuple[Objective, ...] = given(ListOf(Record(Objective), max=6), ())


@act_kind("roll_terrain", by=(HUMAN,), stages=(SCENARIO,), holds=False)
class RollTerrain(Act):
    """Roll for the ground; again where the models are missing (P-11)."""

    def play(self, game: Game) -> None:
        """Roll both dice: ground and detail (4.1)."""
        rule = game.rule(SoloScenarios)
        rule.terrain = [game.roll("terrain/1"), game.roll("terrain/2")]
        rule.ground = rule.grounds[rule.terrain[0] - 1].id
        game.emit("ground", ground=rule.ground, terrain=list(rule.terrain))


@act_kind("roll_scenario", by=(HUMAN,), stages=(SCENARIO,))
class RollScenario(Act):
    """Roll for the scenario and the human player's role."""

    def check(self, game: Game) -> Found:
        """It is rolled once."""
        if game.rule(SoloScenarios).scenario is not None:
            yield refuse("limit_reached", "The scenario has been rolled.", rule="4.2")

    def play(self, game: Game) -> None:
        """Roll scenario and role (4.2); in a raid, what the raiders have come for.

        Nobody else knows the objective, also from the die.
        """
        rule = game.rule(SoloScenarios)
        rule.scenario = scenario = rule.named_scenario(rule.by_face[game.roll("scenario") - 1])
        rule.human_role = scenario.odd if game.roll("scenario-role", 10) % 2 else scenario.even
        game.emit("scenario", scenario=scenario.id, human_role=rule.human_role)
        if scenario.raiders:
            raiders = (rule.player_of(scenario.raiders),)
            rule.raid_objective = game.roll("raid-objective", to=raiders)
            if rule.objective is not None and rule.objective.structure:
                rule.raid_structure = game.roll("raid-structure", to=raiders)


@act_kind("figures", by=(HUMAN,), stages=(BATTLE,))
class Figures(Act):
    """Report how many figures of each side have fallen so far."""

    red: int = given(Integer(0, MAX_FIGURES))
    blue: int = given(Integer(0, MAX_FIGURES))

    def check(self, game: Game) -> Found:
        """No more than there are, and no fewer than before."""
        rule = game.rule(SoloScenarios)
        for player, fallen in ((HUMAN, self.red), (OPPONENT, self.blue)):
            all_ = rule.figures(game, player)
            if not rule.fallen[player] <= fallen <= all_:
                message = say("From {least} to {most} figures can have fallen.", least=rule.fallen[player], most=all_)
                yield refuse("bad_value", message, player, fallen, "P-12")

    def play(self, game: Game) -> None:
        """Each gives its enemy points, doubled so that halves stay whole (P-12); the last one ends the battle."""
        rule, fallen = game.rule(SoloScenarios), {HUMAN: self.red, OPPONENT: self.blue}
        for player, number in fallen.items():
            more = number - rule.fallen[player]
            rule.fallen[player] = number
            game.score(game.other(player), more * rule.worth(player), "figures")
        game.emit("figures", **fallen)
        if any(number == rule.figures(game, player) for player, number in fallen.items()):
            game.end_battle()

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer what can have fallen."""
        rule = game.rule(SoloScenarios)
        red, blue = (integer(rule.fallen[side], rule.figures(game, side)) for side in (HUMAN, OPPONENT))
        yield offer(red=red, blue=blue)


@act_kind("raid_done", by=(HUMAN,), stages=(BATTLE,), holds=False)
class RaidDone(Act):
    """Report that the raiders have what they came for."""

    def check(self, game: Game) -> Found:
        """Only in a raid; a share of the defenders must have fallen where that is the objective (P-12)."""
        rule = game.rule(SoloScenarios)
        if (objective := rule.objective) is None:
            yield refuse("not_allowed", "This is no raid.", rule="4.2")
        elif objective.fallen_percent and not rule.enough_fallen(game):
            yield refuse("not_allowed", "Not enough of the defenders have fallen.", rule="P-12")

    def play(self, game: Game) -> None:
        """The raiders have won."""
        rule = game.rule(SoloScenarios)
        rule.raid_done = True
        game.emit("raid_done")
        game.end_battle()


@act_kind("within", by=(HUMAN,), stages=(BATTLE,), holds=False)
class Near(Act):
    """Report that a raider is near the headquarters or a structure at the centre: the objective is named (P-10)."""

    unit: str = given(UNIT)
    thing: str = given(OneOf(PLACES))
    inches: int = given(INCHES)

    def check(self, game: Game) -> Found:
        """It must be one of the raiders."""
        rule = game.rule(SoloScenarios)
        if rule.objective is None:
            yield refuse("not_allowed", "This is no raid.", rule="P-10")
        elif game.units[self.unit].side != rule.player_of(rule.raiders):
            yield refuse("wrong_target", "This is none of the raiders.", "unit", self.unit, "P-10")

    def play(self, game: Game) -> None:
        """Name the objective, if the raider is near enough."""
        rule = game.rule(SoloScenarios)
        if self.inches <= rule.named_within:
            rule.name_objective(game)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer it while the objective is secret."""
        rule = game.rule(SoloScenarios)
        if rule.objective is None or rule.named:
            return
        if raiders := game.ids_of(rule.player_of(rule.raiders)):
            yield offer(unit=one_of(raiders), thing=one_of(PLACES), inches=integer(0, 48))


@act_kind("lost", by=(HUMAN,), stages=(BATTLE,), holds=False)
class LostTheWay(Act):
    """Report a unit that was not placed within the time: it enters later (P-13)."""

    unit: str = given(UNIT)

    def check(self, game: Game) -> Found:
        """Only before the battle's first turn is over, where set-up is timed."""
        scenario = game.rule(SoloScenarios).scenario
        if scenario is None or not scenario.late_in or game.round > 1:
            yield refuse("not_allowed", "Set-up is not timed now.", rule="P-13")
        elif game.units[self.unit].state not in (TABLE, UNPLACED):
            yield refuse("not_allowed", "This unit is not waiting to be placed.", "unit", self.unit, "P-13")

    def play(self, game: Game) -> None:
        """Keep it off the table."""
        game.put(game.units[self.unit], RESERVE)
        game.emit("lost_the_way", unit=self.unit)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer the units that could be late."""
        yield from cls.offers(game, player, "unit", game.units)


@rule_kind("solo_scenarios", acts=(RollTerrain, RollScenario, Figures, RaidDone, Near, LostTheWay))
class SoloScenarios(Rule):
    """The tables of terrain and scenarios, the fallen figures, and who wins."""

    grounds: tuple[Ground, ...] = given(ListOf(Record(Ground), min=6, max=6))
    """By the first die."""
    scenarios: tuple[SoloScenario, ...] = given(ListOf(Record(SoloScenario), min=1, max=20))
    by_face: tuple[str, ...] = given(SIX)
    """The scenario on each face."""
    points: int = given(Integer(0, 100), 2)
    """Doubled points of a fallen figure where no scenario was rolled."""
    naming: tuple[str, ...] = given(ListOf(ID), ())
    """Actions that need the objective, so that it is named (P-10)."""
    naming_unseen: tuple[str, ...] = given(ListOf(ID), ())
    """Actions that need it where nobody is visible."""
    named_within: int = given(INCHES, 6_000)
    ground: str = state(str)
    terrain: list[int] = state(list)
    scenario: SoloScenario | None = state(lambda: None)
    human_role: str = state(str)
    raid_objective: int = state(int)
    raid_structure: int = state(int)
    """The number of the structure that the objective is about; 0: none."""
    named: bool = state(bool)
    """The raiders' objective is known to both."""
    asked: dict[str, None] = state(dict)
    """The players who have asked to name it (P-10)."""
    raid_done: bool = state(bool)
    fallen: dict[str, int] = state(lambda: dict.fromkeys((HUMAN, OPPONENT), 0))

    def unfit(self, mission: Mission) -> Iterator[str]:
        """Yield what does not fit: faces without a scenario."""
        known = [scenario.id for scenario in self.scenarios]
        yield from (f"there is no scenario {name}" for name in self.by_face if name not in known)
        for scenario in self.scenarios:
            if scenario.raiders and len(scenario.objectives) != 6:
                yield f"{scenario.id} needs six objectives"
            if scenario.raiders and scenario.raiders not in (scenario.even, scenario.odd):
                yield f"{scenario.id}: nobody is {scenario.raiders}"

    # --- drawing ---

    def stage_wants(self, game: Game, stage: str) -> tuple[str, ...]:
        """The scenario must be rolled."""
        return (HUMAN,) if stage == SCENARIO and self.scenario is None else ()

    def named_scenario(self, name: str) -> SoloScenario:
        """Return the scenario of this id."""
        return next(scenario for scenario in self.scenarios if scenario.id == name)

    @property
    def raiders(self) -> str:
        """Return the raiders' role; empty if this is not a raid."""
        return self.scenario.raiders if self.scenario is not None else ""

    @property
    def objective(self) -> Objective | None:
        """Return the raiders' target; None if this is not a raid."""
        if self.scenario is None or not self.scenario.raiders or not self.raid_objective:
            return None
        return self.scenario.objectives[self.raid_objective - 1]

    def player_of(self, role: str) -> str:
        """Return who has a role of the scenario."""
        return HUMAN if role == self.human_role else OPPONENT

    def role_of(self, player: str) -> str:
        """Return a player's role in the scenario."""
        scenario = self.scenario
        if scenario is None or player == HUMAN:
            return self.human_role
        return scenario.odd if self.human_role == scenario.even else scenario.even

    # --- the battle ---

    def after_act(self, game: Game, act: Act) -> None:
        """Name the raiders' objective as soon as an action needs it (P-10)."""
        if isinstance(act, Activate) and self.objective is not None:
            action = game.rule(Posture).action
            if action in self.naming or (act.visible is False and action in self.naming_unseen):
                self.name_objective(game)

    def name_objective(self, game: Game) -> None:
        """Tell both what the raiders have come for."""
        if not self.named:
            self.named = True
            game.emit("raid_objective", objective=self.raid_objective, structure=self.raid_structure)

    def may_confirm(self, game: Game, player: str) -> bool:
        """Let both ask for the raiders' objective to be named (P-10)."""
        secret = self.objective is not None and not self.named and not game.clock.ending
        return secret and game.stage == BATTLE and player not in self.asked

    def confirms(self, game: Game, player: str) -> Mapping[str, Any]:
        """The raiders' objective is to be named."""
        return {"what": "objective"}

    def confirmed(self, game: Game, player: str) -> None:
        """Name it when both have asked."""
        self.asked[player] = None
        if len(self.asked) == len(game.players):
            self.name_objective(game)

    def figures(self, game: Game, player: str) -> int:
        """Return how many figures a player began with."""
        return sum(unit.models for unit in game.units_of(player))

    def enough_fallen(self, game: Game) -> bool:
        """Say whether the raiders came for a share of the defenders, and that share has fallen (P-12)."""
        if self.objective is None or not self.objective.fallen_percent:
            return False
        defenders = game.other(self.player_of(self.raiders))
        return 100 * self.fallen[defenders] >= self.objective.fallen_percent * self.figures(game, defenders)

    def worth(self, player: str) -> int:
        """Return the doubled points of a fallen figure."""
        if self.scenario is None:
            return self.points
        return self.scenario.points.get(self.role_of(player), 0)

    def round_started(self, game: Game) -> None:
        """Let those enter who lost their way (P-13)."""
        if self.scenario is None or game.round != self.scenario.late_in:
            return
        for unit in game.units.values():
            if unit.state == RESERVE:
                game.put(unit, TABLE)
                game.emit("enters", unit=unit.id)

    def result(self, game: Game) -> Result | None:
        """Raiders with their target win; otherwise the points decide."""
        if self.raiders:
            raider = self.player_of(self.raiders)
            done = self.raid_done or self.enough_fallen(game)
            return Result(raider if done else game.other(raider), "victory")
        return game.result_by_points("victory")

    # --- what is known ---

    def track(self, game: Game, name: str, value: Any) -> bool:
        """Take scenario, role and objective of a game that begins in the middle."""
        if name == "scenario" and value in [scenario.id for scenario in self.scenarios]:
            self.scenario = self.named_scenario(value)
            self.human_role = self.human_role or self.scenario.even
        elif name == "human_role" and isinstance(value, str):
            self.human_role = value
        elif name == "raid_objective" and type(value) is int and 1 <= value <= 6:
            self.raid_objective = value
        elif name == "ground" and isinstance(value, str):
            self.ground = value
        elif name == "terrain" and isinstance(value, list):
            self.terrain = list(value)
        else:
            return False
        return True

    def tracked(self, game: Game) -> Mapping[str, Any]:
        """Return what was drawn."""
        return {
            "ground": self.ground,
            "terrain": self.terrain,
            "scenario": self.scenario.id if self.scenario else "",
            "human_role": self.human_role,
            "raid_objective": self.raid_objective,
            "raid_structure": self.raid_structure,
        }

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """The objective is known to the raiders, and to both once it is named."""
        seen = dict(self.tracked(game)) | {"fallen": dict(self.fallen), "named_within": inches(self.named_within)}
        known = self.named or game.over or player == self.player_of(self.raiders)
        if self.objective is None or not known:
            seen["raid_objective"] = seen["raid_structure"] = 0
        return seen | {"asked": list(self.asked)}
