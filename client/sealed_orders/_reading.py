"""Turns JSON into the dataclasses of :mod:`sealed_orders.records`, by their annotations."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from functools import cache
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints, is_typeddict

from sealed_orders.errors import UnexpectedAnswer
from sealed_orders.records.orders import LegalOrder

T = TypeVar("T")
Read = Callable[[Any], T]


def one(kind: type[T]) -> Read[T]:
    """Return what reads one record of a kind."""
    return lambda given: cast(T, _build(kind, given, kind.__name__))


def several(kind: type[T], name: str = "items") -> Read[tuple[T, ...]]:
    """Return what reads the list called *name*."""
    return lambda given: tuple(cast(T, _build(kind, item, kind.__name__)) for item in _list(given, name))


def text(name: str) -> Read[str]:
    """Return what reads one text of an object."""
    return lambda given: str(given[name])


def integer(name: str) -> Read[int]:
    """Return what reads one number of an object."""
    return lambda given: int(given[name])


def nothing(_: Any) -> None:
    """Read an answer that has nothing to say."""


def as_it_is(given: Any) -> dict[str, Any]:
    """Return a JSON object as it is."""
    return dict(given)


def _list(given: Any, name: str) -> list[Any]:
    found = given.get(name) if isinstance(given, dict) else None
    if not isinstance(found, list):
        raise UnexpectedAnswer(f"an answer without the list {name!r}")
    return found


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _build(kind: Any, given: Any, where: str) -> Any:
    origin = get_origin(kind)
    if kind is Any:
        return given
    if origin in (Union, types.UnionType):
        if given is None:
            return None
        return _build(next(arg for arg in get_args(kind) if arg is not type(None)), given, where)
    if origin is tuple and isinstance(given, list):
        return tuple(_build(get_args(kind)[0], item, where) for item in given)
    if kind is LegalOrder and isinstance(given, dict):
        return _legal_order(given, where)
    if is_typeddict(kind) and isinstance(given, dict):
        return given
    if is_dataclass(kind) and isinstance(given, dict):
        return _record(kind, given, where)
    if kind is datetime and isinstance(given, str):
        return datetime.fromisoformat(given)
    if not is_typeddict(kind) and isinstance(given, origin or kind):
        return given
    raise UnexpectedAnswer(f"{where}: {str(given)[:80]!r} was not expected here")


def _record(kind: Any, given: Mapping[str, Any], where: str) -> Any:
    hints, values = _hints(kind), {}
    for field in fields(kind):
        if field.name in given:
            values[field.name] = _build(hints[field.name], given[field.name], f"{where}.{field.name}")
        elif field.default is MISSING and field.default_factory is MISSING:
            raise UnexpectedAnswer(f"{where}: the field {field.name!r} is missing")
    return kind(**values)


def _legal_order(given: Mapping[str, Any], where: str) -> LegalOrder:
    """Read an option: its unknown fields go into ``more``."""
    known = {field.name for field in fields(LegalOrder)}
    more = {name: value for name, value in given.items() if name not in known and name != "type"}
    found: LegalOrder = _record(LegalOrder, {**given, "more": more}, where)
    return found
