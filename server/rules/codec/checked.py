"""Single values read out of arbitrary JSON: of the right kind, or :class:`Malformed` with the problem and its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from server.core.errors import RulesError
from server.rules.codec.layout import TYPE_NAMES, Json, Kinds

T = TypeVar("T")


class Malformed(Exception):
    """A problem and its place: the path grows on the way out."""

    def __init__(self, what: str, *path: str) -> None:
        super().__init__(what)
        self.what = what
        self.path = path

    def below(self, *path: str) -> Malformed:
        """Return the same, seen from further out: *path* leads to where it was found."""
        return Malformed(self.what, *path, *self.path)

    def error(self, thing: str) -> RulesError:
        """Return it as the caller of this package gets it; *thing*: what was read."""
        return RulesError(f"not a valid {thing}: {'.'.join(self.path) or 'top level'}: {self.what}")


def read_object(value: object, kinds: Kinds) -> Json:
    """Return *value* when it is an object with just these fields, each of its kind, else raise :class:`Malformed`."""
    if type(value) is not dict:
        raise Malformed(f"this must be an object, not {shown(value)}")
    if value.keys() != kinds.keys():
        missing = sorted(kinds.keys() - value.keys())
        unknown = sorted(value.keys() - kinds.keys())
        told = [f"{word} {', '.join(names)}" for word, names in (("missing", missing), ("unknown", unknown)) if names]
        raise Malformed("; ".join(told))
    for name, allowed in kinds.items():
        if type(value[name]) not in allowed:
            raise Malformed(
                f"this must be {' or '.join(TYPE_NAMES[kind] for kind in allowed)}, not {shown(value[name])}", name
            )
    return value


def check_same(given: Json, ours: Json, name: str) -> None:
    """Raise :class:`Malformed` unless what is *given* of a board or ruleset is *ours*, field by field."""
    for key, value in ours.items():
        if given.get(key) != value:
            told = f"the state belongs to another {name}: its {key} is {shown(given.get(key))}, here it is {value!r}"
            raise Malformed(told, name)
    if given.keys() != ours.keys():
        raise Malformed(f"unknown {', '.join(sorted(given.keys() - ours.keys()))}", name)


def below(path: str, read: Callable[[Any], T], value: object) -> T:
    """Return what *read* makes of *value*; what it finds wrong stands below *path*."""
    try:
        return read(value)
    except Malformed as bad:
        raise bad.below(path) from None


def read_text(value: object) -> str:
    """Return *value* when it is a text, else raise :class:`Malformed`; likewise the three below."""
    if not isinstance(value, str):
        raise Malformed(f"this must be a text, not {shown(value)}")
    return value


def read_integer(value: object) -> int:
    """Return *value* when it is a whole number, which true and false are not."""
    if type(value) is not int:
        raise Malformed(f"this must be a whole number, not {shown(value)}")
    return value


def read_kind(kind: type, value: object) -> Any:
    """Return *value* when it is of a kind, else raise :class:`Malformed`."""
    if type(value) is not kind:
        raise Malformed(f"this must be {TYPE_NAMES[kind]}, not {shown(value)}")
    return value


def read_texts(values: list[Any], name: str) -> tuple[str, ...]:
    """Return *values* when all are texts; *name* is the list's."""
    for value in values:
        if type(value) is not str:
            raise Malformed(f"this must be a text, not {shown(value)}", name)
    return tuple(values)


def read_key(value: str) -> bytes:
    """Return the bytes of a hexadecimal text."""
    try:
        return bytes.fromhex(value)
    except ValueError:
        raise Malformed("this must be hexadecimal") from None


def shown(value: object) -> str:
    """Return *value* as an error shows it: at most 60 characters."""
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"
