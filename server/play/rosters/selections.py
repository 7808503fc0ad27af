"""Rosters of BattleScribe (XML) and New Recruit (JSON): the same tree of selections, made into units.

XML is read without entities or anything from outside.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import ceil
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from server.play.rosters.keywords import flags_of, mobility_of, slot_of, whole_number
from server.play.rosters.roster import Roster, bad_roster, decoded, printable

POINTS = ("pts", "points", "pt", "point(s)", "pts.", "punkte", "pnts", "gs")
PROGRAMS = re.compile(r"-?\d{1,9}(\.\d{1,2}|\.\d{4,9})?")
"""A number as programs write it; with three digits after the point it may mean thousands."""
MAX_NUMBER = 10_000_000
MAX_DIGITS = 40
UNITS, MODEL = ("unit", "model"), "model"
_SINGLE = frozenset({"vehicle", "monster", "character", "hero", "epic hero", "flyer", "hq", "titanic"})
"""Categories of what stands alone."""
CONFIGURATION = re.compile(
    r"configuration|army composition|lore|stratagem|battle tactic|rules|reference|game type|detachment", re.IGNORECASE
)
"""Main categories of selections other than units, though they may cost points."""
PROFILE = ("unit", "model", "models", "einheit")
WEAPON = re.compile("weapon|ranged|melee", re.IGNORECASE)


@dataclass(slots=True)
class Selection:
    """A selection of a roster, with its own selections."""

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
    profiles: tuple[str, ...] = ()
    """Types of its profiles."""

    @property
    def has_profile(self) -> bool:
        """Say whether it has a profile as models have."""
        return any(profile.strip().casefold() in PROFILE for profile in self.profiles)

    @property
    def is_weapon(self) -> bool:
        """Say whether it has the profile of a weapon."""
        return any(WEAPON.search(profile) for profile in self.profiles)

    @property
    def carried(self) -> bool:
        """Say whether it is something that a model has, in spite of a profile."""
        return self.is_weapon or (not self.inner and self.number == 1 and not self.points)

    def all(self) -> Iterator[Selection]:
        """Yield the selection and everything in it."""
        todo = [self]
        while todo:
            each = todo.pop()
            yield each
            todo += each.inner


MAX_DEPTH = 30


def add_units(roster: Roster, selections: list[Selection]) -> None:
    """Take over the units among the selections of a force: what has points or a battlefield role, whatever its type."""
    for selection in selections:
        if selection.kind in UNITS:
            _add(roster, selection)
        elif any(one.kind == "unit" for one in selection.all()):
            add_units(roster, selection.inner)
        elif CONFIGURATION.search(" ".join(selection.categories[:1])):
            cost = sum(one.points for one in selection.all())
            if cost:
                roster.beside += ceil(cost)
                roster.note("skipped", f"{selection.name} ({cost:g})")
        elif any(one.points > 0 for one in selection.all()) or slot_of(selection.categories[:1]):
            _add(roster, selection)


def _add(roster: Roster, unit: Selection) -> None:
    points = sum(selection.points for selection in unit.all())
    for what in (what for selection in unit.all() for what in selection.unclear):
        roster.note("bad_number", f"{unit.name}: {what}")
    if points != round(points):
        roster.note("rounded", f"{unit.name}: {points:g}")
    said = {category.casefold() for category in unit.categories}
    single = bool(said & _SINGLE) or unit.kind == MODEL or not unit.inner
    roster.add(
        unit.name,
        slot=slot_of(unit.categories),
        models=_models(unit) or (unit.number if unit.number > 1 else None) or (1 if single else None),
        points=ceil(points) or None,
        mobility=mobility_of(unit.categories),
        flags=flags_of(unit.categories),
        carried=_carried(unit),
    )


def _carried(unit: Selection) -> str:
    """Return the weapons of a unit with their numbers, in the roster's order."""
    weapons: dict[str, int] = {}
    for selection in _in_order(unit):
        if selection.is_weapon:
            weapons[selection.name] = weapons.get(selection.name, 0) + selection.number
    return ", ".join(f"{number} {name}" if number > 1 else name for name, number in weapons.items())


def _in_order(selection: Selection) -> Iterator[Selection]:
    todo = [selection]
    while todo:
        each = todo.pop()
        yield each
        todo += reversed(each.inner)


