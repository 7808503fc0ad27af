"""One phase, resolved by the rules: the only file of this package that calls them to change a state."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from server.core.dice import Dice
from server.core.errors import Problem
from server.core.events import Event
from server.rules.codec import encode
from server.rules.orders.sets import Accepted
from server.rules.phases import resolve
from server.rules.state import State

_PROBLEM = ("code", "message", "field", "value", "rule", "order")


def _version() -> str:
    try:
        return version("sealed-orders")
    except PackageNotFoundError:  # run from a checkout that was never installed
        return "0"


RULES_VERSION = _version()
"""The version of the rules' program that resolves phases here; kept with each phase."""


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
    """Per player what was refused, as it is kept."""


def play_phase(state: State, orders: Mapping[str, Any], dice: Dice, checked_before: Accepted | None = None) -> Outcome:
    """Resolve the phase a state stands at; *checked_before* as :func:`server.rules.phases.resolve` has it."""
    done = resolve(state, orders, dice, checked_before)
    problems = {player: [problem_to_json(problem) for problem in found] for player, found in done.problems.items()}
    written = encode(done.state)
    return Outcome(done.state, written, hashlib.sha256(written).hexdigest(), done.events, problems)


def problem_to_json(problem: Problem) -> dict[str, Any]:
    """Return a problem as it is kept."""
    return {name: getattr(problem, name) for name in _PROBLEM}
