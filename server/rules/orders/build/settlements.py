"""Settlements: urban hexes founded and enlarged, their buildings (1.5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from server.core.errors import Problem
from server.core.sentences import called, say, small
from server.rules.board import Hex
from server.rules.orders.base import Found, ImmediateOrder, Option
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import FormField
from server.rules.orders.sites import (
    bill,
    cannot_pay,
    convoy_cannot_pay,
    first,
    found,
    in_enemy_zoc,
    not_controlled,
    not_land,
    not_urban,
    pay,
)
from server.rules.ruleset import Building, Ruleset, StrongholdType, UrbanSize
from server.rules.scene import Scene
from server.rules.state import Convoy, Id, Urban
from server.rules.treasury import earn


def versions(ruleset: Ruleset, building: Building) -> tuple[Building, ...]:
    """Return a building and all it was upgraded from, the latest first."""
    chain = [building]
    while chain[-1].upgrades:
        chain.append(ruleset.buildings[chain[-1].upgrades])
    return tuple(chain)


def refund(ruleset: Ruleset, building: Building) -> int:
    """Return half of the prices of a building and of its base, rounded down (D-20a)."""
    return sum(version.cost for version in versions(ruleset, building)) * ruleset.refund_percent // 100


def stands(ruleset: Ruleset, buildings: tuple[str, ...], id_: str) -> bool:
    """True when the building, or one it was upgraded to, is among *buildings*."""
    return any(id_ == version.id for there in buildings for version in versions(ruleset, ruleset.buildings[there]))


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildingOrder(ImmediateOrder):
    """What both have in common: an urban hex and a building."""

    FIELDS: ClassVar[tuple[FormField, ...]] = (FormField("at", "place"), FormField("building", "buildings"))
    at: Hex
    building: str

    def data(self, context: OrderContext) -> Building:
        """Return the building's numbers."""
        return context.state.ruleset.buildings[self.building]

    def refused(self, code: str, message: str, rule: str = "1.5.1") -> Problem:
        """Return a problem with the building."""
        return Problem(code, message, "building", self.building, rule)


@dataclass(frozen=True, slots=True, kw_only=True)
class Work(ImmediateOrder):
    """What all works have in common: a hex."""

    FIELDS: ClassVar[tuple[FormField, ...]] = (FormField("at", "place"),)
    at: Hex

    def problem(self, context: OrderContext, code: str, message: str, rule: str) -> Problem:
        """Return a problem with the hex."""
        return Problem(code, message, "at", context.label(self.at), rule)

    def _controlled(self, context: OrderContext) -> Problem | None:
        return not_land(context, self.at) or not_controlled(context, self.at)

    def _zoc(self, context: OrderContext) -> Problem | None:
        return in_enemy_zoc(context, self.at)


# --- strongholds ---


