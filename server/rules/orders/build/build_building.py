"""The order ``build_building`` (1.5.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from server.core.sentences import called, say, small
from server.rules.board import Hex
from server.rules.orders.base import Found, Option
from server.rules.orders.build.works import BuildingOrder, stands
from server.rules.orders.context import OrderContext
from server.rules.orders.form import FormField
from server.rules.orders.sites import bill, cannot_pay, found, not_urban, pay
from server.rules.scene import Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildBuilding(BuildingOrder):
    """1.5.1: put up a building, or upgrade one."""

    TYPE: ClassVar[str] = "build_building"
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("at", "place"),
        FormField("building", "buildings"),
    )
    TEXT: ClassVar[tuple[str, ...]] = (
        "build {building} at {at}",
        "build building {building} at {at}",
    )

    def check(self, context: OrderContext) -> Found:
        """One of each type, in an urban hex large enough, paid by it."""
        place = not_urban(context, self.at, rule="1.5.1")
        if place is not None:
            yield place
            return
        ruleset, urban, building = context.state.ruleset, context.state.urban[self.at], self.data(context)
        label = context.state.board.label(self.at)
        if ruleset.urban_level(urban.size) < building.min_level:
            size = small(ruleset.urban[building.min_level - 1].name)
            yield self.refused(
                "size_too_small",
                say("{building} can stand only in a {size} or larger.", building=called(building.name), size=size),
            )
        if stands(ruleset, urban.buildings, self.building):
            yield self.refused(
                "already_built", say("{hex} already has this: {building}.", hex=label, building=called(building.name))
            )
        elif building.upgrades and building.upgrades not in urban.buildings:
            base = called(ruleset.buildings[building.upgrades].name)
            yield self.refused(
                "needs_building",
                say(
                    "{building} is an upgrade; {hex} first needs this: {base}.",
                    building=called(building.name),
                    hex=label,
                    base=base,
                ),
            )
        if building.foreign_only and urban.race == context.state.players[context.player].faction:
            message = say("Your own race founded {hex}: this is only for those of others.", hex=label)
            yield self.refused("not_allowed", message)
        yield from found(cannot_pay(context, self.at, building.cost, "building", "1.5.1"))

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say what it costs, now and each turn."""
        building = self.data(context)
        said = bill(context, self.at, building.cost, ready_turn=context.state.turn, why="1.5.1")
        return said | {"maintenance": building.maintenance, "replaces": building.upgrades}

    def carry_out(self, scene: Scene, context: OrderContext) -> None:
        """Pay; it is ready at once and replaces the building it upgrades (D-20a)."""
        building, urban = self.data(context), scene.state.urban[self.at]
        pay(context, self.at, building.cost)
        kept = [id_ for id_ in urban.buildings if id_ != building.upgrades]
        urban.buildings = tuple(sorted((*kept, self.building)))
        told = {"hex": scene.label(self.at), "building": self.building, "bp": building.cost}
        scene.emit("building_built", [context.player], **told)

    @classmethod
    def offered_in(cls, context: OrderContext, at: Hex) -> Iterator[Option]:
        """Offer every building that may be put up."""
        if at in context.state.urban:
            for id_ in context.state.ruleset.buildings:
                yield from cls(at=at, building=id_).offer(context, at=context.state.board.label(at), building=id_)
