"""Mines under the road of Dhorak Pass (2.7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.referee.reading import ID, Integer, given
from server.referee.rule import Rule
from server.referee.units import Unit

if TYPE_CHECKING:
    from server.referee.game import Game


@dataclass(slots=True, kw_only=True)
class QuakeMines(Rule):
    """Each time a unit with the keyword Advances along the road, a die; where it is low, mortal wounds (N-54)."""

    NAME = "quake_mines"

    keyword: str = given(ID)
    goes_off_to: int = given(Integer(1, 6), 1)
    """The highest face that sets them off."""

    def tread(self, game: Game, unit: Unit) -> None:
        """Roll for a unit that Advanced along the road."""
        if self.keyword not in unit.keywords:
            return
        if game.roll(f"quake/{unit.id}/{game.round}") <= self.goes_off_to:
            unit.suffers = game.roll(f"quake-wounds/{unit.id}/{game.round}")
            game.emit("mines", unit=unit.id, wounds=unit.suffers)
