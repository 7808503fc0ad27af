"""Reading plain data strictly: every value by its type and limits, problems noted with their place."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from server.scenarios.problems import Notebook

_CONTROL = {"Cc", "Cs", "Co", "Cn"}


def shown(value: object) -> str:
    """Return a value for a message, cut short."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


class Fields:
    """One object of the file: gives its values and notes what is wrong with them."""

    def __init__(self, data: object, where: str, notes: Notebook, known: Sequence[str]) -> None:
        self.where = where
        self.notes = notes
        self.data: Mapping[str, Any] = data if isinstance(data, dict) else {}
        if not isinstance(data, dict):
            notes.error("bad_value", where, f"must be an object with keys, not {shown(data)}")
        for key in self.data:
            if key not in known:
                notes.error("unknown_key", self.place(key), f"there is no such key; known: {', '.join(known)}")

    def place(self, key: str) -> str:
        """Return the place of a key in the file."""
        return f"{self.where}.{key}" if self.where else key

    def has(self, key: str) -> bool:
        """Say whether the key is there."""
        return key in self.data

    def wrong(self, key: str, expected: str) -> None:
        """Note that a value is not what it must be."""
        if key in self.data:
            self.notes.error("bad_value", self.place(key), f"must be {expected}, not {shown(self.data[key])}")
        else:
            self.notes.error("missing_key", self.place(key), f"is missing; it must be {expected}")

    def text(self, key: str, maximum: int, default: str | None = None) -> str:
        """Return one line of text; *default* None: it must be there."""
        value = self.data.get(key, default)
        if not is_text(value, maximum) or (default is None and not value.strip()):
            self.wrong(key, f"one line of text of at most {maximum} characters")
            return ""
        return str(value)

    def integer(self, key: str, minimum: int, maximum: int, default: int | None = None) -> int | None:
        """Return a whole number, or the default."""
        if key not in self.data:
            return default
        value = self.data[key]
        if type(value) is not int or not minimum <= value <= maximum:
            self.wrong(key, f"a whole number from {minimum} to {maximum}")
            return default
        return value

    def number(self, key: str, minimum: float, maximum: float, default: float) -> float:
        """Return a number, or the default."""
        value = self.data.get(key, default)
        if not is_number(value, minimum, maximum):
            self.wrong(key, f"a number from {minimum:g} to {maximum:g}")
            return default
        return float(value)

    def pair(self, key: str, minimum: float, maximum: float) -> tuple[float, float] | None:
        """Return two numbers, or None where they are wrong."""
        value = self.data.get(key)
        if not (
            isinstance(value, list) and len(value) == 2 and all(is_number(number, minimum, maximum) for number in value)
        ):
            self.wrong(key, f"two numbers from {minimum:g} to {maximum:g}")
            return None
        return float(value[0]), float(value[1])

    def items(self, key: str, maximum: int, what: str) -> Iterator[tuple[str, Any]]:
        """Yield place and value of each entry of a list that may be left out."""
        value = self.data.get(key, [])
        if not isinstance(value, list) or len(value) > maximum:
            self.wrong(key, f"a list of at most {maximum} {what}")
            return
        for number, item in enumerate(value):
            yield f"{self.place(key)}[{number}]", item

    def entries(self, key: str, maximum: int, what: str) -> Iterator[tuple[str, str, Any]]:
        """Yield place, key and value of each entry of a table that may be left out."""
        value = self.data.get(key, {})
        if not isinstance(value, dict) or len(value) > maximum:
            self.wrong(key, f"a table of at most {maximum} {what}")
            return
        for name, item in value.items():
            yield f"{self.place(key)}.{name}", name, item


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
