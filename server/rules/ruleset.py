"""Everything in the rules that is a number, a name or a table: typed, immutable data.

Another group changes a cost, adds a faction or replaces the whole ruleset by editing data
files; no number of the rulebook stands in code. :func:`server.rules.ruleset_reader.read` builds a
:class:`Ruleset` from a plain dict and says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

MOBILITIES = ("infantry", "tracked", "wheeled", "skimmer")
SLOTS = ("hq", "troops", "elite", "fast", "heavy")
FLAGS = (
    "scout",
    "infiltrate",
    "fast",
    "vehicle",
    "light_vehicle",
    "artillery",
    "aa",
    "deep_strike",
    "character",
    "comms",
)

LOWEST = -1_000_000_000
"""The least total of the last row of a table, which is for everything below the row before."""


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


@dataclass(frozen=True, slots=True)
class ResourceSize:
    """1.1: a size of resource hex."""

    id: str
    name: str
    income: int


@dataclass(frozen=True, slots=True)
class Building:
    """1.5.1: a building of an urban hex."""

    id: str
    name: str
    min_level: int
    """Smallest urban level, from 1 (village)."""
    cost: int
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
    """Added to the hex's own income when the conditions hold (D-25)."""
    income_needs: str = ""
    """Least stronghold, with a force in it, for the income."""
    foreign_only: bool = False
    """Only in urban hexes another race founded (exploitation centre)."""
    shrinks_on: int = 0
    """The highest face of 1D6 on which the hex shrinks each turn it exploits, 0: never."""


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
    counts_as: tuple[str, ...]
    """Limits it counts against: ``turrets``, ``towers``, ``walls``, ``bunkers``, ``other``."""
    converts: str = ""
    """The defence it is made from where there is one; else that one's cost is paid on top (D-24a)."""
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
    preferred_cost: int
    allowed: tuple[str, ...]
    """Factions that may have it at :attr:`cost`."""
    preferred: tuple[str, ...]
    """Factions that may have it at :attr:`preferred_cost`."""
    notes: str = ""


@dataclass(frozen=True, slots=True)
class DetachmentType:
    """1.2.1, 1.2.3: a structure of detachments."""

    id: str
    name: str
    slots: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Fewest and most units of each slot; the standard type's, where the data states none (D-31)."""
    mobility: str = ""
    """Mobility of the whole detachment, whatever its units'; empty: its units'."""
    mv: int = 0
    """MV of the whole detachment, 0: by mobility."""
    orbit: bool = False
    """Waits in orbit until it drops (D-72)."""
    scouts: bool = False
    """Counts as having scouts."""
    share: int = 0
    """A special type: one of each so many detachments, 0: standard, without limit."""


@dataclass(frozen=True, slots=True)
class Faction:
    """8, D-71: what sets an army list apart."""

    id: str
    name: str
    strategy: int = 2
    detachment_types: tuple[str, ...] = ()
    """Special types it may build, besides the standard one."""
    weapons_as: str = ""
    """The faction whose column of the turret table it uses (D-71a); empty: its own."""
    all_weapons: bool = False
    """May have every turret weapon at the dearer price."""
    building_names: Mapping[str, str] = field(default_factory=dict)
    """Its own names for buildings, for people."""
    aa_weapon: str = ""
    """What its anti-air towers carry, for people."""
    space_income: int | None = None
    """BP from space each turn; None: the ruleset's."""
    urban_income: Mapping[str, int] = field(default_factory=dict)
    """Flat change of the income of an urban size."""
    terrain_cost: Mapping[str, int] = field(default_factory=dict)
    """Cost of entering a terrain, where it differs."""
    mv_bonus: int = 0
    always_scouts: bool = False
    never_scouts: bool = False
    scout_slots: tuple[str, ...] = ()
    """The scout flag counts only in these slots; empty: in all."""
    stronghold_percent: int = 100
    """Of the cost of strongholds (not defences), rounded up."""
    recover_on: int = 0
    """Face on which a wounded model recovers, 0: the ruleset's."""
    losers_recover_as_winners: bool = False
    detachments_only_in_capital: bool = False
    corrupts: bool = False
    """Corrupts one neighbouring hex a turn (Chaos)."""
    infests: bool = False
    """Hexes it claims from others yield nothing to a later owner (Tyranids)."""
    claim_income: int = 0
    """BP in the capital for each hex newly claimed."""
    enemy_claim_income: int = 0
    """BP in the capital for each hex claimed from an enemy."""
    pillage_percent: int = 50
    """Of the value of destroyed enemy units (6.2.3.4)."""
    defend_bonus: bool = True
    """False: no quick-battle bonus on ``defend``."""
    blockaded_space_percent: int = 0
    """Share of the space income it keeps while an enemy controls the system (D-73)."""


