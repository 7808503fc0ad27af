"""The order ``disband_building`` (1.5.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from server.core.sentences import called, say
from server.rules.board import Hex
from server.rules.orders.base import Found, Option
from server.rules.orders.build.works import BuildingOrder, refund
from server.rules.orders.context import OrderContext
from server.rules.orders.form import FormField
from server.rules.orders.sites import bill, not_urban
from server.rules.scene import Scene
from server.rules.treasury import earn


@dataclass(frozen=True, slots=True, kw_only=True)
class DisbandBuilding(BuildingOrder):
    """1.5.1: dismantle a building for half of its price, one in each settlement and turn (D-20a)."""

    TYPE: ClassVar[str] = "disband_building"
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("at", "place"),
        FormField("building", "buildings"),
    )
    TEXT: ClassVar[tuple[str, ...]] = (
        "disband {building} at {at}",
        "disband building {building} at {at}",
    )

    def check(self, context: OrderContext) -> Found:
        """It must stand there, and be the first this turn."""
        place = not_urban(context, self.at, rule="1.5.1")
        if place is not None:
            yield place
            return
        urban, building, label = context.state.urban[self.at], self.data(context), context.state.board.label(self.at)
        if self.building not in urban.buildings:
            yield self.refused(
                "needs_building",
                say("{hex} does not have this: {building}.", hex=label, building=called(building.name)),
            )
        if urban.disbanded == context.state.turn:
            yield self.refused(
                "limit_reached", say("A building of {hex} was disbanded this turn already.", hex=label), "D-20a"
            )

    def refund(self, context: OrderContext) -> int:
        """Return what it brings back (D-20a)."""
        return refund(context.state.ruleset, self.data(context))

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say what is paid back."""
        refund = self.refund(context)
        return bill(
            context, self.at, -refund, refund=refund, why="1.5.1, D-20a: half of all that was paid, rounded down"
        )

    def carry_out(self, scene: Scene, context: OrderContext) -> None:
        """Remove it and pay back into the urban hex."""
        urban, refund = scene.state.urban[self.at], self.refund(context)
        urban.buildings = tuple(id_ for id_ in urban.buildings if id_ != self.building)
        urban.disbanded = scene.state.turn
        earn(scene.state, self.at, refund)
        told = {"hex": scene.label(self.at), "building": self.building, "bp": refund}
        scene.emit("building_disbanded", [context.player], **told)

    @classmethod
    def offered_in(cls, context: OrderContext, at: Hex) -> Iterator[Option]:
        """Offer every building there is."""
        if at in context.state.urban:
            for id_ in context.state.urban[at].buildings:
                yield from cls(at=at, building=id_).offer(context, at=context.state.board.label(at), building=id_)
