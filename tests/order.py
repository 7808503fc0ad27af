"""Which tests begin first: those that take long, one beside the other, so that nobody waits for one at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

LONG = (
    "tests/web/browser/test_all_pages.py",
    "tests/web/browser/test_whole_campaign.py",
    "tests/e2e/test_crash.py",
    "tests/web/browser/test_table_battles.py",
    "tests/web/browser/test_table_games.py",
    "tests/test_demo.py::test_played",
    "tests/referee/test_random_games.py::test_every_kind",
    "tests/generated/test_generated.py::test_linters",
    "tests/api/test_whole_campaign.py",
    "tests/e2e/test_race.py",
    "tests/web/browser/test_journey.py",
)
"""Beginnings of their names, the longest first."""

T = TypeVar("T")


def ordered(tests: Sequence[T], name: Callable[[T], str], workers: int) -> list[T]:
    """Put long tests where the workers begin: each of them gets an equal part of all, one after the other."""
    long = [test for beginning in LONG for test in tests if name(test).startswith(beginning)]
    short = [test for test in tests if test not in long]
    found: list[T] = []
    for worker in range(workers):
        first = [*long[worker::workers]]
        room = (len(tests) - len(found)) // (workers - worker) - len(first)
        found += first + short[: max(0, room)]
        del short[: max(0, room)]
    return found + short
