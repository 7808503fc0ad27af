"""What can be wrong with an order: problems with a stable code.

*Invalid* means not understood, *illegal* means understood but not allowed.
Problems are returned, never raised, so that a player hears of all of them at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

INVALID = frozenset({"unknown_type", "missing_field", "bad_value", "unknown_field", "bad_hex", "unknown_id"})
"""Codes of orders that were not understood."""

ILLEGAL = frozenset(
    {
        "not_yours",
        "wrong_phase",
        "not_adjacent",
        "terrain",
        "in_enemy_zoc",
        "not_enough_bp",
        "not_controlled",
        "already_built",
        "size_too_small",
        "needs_building",
        "needs_stronghold",
        "convoy_too_small",
        "not_allowed",
        "limit_reached",
        "too_many_points",
        "slots",
        "occupied",
        "only_guard_or_path",
        "garrison_cannot_move",
        "forced_inactive",
        "orbit_only",
        "no_road_terrain",
        "duplicate_order",
        "enemy_present",
        "too_few_points",
        "wrong_units",
        # Placement (Setup phase): each restriction has its own name (D-11).
        "capital_at_edge",
        "capital_surroundings",
        "too_near_capital",
        "resource_at_edge",
        "too_near_resource",
        "under_construction",
        "eliminated",
        "campaign_over",
    }
)
"""Codes of orders that were understood but are not allowed."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with one order."""

    code: str
    """Stable word, one of :data:`INVALID` or :data:`ILLEGAL`."""
    message: str
    """A sentence a player understands; never says anything they cannot know."""
    field: str = ""
    """The field of the order that is at fault, or empty."""
    value: Any = None
    """The offending value, as given."""
    rule: str = ""
    """The section or decision that forbids it, e.g. ``"3.1"`` or ``"D-43"``."""
    order: int = 0
    """The order's place in its set, counted from 0."""

    @property
    def invalid(self) -> bool:
        """True when the order was not understood; false when it is understood but illegal."""
        return self.code in INVALID


class RulesError(Exception):
    """The caller misused the engine (a bug or a broken file), not a player's mistake."""
