"""What players do without: moments passed that are open, and beforehand those that come (N-61)."""

from __future__ import annotations

from dataclasses import dataclass, field

from server.referee.narrative.stratagem_data import Stratagem

PHASE = "phase"
"""Until the present phase ends, before the battle the stage."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Something passed beforehand."""

    player: str
    stratagem: str
    """Its id, or else the ``moment`` of all that are meant."""
    moment: str
    unit: str
    """Empty: any."""
    until: str
    """``phase``: all that come in it; empty: the next one."""

    def holds(self, player: str, stratagem: Stratagem, target: str) -> bool:
        """Say whether it speaks of this stratagem, used for this target."""
        named = stratagem.id == self.stratagem if self.stratagem else stratagem.moment == self.moment
        return named and player == self.player and self.unit in ("", target)


@dataclass(slots=True)
class Passes:
    """Stratagems that each player has passed."""

    declined: dict[tuple[str, str, str], None] = field(default_factory=dict)
    """Player, stratagem and target of moments that are open and passed."""
    standing: list[Standing] = field(default_factory=list)

    def without(self, player: str, stratagem: Stratagem, target: str) -> bool:
        """Say whether a player does without a stratagem for this target now."""
        declined = any((player, stratagem.id, of) in self.declined for of in (target, ""))
        return declined or any(standing.holds(player, stratagem, target) for standing in self.standing)

    def comes(self, player: str, stratagem: Stratagem, target: str) -> None:
        """A moment comes, perhaps once more: it is passed only where its player has said so beforehand."""
        self.declined.pop((player, stratagem.id, target), None)
        if self.goes(player, stratagem, target):
            self.declined[player, stratagem.id, target] = None

    def goes(self, player: str, stratagem: Stratagem, target: str) -> bool:
        """A moment comes and goes: say whether the next one was to be passed, which is then done."""
        for standing in self.standing:
            if not standing.until and standing.holds(player, stratagem, target):
                self.standing.remove(standing)
                return True
        return False

    def passed(self, player: str, moment: str, unit: str) -> bool:
        """Say whether a moment, for a unit, was passed beforehand; the next one is then used up."""
        for standing in self.standing:
            if (standing.player, standing.moment) == (player, moment) and standing.unit in ("", unit):
                if not standing.until:
                    self.standing.remove(standing)
                return True
        return False

    def phase_over(self) -> None:
        """A phase, or a stage, is left: what was passed in it is over, and what was passed for it."""
        self.declined.clear()
        self.standing = [standing for standing in self.standing if not standing.until]

    def take_back(self, player: str, name: str) -> None:
        """Offer a stratagem, or what comes at a moment, again."""
        self.standing = [
            kept for kept in self.standing if (kept.player, kept.stratagem or kept.moment) != (player, name)
        ]
        self.declined.pop((player, name, ""), None)

    def said(self, player: str) -> list[str]:
        """Return what a player does without beforehand: stratagems, or moments."""
        return [standing.stratagem or standing.moment for standing in self.standing if standing.player == player]
