"""BattleScribe's ``.ros``: XML, read without entities or anything from outside."""

from __future__ import annotations

from math import ceil
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from server.play.rosters.roster import Roster, bad_roster, printable
from server.play.rosters.selections import Selection, add_units, is_points, number

MAX_DEPTH = 30


def read(content: bytes) -> Roster:
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
        add_units(roster, [_selection(element, 0) for element in _inner(force, "selections", "selection")])
        todo += _inner(force, "forces", "force")
    return roster


def _tag(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _inner(element: Element, group: str, name: str) -> list[Element]:
    groups = [child for child in element if _tag(child) == group]
    return [child for one in groups for child in one if _tag(child) == name]


def _selection(element: Element, depth: int) -> Selection:
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
        [_selection(selection, depth + 1) for selection in _inner(element, "selections", "selection")],
        unclear,
        tuple(profile.get("typeName", "")[:80] for profile in _inner(element, "profiles", "profile")),
    )
