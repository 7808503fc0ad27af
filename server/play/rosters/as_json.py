"""New Recruit's JSON: BattleScribe's tree in other clothes."""

from __future__ import annotations

import json
from math import ceil
from typing import Any

from server.play.rosters.roster import Roster, bad_roster, decoded, printable
from server.play.rosters.selections import Selection, add_units, is_points, number

MAX_DEPTH = 30


def read(content: bytes) -> Roster:
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
        add_units(roster, [_selection(selection, 0) for selection in _dicts(force.get("selections"))])
        todo += _dicts(force.get("forces"))
    return roster


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def _selection(data: dict[str, Any], depth: int) -> Selection:
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
        [_selection(selection, depth + 1) for selection in _dicts(data.get("selections"))],
        unclear,
        tuple(_text(profile.get("typeName"))[:80] for profile in _dicts(data.get("profiles"))),
    )
