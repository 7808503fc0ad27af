"""Orders for convoys in the Build phase (1.1, D-22)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.core.sentences import say
from server.rules.board import Hex
from server.rules.movement import can_unload, unload_convoy
from server.rules.orders.base import Found, ImmediateOrder, Order
from server.rules.orders.desk import Desk
from server.rules.orders.fields import MOST_BP, Fields
from server.rules.orders.sites import bill, cannot_pay, not_urban
from server.rules.scene import Scene
from server.rules.state import BUILD, Convoy, Id
from server.rules.treasury import load_convoy


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateConvoy(ImmediateOrder):
    """1.1: load BP of an urban hex into a new convoy."""

    TYPE: ClassVar[str] = "create_convoy"
    PHASE: ClassVar[tuple[str, ...]] = (BUILD,)
    at: Hex
    bp: int

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the order."""
        return cls(at=fields.hex("at"), bp=fields.integer("bp", 0, MOST_BP))

    def check(self, desk: Desk) -> Found:
        """An own urban hex that has the BP; a convoy carries at least so many."""
        place = not_urban(desk, self.at, rule="1.1")
        least = desk.state.ruleset.convoy_least
        if place is not None:
            yield place
        elif self.bp < least:
            yield Problem(
                "convoy_too_small", say("A convoy carries at least {least} BP.", least=least), "bp", self.bp, "1.1"
            )
        elif (poor := cannot_pay(desk, self.at, self.bp, "bp", "1.1")) is not None:
            yield poor

    def preview(self, desk: Desk) -> dict[str, Any]:
        """Say what the hex has left."""
        said = bill(desk, self.at, self.bp, why="1.1: convoys are free, the BP are only loaded")
        return said | {"cost": 0, "loads": self.bp}

    def carry_out(self, scene: Scene, desk: Desk) -> None:
        """Load the BP."""
        convoy = load_convoy(scene.state, desk.player, self.at, self.bp, self.alias)
        if self.alias:
            desk.aliases[self.alias] = convoy.id
        scene.tell("convoy_created", [desk.player], convoy=convoy.id, hex=scene.label(self.at), bp=self.bp)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnloadConvoy(ImmediateOrder):
    """D-22: unload a convoy into the friendly urban hex or stronghold where it stands."""

    TYPE: ClassVar[str] = "unload_convoy"
    PHASE: ClassVar[tuple[str, ...]] = (BUILD,)
    convoy: Id

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the order."""
        return cls(convoy=fields.own_convoy())

    def check(self, desk: Desk) -> Found:
        """There must be an own or allied store."""
        convoy = desk.mine(self.convoy)
        if not isinstance(convoy, Convoy):
            yield Problem("unknown_id", "That convoy is no more.", "convoy", self.convoy, "D-07")
        elif not can_unload(desk.state, convoy):
            label = desk.state.board.label(convoy.at)
            message = say("In {hex} there is neither an urban hex nor a stronghold of yours or an ally's.", hex=label)
            yield Problem("not_controlled", message, "convoy", self.convoy, "D-22")

    def preview(self, desk: Desk) -> dict[str, Any]:
        """Say what the hex has afterwards; of an ally's, only what is unloaded."""
        convoy = desk.convoy(self.convoy)
        label = desk.state.board.label(convoy.at)
        said: dict[str, Any] = {"cost": 0, "unloads": convoy.bp, "hex": label, "why": "D-22"}
        if desk.state.owner[convoy.at] == desk.player:
            before = desk.state.store.get(convoy.at, 0)
            said |= {"before": before, "after": before + convoy.bp}
        return said

    def carry_out(self, scene: Scene, desk: Desk) -> None:
        """Unload it; the convoy vanishes."""
        unload_convoy(scene, desk.convoy(self.convoy))


KINDS: tuple[type[Order], ...] = (CreateConvoy, UnloadConvoy)
