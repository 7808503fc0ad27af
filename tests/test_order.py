"""Long tests begin first, whatever the number of workers, and no test is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.order import LONG, ordered

ROOT = Path(__file__).parents[1]
SHORT = [f"tests/rules/test_{number}.py::test" for number in range(100)]


@pytest.mark.parametrize("workers", [2, 3, 4, 7])
@pytest.mark.parametrize("kinds", [1, 2])
def test_every_worker_begins_with_long_ones(workers: int, kinds: int) -> None:
    long = [f"{name}[{kind}]" for name in LONG for kind in range(kinds)]
    found = ordered(SHORT[:50] + long + SHORT[50:], str, workers)
    assert sorted(found) == sorted(SHORT + long)
    parts, rest = [], found
    for left in range(workers, 0, -1):  # as the tests are dealt out
        size = len(rest) // left
        parts.append(rest[:size])
        rest = rest[size:]
    assert [part[0] for part in parts if part[0] in long] == long[:workers]
    assert all(part == sorted(part, key=lambda name: name not in long) for part in parts)


def test_a_few_tests_are_all_run() -> None:
    assert ordered(SHORT[:1], str, 4) == SHORT[:1]
    assert sorted(ordered(list(LONG), str, 4)) == sorted(LONG)


def test_the_long_ones_are_there() -> None:
    assert [name for name in LONG if not (ROOT / name.partition("::")[0]).exists()] == []
