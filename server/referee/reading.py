"""Reading JSON by declaration: acts, parameters of rules, stratagems and units say what their fields are.

A dataclass declares each field with :func:`given`; :func:`read` makes one of arbitrary JSON or notes everything that is
wrong with it, each with its path. Inches become whole thousandths here (T-01, T-40) and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from math import isfinite
from typing import Any, Protocol, TypeVar

from server.core.errors import Problem
from server.core.fields import Fields, is_list, shown
from server.core.sentences import say

MAX_ITEMS = 500
"""Items of a list or a table."""
MAX_INCHES = 1000
"""The longest distance, and the edge of the largest table."""
MAX_NUMBER = 1_000_000
ID_LENGTH = 40

T = TypeVar("T")
Found = list[Problem]
"""The problems noted so far."""


class Given(Fields):
    """A table, or a list by its places. Problems name a field by its path."""

    def _is_line(self, text: str, maximum: int) -> bool:
        return super()._is_line(text.replace("\n", " "), maximum)

    def _must_be_text(self, name: str | int, maximum: int) -> str:
        return say("{name} must be a printable text of 1 to {max} characters.", name=self.at(name), max=maximum)

    def _must_be_integer(self, name: str | int, minimum: int, maximum: int) -> str:
        path = self.at(name)
        return say("{name} must be a whole number from {min} to {max}.", name=path, min=minimum, max=maximum)

    def _must_be_boolean(self, name: str | int) -> str:
        return super()._must_be_boolean(self.at(name))


class Spec(Protocol):
    """How one field is read."""

    @property
    def names(self) -> str:
        """What the field names, to be looked up later: ``unit``, ``marker``, ``zone`` ...; empty: nothing."""

    def read(self, given: Given, name: str | int) -> Any:
        """Return the value, or note what is wrong with it."""

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the field."""


def given(spec: Spec, default: Any = MISSING, *, factory: Callable[[], Any] | None = None, name: str = "") -> Any:
    """Declare a field that is read; with a default it may be left out. *name*: what JSON calls it."""
    metadata = {"spec": spec, "name": name}
    if factory is not None:
        return field(default_factory=factory, metadata=metadata)
    if isinstance(default, list | dict):
        return field(default_factory=default.copy, metadata=metadata)
    return field(default=default, metadata=metadata)


def state(factory: Callable[[], Any]) -> Any:
    """Declare what a rule remembers: it begins with *factory* in each game, and is never read."""
    return field(default_factory=factory, init=False)


@dataclass(frozen=True, slots=True)
class Declared:
    """One field of a dataclass that is read."""

    attribute: str
    spec: Spec
    needed: bool


def specs(kind: type) -> dict[str, Declared]:
    """Return the fields of a dataclass that are read, by their names in JSON."""
    return {
        item.metadata["name"] or item.name: Declared(
            item.name, item.metadata["spec"], item.default is MISSING and item.default_factory is MISSING
        )
        for item in fields(kind)
        if "spec" in item.metadata
    }


def read(kind: type[T], values: Any, path: str, found: Found, skipping: tuple[str, ...] = (), **more: Any) -> T | None:
    """Return the *kind* that a JSON value describes, or None with the problems added to *found*.

    *skipping* names keys that are read elsewhere, *more* fills fields that are not read.
    """
    made = read_fields(specs(kind), values, path, found, skipping)
    return None if made is None else kind(**made, **more)


def read_fields(
    declared: Mapping[str, Declared], values: Any, path: str, found: Found, skipping: tuple[str, ...] = ()
) -> dict[str, Any] | None:
    """Return the declared fields of a table by attribute, or None with the problems added to *found*."""
    table, before = Given(values, path, found), len(found)
    if not isinstance(values, Mapping):
        table.refuse("bad_value", say("{name} must be a table of fields.", name=path or "this"), value=values)
        return None
    made: dict[str, Any] = {}
    for name, item in declared.items():
        if values.get(name) is not None:
            made[item.attribute] = item.spec.read(table, name)
        elif item.needed:
            table.missing(name)
    for name in values:
        if name not in declared and name not in skipping:
            table.unknown_field(name)
    return made if len(found) == before else None


