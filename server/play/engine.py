"""One phase, resolved by the rules: the only place of this room that calls them to change a state.

:func:`resolve_bytes` is the same with nothing but bytes in and out, for another process.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import orjson

from server.play.worlds import World, world_from
from server.rules.codec import decode, encode, event_from_json, event_to_json
from server.rules.dice import SeededDice
from server.rules.errors import Problem
from server.rules.events import Event
from server.rules.phases import resolve
from server.rules.state import State

LONG = 250
"""Forces from which on a phase is resolved in another process; a hundred hexes count as one."""

_PROBLEM = ("code", "message", "field", "value", "rule", "order")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a phase."""

    state: State
    written: bytes
    """The state's canonical bytes."""
    events: list[Event]
    problems: dict[str, list[dict[str, Any]]]
    """Per player what was refused, as it is kept."""


@dataclass(frozen=True, slots=True)
class Job:
    """A phase to be resolved, as bytes."""

    scenario_id: str
    scenario: bytes
    ruleset_id: str
    ruleset: bytes
    state: bytes
    orders: bytes
    seed: bytes


def is_long(state: State) -> bool:
    """Say whether a phase takes so long that it should not hold up this process."""
    return len(state.detachments) + len(state.garrisons) + state.board.size // 100 > LONG


def resolve_here(state: State, orders: Mapping[str, Any], seed: bytes) -> Outcome:
    """Resolve the phase a state stands at."""
    done = resolve(state, orders, SeededDice(seed))
    problems = {player: [problem_to_json(each) for each in found] for player, found in done.problems.items()}
    return Outcome(done.state, encode(done.state), done.events, problems)


def resolve_bytes(job: Job) -> tuple[bytes, bytes]:
    """Resolve a phase from bytes; returns the state's bytes, and events and problems as JSON."""
    world = _world(job.scenario_id, job.scenario, job.ruleset_id, job.ruleset)
    done = resolve_here(decode(job.state, world.board, world.ruleset), orjson.loads(job.orders), job.seed)
    told = {"events": [event_to_json(each) for each in done.events], "problems": done.problems}
    return done.written, orjson.dumps(told)


def outcome_of(written: bytes, told: bytes, world: World) -> Outcome:
    """Read what :func:`resolve_bytes` returned."""
    found = orjson.loads(told)
    events = [event_from_json(each) for each in found["events"]]
    return Outcome(decode(written, world.board, world.ruleset), written, events, found["problems"])


def problem_to_json(problem: Problem) -> dict[str, Any]:
    """Return a problem as it is kept."""
    return {name: getattr(problem, name) for name in _PROBLEM}


@lru_cache(maxsize=8)
def _world(scenario_id: str, scenario: bytes, ruleset_id: str, ruleset: bytes) -> World:
    return world_from(scenario_id, orjson.loads(scenario), ruleset_id, orjson.loads(ruleset))
