"""All kinds of orders there are."""

from __future__ import annotations

from collections.abc import Mapping

from server.rules.orders import (
    battle_movement,
    buildings,
    defences,
    diplomacy,
    fight,
    garrisons,
    movement,
    placement,
    raising,
    refit,
    roads,
    supply,
    works,
)
from server.rules.orders.base import Order

KINDS: tuple[type[Order], ...] = (
    *placement.KINDS,
    *raising.KINDS,
    *garrisons.KINDS,
    *refit.KINDS,
    *works.KINDS,
    *buildings.KINDS,
    *defences.KINDS,
    *roads.KINDS,
    *supply.KINDS,
    *movement.KINDS,
    *battle_movement.KINDS,
    *fight.KINDS,
    *diplomacy.KINDS,
)

BY_TYPE: Mapping[str, tuple[type[Order], ...]] = {
    each.TYPE: tuple(kind for kind in KINDS if kind.TYPE == each.TYPE) for each in KINDS
}
"""The kinds of each type: some words are orders of more than one phase."""
