"""The order ``declare_alliance`` (D-04)."""

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
class DeclareAlliance(AllianceOrder):
    """D-04: declare an alliance; it needs the other's declaration too."""

    TYPE: ClassVar[str] = "declare_alliance"
    FIELDS: ClassVar[tuple[FormField, ...]] = (FormField("with", "player"),)

    def _declared(self, desk: Desk) -> tuple[PlayerId, ...]:
        now = desk.state.players[desk.player].declared
        return tuple(sorted(dict.fromkeys((*now, self.other))))

    def carry_out(self, scene: Scene, desk: Desk) -> None:
        """Note it."""
        scene.state.players[desk.player].declared = self._declared(desk)
        scene.tell("alliance_declared", [desk.player, self.other], by=desk.player, other=self.other)

    @classmethod
    def offered_about(cls, desk: Desk, other: Player) -> Iterator[Option]:
        """Offer it with those with whom it is not declared."""
        if other.id not in desk.state.players[desk.player].declared:
            yield from cls(other=other.id).offer(desk, **{"with": other.id})
