"""What an act's fields may hold now: the vocabulary of ``open``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from server.referee.geometry import Point
from server.referee.reading import inches

Polygons = tuple[tuple[Point, ...], ...]


class Choice(NamedTuple):
    """The values one field may take."""

    kind: str
    """``one_of``, ``some_of``, ``integer``, ``point``, ``points``, ``boolean`` or ``text``."""
    values: tuple[Any, ...] = ()
    """Of ``one_of`` and ``some_of``."""
    min: int = 0
    max: int = 0
    """Of ``integer``; how many of ``points`` and ``some_of``; characters of ``text``."""
    polygons: Polygons = ()
    """Of ``point`` and ``points``: each point lies in one of them; none: anywhere on the table."""
    needed: bool = True

    def optional(self) -> Choice:
        """Return it as a field that may be left out."""
        return Choice(self.kind, self.values, self.min, self.max, self.polygons, False)

    def to_json(self) -> dict[str, Any]:
        """Return it as programs read it."""
        choice: dict[str, Any] = {self.kind: _values(self)}
        return choice if self.needed else choice | {"optional": True}


def _values(choice: Choice) -> Any:
    kind = choice.kind
    if kind == "one_of":
        return list(choice.values)
    if kind == "some_of":
        return {"of": list(choice.values), "from": choice.min, "to": choice.max}
    if kind == "integer":
        return {"from": choice.min, "to": choice.max}
    areas = [[[inches(x), inches(y)] for x, y in polygon] for polygon in choice.polygons]
    if kind == "point":
        return areas
    if kind == "points":
        return {"in": areas, "from": choice.min, "to": choice.max}
    return {"max": choice.max} if kind == "text" else True


BOOLEAN = Choice("boolean")
TRUE, FALSE = Choice("one_of", (True,)), Choice("one_of", (False,))


def one_of(values: Iterable[Any]) -> Choice:
    """One of some JSON values."""
    return Choice("one_of", tuple(values))


def some_of(values: Iterable[Any], min: int = 0, max: int | None = None) -> Choice:
    """Some of some JSON values, each at most once."""
    known = tuple(values)
    return Choice("some_of", known, min, len(known) if max is None else max)


def integer(min: int, max: int) -> Choice:
    """A whole number."""
    return Choice("integer", (), min, max)


def point(polygons: Polygons = ()) -> Choice:
    """A point in one of some polygons; without any, on the table."""
    return Choice("point", polygons=polygons)


def points(polygons: Polygons, min: int, max: int) -> Choice:
    """Several points, each in one of some polygons."""
    return Choice("points", (), min, max, polygons)


def text(max: int = 60) -> Choice:
    """A printable text."""
    return Choice("text", (), 1, max)


class Offer(NamedTuple):
    """One way in which a player may act now. A field's name with dots is a place in nested tables."""

    fields: Mapping[str, Choice]


def offer(**fields: Choice) -> Offer:
    """Return an offer of these fields; names with dots go by :class:`Offer` itself."""
    return Offer(fields)


class Option(NamedTuple):
    """An act that is open: who may do it, and what its fields may hold."""

    do: str
    by: str
    fields: Mapping[str, Choice]

    def to_json(self) -> dict[str, Any]:
        """Return it as programs read it."""
        return {
            "do": self.do,
            "by": self.by,
            "fields": {name: choice.to_json() for name, choice in self.fields.items()},
        }
