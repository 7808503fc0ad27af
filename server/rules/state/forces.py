"""Forces and convoys: units, the detachments and garrisons they form (1.2, 1.3), convoys (1.1)."""

from __future__ import annotations

from dataclasses import dataclass, field

from server.rules.board import Hex
from server.rules.state.names import Id, PlayerId


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
