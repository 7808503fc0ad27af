"""From plain data to a :class:`~server.rules.ruleset.Ruleset`, or to all that is wrong with it.

The data has the shape of the dataclasses in :mod:`server.rules.ruleset`: what is declared there
is read here by its declared type, so a new field needs no reading code. A mapping of things with
an id is a table by id; the single numbers of the ruleset stand in the sections of
:data:`~server.rules.ruleset.limits.SECTIONS`;
a table whose last row is for everything below states that row's value as ``<name>_below``.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass, replace
from typing import Any, get_args, get_origin, get_type_hints

from server.core.errors import RulesError
from server.rules.ruleset.checks import check
from server.rules.ruleset.limits import (
    ALLOWED_VALUES,
    BELOW,
    COMPLETE,
    FACES,
    FILLED,
    ID,
    MAX_COUNT,
    MAX_ROWS,
    MAX_TEXT_LENGTH,
    RANGES,
    RULESET_ID,
    SECTIONS,
)
from server.rules.ruleset.nouns import LOWEST, DetachmentType, Ruleset

Path = tuple[str | int, ...]
"""Where a value stands in the data: keys, and places in lists."""


class RulesetError(RulesError):
    """A ruleset that cannot be used, with every reason."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__(problems)
        self.problems = list(problems)
        """One line each: source, dotted key, what is wrong."""

    def __str__(self) -> str:
        return "\n".join(self.problems)


def read(data: Mapping[str, Any], source: str = "ruleset") -> Ruleset:
    """Build the ruleset the data describes; *source* names it in problems.

    Raises :class:`RulesetError` with all problems at once.
    """
    reader = _Reader(source, data)
    ruleset = reader.ruleset(data)
    check(ruleset, reader.doubt)
    if reader.problems:
        raise RulesetError(reader.problems)
    return replace(ruleset, digest=digest(data))


