"""The order ``build_defence`` (1.4.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.core.sentences import called, say, small, word
from server.rules.board import Hex
from server.rules.orders.base import Found, ImmediateOrder, Option
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import Fields
from server.rules.orders.form import FormField
from server.rules.orders.sites import bill, cannot_pay, found, no_stronghold, pay
from server.rules.ruleset import Defence, Faction, Ruleset, StrongholdType, Weapon
from server.rules.scene import Scene
from server.rules.state import BUILD, Stronghold


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildDefence(ImmediateOrder):
    """1.4.1: build a defence in a stronghold."""

    TYPE: ClassVar[str] = "build_defence"
    PHASE: ClassVar[tuple[str, ...]] = (BUILD,)
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("at", "place"),
        FormField("defence", "defences"),
        FormField("weapon", "weapons", needed=False),
    )
    TEXT: ClassVar[tuple[str, ...]] = (
        "build defence {defence} [with {weapon}] at {at}",
        "build {defence} [with {weapon}] at {at}",
    )
    at: Hex
    defence: str
    weapon: str = ""

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read ``at``, ``defence``, and ``weapon`` of a turret."""
        ruleset = fields.context.state.ruleset
        return cls(
            at=fields.hex("at"),
            defence=fields.one_of("defence", ruleset.defences, "defence"),
            weapon=fields.one_of("weapon", ruleset.weapons, "turret weapon") if fields.has("weapon") else "",
        )

    def check(self, context: OrderContext) -> Found:
        """The faction may have it, the stronghold has room for it and can pay it."""
        place = no_stronghold(context, self.at, "1.4.1")
        if place is not None:
            yield place
            return
        faction, defence = context.state.faction(context.player), context.state.ruleset.defences[self.defence]
        if faction.id in defence.forbidden:
            message = say(
                "Your army list ({faction}) may not build this: {defence}.",
                faction=called(faction.name),
                defence=called(defence.name),
            )
            yield Problem("not_allowed", message, "defence", self.defence, "1.4.3")
        yield from self._check_weapon(context, faction, defence)
        yield from self._check_limits(context, defence)
        yield from found(cannot_pay(context, self.at, self._price(context), "defence", "1.4"))

    def _check_weapon(self, context: OrderContext, faction: Faction, defence: Defence) -> Found:
        if defence.armed and not self.weapon:
            message = say("{defence} needs the field weapon.", defence=called(defence.name))
            yield Problem("missing_field", message, "weapon", None, "1.4.2")
        elif self.weapon and not defence.armed:
            message = say("{defence} carries no turret weapon.", defence=called(defence.name))
            yield Problem("not_allowed", message, "weapon", self.weapon, "1.4.2")
        elif self.weapon and weapon_price(faction, context.state.ruleset.weapons[self.weapon]) is None:
            message = say(
                "Your army list ({faction}) may not use this: {weapon}.",
                faction=called(faction.name),
                weapon=called(context.state.ruleset.weapons[self.weapon].name),
            )
            yield Problem("not_allowed", message, "weapon", self.weapon, "1.4.2")

    def _check_limits(self, context: OrderContext, defence: Defence) -> Found:
        ruleset, stronghold = context.state.ruleset, context.state.stronghold[self.at]
        type_ = ruleset.strongholds[ruleset.stronghold_level(stronghold.type) - 1]
        would_be = after(stronghold, defence)
        for limit in (*COUNTED, OTHER):
            maximum = limit_of(type_, limit)
            if limit in defence.counts_as and used(ruleset, would_be, limit) > maximum:
                where = small(type_.name)
                message = say(
                    "A {type} has at most {most} {limit}.", type=where, most=maximum, limit=word("limit", limit)
                )
                if limit == OTHER:
                    message = say("A {type} has at most {most} BP of other defences.", type=where, most=maximum)
                yield Problem("limit_reached", message, "defence", self.defence, "1.4.1")

    def _price(self, context: OrderContext) -> int:
        ruleset, faction = context.state.ruleset, context.state.faction(context.player)
        stronghold = context.state.stronghold[self.at]
        return price(ruleset, faction, stronghold, ruleset.defences[self.defence], self.weapon)

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say what it costs, and what the stronghold has then."""
        stronghold, defence = context.state.stronghold[self.at], context.state.ruleset.defences[self.defence]
        cost = self._price(context)
        prices = [{"what": defence.name, "bp": defence.cost}]
        if defence.converts:
            base = context.state.ruleset.defences[defence.converts]
            there = bool(stronghold.defences.get(base.id))
            prices.append({"what": base.name, "bp": 0 if there else base.cost})
        if self.weapon:
            weapon = context.state.ruleset.weapons[self.weapon]
            bp = weapon_price(context.state.faction(context.player), weapon)
            prices.append({"what": weapon.name, "bp": bp or 0})
        return bill(context, self.at, cost, prices=prices, defences=after(stronghold, defence), why="1.4.1, D-24a")

    def carry_out(self, scene: Scene, context: OrderContext) -> None:
        """Pay; it stands at once."""
        stronghold, cost = scene.state.stronghold[self.at], self._price(context)
        pay(context, self.at, cost)
        stronghold.defences = after(stronghold, scene.state.ruleset.defences[self.defence])
        if self.weapon:
            stronghold.weapons = tuple(sorted((*stronghold.weapons, self.weapon)))
        told = {"hex": scene.label(self.at), "defence": self.defence, "weapon": self.weapon, "bp": cost}
        scene.emit("defence_built", [context.player], **told)

    @classmethod
    def offered_in(cls, context: OrderContext, at: Hex) -> Iterator[Option]:
        """Offer every defence that may be built, with each weapon it may carry."""
        state, faction, label = context.state, context.state.faction(context.player), context.state.board.label(at)
        if at not in state.stronghold:
            return
        weapons = [id_ for id_, weapon in state.ruleset.weapons.items() if weapon_price(faction, weapon) is not None]
        for id_, defence in state.ruleset.defences.items():
            if not defence.armed:
                yield from cls(at=at, defence=id_).offer(context, at=label, defence=id_)
                continue
            for weapon in weapons:
                order = cls(at=at, defence=id_, weapon=weapon)
                yield from order.offer(context, at=label, defence=id_, weapon=weapon)


COUNTED = ("turrets", "towers", "walls", "bunkers")
"""Limits by number; the limit ``other`` is by BP spent (1.4.5)."""


OTHER = "other"


def weapon_price(faction: Faction, weapon: Weapon) -> int | None:
    """1.4.2, D-71a: what a turret weapon costs a faction, None where it may not have it."""
    column = faction.weapons_as or faction.id
    if column in weapon.preferred:
        return weapon.preferred_cost
    if column in weapon.allowed or faction.all_weapons:
        return weapon.cost
    return None


def price(ruleset: Ruleset, faction: Faction, stronghold: Stronghold, defence: Defence, weapon: str) -> int:
    """Return what a defence costs: with its weapon, and with the tower it is made from if there is none (D-24a)."""
    cost = defence.cost
    if defence.converts and not stronghold.defences.get(defence.converts):
        cost += ruleset.defences[defence.converts].cost
    if weapon:
        cost += weapon_price(faction, ruleset.weapons[weapon]) or 0
    return cost


def after(stronghold: Stronghold, defence: Defence) -> dict[str, int]:
    """Return the stronghold's defences with the new one; what it converts is used up (D-24a)."""
    defences = dict(stronghold.defences)
    if defence.converts and defences.get(defence.converts):
        defences[defence.converts] -= 1
    defences[defence.id] = defences.get(defence.id, 0) + 1
    return {id_: count for id_, count in sorted(defences.items()) if count}


def used(ruleset: Ruleset, defences: Mapping[str, int], limit: str) -> int:
    """Return how much of a limit defences take up: their number, or for ``other`` their BP (1.4.1, 1.4.5)."""
    here = [(ruleset.defences[id_], count) for id_, count in defences.items()]
    weigh = [(weapon.cost if limit == OTHER else 1) * count for weapon, count in here if limit in weapon.counts_as]
    return sum(weigh)


def limit_of(type_: StrongholdType, limit: str) -> int:
    """Return a limit of a type of stronghold (1.4.1)."""
    maximum: int = getattr(type_, limit)
    return maximum