@dataclass(frozen=True, slots=True)
class QuickBattle:
    """6.1: the tables of the quick battle."""

    damage: tuple[tuple[int, int], ...]
    """(least total, percent inflicted), falling; the last, from :data:`LOWEST`, is for everything below."""
    raid: int
    """Both sides, in a raid."""
    planned: int
    defend: int
    underdog_on: int
    underdog: int
    supports_defender: int
    front: int
    flank: int
    rear: int
    pick_share: int
    """One part in so many of the enemy's casualties may be picked (4: a quarter)."""


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A complete set of rules data."""

    id: str
    name: str
    version: str
    digest: str
    """SHA-256 over the data the ruleset was read from, hexadecimal."""

    # 3.2, 3.3: movement
    terrain: Mapping[str, Terrain]
    mv: Mapping[str, int]
    """MV of each mobility."""
    convoy_mv: int
    convoy_mobility: str
    road_divisor: int
    reserve_mv: int
    """Added to MV on Reserve Movement."""
    reserve_distance: int
    """Reserve Movement keeps further than so many hexes from enemies."""
    claim_divisor: int
    """MV on Move and Claim is divided by this, rounded up."""

    # 1: economy
    urban: tuple[UrbanSize, ...]
    resources: tuple[ResourceSize, ...]
    buildings: Mapping[str, Building]
    strongholds: tuple[StrongholdType, ...]
    defences: Mapping[str, Defence]
    weapons: Mapping[str, Weapon]
    space_income: int
    hex_income: int
    convoy_least: int
    """BP a new convoy must carry at least."""
    road_cost: int
    road_level: int
    """Least urban level that may build roads."""
    refund_percent: int
    """Of the cost of a disbanded building."""
    repair_divisor: int
    """Repairing a vehicle costs its points divided by this, rounded up."""
    garrison_divisor: int
    """Garrisons cost their points divided by this, rounded up."""

    # 1.2, 6.2.3.7, 8: armies
    detachment_types: Mapping[str, DetachmentType]
    ranks: tuple[tuple[int, str, int], ...]
    """(least DXP, name, most points), rising."""
    factions: Mapping[str, Faction]

    # Starting conditions
    capital_size: str
    capital_buildings: tuple[str, ...]
    capital_stronghold: str
    start_bp: int
    start_urban_count: int
    start_resource_count: int
    start_urban: tuple[str, ...]
    """Urban size by face, from 1."""
    start_resource: tuple[str, ...]
    """Resource size by face, from 1."""
    urban_capital_distance: int
    resource_distance: int
    """Least steps between two resource hexes."""
    resource_capital_distance: int

    # 3.4: sight
    scout_sight: int
    capital_sight: int
    most_sight: int

    # 3.6, 3.6.1: claims
    capital_vp: int
    discovery_on: int
    """Least face on which an undiscovered hex holds something."""
    discovery: tuple[str, ...]
    """What it holds by face: ``resource:<size>``, ``resource``, ``urban:<size>``, ``stronghold:<type>``,
    ``cache``, ``vp:<n>`` (D-49)."""
    cache_bp: int
    """BP of a cache for each pip."""

    # 6, 7: battles
    quick_battle: QuickBattle
    vp: tuple[tuple[int, int], ...]
    """(least strength difference winner - loser, VP), falling; the last, from :data:`LOWEST`, is for all below."""
    battle_dxp: int
    lose_dead: int
    """Highest face on which a loser's lost model is dead; above it is wounded (6.2.3.6)."""
    win_dead: int
    win_wounded: int
    """Highest face on which a winner's lost model is wounded; above it is fit."""
    second_chance_on: int
    recover_on: int
    recover_capital: int
    recover_place: int
    """Added to recovery rolls in the own capital, and in any other stronghold or urban hex."""

    def urban_level(self, size: str) -> int:
        """Return the level, from 1, of an urban size; 0 for none."""
        return next((n for n, each in enumerate(self.urban, 1) if each.id == size), 0)

    def stronghold_level(self, type_: str) -> int:
        """Return the level, from 1, of a type of stronghold; 0 for none."""
        return next((n for n, each in enumerate(self.strongholds, 1) if each.id == type_), 0)

    def resource(self, size: str) -> ResourceSize:
        """Return a size of resource hex."""
        return next(each for each in self.resources if each.id == size)

    def rank(self, dxp: int) -> tuple[int, str, int]:
        """Return the rank that so many DXP give (6.2.3.7)."""
        return [rank for rank in self.ranks if rank[0] <= dxp][-1]
