"""What there is to draw of a table, in plain values: places are whole thousandths of an inch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Place = tuple[int, int]
"""Thousandths of an inch from the Attacker's left corner: along the long edge, along the short edge (T-01)."""
INCH = 1000
RED, BLUE = "red", "blue"


@dataclass(frozen=True, slots=True)
class Zone:
    """An area of the table."""

    label: str
    side: str
    """``attacker``, ``defender``, or empty for an area of nobody's own."""
    polygons: tuple[tuple[Place, ...], ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of terrain: an area, or a line such as a hedge."""

    kind: str
    points: tuple[Place, ...]
    area: bool = True


@dataclass(frozen=True, slots=True)
class Objective:
    """An objective marker, a hiding place, or another named point of the mission."""

    id: str
    at: Place
    holder: str = ""
    secured: bool = False
    used: bool = False


@dataclass(frozen=True, slots=True)
class Token:
    """A unit, a concealed marker, or a sentry, at the one point that was reported."""

    id: str
    side: str
    at: Place
    concealed: bool = False
    reach: int = 0
    """A circle around it, in thousandths of an inch: the range of a sentry."""
    badge: str = ""
    """What stands on it: two or three letters of its name, or its number; empty: its id."""
    name: str = ""


@dataclass(frozen=True, slots=True)
class PatrolMarker:
    """A marker of the Patrol phase."""

    id: str
    side: str
    at: Place
    locked: bool


@dataclass(frozen=True, slots=True)
class JumpOff:
    """A jump-off point."""

    id: str
    side: str
    at: Place


@dataclass(frozen=True, slots=True)
class Drawing:
    """One picture."""

    title: str
    width: int
    height: int
    edges: tuple[tuple[str, str], ...] = ()
    """Edge (``south``, ``north``, ``west``, ``east``) and its label."""
    zones: tuple[Zone, ...] = ()
    terrain: tuple[Piece, ...] = ()
    objectives: tuple[Objective, ...] = ()
    tokens: tuple[Token, ...] = ()
    patrol: tuple[PatrolMarker, ...] = ()
    jump_offs: tuple[JumpOff, ...] = ()
    wedges: tuple[tuple[Place, ...], ...] = ()
    templates: tuple[tuple[Place, int], ...] = ()
    """Artillery: where each template lies, and its diameter."""
    caption: str = ""
    colours: Mapping[str, str] = field(default_factory=dict)
    """By side if it is not red or blue: in a campaign's battle that of its seat."""
    attacker: str = RED
    """Whose colour the Attacker's zones have."""
