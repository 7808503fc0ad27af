"""How commands print what people read."""

from __future__ import annotations

import pytest

from server.commands.printing import file_size


@pytest.mark.parametrize(
    ("count", "words"), [(0, "1 kB"), (40, "1 kB"), (41_600, "42 kB"), (999_499, "999 kB"), (1_000_000, "1.0 MB")]
)
def test_small_files_are_not_nothing(count: int, words: str) -> None:
    assert file_size(count) == words
