"""The turn sequence (1, D-11): eight phases, four of which take orders.

:func:`resolve` plays the phase the campaign stands at, and on to the next one that needs people. The
``play_*`` functions are the single steps; each changes the state of the scene it is given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from server.core.dice import Dice
from server.core.errors import Problem, RulesError
from server.core.events import Event
from server.rules import battle_movement, battles, build, economy, end_of_turn, movement_phase, setup
from server.rules.orders.sets import Accepted, OrderBook, collect
from server.rules.scene import Scene
from server.rules.sight import remember
from server.rules.state import (
    BATTLE_MOVEMENT,
    BATTLES,
    BUILD,
    MOVEMENT,
    ORDER_PHASES,
    OVER,
    REPORTS,
    SETUP,
    PlayerId,
    State,
)

Orders = Mapping[PlayerId, Sequence[Any]]
"""Order sets as they were handed in: arbitrary JSON per player, in the player's own order."""
Problems = dict[PlayerId, list[Problem]]


@dataclass(frozen=True, slots=True)
class Resolution:
    """What came of one phase."""

    state: State
    events: list[Event]
    problems: Problems
    """Orders that were refused, per player; all others were accepted."""


def begin(state: State, dice: Dice) -> Resolution:
    """Open a campaign: roll the sizes of the hexes to place in Setup (D-12)."""
    scene = Scene(state.copy(), dice)
    play_start_sizes(scene)
    return Resolution(scene.state, scene.events, {})


def resolve(state: State, orders: Orders, dice: Dice, checked_before: Accepted | None = None) -> Resolution:
    """Resolve the phase the campaign stands at; *state* itself is left as it was.

    The same state, orders and dice always give the same result, whatever the order of dict entries. *checked_before*
    saves checking order sets once more, and changes nothing: see :func:`~server.rules.orders.sets.collect`.
    """
    if state.phase not in ORDER_PHASES:
        raise RulesError(f"nothing is to be resolved in the phase {state.phase}")
    book = collect(state, orders, state.phase, checked_before)
    # where sight is shared, an alliance declared in this phase changes it
    scene = Scene(state.copy(), dice, seen_before=None if state.settings.shared_sight else state.visibility)
    _play(scene, book, state.phase)
    _go_on(scene, state.phase)
    scene.state.visibility = remember(scene.state)  # at rest from now on: a copy is what the next phase changes
    return Resolution(scene.state, scene.events, book.problems)


def _go_on(scene: Scene, played: str) -> None:
    """Pass through everything that needs nobody, up to the next phase that takes orders."""
    state = scene.state
    if state.phase == OVER:
        return
    if played == BUILD:
        state.phase = MOVEMENT
    elif played == MOVEMENT:
        state.phase = BATTLE_MOVEMENT
    elif played == BATTLE_MOVEMENT and state.battles:
        state.phase = BATTLES
    elif played == SETUP:
        state.turn, state.phase = 1, BUILD
        play_start_of_turn(scene)
    elif played == BATTLE_MOVEMENT or state.phase != REPORTS or all(battle.winner for battle in state.battles.values()):
        play_end_of_turn(scene)
        if state.phase != OVER:
            state.phase = BUILD
            play_start_of_turn(scene)


# --- the single steps ---


def play_start_sizes(scene: Scene, only: Sequence[PlayerId] | None = None) -> None:
    """Before Setup: roll the sizes of each player's first urban and resource hexes (D-12)."""
    setup.play_start_sizes(scene, only)


def play_start_of_turn(scene: Scene) -> None:
    """Before phase 1: income, maintenance, construction (1.1, D-20)."""
    economy.play_start_of_turn(scene)


def play_end_of_turn(scene: Scene) -> None:
    """Phase 8 (7)."""
    end_of_turn.play_end_of_turn(scene)


_PLAYS: Mapping[str, Callable[[Scene, OrderBook], None]] = {
    SETUP: setup.play_setup,
    BUILD: build.play_build,
    MOVEMENT: movement_phase.play_movement,
    BATTLE_MOVEMENT: battle_movement.play_battle_movement,
    BATTLES: battles.play_battles,
    REPORTS: battles.play_battles,
}


def _play(scene: Scene, book: OrderBook, phase: str) -> None:
    if phase not in (SETUP, BUILD):  # these two carry out their own, in their own order
        build.carry_out_immediate(scene, book)
    _PLAYS[phase](scene, book)


def _step(phase: str) -> Callable[[Scene, Orders], Problems]:
    def step(scene: Scene, orders: Orders) -> Problems:
        book = collect(scene.state, orders, phase)
        _play(scene, book, phase)
        return book.problems

    return step


play_setup = _step(SETUP)
"""Phase 0: placement and muster (D-11, D-33)."""
play_build = _step(BUILD)
"""Phase 1: everything that is built (1)."""
play_movement = _step(MOVEMENT)
"""Phases 2 and 3 (2, 3)."""
play_battle_movement = _step(BATTLE_MOVEMENT)
"""Phases 4 and 5 (4, 5)."""
play_battles = _step(BATTLES)
"""Phases 6 and 7, quick battles and reported ones (6)."""
