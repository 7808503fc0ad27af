"""Rules versions: earlier decisions that differ, and the version of each campaign.

Where the source is silent, the rulebook decides (D-nn, R-nn). When a decision changes, started campaigns
continue as they began, and their records verify as before. Everything about older versions lives here:
:class:`Readings`, one switch for each changed decision; the versions there are; the older ways themselves.

The engine reads as the newest rules. Where an old record would come out differently it asks a switch of
``state.readings``; an old way that takes more than a line is a function below.

The version stands in the campaign's settings (:attr:`server.rules.state.Settings.readings`), so in phase 0 of every
record and in every state. A record without it is of the first version. A campaign takes the newest at the start of
its next turn where its game master says so (:attr:`server.rules.state.Settings.next_readings`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from server.rules.board import NOWHERE, Board, Hex

if TYPE_CHECKING:
    from server.rules.state.nouns import Unit


@dataclass(frozen=True, slots=True)
class Readings:
    """How the rules read what the source leaves open: a switch for each decision that has changed.

    True is the newest reading. To change a decision: add a switch with the decision's number, set it to False in
    :data:`FIRST` (and in every other version that played the old way), and ask ``state.readings`` where the engine
    differs. A switch is needed exactly where a phase of an old record would give another state, other events or
    other refusals. New kinds of order and new fields need none. When a version has been released, later
    changes make a new one.
    """

    version: int
    points_by_model: bool = True
    """D-62: ready points are those of the ready models; before, all, half or none of the unit's."""
    worn_forces_stand_aside: bool = True
    """D-41: a force without ready points has no zone of control, helps nobody and attacks nobody."""
    claimed_resources_wait: bool = True
    """D-21a: what a resource hex yielded this turn goes to its old owner's capital."""
    follow_cheapest_way: bool = True
    """D-46: of all ways to the target, the cheapest; of equals the fewest steps, then the lowest direction."""
    retreat_over_battlefields: bool = True
    """D-68a: a hex where another battle of the turn was fought is open for retreats."""
    neutral_between_allies: bool = True
    """D-55b: nobody supports a battle between two of their allies."""
    blockade_needs_the_living: bool = True
    """D-73: a player who is out no longer blocks income from space."""
    wounded_are_exchanged: bool = True
    """D-35b: fit models replace wounded ones too."""
    forces_have_own_names: bool = True
    """D-09: a new detachment has a name that none of its owner's others has; without one, one of its seat's pool."""
    broken_have_left: bool = True
    """D-67: a side whose units have all broken has nobody left on the table."""
    refunds_pay: bool = True
    """D-20: a building lost for want of BP brings back half of its cost, which may pay the rest."""
    enemies_stop_works: bool = True
    """D-20b: where an enemy force stands, the owner of the hex builds, buys, loads and disbands nothing."""
    places_raise_new_units: bool = True
    """D-35c: what a place can build is asked of new units only, not of all units of a restructured detachment."""
    garrison_units_cost: bool = True
    """D-35d: units that join a detachment from a garrison cost the half that was saved."""
    lists_say_where: bool = True
    """D-35e: where a list may raise units is asked of units and models that join, too."""
    claims_after_moves: bool = True
    """D-48: claims are judged when all have moved, the hex left is not claimed, and failed claims give their reason."""
    corrupts_enemies: bool = True
    """D-71: Chaos corrupts the land of enemies only."""


SECOND = Readings(
    version=2,
    refunds_pay=False,
    enemies_stop_works=False,
    places_raise_new_units=False,
    garrison_units_cost=False,
    lists_say_where=False,
    claims_after_moves=False,
    corrupts_enemies=False,
)
"""Played by campaigns that began with the second version."""
FIRST = replace(
    SECOND,
    version=1,
    points_by_model=False,
    worn_forces_stand_aside=False,
    claimed_resources_wait=False,
    follow_cheapest_way=False,
    retreat_over_battlefields=False,
    neutral_between_allies=False,
    blockade_needs_the_living=False,
    wounded_are_exchanged=False,
    forces_have_own_names=False,
    broken_have_left=False,
)
"""Played by campaigns whose record names no version."""
NEWEST = Readings(version=3)
"""Played by every new campaign."""

VERSIONS: Mapping[int, Readings] = {readings.version: readings for readings in (FIRST, SECOND, NEWEST)}


# --- D-62 as the first version read it: a unit counts whole, half or not at all ---


def ready_points(unit: Unit) -> int:
    """Return a unit's points: all at full strength, half (rounded up) from half strength on, else none."""
    if unit.ready * 2 < unit.models or unit.ready == 0:
        return 0
    if unit.damaged or unit.ready < unit.models:
        return (unit.points + 1) // 2
    return unit.points


def can_be_halved(unit: Unit) -> bool:
    """Say whether half a unit may be taken as a casualty: only at full strength."""
    if unit.vehicle:
        return not unit.damaged and unit.ready == unit.models
    return unit.ready == unit.models and unit.models > 1


# --- D-46 as the first version read it: the way with the fewest steps, whatever it costs ---


def fewest_steps(board: Board, cost: Callable[[Hex, Hex], int], start: Hex, goal: Hex) -> list[Hex]:
    """Return the path with the fewest steps to a hex next to *goal*, empty when there is none.

    *cost* gives the MV of a step between neighbours, 0 where it is impossible. Of several paths, the one with the
    lowest direction number at the first difference.
    """
    came_from: dict[Hex, Hex] = {start: NOWHERE}
    layer = [start]
    while layer:
        next_layer: list[Hex] = []
        for here in layer:
            for next_ in board.adjacent[here]:
                if next_ in came_from or cost(here, next_) == 0:
                    continue
                came_from[next_] = here
                if next_ != goal and goal in board.adjacent[next_]:
                    return _path_back(came_from, next_)
                next_layer.append(next_)
        layer = next_layer
    return []


def _path_back(came_from: Mapping[Hex, Hex], end: Hex) -> list[Hex]:
    path = []
    here = end
    while came_from[here] != NOWHERE:
        path.append(here)
        here = came_from[here]
    path.reverse()
    return path
