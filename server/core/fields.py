"""Reading arbitrary JSON or TOML: whatever arrives becomes values or problems, never an exception.

All readers are :class:`Fields`: of orders, edits, acts and missions of the table, scenarios, rule cases. Each adds the
things that it knows (hexes, units, inches), and says in its own words what is wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import inf, isfinite
from typing import Any, ClassVar, Self, cast

from server.core.errors import Problem
from server.core.sentences import say

MAX_SHOWN = 2**53
"""The greatest number that every JSON reader takes as it is."""

MAX_TEXT = MAX_NUMBER = 1_000_000
"""Characters of a text and the greatest number where nothing else is said."""

MISSING: Any = object()
"""As a default: the field must be there. As a value: it is not."""


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


def is_integer(value: object, minimum: int, maximum: int) -> bool:
    """Say whether a value is a whole number between bounds; true and 1.0 are none."""
    return type(value) is int and minimum <= value <= maximum


def is_list(value: object, minimum: int, maximum: float) -> bool:
    """Say whether a value is a list of between so many and so many."""
    return isinstance(value, list | tuple) and minimum <= len(value) <= maximum


class Fields:
    """A table that is read field by field, or a list, whose fields are its places.

    A getter that notes a problem returns something harmless. *path* says where the table stands. *problems* are those
    of everything that is read with it.
    """

    NULL_IS_MISSING: ClassVar[bool] = False
    """A field that holds null is one that is not there."""

    def __init__(self, given: object, path: str = "", problems: list[Problem] | None = None) -> None:
        self.given: Mapping[Any, Any] = given if isinstance(given, dict | Mapping) else {}
        self.path = path
        self.problems: list[Problem] = [] if problems is None else problems
        self._asked: set[Any] = set()

    # --- what there is ---

    def at(self, name: str | int) -> str:
        """Return the path of a field; of the table itself if *name* is empty."""
        return f"{self.path}.{name}" if self.path and name != "" else self.path or str(name)

    def has(self, name: str) -> bool:
        """Say whether the field is there, without a problem if it is not."""
        self._asked.add(name)
        return name in self.given and not (self.NULL_IS_MISSING and self.given[name] is None)

    def has_read(self, name: str) -> bool:
        """Say whether a getter has read the field."""
        return name in self._asked

    def take(self, name: str | int, default: Any = MISSING) -> Any:
        """Return a field as it is; what it holds is the caller's to judge."""
        self._asked.add(name)
        value = self.given.get(name)
        if value is None and (self.NULL_IS_MISSING or name not in self.given):
            return default
        return value

    def inner(self, name: str | int, given: object) -> Self:
        """Return a reader of what lies in a field: of a table, or of a list by its places."""
        return type(self)(_by_place(given), self.at(name), self.problems)

    def finish(self) -> None:
        """Note fields that no getter has read: a typing error must not be taken for a value."""
        for name in self.given:
            if name not in self._asked:
                self.unknown_field(name)

    # --- kinds of values ---

    def text(self, name: str | int, maximum: int = MAX_TEXT, default: Any = MISSING) -> str:
        """Read a line of text."""
        value = self.take(name, default)
        if isinstance(value, str) and self._is_line(value, maximum):
            return value
        self.wrong(name, self._must_be_text(name, maximum), value)
        return "" if default is MISSING else str(default)

    def integer(self, name: str | int, minimum: int = 0, maximum: int = MAX_NUMBER, default: Any = MISSING) -> int:
        """Read a whole number."""
        value = self.take(name, default)
        if is_integer(value, minimum, maximum):
            return int(value)
        self.wrong(name, self._must_be_integer(name, minimum, maximum), value)
        return minimum if default is MISSING else int(default)

    def boolean(self, name: str | int, default: Any = False) -> bool:
        """Read true or false; a field that is not there is false, if nothing else is said."""
        value = self.take(name, default)
        if isinstance(value, bool):
            return value
        self.wrong(name, self._must_be_boolean(name), value)
        return default is True

    def one_of(self, name: str | int, known: Collection[str], what: str = "", default: Any = MISSING) -> str:
        """Read one of some words; *what* they are, for a problem."""
        value = self.take(name, default)
        if isinstance(value, str) and value in known:
            return value
        self.wrong_word(name, known, what, value)
        return "" if default is MISSING else str(default)

    def items(
        self, name: str | int, expected: str, minimum: int = 0, maximum: float = inf, default: Any = MISSING
    ) -> Sequence[Any]:
        """Read a list as it is. *expected*: what the field must be, for a problem; likewise below."""
        value = self.take(name, default)
        if is_list(value, minimum, maximum):
            return cast(Sequence[Any], value)
        self.wrong(name, expected, value)
        return ()

    def mapping(
        self, name: str | int, expected: str, maximum: float = inf, default: Any = MISSING
    ) -> Mapping[Any, Any]:
        """Read a table as it is."""
        value = self.take(name, default)
        if isinstance(value, Mapping) and len(value) <= maximum:
            return value
        self.wrong(name, expected, value)
        return {}

    # --- what is wrong ---

    def refuse(self, code: str, message: str, name: str | int = "", value: object = None, rule: str = "") -> None:
        """Note a problem with a field, or with the whole table."""
        self.problems.append(Problem(code, message, self.at(name), shown(value), rule))

    def missing(self, name: str | int) -> None:
        """Note that a field is not there."""
        self.refuse("missing_field", say("The field {name} is missing.", name=self.at(name)), name)

    def wrong(self, name: str | int, expected: str, value: object) -> None:
        """Note that a field is missing, or not what it must be."""
        if value is MISSING:
            self.missing(name)
        else:
            self.refuse("bad_value", expected, name, value)

    def wrong_word(self, name: str | int, known: Collection[str], what: str, value: object) -> None:  # noqa: ARG002
        """Note that a field is missing, or none of the words that are known."""
        self.wrong(name, say("{name} must be one of {words}.", name=self.at(name), words=", ".join(known)), value)

    def unknown_field(self, name: object) -> None:
        """Note a field that there is not."""
        where = self.at(str(shown(name)))
        self.problems.append(Problem("unknown_field", say("There is no field {name}.", name=where), where))

    def _is_line(self, text: str, maximum: int) -> bool:
        return 1 <= len(text.strip()) <= maximum and text.isprintable()

    def _must_be_text(self, name: str | int, maximum: int) -> str:
        return say("{name} must be a printable text of 1 to {most} characters.", name=name, most=maximum)

    def _must_be_integer(self, name: str | int, minimum: int, maximum: int) -> str:
        return say("{name} must be a whole number from {least} to {most}.", name=name, least=minimum, most=maximum)

    def _must_be_boolean(self, name: str | int) -> str:
        return say("{name} must be true or false.", name=name)


def _by_place(given: object) -> object:
    return dict(enumerate(given)) if isinstance(given, list | tuple) else given