def note(found: Found, path: str, message: str) -> None:
    """Note what is wrong with a file: its writer reads English."""
    found.append(Problem("bad_value", message, path))


def below(path: str, name: str | int) -> str:
    """Return the path of what lies below."""
    return f"{path}.{name}" if path else str(name)


def is_name(value: object) -> bool:
    """True when *value* can be the id of something: letters, digits, ``_`` and ``-``."""
    return (
        isinstance(value, str)
        and 0 < len(value) <= ID_LENGTH
        and value.isascii()
        and value.replace("_", "").replace("-", "").isalnum()
    )


@dataclass(frozen=True, slots=True)
class Name:
    """An id. *names* says of what, and is looked up by the code that knows the things."""

    names: str = ""

    def read(self, given: Given, name: str | int) -> Any:
        """Read it; whether there is such a thing is asked later."""
        return self.check(given, name, given.take(name))

    def check(self, given: Given, name: str | int, value: Any) -> Any:
        """Return an id, the field's or a key's, or note what is wrong with it."""
        if is_name(value):
            return value
        if isinstance(value, str) and self.names:
            message = say("There is no {what} called {value}.", what=self.names.replace("_", " "), value=shown(value))
            given.refuse("unknown_id", message, name, value)
        else:
            given.wrong(name, say("{name} must be an id.", name=given.at(name)), value)
        return None

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema."""
        return {"type": "string", "pattern": f"^[A-Za-z0-9_-]{{1,{ID_LENGTH}}}$"}


@dataclass(frozen=True, slots=True)
class Text:
    """A printable text."""

    max: int = 60
    names: str = ""

    def read(self, given: Given, name: str | int) -> Any:
        """Read it, without the spaces around it."""
        return given.text(name, self.max).strip()

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema."""
        return {"type": "string", "minLength": 1, "maxLength": self.max}


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of some words."""

    words: tuple[str, ...]
    names: str = ""

    def read(self, given: Given, name: str | int) -> Any:
        """Read it."""
        return given.one_of(name, self.words)

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema."""
        return {"enum": list(self.words)}


@dataclass(frozen=True, slots=True)
class Integer:
    """A whole number."""

    min: int = 0
    max: int = MAX_NUMBER
    names: str = ""

    def read(self, given: Given, name: str | int) -> Any:
        """Read it."""
        return given.integer(name, self.min, self.max)

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema."""
        return {"type": "integer", "minimum": self.min, "maximum": self.max}


@dataclass(frozen=True, slots=True)
class Boolean:
    """True or false."""

    names: str = ""

    def read(self, given: Given, name: str | int) -> Any:
        """Read it."""
        return given.boolean(name)

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema."""
        return {"type": "boolean"}


def thousandths(value: Any) -> int | None:
    """Return a number of inches as whole thousandths; None if it is not a number, or out of bounds."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if not isfinite(value) or abs(value) > MAX_INCHES:
        return None
    return value * 1000 if isinstance(value, int) else round(value * 1000)


def inches(value: int) -> int | float:
    """Return thousandths as inches, as an integer if possible."""
    return value // 1000 if value % 1000 == 0 else value / 1000


def to_inches(at: tuple[int, int]) -> list[int | float]:
    """Return a point of thousandths as JSON has it."""
    return [inches(at[0]), inches(at[1])]


@dataclass(frozen=True, slots=True)
class Inches:
    """A distance: inches in JSON, whole thousandths once read."""

    min: int = 0
    names: str = ""

    def read(self, given: Given, name: str | int) -> Any:
        """Read it."""
        value = given.take(name)
        distance = thousandths(value)
        if distance is None or distance < self.min:
            least, path = inches(self.min), given.at(name)
            message = say(
                "{name} must be a number of inches from {min} to {max}.", name=path, min=least, max=MAX_INCHES
            )
            given.wrong(name, message, value)
            return None
        return distance

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema."""
        return {"type": "number", "minimum": inches(self.min), "maximum": MAX_INCHES}


