"""The maps of a tournament: shipped ones by their id, others by their path."""

from __future__ import annotations

from functools import cache

from server.scenarios.report import find
from server.scenarios.scenario import Scenario


@cache
def scenario_of(name: str) -> Scenario:
    """Return a scenario; raises :class:`~server.scenarios.problems.MapError`."""
    return find(name)
