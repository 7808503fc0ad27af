"""The order ``end_alliance`` (D-04)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from server.rules.orders.base import Option
from server.rules.orders.desk import Desk
from server.rules.orders.diplomacy.alliance import AllianceOrder
from server.rules.orders.form import FormField
from server.rules.scene import Scene
from server.rules.state import Player, PlayerId


@dataclass(frozen=True, slots=True, kw_only=True)
class EndAlliance(AllianceOrder):
    """D-04: take a declaration back."""

    TYPE: ClassVar[str] = "end_alliance"
    FIELDS: ClassVar[tuple[FormField, ...]] = (FormField("with", "player"),)

    def _declared(self, desk: Desk) -> tuple[PlayerId, ...]:
        return tuple(each for each in desk.state.players[desk.player].declared if each != self.other)

    def carry_out(self, scene: Scene, desk: Desk) -> None:
        """Note it; before the next Build phase nothing changes."""
        scene.state.players[desk.player].declared = self._declared(desk)
        scene.tell("alliance_ended", [desk.player, self.other], by=desk.player, other=self.other)

    @classmethod
    def offered_about(cls, desk: Desk, other: Player) -> Iterator[Option]:
        """Offer it with those with whom it is declared."""
        if other.id in desk.state.players[desk.player].declared:
            yield from cls(other=other.id).offer(desk, **{"with": other.id})
