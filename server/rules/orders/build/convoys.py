"""Convoys: the orders that load and unload them (1.1, D-22)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.core.sentences import say
from server.rules.board import Hex
from server.rules.movement import can_unload, unload_convoy
from server.rules.orders.base import Found, ImmediateOrder, Option
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import MAX_BP, Fields, FormField
from server.rules.orders.sites import bill, cannot_pay, enemy_present, found, not_urban
from server.rules.scene import Scene
from server.rules.state import Convoy, Id
from server.rules.treasury import load_convoy


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateConvoy(ImmediateOrder):
    """1.1: load BP of an urban hex into a new convoy."""

    TYPE: ClassVar[str] = "create_convoy"
    REPEATS: ClassVar[bool] = True
    EXPLAINED: ClassVar[tuple[str, ...]] = ("cost", "least", "most")
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("at", "place"),
        FormField("bp", "number"),
    )
    TEXT: ClassVar[tuple[str, ...]] = (
        "convoy at {at} with {bp} [bp]",
        "load [convoy] at {at} with {bp} [bp]",
        "load [convoy with] {bp} [bp] at {at}",
    )
    at: Hex
    bp: int

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read ``at`` and ``bp``."""
        return cls(at=fields.hex("at"), bp=fields.integer("bp", 0, MAX_BP))

    def check(self, context: OrderContext) -> Found:
        """An own urban hex that has the BP; a convoy carries at least so many."""
        place = not_urban(context, self.at, rule="1.1")
        minimum = context.state.ruleset.convoy_least
        if place is not None:
            yield place
        elif self.bp < minimum:
            yield Problem(
                "convoy_too_small", say("A convoy carries at least {least} BP.", least=minimum), "bp", self.bp, "1.1"
            )
        elif (poor := cannot_pay(context, self.at, self.bp, "bp", "1.1")) is not None:
            yield poor

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say what the hex has left."""
        said = bill(context, self.at, self.bp, why="1.1: convoys are free, the BP are only loaded")
        return said | {"cost": 0, "loads": self.bp}

    def carry_out(self, scene: Scene, context: OrderContext) -> None:
        """Load the BP."""
        convoy = load_convoy(scene.state, context.player, self.at, self.bp, self.alias)
        if self.alias:
            context.aliases[self.alias] = convoy.id
        scene.emit("convoy_created", [context.player], convoy=convoy.id, hex=scene.label(self.at), bp=self.bp)

    @classmethod
    def offered_in(cls, context: OrderContext, at: Hex) -> Iterator[Option]:
        """Offer it with the least and the most that may be loaded."""
        store, minimum = context.state.store.get(at, 0), context.state.ruleset.convoy_least
        if at in context.state.urban and store >= minimum and enemy_present(context, at) is None:
            yield {
                "order": {"type": cls.TYPE, "at": context.label(at)},
                "choices": {"bp": sorted({minimum: None, store: None})},
                "least": minimum,
                "most": store,
            }


@dataclass(frozen=True, slots=True, kw_only=True)
class UnloadConvoy(ImmediateOrder):
    """D-22: unload a convoy into the friendly urban hex or stronghold where it stands."""

    TYPE: ClassVar[str] = "unload_convoy"
    FIELDS: ClassVar[tuple[FormField, ...]] = (FormField("convoy", "convoy"),)
    TEXT: ClassVar[tuple[str, ...]] = (
        "unload {convoy}",
        "unload convoy {convoy}",
    )
    convoy: Id

    def check(self, context: OrderContext) -> Found:
        """There must be an own or allied store."""
        convoy = context.mine(self.convoy)
        if not isinstance(convoy, Convoy):
            yield Problem("unknown_id", "That convoy is no more.", "convoy", self.convoy, "D-07")
        elif not can_unload(context.state, convoy):
            label = context.label(convoy.at)
            message = say("In {hex} there is neither an urban hex nor a stronghold of yours or an ally's.", hex=label)
            yield Problem("not_controlled", message, "convoy", self.convoy, "D-22")
        else:
            yield from found(enemy_present(context, convoy.at, "convoy"))

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say what the hex has afterwards; of an ally's, only what is unloaded."""
        convoy = context.convoy(self.convoy)
        label = context.label(convoy.at)
        said: dict[str, Any] = {"cost": 0, "unloads": convoy.bp, "hex": label, "why": "D-22"}
        if context.state.owner[convoy.at] == context.player:
            before = context.state.store.get(convoy.at, 0)
            said |= {"before": before, "after": before + convoy.bp}
        return said

    def carry_out(self, scene: Scene, context: OrderContext) -> None:
        """Unload it; the convoy vanishes."""
        unload_convoy(scene, context.convoy(self.convoy))

    @classmethod
    def offered_to_convoy(cls, context: OrderContext, convoy: Convoy) -> Iterator[Option]:
        """Offer it where there is a store."""
        return cls(convoy=convoy.id).offer(context, convoy=convoy.id)
