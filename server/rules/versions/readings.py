"""The switches between old and new readings, and the versions they make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace


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
