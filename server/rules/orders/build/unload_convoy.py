"""The order ``unload_convoy`` (D-22)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.core.sentences import say
from server.rules.movement import can_unload, unload_convoy
from server.rules.orders.base import Found, ImmediateOrder, Option
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import Fields
from server.rules.orders.form import FormField
from server.rules.orders.sites import enemy_present, found
from server.rules.scene import Scene
from server.rules.state import BUILD, Convoy, Id


@dataclass(frozen=True, slots=True, kw_only=True)
class UnloadConvoy(ImmediateOrder):
    """D-22: unload a convoy into the friendly urban hex or stronghold where it stands."""

    TYPE: ClassVar[str] = "unload_convoy"
    PHASE: ClassVar[tuple[str, ...]] = (BUILD,)
    FIELDS: ClassVar[tuple[FormField, ...]] = (FormField("convoy", "convoy"),)
    TEXT: ClassVar[tuple[str, ...]] = (
        "unload {convoy}",
        "unload convoy {convoy}",
    )
    convoy: Id

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read ``convoy``, which must be the player's own."""
        return cls(convoy=fields.own_convoy())

    def check(self, context: OrderContext) -> Found:
        """There must be an own or allied store."""
        convoy = context.mine(self.convoy)
        if not isinstance(convoy, Convoy):
            yield Problem("unknown_id", "That convoy is no more.", "convoy", self.convoy, "D-07")
        elif not can_unload(context.state, convoy):
            label = context.state.board.label(convoy.at)
            message = say("In {hex} there is neither an urban hex nor a stronghold of yours or an ally's.", hex=label)
            yield Problem("not_controlled", message, "convoy", self.convoy, "D-22")
        else:
            yield from found(enemy_present(context, convoy.at, "convoy"))

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say what the hex has afterwards; of an ally's, only what is unloaded."""
        convoy = context.convoy(self.convoy)
        label = context.state.board.label(convoy.at)
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
