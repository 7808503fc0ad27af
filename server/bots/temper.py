"""The temper of a faction: what makes computer players differ from each other at the same posture."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from server.bots.posture import Posture

PLAIN = "steadfast"
"""The temper of a faction that has none of its own."""


@dataclass(frozen=True, slots=True)
class Temper:
    """What a temper makes of a posture."""

    name: str
    odds: int
    """Tenths added to the odds at which it attacks."""
    gives_way: int
    """Tenths added to the enemy's odds at which it gives way; nothing where the posture never does."""
    home: int
    """Percent added to the detachments kept near the capital."""
    field: int
    """Percent added to the BP for field forces."""
    grudge: int
    """Hexes of a player's land that an attack by them weighs, when a target is chosen."""

    def of(self, posture: Posture) -> Posture:
        """Return the posture as this temper has it."""
        return replace(
            posture,
            attacks_from=max(5, posture.attacks_from + self.odds),
            gives_way=max(10, posture.gives_way + self.gives_way) if posture.gives_way else 0,
            home=_percent(posture.home + self.home),
            field=_percent(posture.field + self.field),
        )


@cache
def temper_of(faction: str) -> Temper:
    """Return the temper of a faction, by its id, of ``data/tempers.toml``."""
    data = tomllib.loads(files("server.bots.data").joinpath("tempers.toml").read_text("utf-8"))
    name = data["factions"].get(faction, PLAIN)
    return Temper(name, **data["tempers"][name])


def _percent(value: int) -> int:
    return max(0, min(100, value))
