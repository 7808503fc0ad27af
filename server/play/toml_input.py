"""TOML that people send, read in linear time: what keeps Python's reader busy is refused before.

A key of many parts takes the square of their number there (100,000: two minutes), and whole numbers have no bound.
"""

from __future__ import annotations

import tomllib
from typing import Any

MAX_DOTS = 100
"""Maximum dots in a line: neither our files' keys nor sentences have that many."""
_LARGEST = 2**63


def read_toml(text: str) -> dict[str, Any]:
    """Return what a TOML document holds; raises ``ValueError`` that says why it cannot be read."""
    if any(line.count(".") > MAX_DOTS for line in text.split("\n")):
        raise ValueError(f"a line has more than {MAX_DOTS} dots")
    try:
        found = tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    todo: list[Any] = [found]
    while todo:
        value = todo.pop()
        if isinstance(value, int) and not -_LARGEST <= value < _LARGEST:
            raise ValueError("a whole number has more than 64 bits")
        if isinstance(value, dict | list):
            todo += value.values() if isinstance(value, dict) else value
    return found
