"""What computer players raise: plain units that every army list could have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Unit = dict[str, Any]

LEADER: Unit = {"name": "Leader", "slot": "hq", "models": 1, "points": 80, "mobility": "infantry"}
SQUAD: Unit = {"name": "Squad", "slot": "troops", "models": 10, "points": 100, "mobility": "infantry"}
SCOUTS: Unit = {"name": "Scouts", "slot": "fast", "models": 5, "points": 60, "mobility": "infantry", "flags": ["scout"]}
VETERANS: Unit = {"name": "Veterans", "slot": "elite", "models": 5, "points": 150, "mobility": "infantry"}

LINE: tuple[Unit, ...] = (LEADER, SQUAD, SQUAD, SQUAD, SQUAD, SCOUTS)
"""540 points, ready the turn after it is ordered."""
STRONG: tuple[Unit, ...] = (LEADER, *[SQUAD] * 6, VETERANS, VETERANS, SCOUTS)
"""1,040 points, ready the turn after, too (complexity 1)."""
SMALL: tuple[Unit, ...] = (LEADER, SQUAD, SQUAD, SCOUTS)


def bill(squads: int) -> tuple[Unit, ...]:
    """Return so many squads."""
    return (SQUAD,) * squads


def price(units: Sequence[Unit]) -> int:
    """Return their points."""
    return sum(unit["points"] for unit in units)


def units_for(units: Sequence[Unit]) -> list[Unit]:
    """Return the units as an order lists them, each with a name of its own."""
    counts: dict[str, int] = {}
    named = []
    for unit in units:
        counts[unit["name"]] = counts.get(unit["name"], 0) + 1
        number = counts[unit["name"]]
        named.append(unit | {"id": f"{unit['name']}-{number}".lower()})
    return named