def stronghold_cost(context: OrderContext, type_: StrongholdType) -> int:
    """1.4, D-71: some factions build strongholds at a part of the price, rounded up."""
    return -(-type_.cost * context.state.faction(context.player).stronghold_percent // 100)


@dataclass(frozen=True, slots=True, kw_only=True)
class UpgradeUrban(Work):
    """1.5: make an urban hex one size larger."""

    TYPE: ClassVar[str] = "upgrade_urban"
    TEXT: ClassVar[tuple[str, ...]] = ("upgrade urban at {at}",)

    def check(self, context: OrderContext) -> Found:
        """One step a turn, not in the turn it was built, not in enemy ZOC (D-24)."""
        return first(context, self._here, self._top, self._hasty, self._zoc, self._poor)

    def _here(self, context: OrderContext) -> Problem | None:
        return not_urban(context, self.at)

    def _top(self, context: OrderContext) -> Problem | None:
        if self._next(context) is not None:
            return None
        label = context.label(self.at)
        return self.problem(context, "already_built", say("{hex} has reached the largest size.", hex=label), "1.5")

    def _hasty(self, context: OrderContext) -> Problem | None:
        if context.state.urban[self.at].changed != context.state.turn:
            return None
        label = context.label(self.at)
        return self.problem(
            context, "limit_reached", say("{hex} was built or upgraded this turn already.", hex=label), "1.5"
        )

    def _poor(self, context: OrderContext) -> Problem | None:
        size = self._next(context)
        return None if size is None else cannot_pay(context, self.at, size.cost, rule="1.5")

    def _next(self, context: OrderContext) -> UrbanSize | None:
        sizes = context.state.ruleset.urban
        level = context.state.ruleset.urban_level(context.state.urban[self.at].size)
        return sizes[level] if level < len(sizes) else None

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say what it costs and what the hex will yield."""
        size = self._next(context)
        if size is None:
            return {}
        return bill(context, self.at, size.cost, size=size.id, income=size.income, why="1.5: paid by the urban hex")

    def carry_out(self, scene: Scene, context: OrderContext) -> None:
        """Pay; it grows at once."""
        size, urban = self._next(context), scene.state.urban[self.at]
        if size is None:
            return
        pay(context, self.at, size.cost)
        urban.size, urban.changed = size.id, scene.state.turn
        scene.emit_public("urban_upgraded", hex=scene.label(self.at), by=context.player, size=size.id)

    @classmethod
    def offered_in(cls, context: OrderContext, at: Hex) -> Iterator[Option]:
        """Offer it where it may be done."""
        if at in context.state.urban:
            yield from cls(at=at).offer(context, at=context.label(at))


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildVillage(Work):
    """1.5: found a village, paid by a convoy in the hex (D-23)."""

    TYPE: ClassVar[str] = "build_village"
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("at", "place"),
        FormField("convoy", "convoy"),
    )
    TEXT: ClassVar[tuple[str, ...]] = ("build village at {at} with {convoy}",)
    convoy: Id

    def check(self, context: OrderContext) -> Found:
        """Any controlled hex, except resource hexes and in enemy ZOC."""
        return first(context, self._controlled, self._taken, self._zoc, self._poor)

    def _taken(self, context: OrderContext) -> Problem | None:
        label = context.label(self.at)
        if self.at in context.state.urban:
            return self.problem(context, "already_built", say("{hex} is an urban hex already.", hex=label), "1.5")
        if self.at in context.state.resource:
            return self.problem(context, "occupied", say("{hex} is a resource hex.", hex=label), "1.5")
        return None

    def _poor(self, context: OrderContext) -> Problem | None:
        return convoy_cannot_pay(context, self.convoy, self.at, self._size(context).cost)

    def _size(self, context: OrderContext) -> UrbanSize:
        return context.state.ruleset.urban[0]

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say what it costs and what the convoy has left."""
        size = self._size(context)
        return bill(
            context, self.at, size.cost, self.convoy, income=size.income, why="1.5: paid by a convoy in the hex"
        )

    def carry_out(self, scene: Scene, context: OrderContext) -> None:
        """Pay and found it; it is remembered who did (D-71a)."""
        state, size = scene.state, self._size(context)
        pay(context, self.at, size.cost, self.convoy)
        race = state.players[context.player].faction
        state.urban[self.at] = Urban(size.id, race=race, changed=state.turn)
        scene.emit_public("urban_built", hex=scene.label(self.at), by=context.player, size=size.id)

    @classmethod
    def offered_to_convoy(cls, context: OrderContext, convoy: Convoy) -> Iterator[Option]:
        """Offer it where a convoy stands, which pays."""
        at = context.label(convoy.at)
        return cls(at=convoy.at, convoy=convoy.id).offer(context, at=at, convoy=convoy.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildBuilding(BuildingOrder):
    """1.5.1: put up a building, or upgrade one."""

    TYPE: ClassVar[str] = "build_building"
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
        label = context.label(self.at)
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
                yield from cls(at=at, building=id_).offer(context, at=context.label(at), building=id_)


@dataclass(frozen=True, slots=True, kw_only=True)
class DisbandBuilding(BuildingOrder):
    """1.5.1: dismantle a building for half of its price, one in each settlement and turn (D-20a)."""

    TYPE: ClassVar[str] = "disband_building"
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
        urban, building, label = context.state.urban[self.at], self.data(context), context.label(self.at)
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
                yield from cls(at=at, building=id_).offer(context, at=context.label(at), building=id_)
