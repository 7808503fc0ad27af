"""D-62 as the first version read it: a unit counts whole, half or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from server.rules.state.forces import Unit


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
