"""One phase, resolved by the rules: the only file of this package that calls them to change a state.

Playing is pure. A large position is played in another process, with bytes in and bytes out. What this process has
checked as it was handed in need not be checked once more: the same set against the same position is the same orders.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from server.core.dice import Dice
from server.core.errors import Problem
from server.core.events import Event
from server.play.background import Background, ProcessLost
from server.play.context import AppContext
from server.play.dice import receipts
from server.play.records.phase_dice import PhaseDice
from server.rules.board import Board
from server.rules.codec import decode, encode
from server.rules.orders import sets
from server.rules.orders.sets import Accepted
from server.rules.phases import resolve
from server.rules.ruleset import Ruleset
from server.rules.sight import View, view_for
from server.rules.state import State

if TYPE_CHECKING:
    from server.bots.commander import Mind


LARGE = 250
"""Forces from which on a position is large; a hundred hexes count as one."""
_PROBLEM = ("code", "message", "field", "value", "rule", "order")


@dataclass(frozen=True, slots=True)
class Given:
    """All inputs of a phase except its starting position."""

    orders: Mapping[str, list[Any]]
    """As handed in: per player, and the GM under ``gm``; those without any left out."""
    minds: Mapping[str, Mind]
    """The computer players who order for a seat."""
    results: Sequence[tuple[str, dict[str, Any]]]
    """Settled results of battles in the order in which they came, each with who reported it."""
    dice: PhaseDice

    def all_orders(self, state: State) -> dict[str, list[Any]]:
        """Return the orders that count: with those of computer players, results in front."""
        orders = dict(self.orders)
        if self.minds:
            from server.bots import commander  # here: most phases wait for people alone

            chosen = ((seat, commander.choose(view_for(state, (), seat), mind)) for seat, mind in self.minds.items())
            orders |= {seat: theirs for seat, theirs in chosen if theirs}
        for reporter, result in reversed(self.results):
            orders[reporter] = [result, *orders.get(reporter, [])]
        return orders


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a phase."""

    state: State
    written: bytes
    """The state's canonical bytes."""
    state_hash: str
    """Their SHA-256, hexadecimal."""
    events: list[Event]
    problems: dict[str, list[dict[str, Any]]]
    """The refused orders of each player, in stored form."""
    orders: Mapping[str, list[Any]] = field(default_factory=dict)
    """Those that counted, per player."""


def play_phase(state: State, orders: Mapping[str, Any], dice: Dice, checked_before: Accepted | None = None) -> Outcome:
    """Resolve the phase a state stands at; *checked_before* as :func:`server.rules.phases.resolve` has it."""
    done = resolve(state, orders, dice, checked_before)
    problems = {player: [problem_to_json(problem) for problem in found] for player, found in done.problems.items()}
    return _outcome(done.state, encode(done.state), done.events, problems, orders)


def play_elsewhere(background: Background, state: State, written: bytes | None, given: Given) -> Outcome | None:
    """Have another process play the phase of a state, which is *written* in bytes; None where that process is lost."""
    bytes_in = encode(state) if written is None else written
    try:
        found = background.in_process(play_bytes, state.board, state.ruleset, bytes_in, given)
    except ProcessLost:
        return None
    bytes_out, events, problems, orders = found
    return _outcome(decode(bytes_out, state.board, state.ruleset), bytes_out, events, problems, orders)


def play_bytes(
    board: Board, ruleset: Ruleset, written: bytes, given: Given
) -> tuple[bytes, list[Event], dict[str, list[dict[str, Any]]], Mapping[str, list[Any]]]:
    """Play a phase; returns the bytes of its state, its events, its problems and the orders that counted."""
    state = decode(written, board, ruleset)
    done = play_phase(state, given.all_orders(state), given.dice.roll_with())
    return done.written, done.events, done.problems, done.orders


def is_large(state: State) -> bool:
    """Say whether a phase of a position takes so long that it should not hold up this process."""
    return len(state.detachments) + len(state.garrisons) + state.board.size // 100 > LARGE


def problem_to_json(problem: Problem) -> dict[str, Any]:
    """Return a problem in its stored form."""
    return {name: getattr(problem, name) for name in _PROBLEM}


def _outcome(
    state: State, written: bytes, events: list[Event], problems: dict[str, list[dict[str, Any]]],
    orders: Mapping[str, list[Any]],
) -> Outcome:  # fmt: skip
    return Outcome(state, written, hashlib.sha256(written).hexdigest(), events, problems, orders)


def key_of(campaign_id: str, state_hash: str, player_id: str, orders: Sequence[Any]) -> Hashable:
    """Return what names a player's order set, and the position that it is checked against."""
    return campaign_id, state_hash, player_id, receipts.digest(orders)


def check(ctx: AppContext, campaign_id: str, state_hash: str, view: View, orders: Any) -> Sequence[Problem]:
    """Return all problems of a set for the open phase, and cache the result of one without problems."""
    found = sets.read_set(view.state, view.viewer, view.state.phase, orders)
    if found.accepted and not found.problems:
        ctx.caches.checked.put(key_of(campaign_id, state_hash, view.viewer, orders), found.accepted)
    return found.problems


def checked_before(ctx: AppContext, campaign_id: str, state_hash: str, orders: Mapping[str, Sequence[Any]]) -> Accepted:
    """Return the orders of those sets that have been checked here, by player."""
    known = {
        player: ctx.caches.checked.known(key_of(campaign_id, state_hash, player, given))
        for player, given in orders.items()
    }
    return {player: accepted for player, accepted in known.items() if accepted is not None}
