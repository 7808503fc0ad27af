"""The tables of a case, read key by key."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Self

from server.core.errors import Problem
from server.core.fields import MISSING, Fields

_BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


def key_path(where: str, key: object) -> str:
    """Return the path of a key below *where* as you would write it in TOML."""
    text = str(key)
    written = text if _BARE.fullmatch(text) else json.dumps(text, ensure_ascii=False)
    return f"{where}.{written}" if where else written


def listed(names: Iterable[str]) -> str:
    """Return known names for a message about an unknown one."""
    return ", ".join(name for name in names if name)


def shown(value: object) -> str:
    """Return a value as you would write it in a case, near enough."""
    return json.dumps(value, ensure_ascii=False, default=str)


def same(expected: object, got: object) -> bool:
    """True when two JSON values are the same; true is not 1, and tuples are lists."""
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        return expected.keys() == got.keys() and all(same(value, got[key]) for key, value in expected.items())
    if isinstance(expected, list | tuple) and isinstance(got, list | tuple):
        return len(expected) == len(got) and all(map(same, expected, got))
    return isinstance(expected, bool) == isinstance(got, bool) and expected == got


class Table(Fields):
    """One table of a case."""

    def at(self, name: object) -> str:
        """Return the path of one of the table's keys."""
        return f"{self.path}[{name}]" if isinstance(name, int) else key_path(self.path, name)

    def note(self, key: object, problem: str) -> None:
        """Note what is wrong with a key."""
        self.problems.append(Problem("bad_value", problem, self.at(key)))

    def texts(self, key: str) -> tuple[str, ...]:
        """Read a list of texts, empty when it is missing."""
        items = self.inner(key, self.items(key, "a list", default=()))
        return tuple(text for place, item in items.given.items() if (text := items.text(place)) == item)

    def tables(self, key: str) -> list[Self]:
        """Read a list of tables, empty when it is missing."""
        items = self.inner(key, self.items(key, "a list", default=()))
        tables = [(items.table(place), item) for place, item in items.given.items()]
        return [table for table, item in tables if isinstance(item, dict)]

    def table(self, key: str | int) -> Self:
        """Read a table, empty when it is missing."""
        return self.inner(key, self.mapping(key, "a table", default={}))

    def each(self) -> Iterator[tuple[str, Self]]:
        """Yield key and table for a table that holds nothing but tables."""
        for key, value in self.given.items():
            table = self.table(key)
            if isinstance(value, dict):
                yield key, table

    # --- what is wrong ---

    def missing(self, name: str | int) -> None:
        """Say it of a case."""
        self.note(name, "missing")

    def wrong(self, name: str | int, expected: str, value: object) -> None:
        """Say it of a case."""
        if value is MISSING:
            self.missing(name)
        else:
            self.note(name, f"this must be {expected}, not {shown(value)}")

    def wrong_word(self, name: str | int, known: Collection[str], what: str, value: object) -> None:
        """Say it of a case."""
        if isinstance(value, str):
            self.note(name, f"no such {what} {value!r} ({listed(known)})")
        else:
            self.wrong(name, "a text", value)

    def unknown_field(self, name: object) -> None:
        """Name the key that may be meant."""
        asked = sorted(self._asked)
        near = get_close_matches(str(name), asked, 1)
        known = f"did you mean {near[0]}?" if near else f"known: {listed(asked) or 'none'}"
        self.note(name, f"unknown key ({known})")

    def _is_line(self, text: str, maximum: int) -> bool:  # noqa: ARG002
        return True

    def _must_be_text(self, name: str | int, maximum: int) -> str:  # noqa: ARG002
        return "a text"

    def _must_be_integer(self, name: str | int, minimum: int, maximum: int) -> str:
        value = self.given.get(name)
        if type(value) is not int:
            return "a whole number"
        return f"at least {minimum}" if value < minimum else f"at most {maximum}"

    def _must_be_boolean(self, name: str | int) -> str:  # noqa: ARG002
        return "true or false"


def told(problems: Iterable[Problem]) -> list[str]:
    """Return problems as lines."""
    return [f"{problem.field}: {problem.message}" for problem in problems]
