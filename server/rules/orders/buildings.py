"""Orders for the buildings of urban hexes (1.5.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.core.sentences import called, say, small
from server.rules.board import Hex
from server.rules.orders.base import Found, ImmediateOrder, Order
from server.rules.orders.desk import Desk
from server.rules.orders.fields import Fields
from server.rules.orders.sites import bill, cannot_pay, found, not_urban, pay
from server.rules.ruleset import Building, Ruleset
from server.rules.scene import Scene
from server.rules.state import BUILD
from server.rules.treasury import earn


def versions(ruleset: Ruleset, building: Building) -> tuple[Building, ...]:
    """Return a building and all it was upgraded from, the latest first."""
    chain = [building]
    while chain[-1].upgrades:
        chain.append(ruleset.buildings[chain[-1].upgrades])
    return tuple(chain)


def stands(ruleset: Ruleset, buildings: tuple[str, ...], id_: str) -> bool:
    """True when the building, or one it was upgraded to, is among *buildings*."""
    return any(id_ == each.id for there in buildings for each in versions(ruleset, ruleset.buildings[there]))


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildingOrder(ImmediateOrder):
    """What both have in common: an urban hex and a building."""

    PHASE: ClassVar[tuple[str, ...]] = (BUILD,)
    at: Hex
    building: str

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the order."""
        known = fields.desk.state.ruleset.buildings
        return cls(at=fields.hex("at"), building=fields.one_of("building", known, "building"))

    def data(self, desk: Desk) -> Building:
        """Return the building's numbers."""
        return desk.state.ruleset.buildings[self.building]

    def refused(self, code: str, message: str, rule: str = "1.5.1") -> Problem:
        """Return a problem with the building."""
        return Problem(code, message, "building", self.building, rule)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildBuilding(BuildingOrder):
    """1.5.1: put up a building, or upgrade one."""

    TYPE: ClassVar[str] = "build_building"

    def check(self, desk: Desk) -> Found:
        """One of each type, in an urban hex large enough, paid by it."""
        place = not_urban(desk, self.at, rule="1.5.1")
        if place is not None:
            yield place
            return
        ruleset, urban, building = desk.state.ruleset, desk.state.urban[self.at], self.data(desk)
        label = desk.state.board.label(self.at)
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
        if building.foreign_only and urban.race == desk.state.players[desk.player].faction:
            message = say("Your own race founded {hex}: this is only for those of others.", hex=label)
            yield self.refused("not_allowed", message)
        yield from found(cannot_pay(desk, self.at, building.cost, "building", "1.5.1"))

    def preview(self, desk: Desk) -> dict[str, Any]:
        """Say what it costs, now and each turn."""
        building = self.data(desk)
        said = bill(desk, self.at, building.cost, ready_turn=desk.state.turn, why="1.5.1")
        return said | {"maintenance": building.maintenance, "replaces": building.upgrades}

    def carry_out(self, scene: Scene, desk: Desk) -> None:
        """Pay; it stands at once, in place of what it upgrades (D-20a)."""
        building, urban = self.data(desk), scene.state.urban[self.at]
        pay(desk, self.at, building.cost)
        kept = [id_ for id_ in urban.buildings if id_ != building.upgrades]
        urban.buildings = tuple(sorted((*kept, self.building)))
        told = {"hex": scene.label(self.at), "building": self.building, "bp": building.cost}
        scene.tell("building_built", [desk.player], **told)


@dataclass(frozen=True, slots=True, kw_only=True)
class DisbandBuilding(BuildingOrder):
    """1.5.1: give up a building for half of what it cost, one in each urban hex and turn (D-20a)."""

    TYPE: ClassVar[str] = "disband_building"

    def check(self, desk: Desk) -> Found:
        """It must stand there, and be the first this turn."""
        place = not_urban(desk, self.at, rule="1.5.1")
        if place is not None:
            yield place
            return
        urban, building, label = desk.state.urban[self.at], self.data(desk), desk.state.board.label(self.at)
        if self.building not in urban.buildings:
            yield self.refused(
                "needs_building",
                say("{hex} does not have this: {building}.", hex=label, building=called(building.name)),
            )
        if urban.disbanded == desk.state.turn:
            yield self.refused(
                "limit_reached", say("A building of {hex} was disbanded this turn already.", hex=label), "D-20a"
            )

    def refund(self, desk: Desk) -> int:
        """Return half of the prices of the building and of what it was upgraded from, rounded down (D-20a)."""
        ruleset = desk.state.ruleset
        paid = sum(each.cost for each in versions(ruleset, self.data(desk)))
        return paid * ruleset.refund_percent // 100

    def preview(self, desk: Desk) -> dict[str, Any]:
        """Say what is paid back."""
        refund = self.refund(desk)
        return bill(desk, self.at, -refund, refund=refund, why="1.5.1, D-20a: half of all that was paid, rounded down")

    def carry_out(self, scene: Scene, desk: Desk) -> None:
        """Remove it and pay back into the urban hex."""
        urban, refund = scene.state.urban[self.at], self.refund(desk)
        urban.buildings = tuple(id_ for id_ in urban.buildings if id_ != self.building)
        urban.disbanded = scene.state.turn
        earn(scene.state, self.at, refund)
        told = {"hex": scene.label(self.at), "building": self.building, "bp": refund}
        scene.tell("building_disbanded", [desk.player], **told)


KINDS: tuple[type[Order], ...] = (BuildBuilding, DisbandBuilding)
