"""Selections of BattleScribe and New Recruit: the same tree in XML and JSON, made into units."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from server.web.roster import Roster
from server.web.roster_keywords import flags_of, mobility_of, slot_of

POINTS = ("pts", "points", "pt", "punkte")
UNITS, MODELS = ("unit", "model"), "model"


@dataclass(slots=True)
class Selection:
    """A thing chosen in a roster, with what is chosen for it."""

    name: str
    kind: str
    """``unit``, ``model``, ``upgrade``."""
    number: int
    points: float
    categories: list[str] = field(default_factory=list)
    """The main one first."""
    inner: list[Selection] = field(default_factory=list)

    def all(self) -> Iterator[Selection]:
        """Yield the selection and everything in it."""
        todo = [self]
        while todo:
            each = todo.pop()
            yield each
            todo += each.inner


def add_units(roster: Roster, selections: list[Selection]) -> None:
    """Take over the units among the selections of a force."""
    for each in selections:
        if each.kind in UNITS:
            _add(roster, each)
        elif any(one.kind in UNITS for one in each.all()):
            add_units(roster, each.inner)
        elif each.points:
            roster.note("skipped", each.name)


def _add(roster: Roster, unit: Selection) -> None:
    models = sum(each.number for each in unit.all() if each.kind == MODELS)
    points = sum(each.points for each in unit.all())
    vehicle = "vehicle" in (each.casefold() for each in unit.categories)
    roster.add(
        unit.name,
        slot=slot_of(unit.categories),
        models=models or (unit.number if unit.number > 1 else None) or (1 if vehicle else None),
        points=round(points) or None,
        mobility=mobility_of(unit.categories),
        flags=flags_of(unit.categories),
    )


def integer(text: object, otherwise: float = 0) -> float:
    """Return a number that is given as a text or a number; hostile ones are *otherwise*."""
    if isinstance(text, bool) or not isinstance(text, str | int | float) or len(str(text)) > 20:
        return otherwise
    try:
        value = float(text)
    except ValueError:
        return otherwise
    return value if 0 <= value <= 10_000_000 else otherwise
