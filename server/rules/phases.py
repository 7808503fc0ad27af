"""The turn sequence (1, D-11): eight phases, four of which take orders.

:func:`resolve` plays the phase the campaign stands at, and on to the next one that needs people. The
``play_*`` functions of other files are the single steps; each changes the state of the scene it is given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from server.core.dice import Dice
from server.core.errors import Problem, RulesError
from server.core.events import Event
from server.rules.battles import play_battles
from server.rules.economy import play_start_of_turn
from server.rules.end_of_turn import play_end_of_turn
from server.rules.movement_phases import play_battle_movement, play_movement
from server.rules.orders.sets import Accepted, OrderBook, collect
from server.rules.scene import Scene
from server.rules.setup import carry_out_immediate, play_setup, play_start_sizes
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


# --- one phase alone ---


_PLAYS: Mapping[str, Callable[[Scene, OrderBook], None]] = {
    SETUP: play_setup,
    BUILD: carry_out_immediate,
    MOVEMENT: play_movement,
    BATTLE_MOVEMENT: play_battle_movement,
    BATTLES: play_battles,
    REPORTS: play_battles,
}


def _play(scene: Scene, book: OrderBook, phase: str) -> None:
    if phase not in (SETUP, BUILD):  # these two carry out their own, in their own order
        carry_out_immediate(scene, book)
    _PLAYS[phase](scene, book)


def play(scene: Scene, orders: Orders, phase: str) -> Problems:
    """Play one phase and nothing after it, on the state of the scene itself; return the orders that were refused."""
    book = collect(scene.state, orders, phase)
    _play(scene, book, phase)
    return book.problems
