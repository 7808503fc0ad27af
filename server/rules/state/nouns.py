"""The nouns of a campaign: ids and phases, forces and convoys, what is built on a hex, battles."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from server.rules.board import Hex

PlayerId = str
Id = str
"""Id of a detachment, garrison, convoy or unit; tells nothing about its owner (D-06)."""

SETUP, BUILD, MOVEMENT, BATTLE_MOVEMENT, BATTLES, REPORTS, OVER = (
    "setup",
    "build",
    "movement",
    "battle_movement",
    "battles",
    "reports",
    "over",
)
ORDER_PHASES = (SETUP, BUILD, MOVEMENT, BATTLE_MOVEMENT, BATTLES, REPORTS)
"""Phases that wait for people. ``reports`` is phase 7 while tabletop results are to come."""


@dataclass(frozen=True, slots=True)
class Unit:
    """D-30: a unit. Immutable; a changed unit is a new one."""

    id: Id
    name: str
    slot: str
    models: int
    """Models at full strength."""
    points: int
    """Of the whole unit at full strength."""
    mobility: str
    flags: tuple[str, ...] = ()
    """Sorted."""
    bombardment: int = 0
    """Bombardment range in hexes, 0 without artillery."""
    ready: int = 0
    """Ready models."""
    wounded: int = 0
    """Models that are with the unit but cannot fight; the rest are dead."""
    damaged: bool = False
    """A damaged vehicle."""

    @property
    def vehicle(self) -> bool:
        """True for vehicles, light ones too."""
        return "vehicle" in self.flags or "light_vehicle" in self.flags

    @property
    def kind(self) -> str:
        """What a building must allow: its slot, or ``vehicle`` / ``light_vehicle`` (D-32)."""
        if "light_vehicle" in self.flags:
            return "light_vehicle"
        return "vehicle" if "vehicle" in self.flags else self.slot

    @property
    def ready_points(self) -> int:
        """Points of the ready models; a damaged vehicle counts half, rounded up (D-62).

        By the newest rules version; :meth:`State.ready_points` has that of a campaign.
        """
        fit = self.points * self.ready // self.models
        return (fit + 1) // 2 if self.damaged else fit

    @property
    def can_be_halved(self) -> bool:
        """True where half of it may be taken as a casualty: an undamaged vehicle, a squad more than half fit (D-62)."""
        if self.vehicle:
            return not self.damaged and self.ready == self.models
        return self.models > 1 and self.ready > self.models // 2

    def in_state(self, ready: int, wounded: int, *, damaged: bool) -> Unit:
        """Return the unit with another number of fit and wounded models: ``replace``, only faster."""
        return Unit(
            self.id,
            self.name,
            self.slot,
            self.models,
            self.points,
            self.mobility,
            self.flags,
            self.bombardment,
            ready,
            wounded,
            damaged,
        )

    @property
    def takes_part(self) -> bool:
        """6.2.1.3.1: at least half strength and, as a vehicle, undamaged."""
        return self.ready > 0 and self.ready * 2 >= self.models and not self.damaged


WrittenUnits = tuple[tuple[Unit, ...], bytes]
"""Units, and the bytes they were written as: units never change, so the bytes hold while a force has these."""


@dataclass(slots=True)
class Detachment:
    """A body of units that moves and fights (1.2)."""

    id: Id
    owner: PlayerId
    name: str
    type: str
    at: Hex
    """Its hex, or :data:`ORBIT`."""
    units: tuple[Unit, ...]
    dxp: int = 0
    mounted: bool = False
    """Infantry rides in the detachment's own transport (D-38)."""
    battle_order: str = ""
    """The battle order it is under: forced ``inactive``, ``defend``, ...; empty: none, or cancelled."""
    ready_in: int = 0
    """Turns still under construction; then it stands nowhere yet."""
    pinned: bool = False
    """Its movement order this turn is ``guard``, whatever is ordered (D-35)."""
    written: WrittenUnits | None = field(default=None, compare=False, repr=False)
    """Its units as they were last written; not part of it."""

    def copy(self) -> Detachment:
        """Return a copy of its own."""
        return Detachment(
            self.id,
            self.owner,
            self.name,
            self.type,
            self.at,
            self.units,
            self.dxp,
            self.mounted,
            self.battle_order,
            self.ready_in,
            self.pinned,
            self.written,
        )

    @property
    def points(self) -> int:
        """Points of all its units at full strength."""
        return sum(unit.points for unit in self.units)


