"""What computer players raise: plain units that every army list could have, and each list's special detachments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from server.rules.ruleset import DetachmentType, Faction, Ruleset
from server.rules.state import State

Unit = dict[str, Any]

LEADER: Unit = {"name": "Leader", "slot": "hq", "models": 1, "points": 80, "mobility": "infantry"}
SERGEANT: Unit = {"name": "Sergeant", "slot": "hq", "models": 1, "points": 50, "mobility": "infantry"}
SQUAD: Unit = {"name": "Squad", "slot": "troops", "models": 10, "points": 100, "mobility": "infantry"}
SECTION: Unit = {"name": "Section", "slot": "troops", "models": 5, "points": 50, "mobility": "infantry"}
COMPANY: Unit = {"name": "Company", "slot": "troops", "models": 20, "points": 200, "mobility": "infantry"}
SCOUTS: Unit = {"name": "Scouts", "slot": "fast", "models": 5, "points": 60, "mobility": "infantry", "flags": ["scout"]}
TRACKERS: Unit = {
    "name": "Trackers", "slot": "troops", "models": 5, "points": 50, "mobility": "infantry", "flags": ["scout"],
}  # fmt: skip
VETERANS: Unit = {"name": "Veterans", "slot": "elite", "models": 5, "points": 150, "mobility": "infantry"}

LINE: tuple[Unit, ...] = (LEADER, SQUAD, SQUAD, SQUAD, SQUAD, SCOUTS)
"""540 points, ready the turn after it is ordered."""
STRONG: tuple[Unit, ...] = (LEADER, *[SQUAD] * 6, VETERANS, VETERANS, SCOUTS)
"""1,040 points, ready the turn after, too (complexity 1)."""
PATROL: tuple[Unit, ...] = (SERGEANT, SECTION, TRACKERS)
"""The least that claims land, looks around and lends support: 150 points."""


def bill(squads: int) -> tuple[Unit, ...]:
    """Return so many squads."""
    return (SQUAD,) * squads


def scout_slot(faction: Faction) -> str:
    """Return the slot in which a list's scouts count (D-71b)."""
    return next(iter(faction.scout_slots), "troops")


def patrol(scouts: str = "troops", kinds: Sequence[str] | None = None) -> tuple[Unit, ...]:
    """Return the least that claims land and looks around, where *scouts* is the slot of its scouts.

    Where the place builds none of that slot, they are troops.
    """
    if scouts == "troops" or (kinds is not None and scouts not in kinds):
        return PATROL
    return (SERGEANT, SQUAD, SECTION, TRACKERS | {"slot": scouts})


def host(
    points: int, *, kinds: Sequence[str] = ("hq", "troops", "elite", "fast"), scouts: str = "troops"
) -> tuple[Unit, ...]:
    """Return a detachment up to a number of points, ready the turn after its order; empty below a patrol's.

    *kinds* are what the place may build, *scouts* is the slot of its scouts.
    """
    if points < price(PATROL) or not {"hq", "troops"} <= {*kinds}:
        return ()
    if points < price((LEADER, SQUAD, SQUAD)):
        small = patrol(scouts, kinds)
        return small if points >= price(small) else PATROL
    trackers = TRACKERS | {"slot": scouts} if scouts in kinds else TRACKERS
    units = [LEADER, trackers]
    left = points - price(units)
    troops = int(trackers["slot"] == "troops")
    while troops < 6 and left >= SECTION["points"]:
        places = 6 - troops
        squad = COMPANY if left >= places * SQUAD["points"] + SQUAD["points"] else SQUAD
        squad = squad if left >= squad["points"] else SECTION
        units.append(squad)
        left -= squad["points"]
        troops += 1
    if "elite" in kinds:
        units += [VETERANS] * min(2, left // VETERANS["points"])
    return tuple(units)


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


# --- D-71: special detachments ---


def specials(state: State, player: str) -> list[DetachmentType]:
    """Return the special types of a player's list that plain infantry may form and that are better at something."""
    types = state.ruleset.detachment_types
    return [types[id_] for id_ in state.faction(player).detachment_types if _worth(state.ruleset, types[id_])]


def _worth(ruleset: Ruleset, type_: DetachmentType) -> bool:
    """Say whether infantry gains by being of the type: it is faster, hides, sees, drops or dies less."""
    if type_.slots and type_.slots != ruleset.detachment_types["standard"].slots:
        return False
    faster = type_.mv > ruleset.mv["infantry"] or (bool(type_.mobility) and ruleset.mv[type_.mobility] > 4)
    return faster or type_.scouts or type_.orbit or bool(type_.seen_from) or bool(type_.fewer_dead)
