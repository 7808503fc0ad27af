"""Reads a TOML table key by key and collects what is wrong with it, unknown keys too."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

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


class Table:
    """One table of a case. Every getter notes a problem and returns something harmless when it must."""

    def __init__(self, values: Mapping[str, Any], where: str, problems: list[str]) -> None:
        self.values = values
        self.where = where
        self.problems = problems
        self._asked: dict[str, None] = {}

    def path(self, key: object) -> str:
        """Return the path of one of the table's keys."""
        return key_path(self.where, key)

    def note(self, key: object, problem: str) -> None:
        """Note what is wrong with a key."""
        self.problems.append(f"{self.path(key)}: {problem}")

    def has(self, key: str) -> bool:
        """True when the key is given."""
        self._asked[key] = None
        return key in self.values

    def _get(self, key: str, kinds: tuple[type, ...], what: str, default: Any, minimum: Any) -> Any:
        if not self.has(key):
            if default is None:
                self.note(key, "missing")
                return minimum
            return default
        value = self.values[key]
        if type(value) not in kinds:
            self.note(key, f"this must be {what}, not {shown(value)}")
            return minimum if default is None else default
        return value

    def text(self, key: str, default: str | None = None, known: Iterable[str] = (), what: str = "value") -> str:
        """Read a text; required without *default*; one of *known* where there are any."""
        value: str = self._get(key, (str,), "a text", default, "")
        names = list(known)
        if names and value not in names and self.has(key) and isinstance(self.values[key], str):
            self.note(key, f"no such {what} {value!r} ({listed(names)})")
        return value

    def integer(self, key: str, default: int | None = None, minimum: int = 0) -> int:
        """Read a whole number of at least *least*; required without *default*."""
        value: int = self._get(key, (int,), "a whole number", default, minimum)
        if value < minimum and value != default:
            self.note(key, f"this must be at least {minimum}, not {value}")
        return value

    def boolean(self, key: str, default: bool = False) -> bool:
        """Read true or false."""
        return bool(self._get(key, (bool,), "true or false", default, False))

    def texts(self, key: str) -> tuple[str, ...]:
        """Read a list of texts, empty when it is missing."""
        return tuple(value for _, value in self._items(key, str, "a text"))

    def tables(self, key: str) -> list[Table]:
        """Read a list of tables, empty when it is missing."""
        found = self._items(key, dict, "a table")
        return [Table(value, f"{self.path(key)}[{place}]", self.problems) for place, value in found]

    def _items(self, key: str, kind: type, what: str) -> list[tuple[int, Any]]:
        values = self._get(key, (list,), "a list", (), ())
        for place, value in enumerate(values):
            if type(value) is not kind:
                self.problems.append(f"{self.path(key)}[{place}]: this must be {what}, not {shown(value)}")
        return [(place, value) for place, value in enumerate(values) if type(value) is kind]

    def table(self, key: str) -> Table:
        """Read a table, empty when it is missing."""
        return Table(self._get(key, (dict,), "a table", {}, {}), self.path(key), self.problems)

    def each(self) -> Iterator[tuple[str, Table]]:
        """Yield key and table for a table that holds nothing but tables."""
        for key in self.values:
            self.has(key)
            if isinstance(self.values[key], dict):
                yield key, self.table(key)
            else:
                self.note(key, f"this must be a table, not {shown(self.values[key])}")

    def finish(self) -> None:
        """Note all keys that were never read."""
        for key in self.values:
            if key not in self._asked:
                near = get_close_matches(key, self._asked, 1)
                known = f"did you mean {near[0]}?" if near else f"known: {listed(sorted(self._asked)) or 'none'}"
                self.note(key, f"unknown key ({known})")
