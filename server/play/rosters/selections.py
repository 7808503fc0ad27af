"""Selections of BattleScribe and New Recruit: the same tree in XML and JSON, made into units."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import ceil

from server.play.rosters.keywords import flags_of, mobility_of, slot_of
from server.play.rosters.numbers import whole_number
from server.play.rosters.roster import Roster, printable

POINTS = ("pts", "points", "pt", "punkte")
PROGRAMS = re.compile(r"-?\d{1,9}(\.\d{1,2}|\.\d{4,9})?")
"""A number as programs write it; with three digits after the point it may mean thousands."""
MAX_NUMBER = 10_000_000
MAX_DIGITS = 40
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
    unclear: list[str] = field(default_factory=list)
    """What stands where a number should, and is none."""

    def all(self) -> Iterator[Selection]:
        """Yield the selection and everything in it."""
        todo = [self]
        while todo:
            each = todo.pop()
            yield each
            todo += each.inner


def add_units(roster: Roster, selections: list[Selection]) -> None:
    """Take over the units among the selections of a force."""
    for selection in selections:
        if selection.kind in UNITS:
            _add(roster, selection)
        elif any(one.kind in UNITS for one in selection.all()):
            add_units(roster, selection.inner)
        elif selection.points:
            roster.note("skipped", selection.name)


def _add(roster: Roster, unit: Selection) -> None:
    models = sum(selection.number for selection in unit.all() if selection.kind == MODELS)
    points = sum(selection.points for selection in unit.all())
    for what in (what for selection in unit.all() for what in selection.unclear):
        roster.note("bad_number", f"{unit.name}: {what}")
    if points != round(points):
        roster.note("rounded", f"{unit.name}: {points:g}")
    vehicle = "vehicle" in (category.casefold() for category in unit.categories)
    roster.add(
        unit.name,
        slot=slot_of(unit.categories),
        models=models or (unit.number if unit.number > 1 else None) or (1 if vehicle else None),
        points=ceil(points) or None,
        mobility=mobility_of(unit.categories),
        flags=flags_of(unit.categories),
    )


def number(given: object, unclear: list[str], otherwise: float = 0) -> float:
    """Return a number that is given as a text or a number; *otherwise* for nothing, and for what is *unclear*.

    A text is a number as programs write it (``97.5``), or as people do (``1.250,00``).
    """
    if given is None or given == "":
        return otherwise
    read: float | None = None
    if isinstance(given, str) and len(given) <= MAX_DIGITS:
        read = float(given) if PROGRAMS.fullmatch(given.strip()) else whole_number(given)
    elif isinstance(given, int | float) and not isinstance(given, bool):
        read = float(given) if -MAX_NUMBER <= given <= MAX_NUMBER else None
    if read is None or abs(read) > MAX_NUMBER:
        unclear.append(printable(str(given)[:MAX_DIGITS]))
        return otherwise
    return read
