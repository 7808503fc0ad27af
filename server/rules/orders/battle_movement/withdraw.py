"""The order ``withdraw`` (4.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

from server.core.errors import Problem
from server.core.sentences import say
from server.rules.battle_field import Field
from server.rules.board import ORBIT, Hex
from server.rules.orders.base import Found, Option, option_for
from server.rules.orders.battle_movement.order import BattleOrder
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import Fields
from server.rules.orders.form import FormField
from server.rules.state import Detachment
from server.rules.withdrawals import withdraw


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdraw(BattleOrder):
    """4.1: give way when attacked (D-53)."""

    TYPE: ClassVar[str] = "withdraw"
    STANDS: ClassVar[bool] = True
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("detachment", "detachment"),
        FormField("to", "hexes", needed=False),
    )
    TEXT: ClassVar[tuple[str, ...]] = (
        "{detachment}: withdraw [to] [{to}]",
        "withdraw {detachment} [to] [{to}]",
    )
    SENTENCES: ClassVar[tuple[tuple[str, str], ...]] = (("to", "withdraw"), ("", "withdraw_anywhere"))
    to: tuple[Hex, ...] = ()

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the order; without ``to`` the rules choose the hex."""
        detachment = fields.own_detachment()
        return cls(detachment=detachment, to=fields.hexes("to") if fields.has("to") else ())

    def check(self, context: OrderContext) -> Found:
        """The hexes must be next to the detachment; which are legal shows when the detachment is attacked."""
        yield from BattleOrder.check(self, context)
        detachment = context.detachment(self.detachment)
        if detachment.at == ORBIT:
            return
        for hex_ in self.to:
            if hex_ not in context.state.board.adjacent[detachment.at]:
                label = context.state.board.label(hex_)
                yield Problem(
                    "not_adjacent",
                    say("{hex} is not next to {detachment}.", hex=label, detachment=detachment.name),
                    "to",
                    label,
                    "D-53",
                )

    def gives_way(self, field_: Field, defender: Detachment, attacker: Detachment) -> bool:
        """Leave for a hex wanted, else the best there is."""
        withdraw(field_.scene, defender, self.to, attacker)
        return True

    @classmethod
    def offered_to_able(cls, context: OrderContext, detachment: Detachment) -> Iterator[Option]:
        """Offer each adjacent hex."""
        board = context.state.board
        around = [[board.label(hex_)] for hex_ in board.adjacent[detachment.at]]
        yield option_for(cls.TYPE, detachment, to=around)
