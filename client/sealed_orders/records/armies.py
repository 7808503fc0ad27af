"""Armies made elsewhere, and detachments that are saved."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sealed_orders.records.order_parts import UnitMade


@dataclass(frozen=True, slots=True)
class RosterNote:
    """Something about a roster to look at."""

    code: str
    message: str
    what: str
    """The unit, line or number that is meant; empty: all of it."""


@dataclass(frozen=True, slots=True)
class RosterLine:
    """What a line of a pasted list was taken for."""

    number: int
    text: str
    kind: str
    """``unit``, ``part``, ``heading``, ``title``, ``total``, ``remark`` or ``unread``."""
    unit: int | None


@dataclass(frozen=True, slots=True)
class Roster:
    """A roster as read."""

    format: str
    """``battlescribe``, ``new_recruit`` or ``table``."""
    name: str
    units: tuple[UnitMade, ...]
    """As in a ``build_detachment`` order."""
    notes: tuple[RosterNote, ...]
    total: int | None
    """Points that the roster itself says it has."""
    sum: int
    """Points of its units."""
    beside: int
    """Points of the roster that belong to no unit; ``notes`` name them."""
    lines: tuple[RosterLine, ...]
    """Of a pasted list."""


@dataclass(frozen=True, slots=True)
class Template:
    """A saved detachment."""

    id: str
    name: str
    ruleset: str
    """Id of the ruleset it was made for; empty: any."""
    detachment_type: str
    """Empty: the standard type."""
    units: tuple[UnitMade, ...]
    created_at: datetime
    revision: int
