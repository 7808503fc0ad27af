"""The order ``guard`` (2.1.7)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from server.rules.board import ORBIT
from server.rules.orders.base import Found, Option, option_for
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import Fields
from server.rules.orders.form import FormField
from server.rules.orders.movement.order import (
    MovementOrder,
    convoy_named,
)
from server.rules.state import Convoy, Detachment, Id


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard(MovementOrder):
    """2.1.7: do nothing."""

    TYPE: ClassVar[str] = "guard"
    REPEATS: ClassVar[bool] = True
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("detachment", "detachment", needed=False),
        FormField("convoy", "convoy", needed=False),
    )
    TEXT: ClassVar[tuple[str, ...]] = (
        "{detachment}: guard",
        "convoy {convoy}: guard",
        "{convoy}: guard",
        "guard {detachment}",
        "guard convoy {convoy}",
        "guard {convoy}",
    )
    DEFAULT: ClassVar[bool] = True
    IDLE: ClassVar[bool] = True
    convoy: Id = ""

    @property
    def subject(self) -> str:
        """One order for each detachment or convoy (D-39a)."""
        return self.convoy or self.detachment

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the order, for a detachment or a convoy."""
        convoy = convoy_named(fields)
        if convoy or fields.has("convoy"):
            return cls(detachment="", convoy=convoy)
        return cls(detachment=fields.own_detachment())

    def check(self, context: OrderContext) -> Found:  # noqa: ARG002
        """Everything can guard."""
        return iter(())

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say where it stays."""
        thing = context.find(self.subject)
        return {"ends_at": context.state.board.label(thing.at if thing else ORBIT)}

    @classmethod
    def offered_to(cls, context: OrderContext, detachment: Detachment) -> Iterator[Option]:  # noqa: ARG003
        """Offer it to every detachment that stands."""
        yield option_for(cls.TYPE, detachment)

    @classmethod
    def offered_to_convoy(cls, context: OrderContext, convoy: Convoy) -> Iterator[Option]:  # noqa: ARG003
        """Offer it to every convoy."""
        yield option_for(cls.TYPE, convoy)
