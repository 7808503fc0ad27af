"""Markers that are drawn by dice and removed a round later (1.2, T-21)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from server.referee.combat_patrol.chosen_markers import remove
from server.referee.mission import NO_MANS_LAND
from server.referee.reading import ID, Integer, ListOf, Record, given, state
from server.referee.rule import Rule

if TYPE_CHECKING:
    from server.referee.game import Game


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """One draw: its name, the round at whose start it happens, the round at whose start its marker is removed."""

    name: str = given(ID)
    round: int = given(Integer(1, 50))
    removed: int = given(Integer(1, 50))


@dataclass(slots=True, kw_only=True)
class DrawnMarkers(Rule):
    """At the start of some rounds a marker in No Man's Land is drawn; it counts until it is removed."""

    NAME = "drawn_markers"

    draws: tuple[Draw, ...] = given(ListOf(Record(Draw), min=1, max=10))
    drawn: dict[str, str] = state(dict)
    """Marker by draw."""

    def round_started(self, game: Game) -> None:
        """Remove what is due, then draw."""
        for draw in self.draws:
            if draw.removed == game.round and draw.name in self.drawn:
                remove(game, self.drawn[draw.name], draw.name)
        for draw in self.draws:
            if draw.round == game.round:
                self._draw(game, draw)

    def resumed(self, game: Game, start: object) -> None:
        """Draw what a game that begins in the middle must have drawn and does not name."""
        for draw in self.draws:
            if draw.round <= game.round < draw.removed and draw.name not in self.drawn:
                self._draw(game, draw)

    def _draw(self, game: Game, draw: Draw) -> None:
        left = sorted(
            marker.id
            for marker in game.markers.values()
            if marker.zone == NO_MANS_LAND and not marker.removed and marker.id not in self.drawn.values()
        )
        if left:
            face = game.roll(draw.name)
            self.drawn[draw.name] = left[(face - 1) * len(left) // 6]
            game.emit("drawn", what=draw.name, marker=self.drawn[draw.name])

    def track(self, game: Game, name: str, value: Any) -> bool:
        """Take what has been drawn."""
        if name in [draw.name for draw in self.draws]:
            if value:
                self.drawn[name] = value
            return True
        return False

    def tracked(self, game: Game) -> Mapping[str, Any]:
        """Name the markers drawn; empty: none yet."""
        return {draw.name: self.drawn.get(draw.name, "") for draw in self.draws}

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Everyone knows them."""
        return self.tracked(game)
