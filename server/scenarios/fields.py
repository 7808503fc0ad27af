"""Reading the data of maps strictly: every value by its type and limits, problems noted with their place."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any

from server.core import fields
from server.core.fields import MISSING
from server.scenarios.problems import Notebook

_CONTROL = {"Cc", "Cs", "Co", "Cn"}


def shown(value: object) -> str:
    """Return a value for a message, cut short."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


class Fields(fields.Fields):
    """One object of the file, with the keys that it may have."""

    def __init__(self, data: object, where: str, notes: Notebook, known: Sequence[str]) -> None:
        super().__init__(data, where)
        self.notes = notes
        if not isinstance(data, dict):
            notes.error("bad_value", where, f"must be an object with keys, not {shown(data)}")
        for key in self.given:
            if key not in known:
                notes.error("unknown_key", self.at(key), f"there is no such key; known: {', '.join(known)}")

    def text(self, name: str | int, maximum: int = fields.MAX_TEXT, default: Any = MISSING) -> str:
        """Read one line of text, which may be empty if it may be left out."""
        value = self.take(name, default)
        if is_text(value, maximum) and (default is not MISSING or value.strip()):
            return str(value)
        self.wrong(name, f"one line of text of at most {maximum} characters", value)
        return ""

    def number(self, key: str, minimum: float, maximum: float, default: float) -> float:
        """Read a number."""
        value = self.take(key, default)
        if is_number(value, minimum, maximum):
            return float(value)
        self.wrong(key, f"a number from {minimum:g} to {maximum:g}", value)
        return default

    def pair(self, key: str, minimum: float, maximum: float) -> tuple[float, float] | None:
        """Read two numbers; None where they are wrong."""
        expected = f"two numbers from {minimum:g} to {maximum:g}"
        value = self.items(key, expected, 2, 2)
        if value and all(is_number(number, minimum, maximum) for number in value):
            return float(value[0]), float(value[1])
        if value:
            self.wrong(key, expected, value)
        return None

    def listed(self, key: str, maximum: int, what: str) -> Iterator[tuple[str, Any]]:
        """Yield place and value of each entry of a list that may be left out."""
        for number, item in enumerate(self.items(key, f"a list of at most {maximum} {what}", 0, maximum, ())):
            yield f"{self.at(key)}[{number}]", item

    def entries(self, key: str, maximum: int, what: str) -> Iterator[tuple[str, str, Any]]:
        """Yield place, key and value of each entry of a table that may be left out."""
        for name, item in self.mapping(key, f"a table of at most {maximum} {what}", maximum, {}).items():
            yield f"{self.at(key)}.{name}", name, item

    def wrong(self, name: str | int, expected: str, value: object = MISSING) -> None:
        """Note that a value is missing, or not what it must be."""
        if value is MISSING and name not in self.given:
            self.notes.error("missing_key", self.at(name), f"is missing; it must be {expected}")
        else:
            self.notes.error("bad_value", self.at(name), f"must be {expected}, not {shown(self.given.get(name))}")

    def _must_be_integer(self, name: str | int, minimum: int, maximum: int) -> str:  # noqa: ARG002
        return f"a whole number from {minimum} to {maximum}"


def is_text(value: object, maximum: int) -> bool:
    """Say whether a value is one line of printable text, short enough."""
    if not isinstance(value, str) or len(value) > maximum:
        return False
    return not any(unicodedata.category(character) in _CONTROL for character in value)


def is_number(value: object, minimum: float, maximum: float) -> bool:
    """Say whether a value is a finite number in a range."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return math.isfinite(value) and minimum <= value <= maximum
