"""What sets armies apart: types of detachment (1.2), army lists (8) and what they are good at in battle (D-71b)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


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
