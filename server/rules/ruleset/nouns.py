"""The nouns of a ruleset: the ground, what is built on it, what sets armies apart; :class:`Ruleset` has all of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields

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
    "bike",
)
BIKE = "bike"
"""The flag whose models have a least price of their own, whatever their mobility (D-35f)."""
DEMANDS = ("vehicles", "mounted", "artillery", "skimmers", "fast")
"""What a type of detachment may ask of its units (D-35f)."""


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
    seen_from: int = 0
    """Others see it only from so many hexes away or nearer; 0: from wherever its hex is in sight (D-71b)."""
    support_range: int = 1
    """How many hexes away ``support`` reaches a battle; from beyond the adjacent hexes it counts as front (D-71b)."""
    fewer_dead: int = 0
    """So many faces fewer kill a lost model (6.2.3.6, D-71b)."""
    asks: tuple[str, ...] = ()
    """Its demands on units (D-35f): ``vehicles``: each is one or is carried by one; ``mounted``: none on foot;
    ``artillery``: at least half of them; ``skimmers``, ``fast``: all of them."""


@dataclass(frozen=True, slots=True)
class Strength:
    """D-71b: what an army is good at in a quick battle; all that is said of it must hold."""

    id: str
    name: str
    bonus: int
    """Added to the 2D6 of its side."""
    role: tuple[str, ...]
    """What the force is in the battle: ``attacker`` or ``defender`` (the primary), ``supporter`` (of the attacker)."""
    factions: tuple[str, ...] = ()
    """Whose forces; empty: everyone's."""
    detachment_types: tuple[str, ...] = ()
    """Which detachments; empty: all."""
    when: tuple[str, ...] = ()
    """``from_orbit``: the primary attacker dropped; ``no_vehicles``: the enemy has none in the battle; ``unprepared``:
    the defender is not on ``defend``; ``stronghold``: one stands in the hex of the battle; ``open``: none does;
    ``raid``: it is a raid."""


@dataclass(frozen=True, slots=True)
class ReadyUnit:
    """A unit of an army list as it is usually fielded: an offer to players, without effect on the rules."""

    name: str
    slot: str
    models: int
    points: int
    """For all of it, at full strength; likewise :attr:`models`."""
    mobility: str = "infantry"
    flags: tuple[str, ...] = ()
    bombardment: int = 0
    """Hexes its barrage reaches, with the flag ``artillery``."""


@dataclass(frozen=True, slots=True)
class Faction:
    """8, D-71: what sets an army list apart."""

    id: str
    name: str
    strategy: int = 2
    detachment_types: tuple[str, ...] = ()
    """Special types it may build, in addition to the standard one."""
    weapons_as: str = ""
    """The faction whose column of the turret table it uses (D-71a); empty: its own."""
    all_weapons: bool = False
    """May have every turret weapon at the dearer price."""
    building_names: Mapping[str, str] = field(default_factory=dict)
    """Its own names for buildings, for people."""
    force_names: tuple[str, ...] = ()
    """Names for its detachments where a player gives none, for people."""
    ready_units: tuple[ReadyUnit, ...] = ()
    """Units of its list that players choose with one click."""
    aa_weapon: str = ""
    """What its anti-air towers carry, for people."""
    start_percent: int = 100
    """Of the BP in its capital at the start, rounded down (D-71c)."""
    space_income: int | None = None
    """BP from space each turn; None: the ruleset's."""
    urban_income: Mapping[str, int] = field(default_factory=dict)
    """Flat change of the income of an urban size."""
    terrain_cost: Mapping[str, int] = field(default_factory=dict)
    """Cost of entering a terrain, if it differs."""
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
    """Before version 1.2 of the data; now :attr:`wounded_percent`."""
    wounded_percent: int = 0
    """So much of a force's wounded points counts as ready for the damage it does in a quick battle (D-71)."""
    withdraws_anywhere: bool = False
    """Withdraws into any empty hex it may enter, with enemies beside it or not (D-71b)."""
    detachments_only_in_capital: bool = False
    detachments_need_space_port: bool = False
    """Outside the capital it builds detachments only in urban hexes with a space port (D-71b)."""
    second_chance_on: int = 0
    """Least face on which its dead special character is wounded instead, 0: the ruleset's."""
    pure_land: bool = False
    """Its hexes are neither corrupted nor infested (D-71b)."""
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


LOWEST = -1_000_000_000
"""The least total of the last row of a table, which is for everything below the row before."""


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

    def percent(self, total: int) -> int:
        """Return the percentage of a side's ready points that a total inflicts."""
        return next(percent for minimum, percent in self.damage if total >= minimum)


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
    """BP each turn from space."""
    hex_income: int
    """BP each turn for each hex controlled."""
    convoy_least: int
    """BP a new convoy must carry at least."""
    road_cost: int
    """BP for an attempt, whether it succeeds or not."""
    road_level: int
    """Least urban level that may build roads."""
    refund_percent: int
    """Percent of the cost of a disbanded building."""
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
    """Least face on which a dead special character is wounded instead."""
    recover_on: int
    """Least face on which a wounded model or a damaged vehicle recovers."""
    recover_capital: int
    recover_place: int
    """Added to recovery rolls in the own capital, and in any other stronghold or urban hex."""
    strengths: Mapping[str, Strength] = field(default_factory=dict)
    """What army lists are good at in quick battles (8, D-71b)."""
    least_points: Mapping[str, int] = field(default_factory=dict)
    """Least points of a model by mobility, and of a ``bike`` (D-35f); what is not named has none."""
    least_detachment: int = 0
    """Least points of a detachment (D-35f)."""

    @property
    def furthest_sight(self) -> int:
        """Return how far anything may see (3.4)."""
        return max([self.most_sight, *(defence.sight for defence in self.defences.values())])

    def urban_level(self, size: str) -> int:
        """Return the level, from 1, of an urban size; 0 for none."""
        return next((n for n, urban in enumerate(self.urban, 1) if urban.id == size), 0)

    def stronghold_level(self, type_: str) -> int:
        """Return the level, from 1, of a type of stronghold; 0 for none."""
        return next((n for n, stronghold in enumerate(self.strongholds, 1) if stronghold.id == type_), 0)

    def resource(self, size: str) -> ResourceSize:
        """Return a size of resource hex, which the ruleset must have."""
        return next(resource for resource in self.resources if resource.id == size)

    def strengths_of(self, faction: Faction) -> list[Strength]:
        """Return the strengths that forces of a faction may have (D-71b)."""
        mine = {"standard", *faction.detachment_types}
        return [
            strength
            for strength in self.strengths.values()
            if (not strength.factions or faction.id in strength.factions)
            and (not strength.detachment_types or not mine.isdisjoint(strength.detachment_types))
        ]

    def rank(self, dxp: int) -> tuple[int, str, int]:
        """Return the rank that so many DXP give: (least DXP, name, most points) (6.2.3.7)."""
        return [rank for rank in self.ranks if rank[0] <= dxp][-1]