@dataclass(slots=True)
class Garrison:
    """Units that hold a stronghold and never move (1.3)."""

    id: Id
    owner: PlayerId
    at: Hex
    units: tuple[Unit, ...]
    written: WrittenUnits | None = field(default=None, compare=False, repr=False)
    """Its units as they were last written; not part of it."""

    def copy(self) -> Garrison:
        """Return a copy of its own."""
        return Garrison(self.id, self.owner, self.at, self.units, self.written)

    @property
    def points(self) -> int:
        """Points of all its units at full strength."""
        return sum(unit.points for unit in self.units)


Force = Detachment | Garrison
"""D-05: a detachment or a garrison."""


@dataclass(slots=True)
class Convoy:
    """BP on the road (1.1)."""

    id: Id
    owner: PlayerId
    at: Hex
    bp: int

    def copy(self) -> Convoy:
        """Return a copy of its own."""
        return Convoy(self.id, self.owner, self.at, self.bp)


@dataclass(slots=True)
class Urban:
    """An urban hex (1.5). Its BP lie in :attr:`State.store`."""

    size: str
    buildings: tuple[str, ...] = ()
    """Sorted."""
    race: str = "none"
    """The faction that founded it (D-71a)."""
    capital: PlayerId = ""
    """Whose capital it is, or empty."""
    changed: int = -1
    """Turn in which it was last built or upgraded."""
    road: int = -1
    """Turn in which it last built a road."""
    disbanded: int = -1
    """Turn in which it last disbanded a building."""

    def copy(self) -> Urban:
        """Return a copy of its own."""
        return Urban(self.size, self.buildings, self.race, self.capital, self.changed, self.road, self.disbanded)


@dataclass(slots=True)
class Stronghold:
    """A stronghold (1.4). Its BP lie in :attr:`State.store`."""

    type: str
    defences: dict[str, int] = field(default_factory=dict)
    """How many of each defence, no zeros."""
    weapons: tuple[str, ...] = ()
    """The weapons of its turrets and turret towers, sorted."""
    changed: int = -1
    """Turn in which it was last built or upgraded."""

    def copy(self) -> Stronghold:
        """Return a copy of its own."""
        return Stronghold(self.type, dict(sorted(self.defences.items())), self.weapons, self.changed)


@dataclass(slots=True)
class Battle:
    """A battle in a hex, one per hex and turn (D-51)."""

    hex: Hex
    attacker: Id
    """The primary attacker."""
    defender: Id
    """The primary defender: the detachment, or the garrison where it is alone (D-54)."""
    kind: str
    """``attack``, ``planned_attack``, ``raid`` or ``planned_raid``."""
    attacking: PlayerId
    """Owner of the primary attacker."""
    defended_by: PlayerId
    """Owner of the primary defender."""
    origin: Hex
    """Where the primary attacker came from, :data:`ORBIT` for one that dropped."""
    defending: bool = False
    """The defender is on ``defend``."""
    supporters: dict[Id, str] = field(default_factory=dict)
    """``front``, ``flank`` or ``rear`` for the attacker's, ``defender`` for the defender's."""
    tabletop: bool = False
    """Both sides chose the table; the result is due."""
    attacker_modifier: int | None = None
    """Added to the attacker's 2D6, without the underdog's bonus (6.1); None unless by dice. Likewise the defender's."""
    defender_modifier: int | None = None
    attacker_damage: int | None = None
    """Points it inflicted on the defender (6.1), None unless fought by dice; likewise the defender's."""
    defender_damage: int | None = None
    winner: PlayerId = ""
    """Empty while it is not fought."""
    vp: int = 0
    """What the winner got."""
    pillage: int = 0
    """BP that the winner made of the enemy units destroyed (6.2.3.4)."""

    def copy(self) -> Battle:
        """Return a copy of its own."""
        return replace(self, supporters=dict(sorted(self.supporters.items())))

    @property
    def raid(self) -> bool:
        """True for a raid, planned or not."""
        return self.kind.endswith("raid")

    @property
    def planned(self) -> bool:
        """True for a planned attack or raid."""
        return self.kind.startswith("planned")