@dataclass(frozen=True, slots=True)
class At:
    """A point ``[x, y]`` in inches; a pair of whole thousandths once read."""

    names: str = ""

    def read(self, given: Given, name: str | int) -> Any:
        """Read it; whether it is on the table is asked later."""
        value = given.take(name)
        if is_list(value, 2, 2):
            x, y = thousandths(value[0]), thousandths(value[1])
            if x is not None and y is not None:
                return x, y
        given.wrong(name, say("{name} must be a point [x, y] in inches.", name=given.at(name)), value)
        return None

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema."""
        return {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of the same."""

    of: Spec
    min: int = 0
    max: int = MAX_ITEMS

    @property
    def names(self) -> str:
        """What each item names."""
        return self.of.names

    def read(self, given: Given, name: str | int) -> Any:
        """Read it as a tuple."""
        value = given.take(name)
        if not is_list(value, self.min, self.max):
            path = given.at(name)
            message = say("{name} must be a list of {min} to {max} items.", name=path, min=self.min, max=self.max)
            given.wrong(name, message, value)
            return None
        items = given.inner(name, value)
        return tuple(self.of.read(items, place) for place in items.given)

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema."""
        return {"type": "array", "items": self.of.schema(), "minItems": self.min, "maxItems": self.max}


@dataclass(frozen=True, slots=True)
class TableOf:
    """A table from ids to the same. *keys* says what the ids name."""

    of: Spec
    keys: str = ""

    @property
    def names(self) -> str:
        """What each value names."""
        return self.of.names

    def read(self, given: Given, name: str | int) -> Any:
        """Read it as a dict, in the order given."""
        value = given.take(name)
        if not isinstance(value, Mapping) or len(value) > MAX_ITEMS:
            given.wrong(
                name, say("{name} must be a table of at most {max}.", name=given.at(name), max=MAX_ITEMS), value
            )
            return None
        items, key = given.inner(name, {str(shown(key)): item for key, item in value.items()}), Name(self.keys)
        return {
            key.check(items, place, id_): self.of.read(items, place)
            for id_, place in zip(value, items.given, strict=False)
        }

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema."""
        return {"type": "object", "additionalProperties": self.of.schema()}


@dataclass(frozen=True, slots=True)
class Record:
    """A table of fields that a dataclass declares."""

    kind: type
    names: str = ""

    def read(self, given: Given, name: str | int) -> Any:
        """Read it."""
        return read(self.kind, given.take(name), given.at(name), given.problems)

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema."""
        return schema_of(self.kind)


def schema_of(kind: type) -> dict[str, Any]:
    """Return the JSON schema of a dataclass whose fields are declared."""
    declared = specs(kind)
    whole: dict[str, Any] = {
        "type": "object",
        "properties": {name: item.spec.schema() for name, item in declared.items()},
        "additionalProperties": False,
    }
    needed = [name for name, item in declared.items() if item.needed]
    return whole | {"required": needed} if needed else whole


@dataclass(frozen=True, slots=True)
class Raw:
    """Any JSON; the rule that declared it judges it."""

    names: str = ""

    def read(self, given: Given, name: str | int) -> Any:
        """Return it as it is."""
        return given.take(name)

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema."""
        return {}


BOOL, TEXT, ID, AT, RAW, INCHES = Boolean(), Text(), Name(), At(), Raw(), Inches()
POINTS = ListOf(AT)
POLYGON = ListOf(AT, min=3, max=100)
UNIT, OWN_UNIT, ENEMY_UNIT, MARKER = Name("unit"), Name("own_unit"), Name("enemy_unit"), Name("marker")
ZONE, EDGE, MARKER_ID, PHASE, STAGE = Name("zone"), Name("edge"), Name("marker_id"), Name("phase"), Name("stage")
MAX_BOTH_LANGUAGES = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalizedText:
    """A text in the languages of the program."""

    en: str = given(Text(MAX_BOTH_LANGUAGES))
    de: str = given(Text(MAX_BOTH_LANGUAGES), "")
    """Left out: the English one."""

    def to(self, language: str) -> str:
        """Return the text in a language, or in English if it has none."""
        return (self.de or self.en) if language == "de" else self.en


LOCALIZED_TEXT = Record(LocalizedText)
