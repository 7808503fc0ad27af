"""The clock: stages, rounds, turns, phases, and what happens as they come and go (N-04, N-05, table.md 2)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from server.referee.mission import BATTLE, OVER

if TYPE_CHECKING:
    from server.referee.game import Game


@dataclass(slots=True)
class Clock:
    """Where a game stands."""

    stage: str = ""
    round: int = 0
    second: bool = False
    """It is the second turn of the round."""
    turn: str = ""
    """Whose turn it is; in stages that alternate, whose step."""
    phase: str = ""
    first: str = ""
    """The player with the first turn of each round."""
    cut: bool = False
    """This turn ends with its current phase; the phases after it are left out."""
    stay: bool = False
    """Set while a phase ends: it is not left yet, another ``end_phase`` is needed."""
    held: bool = False
    """The end of the present phase has started: someone may still act in it, nothing else is done (N-61)."""
    again: str = ""
    """The player who has another turn in this round, right after the current one."""
    ending: bool = False
    """The last turn is over; the battle has not been counted yet."""
    passed: dict[str, None] = field(default_factory=dict)
    """Players with nothing left to do in this stage, or after the last turn."""


def advance(game: Game) -> None:
    """Leave every stage in which nobody has anything to do any more."""
    while not game.over:
        clock = game.clock
        if clock.stage == BATTLE:
            if clock.ending and _done(game, game.ask_players("ending_wants")):
                _finish(game)
            return
        if not _done(game, game.ask_players("stage_wants", clock.stage)):
            return
        enter_stage(game, _next_stage(game))


def _done(game: Game, wanted: tuple[str, ...]) -> bool:
    """Say whether nobody wants anything any more, here or after the last turn."""
    if wanted:
        return False
    passed = game.clock.passed
    if game.clock.stage in game.mission.left_by_both:
        return all(player in passed for player in game.players)
    return not any(player not in passed and game.has_open(player) for player in game.players)


def _next_stage(game: Game) -> str:
    stages = game.mission.stages
    return stages[stages.index(game.clock.stage) + 1]


def enter_stage(game: Game, stage: str) -> None:
    """Leave the present stage, if there is one, and enter another."""
    clock = game.clock
    game.end_moments()
    if clock.stage:
        game.call("stage_left", clock.stage)
        if game.over:
            return
    clock.stage, clock.turn = stage, ""
    clock.passed.clear()
    game.emit("stage", stage=stage)
    game.call("stage_entered", stage)
    if stage == BATTLE and clock.stage == BATTLE:
        _start_battle(game)
    elif stage == OVER:
        _finish(game)


def _start_battle(game: Game) -> None:
    clock = game.clock
    clock.first = clock.first or game.attacker or game.players[0]
    game.call("battle_started")
    if not clock.ending:
        _start_round(game)


def _start_round(game: Game) -> None:
    clock = game.clock
    clock.round += 1
    clock.second = False
    clock.turn = clock.first
    game.emit("round", round=clock.round)
    game.call("round_started")
    if not clock.ending:
        _start_turn(game, clock.first)


def _start_turn(game: Game, player: str) -> None:
    clock = game.clock
    clock.turn, clock.cut, clock.phase = player, False, ""
    if any(list(game.ask("skips_turn", player))):
        if not clock.ending:
            game.emit("turn_skipped", player=player, round=clock.round)
            _next_turn(game)
        return
    game.emit("turn", player=player, round=clock.round)
    game.call("turn_started")
    if clock.ending:
        return
    if phases := game.mission.phases:
        _enter_phase(game, phases[0])


def _enter_phase(game: Game, phase: str) -> None:
    clock = game.clock
    clock.phase = phase
    game.emit("phase", player=clock.turn, round=clock.round, phase=phase)
    game.call("phase_entered", phase)


def end_phase(game: Game) -> None:
    """End the present phase of a turn, and what ends with it."""
    clock, phases = game.clock, game.mission.phases
    if clock.phase:
        if game.version > 1:
            begins, clock.held = not clock.held, True
            if any(list(game.ask("phase_held", clock.phase))):
                if begins:
                    game.emit("phase_ends", player=clock.turn, phase=clock.phase)
                return
        clock.held = False
        game.end_moments()
        game.call("phase_ending", clock.phase)
        if clock.ending:
            return
        if clock.stay:
            clock.stay = False
            return
        later = phases[phases.index(clock.phase) + 1 :]
        if later and not clock.cut:
            _enter_phase(game, later[0])
            return
    game.call("turn_ending")
    if not clock.ending:
        _next_turn(game)


def _next_turn(game: Game) -> None:
    clock = game.clock
    if clock.again:
        player, clock.again = clock.again, ""
        _start_turn(game, player)
    elif not clock.second:
        clock.second = True
        _start_turn(game, game.other(clock.first))
    else:
        _end_round(game)


def _end_round(game: Game) -> None:
    clock = game.clock
    game.call("round_ending")
    if clock.ending:
        return
    if clock.round >= game.mission.rounds or any(game.ask("battle_over")):
        game.end_battle()
    else:
        _start_round(game)


def _finish(game: Game) -> None:
    """Count the battle and close the game."""
    game.clock.ending = True
    game.call("battle_ending")
    game.result = next((found for found in game.ask("result") if found is not None), None)
    game.clock.stage, game.clock.ending = OVER, False
    winner, word = (game.result.winner, game.result.word) if game.result else ("", "")
    game.emit("over", winner=winner, result=word)
