"""Every rule case below this folder, one test each."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.cases import find, run_case

HERE = Path(__file__).parent


@pytest.mark.parametrize("path", [pytest.param(each, id=str(each.relative_to(HERE))) for each in find([HERE])])
def test_case(path: Path) -> None:
    result = run_case(path)
    assert not result.failures, "\n".join([result.title, *result.failures])


def test_there_are_cases() -> None:
    assert find([HERE])