def digest(data: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the data as JSON with sorted keys and no spaces, hexadecimal."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


class _Reader:
    """Reads values by their declared types and continues after a problem, with a stand-in for the bad value."""

    def __init__(self, source: str, data: Mapping[str, Any]) -> None:
        self.source = source
        self.problems: list[str] = []
        self._bad: set[Path] = set()
        self._above_bad: set[Path] = set()
        # to look types up takes longer than to read values by them
        self._types: dict[type, dict[str, Any]] = {Ruleset: get_type_hints(Ruleset)}
        self._allowed = {
            name: self._ids(data, known) if isinstance(known, str) else known for name, known in ALLOWED_VALUES.items()
        }

    def say(self, path: Path, message: str) -> None:
        """Note a problem, unless the value or something around it is known to be bad."""
        branch = [path[:n] for n in range(1, len(path) + 1)]
        if self._bad.isdisjoint(branch):
            self._bad.add(path)
            self._above_bad.update(branch)
            self.problems.append(f"{self.source}: {_dotted(path)}: {message}")

    def doubt(self, path: Path, message: str) -> None:
        """Note a problem, unless something in it is known to be bad too: that may be the cause."""
        if path not in self._above_bad:
            self.say(path, message)

    def ruleset(self, data: Mapping[str, Any]) -> Ruleset:
        """Read the whole ruleset, all but its digest."""
        placed = {name for names in SECTIONS.values() for name in names}
        top = [field.name for field in fields(Ruleset) if field.name not in placed and field.name != "digest"]
        values = self._entries(Ruleset, top, data, (), also=tuple(SECTIONS))
        for section, names in SECTIONS.items():
            if section not in data:
                self.say((section,), "is missing")
            values |= self._entries(Ruleset, names, data.get(section), (section,))
        values["detachment_types"] = _with_standard_slots(values["detachment_types"])
        return Ruleset(**values, digest="")

    def _ids(self, data: Mapping[str, Any], name: str) -> tuple[str, ...] | None:
        """Return the ids a part of the data defines; None if that is unclear."""
        part = data.get(name)
        ordered = get_origin(self._types[Ruleset][name]) is tuple
        if not part or not isinstance(part, list | tuple if ordered else Mapping) or len(part) > MAX_ROWS:
            return None
        if not ordered:
            return tuple(str(key) for key in part)
        return tuple(row["id"] for row in part if isinstance(row, Mapping) and isinstance(row.get("id"), str))

    def _record(self, cls: Any, raw: Any, path: Path, **known: str) -> Any:
        names = [field.name for field in fields(cls) if field.name not in known]
        return cls(**known, **self._entries(cls, names, raw, path))

    def _entries(self, cls: Any, names: Iterable[str], raw: Any, path: Path, also: tuple[str, ...] = ()) -> Any:
        """Read the named fields of a dataclass from one table, which may have no other keys."""
        table = self._table(raw, path)
        if cls not in self._types:
            self._types[cls] = get_type_hints(cls)
        hints = self._types[cls]
        declared = {field.name: field for field in fields(cls)}
        values = {name: self._entry(cls, declared[name], hints[name], table, path) for name in names}
        expected = {*names, *also, *(f"{name}_below" for name in names if f"{cls.__name__}.{name}" in BELOW)}
        for key in table:
            if key not in expected:
                self.say((*path, key), "is not known")
        return values

    def _entry(self, cls: Any, declared: Field[Any], hint: Any, table: Mapping[str, Any], path: Path) -> Any:
        key, name = (*path, declared.name), f"{cls.__name__}.{declared.name}"
        if declared.name not in table:
            if declared.default is not MISSING:
                return declared.default
            if declared.default_factory is not MISSING:
                return declared.default_factory()
            self.say(key, "is missing")
        raw = table.get(declared.name)
        if raw == "" and declared.default == "":
            return raw
        value = self._value(hint, raw, key, name)
        if name in FILLED and not value:
            self.say(key, "is empty")
        if name in BELOW:
            value = (*value, self._below(f"{declared.name}_below", name, table, path))
        return value

    def _below(self, key: str, name: str, table: Mapping[str, Any], path: Path) -> tuple[int, int]:
        if key not in table:
            self.say((*path, key), "is missing")
        return LOWEST, self._number(table.get(key), (*path, key), name)

    def _value(self, hint: Any, raw: Any, path: Path, name: str) -> Any:
        """Read one value of the type its field is declared with."""
        args = [arg for arg in get_args(hint) if arg is not type(None)]
        origin = get_origin(hint)
        if is_dataclass(hint):
            return self._record(hint, raw, path)
        if origin is Mapping:
            return self._mapping(args[1], raw, path, name)
        if origin is tuple:
            return self._list(args, raw, path, name)
        kind = args[0] if args else hint
        return {int: self._number, bool: self._switch, str: self._text}[kind](raw, path, name)

    def _mapping(self, hint: Any, raw: Any, path: Path, name: str) -> dict[str, Any]:
        table = self._table(raw, path)
        if is_dataclass(hint):
            return {
                self._matches(ID, key, (*path, key)): self._record(hint, value, (*path, key), id=key)
                for key, value in table.items()
            }
        for word in (self._allowed.get(name) or ()) if name in COMPLETE else ():
            if word not in table:
                self.say((*path, word), "is missing")
        return {
            self._word(key, (*path, key), name): self._value(hint, value, (*path, key), "" if hint is str else name)
            for key, value in table.items()
        }

    def _list(self, hints: Sequence[Any], raw: Any, path: Path, name: str) -> tuple[Any, ...]:
        if not isinstance(raw, list | tuple):
            self.say(path, f"{_show(raw)} is not a list")
            raw = ()
        if len(raw) > MAX_ROWS:
            self.say(path, f"has more than {MAX_ROWS} values")
            raw = ()
        if hints[-1] is Ellipsis:
            values = tuple(self._value(hints[0], value, (*path, n), name) for n, value in enumerate(raw))
            self._count(values, path, name)
            return values
        if len(raw) != len(hints):
            self.say(path, f"has {len(raw)} values, not {len(hints)}")
            raw = (None,) * len(hints)
        return tuple(self._value(hint, raw[n], (*path, n), name) for n, hint in enumerate(hints))

    def _count(self, values: tuple[Any, ...], path: Path, name: str) -> None:
        """Look for a face of the die without a value, and for words given twice."""
        if name in FACES and len(values) != 6:
            self.say(path, f"has {len(values)} values, not one for each face of a die")
        if name in ALLOWED_VALUES and name not in FACES:
            repeated = [_show(word) for word, times in Counter(values).items() if word and times > 1]
            if repeated:
                self.say(path, f"more than once: {', '.join(repeated)}")

    def _table(self, raw: Any, path: Path) -> Mapping[str, Any]:
        if not isinstance(raw, Mapping):
            self.say(path, f"{_show(raw)} is not a table")
            return {}
        if len(raw) > MAX_ROWS:
            self.say(path, f"has more than {MAX_ROWS} entries")
            return {}
        return {str(key): value for key, value in raw.items()}

    def _number(self, raw: Any, path: Path, name: str) -> int:
        minimum, maximum = RANGES.get(name, (0, MAX_COUNT))
        if isinstance(raw, bool) or not isinstance(raw, int):
            self.say(path, f"{_show(raw)} is not a whole number")
        elif raw < minimum:
            self.say(path, f"{_show(raw)} is less than {minimum}")
        elif raw > maximum:
            self.say(path, f"{_show(raw)} is more than {maximum}")
        else:
            return raw
        return max(0, minimum)

    def _switch(self, raw: Any, path: Path, _name: str) -> bool:
        if not isinstance(raw, bool):
            self.say(path, f"{_show(raw)} is not true or false")
        return raw is True

    def _text(self, raw: Any, path: Path, name: str) -> str:
        if not isinstance(raw, str):
            self.say(path, f"{_show(raw)} is not text")
            return ""
        if not raw.strip() or not raw.isprintable() or len(raw) > MAX_TEXT_LENGTH:
            self.say(path, f"{_show(raw)} is not a line of 1 to {MAX_TEXT_LENGTH} characters")
        elif path == ("id",):
            self._matches(RULESET_ID, raw, path)
        elif path[-1] == "id":
            self._matches(ID, raw, path)
        return self._word(raw, path, name)

    def _word(self, raw: str, path: Path, name: str) -> str:
        allowed, given = self._allowed.get(name), ALLOWED_VALUES.get(name)
        if allowed is not None and raw not in allowed:
            among = f"defined under {given}" if isinstance(given, str) else f"one of {', '.join(allowed)}"
            self.say(path, f"{_show(raw)} is not {among}")
        return raw

    def _matches(self, pattern: re.Pattern[str], raw: str, path: Path) -> str:
        if not pattern.fullmatch(raw):
            self.say(path, f"{_show(raw)} is not an id ({pattern.pattern})")
        return raw


def _with_standard_slots(types: Mapping[str, DetachmentType]) -> dict[str, DetachmentType]:
    """D-31: a detachment type without slots of its own has those of the standard type."""
    standard = types["standard"].slots if "standard" in types else {}
    return {id_: type_ if type_.slots else replace(type_, slots=standard) for id_, type_ in types.items()}


def _dotted(path: Path) -> str:
    parts = "".join(f"[{part}]" if isinstance(part, int) else f".{_brief(part)}" for part in path)
    return parts.removeprefix(".")


def _show(value: Any) -> str:
    if isinstance(value, Mapping | list | tuple):
        return "a table" if isinstance(value, Mapping) else "a list"
    return "nothing" if value is None else _brief(repr(value))


def _brief(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"
