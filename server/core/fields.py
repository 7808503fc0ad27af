"""What reading fields out of arbitrary JSON has in common."""

from __future__ import annotations

from math import isfinite
from typing import Any

MAX_SHOWN = 2**53
"""The greatest number that every JSON reader takes as it is."""


def shown(value: object) -> Any:
    """Return a value as it may be shown in a problem: short, and plain JSON, whatever it is."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if -MAX_SHOWN <= value <= MAX_SHOWN else "a number out of all bounds"
    if isinstance(value, float):
        return value if isfinite(value) else str(value)
    if isinstance(value, str):
        text = "".join(character if character.isprintable() else "?" for character in value[:81])
        return text if len(text) <= 80 else text[:79] + "…"
    return "a list" if isinstance(value, list | tuple) else "an object"
