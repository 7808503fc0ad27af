"""The ground and what is built on it: terrain (3.3), urban and resource hexes (1.1, 1.5), strongholds (1.4)."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields


@dataclass(frozen=True, slots=True)
class Terrain:
    """3.3: what it costs to enter a kind of terrain, and who may."""

    id: str
    name: str
    cost: int
    enter: tuple[str, ...]
    """Mobilities that may enter."""
    road: int
    """The face a road needs on 1D6 to succeed (1: certain), 0 where none can be built (D-39)."""
    land: bool = True
    """False: can never be controlled, attacked into or counted as land (sea)."""
    destroys: tuple[str, ...] = ()
    """Mobilities that are destroyed when they end their movement here."""


@dataclass(frozen=True, slots=True)
class UrbanSize:
    """1.5: a size of urban hex; its place in :attr:`Ruleset.urban` is its level, from 1."""

    id: str
    name: str
    cost: int
    """BP to build it (the smallest) or to reach it from the size before."""
    income: int
    """BP each turn."""


@dataclass(frozen=True, slots=True)
class ResourceSize:
    """1.1: a size of resource hex."""

    id: str
    name: str
    income: int
    """BP each turn."""


@dataclass(frozen=True, slots=True)
class Building:
    """1.5.1: a building of an urban hex."""

    id: str
    name: str
    min_level: int
    """Smallest urban level, from 1 (village)."""
    cost: int
    """BP; for an upgrade, on top of the base's price."""
    maintenance: int
    """BP each turn, for the building as it stands (an upgrade's replaces the base's)."""
    upgrades: str = ""
    """The building it replaces, or empty."""
    allows: tuple[str, ...] = ()
    """Kinds of unit it lets the hex build: slots for non-vehicles, ``vehicle``, ``light_vehicle``."""
    detachments: bool = False
    """Lets detachments be created and changed here (Strategic HQ)."""
    space_port: bool = False
    """Forces that start in orbit are built here (D-72)."""
    heals: str = ""
    """``wounded`` or ``damaged``: what a detachment on Recover is rid of (2.1.3)."""
    income_percent: int = 0
    """Percent added to the hex's own income when the conditions hold (D-25)."""
    income_needs: str = ""
    """Least stronghold, with a force in it, for the income."""
    foreign_only: bool = False
    """Only in urban hexes another race founded (exploitation centre)."""
    shrinks_on: int = 0
    """The highest face of 1D6 on which the hex shrinks each turn it exploits, 0: never."""

    @property
    def does_something(self) -> bool:
        """False for a building that only costs, as a prison (D-25)."""
        return any(getattr(self, name) != default for name, default in _EFFECTS.items())


_CONDITIONS = ("upgrades", "income_needs", "foreign_only", "shrinks_on")
"""What only says where or how a building has its effects; every other field with a default is an effect."""
_EFFECTS = {
    field.name: field.default
    for field in fields(Building)
    if field.default is not MISSING and field.name not in _CONDITIONS
}


@dataclass(frozen=True, slots=True)
class StrongholdType:
    """1.4, 1.4.1, 1.3; its place in :attr:`Ruleset.strongholds` is its level, from 1."""

    id: str
    name: str
    cost: int
    """BP to build it (the smallest) or to reach it from the type before."""
    garrison: int
    """Most points of a garrison (D-37)."""
    turrets: int
    towers: int
    walls: int
    bunkers: int
    other: int
    """Most BP in other defences."""


@dataclass(frozen=True, slots=True)
class Defence:
    """1.4.2-1.4.5: something built in a stronghold."""

    id: str
    name: str
    cost: int
    """BP, without its weapon."""
    counts_as: tuple[str, ...]
    """Limits it counts against: ``turrets``, ``towers``, ``walls``, ``bunkers``, ``other``."""
    converts: str = ""
    """The defence it replaces if there is one; else its cost is paid on top (D-24a)."""
    armed: bool = False
    """Needs a turret weapon, whose price is added."""
    sight: int = 0
    """Added to the stronghold's sight radius (3.4)."""
    forbidden: tuple[str, ...] = ()
    """Factions that may not build it."""


@dataclass(frozen=True, slots=True)
class Weapon:
    """1.4.2: a turret weapon with its two prices."""

    id: str
    name: str
    cost: int
    """BP, likewise :attr:`preferred_cost`."""
    preferred_cost: int
    allowed: tuple[str, ...]
    """Factions that may have it at :attr:`cost`."""
    preferred: tuple[str, ...]
    """Factions that may have it at :attr:`preferred_cost`."""
    notes: str = ""
