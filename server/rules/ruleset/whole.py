"""A ruleset as a whole: its nouns, its tables and its single figures, in the order of the rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from server.rules.ruleset.armies import DetachmentType, Faction, Strength
from server.rules.ruleset.ground import (
    Building,
    Defence,
    ResourceSize,
    StrongholdType,
    Terrain,
    UrbanSize,
    Weapon,
)

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
