"""A battle, from its opening to its result (4 to 6, D-51)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from server.rules.board import Hex
from server.rules.state.names import Id, PlayerId


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
