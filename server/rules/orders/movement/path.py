"""The order ``path`` (2.1.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from server.rules.board import ORBIT
from server.rules.movement import can_unload, move_convoy, mover
from server.rules.orders.base import Found, Option, option_for
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import Fields
from server.rules.orders.form import FormField
from server.rules.orders.movement.order import (
    MovementOrder,
    MovementPhase,
    MoveOrder,
    convoy_named,
    in_reach,
    read_march,
    read_path,
    walk_preview,
)
from server.rules.state import Convoy, Id, PlayerId


@dataclass(frozen=True, slots=True, kw_only=True)
class Path(MoveOrder):
    """2.1.1: move along a path. The one order, other than Guard, that convoys take."""

    TYPE: ClassVar[str] = "path"
    EXPLAINED: ClassVar[tuple[str, ...]] = ("mv", "reach", "after", "why")
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("detachment", "detachment", needed=False),
        FormField("convoy", "convoy", needed=False),
        FormField("path", "path"),
        FormField("unload", "flag", needed=False, told="unloads"),
    )
    TEXT: ClassVar[tuple[str, ...]] = (
        "{detachment}: move {path} {flags}",
        "convoy {convoy}: move {path} {flags}",
        "{convoy}: move {path} {flags}",
        "move {detachment} [to] {path} {flags}",
        "move convoy {convoy} [to] {path} {flags}",
        "move {convoy} [to] {path} {flags}",
    )
    convoy: Id = ""
    unload: bool = False

    @property
    def subject(self) -> str:
        """One order for each detachment or convoy (D-39a)."""
        return self.convoy or self.detachment

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the order, for a detachment or a convoy."""
        convoy = convoy_named(fields)
        if not convoy and not fields.has("convoy"):
            return cls(**read_march(fields))
        start = fields.context.convoy(convoy).at if convoy else ORBIT
        return cls(detachment="", convoy=convoy, path=read_path(fields, start), unload=fields.boolean("unload"))

    def check(self, context: OrderContext) -> Found:
        """A convoy is always free to move."""
        if not self.convoy:
            yield from MovementOrder.check(self, context)

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say step by step the path's cost, and the hex and reason of its stop."""
        if not self.convoy:
            return MoveOrder.preview(self, context)
        convoy = context.convoy(self.convoy)
        who = mover(context.state, convoy)
        said = walk_preview(context, convoy, who, self.path, who.mv, reserve=False)
        goal = self.path[-1] if self.path else convoy.at
        arrives = said["ends_at"] == context.state.board.label(goal)
        there = Convoy(convoy.id, convoy.owner, goal, convoy.bp)
        return said | {"unloads": self.unload and arrives and can_unload(context.state, there)}

    def move(self, march: MovementPhase, player: PlayerId) -> None:
        """Move the detachment; or the convoy, unless it was captured before it could."""
        if self.convoy:
            convoy = march.scene.state.convoys.get(self.convoy)
            if convoy is not None and convoy.owner == player:
                move_convoy(march.scene, convoy, self.path, unload=self.unload)
            return
        detachment = march.detachment(self.detachment)
        if detachment is not None:
            self.walk(march, detachment)

    @classmethod
    def offered_to_convoy(cls, context: OrderContext, convoy: Convoy) -> Iterator[Option]:
        """Offer a cheapest path to each hex in reach, and to unload on arrival."""
        mv = mover(context.state, convoy).mv
        reach = list(in_reach(context, convoy, mv).values())
        if reach:
            option = option_for(cls.TYPE, convoy, path=[target["path"] for target in reach], unload=[False, True])
            yield option | {"reach": reach, "mv": mv}
