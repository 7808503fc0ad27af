"""BattleScribe's ``.ros``: XML, read without entities or anything from outside."""

from __future__ import annotations

from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from server.web.roster import Roster, bad_roster, printable
from server.web.roster_units import POINTS, Selection, add_units, integer

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
    for force in _inner(root, "forces", "force"):
        add_units(roster, [_selection(each, 0) for each in _inner(force, "selections", "selection")])
    return roster


def _tag(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _inner(element: Element, group: str, name: str) -> list[Element]:
    groups = [each for each in element if _tag(each) == group]
    return [each for one in groups for each in one if _tag(each) == name]


def _selection(element: Element, depth: int) -> Selection:
    if depth > MAX_DEPTH:
        raise bad_roster("The roster is nested too deeply.")
    costs = _inner(element, "costs", "cost")
    categories = sorted(_inner(element, "categories", "category"), key=lambda each: each.get("primary") != "true")
    return Selection(
        printable(element.get("name", "")),
        element.get("type", ""),
        int(integer(element.get("number", "1"), 1)),
        sum(integer(each.get("value")) for each in costs if each.get("name", "").strip().casefold() in POINTS),
        [each.get("name", "")[:80] for each in categories],
        [_selection(each, depth + 1) for each in _inner(element, "selections", "selection")],
    )
