"""Plays a case and says what came out differently."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from traceback import extract_tb
from typing import Any

from server.cases.compare import Outcome, compare
from server.cases.dice import CaseDice
from server.cases.model import END_OF_TURN, Case, CaseError
from server.cases.names import check_names
from server.cases.position import set_up
from server.cases.read import parse, read
from server.cases.read_game import read_game
from server.cases.run_game import play_game
from server.core.errors import Problem
from server.rules import phases
from server.rules.board import Hex
from server.rules.economy import play_start_of_turn
from server.rules.end_of_turn import play_end_of_turn
from server.rules.scene import Scene
from server.rules.setup import play_start_sizes
from server.rules.sides import modifiers
from server.rules.sight import remember
from server.rules.state import BATTLE_MOVEMENT, BATTLES, BUILD, OVER, REPORTS, SETUP, Battle, PlayerId, State


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What became of one case."""

    path: Path
    title: str
    rule: str
    failures: list[str]
    """Each thing that came out otherwise than expected; none: the case has passed."""


def find(paths: Iterable[Path]) -> list[Path]:
    """Return the files given and every ``*.toml`` below the folders given, sorted, each once."""
    found: dict[Path, Path] = {}
    for path in paths:
        for file in sorted(path.rglob("*.toml")) if path.is_dir() else [path]:
            found.setdefault(file.resolve(), file)
    return list(found.values())


def run_case(path: Path) -> CaseResult:
    """Play the rule case or table case of a file; raises :class:`CaseError` when the file is not a valid case."""
    try:
        data = parse(path)
        if "game" in data:
            game = read_game(data)
            return CaseResult(path, game.title, game.rule, _unless_broken(lambda: play_game(game)))
        case = read(data)
        state = set_up(case)
        check_names(case, state)
        failures = _unless_broken(lambda: compare(case, play(case, state)))
    except CaseError as error:
        raise CaseError(error.problems, str(path)) from error
    return CaseResult(path, case.title, case.rule, failures)


def _unless_broken(failures: Callable[[], list[str]]) -> list[str]:
    try:
        return failures()
    except CaseError:
        raise
    except Exception as error:
        frame = extract_tb(error.__traceback__)[-1]
        where = f"{Path(frame.filename).name}, line {frame.lineno}"
        return [f"expected a result, got a breakdown of the engine: {type(error).__name__}: {error} ({where})"]


def play(case: Case, state: State) -> Outcome:
    """Play all phases of a case, on *state* itself."""
    run = _Run(case, Scene(state, CaseDice(case.dice)), dict(state.battles))
    for step, phase in enumerate(case.phases):
        run.play(step, phase)
    return Outcome(state, run.scene.events, run.problems, run.battles)


_WHOLE_SET = ("eliminated", "campaign_over")
"""Codes that refuse all orders of a player at once."""


@dataclass(slots=True)
class _Run:
    """A case being played."""

    case: Case
    scene: Scene
    battles: dict[Hex, Battle]
    problems: dict[int, list[Problem]] = field(default_factory=dict)

    def play(self, step: int, phase: str) -> None:
        """Play one phase, unless the campaign is over."""
        state = self.scene.state
        if state.phase == OVER:
            self._refuse_all(step)
        elif phase == END_OF_TURN:
            state.phase = BATTLES
            play_end_of_turn(self.scene)
        else:
            self._play_with_orders(step, phase)

    def _play_with_orders(self, step: int, phase: str) -> None:
        state = self.scene.state
        if not (phase == BATTLES and state.phase == REPORTS):
            state.phase = phase
        if phase == SETUP:
            settle_start_sizes(self.case, self.scene)
        if phase == BUILD and self.case.income:
            play_start_of_turn(self.scene)
        remember(state)
        self._note(step, phases.play(self.scene, self._orders(step), phase))
        if phase == SETUP:
            state.turn = 1
        if phase in (BATTLE_MOVEMENT, BATTLES):
            self.battles = {at: _as_it_stands(state, battle) for at, battle in state.battles.items()}

    def _places(self, step: int, player: PlayerId) -> list[int]:
        """Return where in the case's list the player's orders of a step are."""
        orders = enumerate(self.case.orders)
        return [place for place, order in orders if order.step == step and order.player == player]

    def _orders(self, step: int) -> dict[PlayerId, list[Any]]:
        orders = self.case.orders
        return {id_: [orders[place].content for place in self._places(step, id_)] for id_ in self.case.players}

    def _note(self, step: int, problems: Mapping[PlayerId, Sequence[Problem]]) -> None:
        for player, found in problems.items():
            places = self._places(step, player)
            for problem in found:
                meant = places if problem.code in _WHOLE_SET else [places[problem.order]]
                for place in meant:
                    self.problems.setdefault(place, []).append(problem)

    def _refuse_all(self, step: int) -> None:
        over = Problem("campaign_over", "The campaign is over.")
        for place, order in enumerate(self.case.orders):
            if order.step == step:
                self.problems[place] = [over]


def _as_it_stands(state: State, battle: Battle) -> Battle:
    """Return a copy of a battle; one that has not been fought has the modifiers it would be fought with."""
    copy = battle.copy()
    if copy.attacker_modifier is None:
        copy.attacker_modifier, copy.defender_modifier = modifiers(state, battle)
    return copy


# --- Setup ---


def settle_start_sizes(case: Case, scene: Scene) -> None:
    """Settle which sizes each player may place (D-12).

    Those whose dice the case names are rolled. The others are open: as many of any size as the player
    places in this case, at most the ruleset's number, so that nothing is left for the dice to place.
    """
    for player in scene.state.players:
        rolled = {what: f"start-{what}/{player}" in case.dice.faces for what in ("urban", "resource")}
        if any(rolled.values()):
            _roll_sizes(scene, player, rolled)
        for what in ("urban", "resource"):
            if not rolled[what]:
                _open_sizes(case, scene.state, player, what)


def _roll_sizes(scene: Scene, player: PlayerId, rolled: Mapping[str, bool]) -> None:
    settings = scene.state.settings
    scene.state.settings = replace(
        settings,
        start_urban_count=settings.start_urban_count if rolled["urban"] else 0,
        start_resource_count=settings.start_resource_count if rolled["resource"] else 0,
    )
    play_start_sizes(scene, [player])
    scene.state.settings = settings


def _open_sizes(case: Case, state: State, player: PlayerId, what: str) -> None:
    maximum = state.ruleset.start_urban_count if what == "urban" else state.ruleset.start_resource_count
    wanted = sum(1 for order in case.orders if order.player == player and order.content.get("what") == what)
    sizes = ("any",) * min(maximum, wanted)
    if what == "urban":
        state.players[player].start_urban = sizes
    else:
        state.players[player].start_resource = sizes
