"""Strongholds: the orders that build and strengthen them, and their defences (1.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from server.core.errors import Problem
from server.core.sentences import called, say, small, word
from server.rules.board import Hex
from server.rules.orders.base import Found, ImmediateOrder, Option
from server.rules.orders.build.settlements import Work, stronghold_cost
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import FormField
from server.rules.orders.sites import (
    bill,
    cannot_pay,
    convoy_cannot_pay,
    first,
    found,
    no_stronghold,
    not_controlled,
    pay,
)
from server.rules.ruleset import Defence, Faction, Ruleset, StrongholdType, Weapon
from server.rules.scene import Scene
from server.rules.state import Convoy, Id, Stronghold


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildCamp(Work):
    """1.4, D-24: build a new stronghold, paid by a convoy or, in an urban hex, by that (D-23)."""

    TYPE: ClassVar[str] = "build_camp"
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("at", "place"),
        FormField("convoy", "convoy", needed=False),
    )
    TEXT: ClassVar[tuple[str, ...]] = ("build camp at {at} [with {convoy}]",)
    convoy: Id = ""

    def check(self, context: OrderContext) -> Found:
        """A controlled land hex without a stronghold, outside enemy ZOC."""
        return first(context, self._controlled, self._taken, self._zoc, self._poor)

    def _taken(self, context: OrderContext) -> Problem | None:
        if self.at not in context.state.stronghold:
            return None
        label = context.label(self.at)
        return self.problem(context, "already_built", say("{hex} has a stronghold already.", hex=label), "1.4")

    def _poor(self, context: OrderContext) -> Problem | None:
        cost = self._cost(context)
        if self.convoy:
            return convoy_cannot_pay(context, self.convoy, self.at, cost)
        if self.at in context.state.urban:
            return cannot_pay(context, self.at, cost, rule="1.4")
        message = "Outside urban hexes a convoy in the hex pays: name it in the field convoy."
        return Problem("missing_field", message, "convoy", None, "D-23")

    def _cost(self, context: OrderContext) -> int:
        return stronghold_cost(context, context.state.ruleset.strongholds[0])

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say what it costs and who pays."""
        return bill(context, self.at, self._cost(context), self.convoy, why="1.4, D-23")

    def carry_out(self, scene: Scene, context: OrderContext) -> None:
        """Pay; it stands at once."""
        type_ = scene.state.ruleset.strongholds[0].id
        pay(context, self.at, self._cost(context), self.convoy)
        scene.state.stronghold[self.at] = Stronghold(type_, changed=scene.state.turn)
        scene.emit_public("stronghold_built", hex=scene.label(self.at), by=context.player, stronghold=type_)

    @classmethod
    def offered_in(cls, context: OrderContext, at: Hex) -> Iterator[Option]:
        """Offer it in an urban hex, which pays."""
        if at in context.state.urban:
            yield from cls(at=at).offer(context, at=context.label(at))

    @classmethod
    def offered_to_convoy(cls, context: OrderContext, convoy: Convoy) -> Iterator[Option]:
        """Offer it where a convoy stands, which pays."""
        at = context.label(convoy.at)
        return cls(at=convoy.at, convoy=convoy.id).offer(context, at=at, convoy=convoy.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class UpgradeStronghold(Work):
    """1.4: make a stronghold one type stronger. "Capital fortification" is a fortress in the capital (D-24)."""

    TYPE: ClassVar[str] = "upgrade_stronghold"
    TEXT: ClassVar[tuple[str, ...]] = ("upgrade stronghold at {at}",)

    def check(self, context: OrderContext) -> Found:
        """One step a turn, not in the turn it was built, not in enemy ZOC (D-24)."""
        return first(context, self._here, self._top, self._hasty, self._zoc, self._poor)

    def _here(self, context: OrderContext) -> Problem | None:
        problem = not_controlled(context, self.at)
        if problem is not None or self.at in context.state.stronghold:
            return problem
        label = context.label(self.at)
        return self.problem(context, "needs_stronghold", say("There is no stronghold in {hex}.", hex=label), "1.4")

    def _top(self, context: OrderContext) -> Problem | None:
        if self._next(context) is not None:
            return None
        label = context.label(self.at)
        return self.problem(context, "already_built", say("{hex} has the strongest type already.", hex=label), "1.4")

    def _hasty(self, context: OrderContext) -> Problem | None:
        if context.state.stronghold[self.at].changed != context.state.turn:
            return None
        label = context.label(self.at)
        message = say("The stronghold in {hex} was built or upgraded this turn already.", hex=label)
        return self.problem(context, "limit_reached", message, "D-24")

    def _poor(self, context: OrderContext) -> Problem | None:
        type_ = self._next(context)
        return None if type_ is None else cannot_pay(context, self.at, stronghold_cost(context, type_), rule="1.4")

    def _next(self, context: OrderContext) -> StrongholdType | None:
        types = context.state.ruleset.strongholds
        level = context.state.ruleset.stronghold_level(context.state.stronghold[self.at].type)
        return types[level] if level < len(types) else None

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say what it costs."""
        type_ = self._next(context)
        if type_ is None:
            return {}
        return bill(context, self.at, stronghold_cost(context, type_), stronghold=type_.id, why="1.4")

    def carry_out(self, scene: Scene, context: OrderContext) -> None:
        """Pay; it is stronger at once."""
        type_, stronghold = self._next(context), scene.state.stronghold[self.at]
        if type_ is None:
            return
        pay(context, self.at, stronghold_cost(context, type_))
        stronghold.type, stronghold.changed = type_.id, scene.state.turn
        scene.emit_public("stronghold_upgraded", hex=scene.label(self.at), by=context.player, stronghold=type_.id)

    @classmethod
    def offered_in(cls, context: OrderContext, at: Hex) -> Iterator[Option]:
        """Offer it where it may be done."""
        if at in context.state.stronghold:
            yield from cls(at=at).offer(context, at=context.label(at))


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildDefence(ImmediateOrder):
    """1.4.1: build a defence in a stronghold."""

    TYPE: ClassVar[str] = "build_defence"
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
        state, faction, label = context.state, context.state.faction(context.player), context.label(at)
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