def _models(unit: Selection) -> int:
    """Return the models of a unit, however they are typed: who carries something is one, what is carried is none."""
    if unit.kind == MODEL:
        inside = sum(inner.number for inner in unit.all() if inner.kind == MODEL and inner is not unit)
        return unit.number + inside
    total = 0
    todo = list(unit.inner)
    while todo:
        each = todo.pop()
        carries = any(inner.kind == "upgrade" for inner in each.inner)
        if (
            each.kind == MODEL
            or (each.has_profile and each.kind != MODEL and not each.carried)
            or (carries and (each.points > 0 or each.number > 1) and not each.is_weapon)
        ):
            total += each.number
        else:
            todo += each.inner
    return total


def is_points(name: str) -> bool:
    """Say whether a cost is in points."""
    return name.strip().casefold() in POINTS


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


def read_json(content: bytes) -> Roster:
    """Return the units of a New Recruit list."""
    try:
        data = json.loads(decoded(content))  # orjson takes twelve times the size of a file while it reads
    except (ValueError, RecursionError) as error:
        raise bad_roster("This JSON cannot be read.") from error
    root = data.get("roster", data) if isinstance(data, dict) else {}
    if not isinstance(root, dict) or not isinstance(root.get("forces"), list):
        raise bad_roster("This JSON is no list of New Recruit: it has no forces.")
    roster = Roster("new_recruit", printable(_text(root.get("name"))))
    costs = [cost for cost in _dicts(root.get("costs")) if is_points(_text(cost.get("name")))]
    roster.total = ceil(sum(number(cost.get("value"), []) for cost in costs)) or None
    todo = _dicts(root["forces"])
    for force in todo:
        add_units(roster, [_json_selection(selection, 0) for selection in _dicts(force.get("selections"))])
        todo += _dicts(force.get("forces"))
    return roster


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def _json_selection(data: dict[str, Any], depth: int) -> Selection:
    if depth > MAX_DEPTH:
        raise bad_roster("The roster is nested too deeply.")
    unclear: list[str] = []
    costs = [cost for cost in _dicts(data.get("costs")) if is_points(_text(cost.get("name")))]
    categories = sorted(_dicts(data.get("categories")), key=lambda category: category.get("primary") is not True)
    return Selection(
        printable(_text(data.get("name"))),
        _text(data.get("type")),
        int(number(data.get("number"), unclear, 1)),
        sum(number(cost.get("value"), unclear) for cost in costs),
        [_text(category.get("name"))[:80] for category in categories],
        [_json_selection(selection, depth + 1) for selection in _dicts(data.get("selections"))],
        unclear,
        tuple(_text(profile.get("typeName"))[:80] for profile in _dicts(data.get("profiles"))),
    )


def read_xml(content: bytes) -> Roster:
    """Return the units of a BattleScribe roster."""
    try:
        root = fromstring(content, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError, LookupError, RecursionError) as error:
        raise bad_roster("This XML cannot be read as a roster.") from error
    if _tag(root) != "roster":
        raise bad_roster("This XML is no roster.")
    roster = Roster("battlescribe", printable(root.get("name", "")))
    costs = [cost for cost in _inner(root, "costs", "cost") if is_points(cost.get("name", ""))]
    roster.total = ceil(sum(number(cost.get("value"), []) for cost in costs)) or None
    todo = _inner(root, "forces", "force")
    for force in todo:
        add_units(roster, [_xml_selection(element, 0) for element in _inner(force, "selections", "selection")])
        todo += _inner(force, "forces", "force")
    return roster


def _tag(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _inner(element: Element, group: str, name: str) -> list[Element]:
    groups = [child for child in element if _tag(child) == group]
    return [child for one in groups for child in one if _tag(child) == name]


def _xml_selection(element: Element, depth: int) -> Selection:
    if depth > MAX_DEPTH:
        raise bad_roster("The roster is nested too deeply.")
    unclear: list[str] = []
    costs = [cost for cost in _inner(element, "costs", "cost") if is_points(cost.get("name", ""))]
    categories = sorted(_inner(element, "categories", "category"), key=lambda one: one.get("primary") != "true")
    return Selection(
        printable(element.get("name", "")),
        element.get("type", ""),
        int(number(element.get("number"), unclear, 1)),
        sum(number(element.get("value"), unclear) for element in costs),
        [element.get("name", "")[:80] for element in categories],
        [_xml_selection(selection, depth + 1) for selection in _inner(element, "selections", "selection")],
        unclear,
        tuple(profile.get("typeName", "")[:80] for profile in _inner(element, "profiles", "profile")),
    )
