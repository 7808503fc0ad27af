"""Construction on a hex: settlements (1.5) and strongholds (1.4). Roads, resources and stockpiles are plain tables."""

from __future__ import annotations

from dataclasses import dataclass, field

from server.rules.state.names import PlayerId


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
