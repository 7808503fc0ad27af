"""The orders ``support`` and ``guard``, which help in battles next door (4.1.6, 4.1.7)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

from server.core.errors import Problem
from server.core.fields import shown
from server.core.sentences import say
from server.rules.battle_field import Field, battles_around, join_if_wanted, side_by_owner
from server.rules.board import ORBIT
from server.rules.orders.base import Found, Option, option_for
from server.rules.orders.battle_movement.order import BattleOrder
from server.rules.orders.battle_movement.target import Target
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import Fields
from server.rules.orders.form import FormField
from server.rules.state import Battle, Detachment, Force, State


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportingOrder(BattleOrder):
    """An order to stand by, and to join a battle in reach when there is one."""

    def reach(self, state: State, supporter: Detachment) -> int:  # noqa: ARG002
        """Return how many hexes away the battles are that it joins: those next door."""
        return 1

    def side(self, state: State, battle: Battle, supporter: Detachment) -> str:
        """Return the side it helps in a battle, ``attacker`` or ``defender``; empty for none."""
        raise NotImplementedError

    def play(self, field_: Field, detachment: Detachment) -> None:
        """Join the first battle there is already, or wait for one."""
        field_.standing_by[detachment.id] = self
        if detachment.at != ORBIT:
            for battle in battles_around(field_, detachment.at, self.reach(field_.state, detachment)):
                join_if_wanted(field_, battle, detachment, self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Support(SupportingOrder):
    """4.1.7: help a friendly force, or any friendly force in a hex (D-55)."""

    TYPE: ClassVar[str] = "support"
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("detachment", "detachment"),
        FormField("target", "friend"),
    )
    TEXT: ClassVar[tuple[str, ...]] = (
        "{detachment}: support {target}",
        "support {detachment} {target}",
    )
    target: Target

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read ``detachment``, and the hex or force it supports."""
        return cls(detachment=fields.own_detachment(), target=Target.read(fields))

    def reach(self, state: State, supporter: Detachment) -> int:
        """Artillery reaches further than the hexes next to it (D-71b)."""
        return state.ruleset.detachment_types[supporter.type].support_range

    def check(self, context: OrderContext) -> Found:
        """A hex must be in reach, a force friendly and at most one hex further away."""
        yield from BattleOrder.check(self, context)
        state, detachment = context.state, context.detachment(self.detachment)
        if detachment.at == ORBIT:
            return
        said, at = self.target.said(state), self.target.where(state)
        force: Force | None = state.force(self.target.force) if self.target.force else None
        if self.target.force == self.detachment:
            yield Problem("not_allowed", "A detachment cannot support itself.", "target", said, "4.1.7")
        elif force is not None and not state.friendly(context.player, force.owner):
            yield Problem("not_allowed", "Only your own and allied forces can be supported.", "target", said, "4.1.7")
        elif at == ORBIT:
            return
        elif state.board.distance(detachment.at, at) > self.reach(state, detachment) + bool(self.target.force):
            message = say(
                "{target} is too far away to be supported by {detachment}.",
                target=shown(said),
                detachment=detachment.name,
            )
            yield Problem("not_adjacent", message, "target", said, "D-55")
        elif at == detachment.at and not self.target.force:
            yield Problem("not_adjacent", "Support is lent to an adjacent hex.", "target", said, "D-55")

    def side(self, state: State, battle: Battle, supporter: Detachment) -> str:
        """A named hex is the battle's, a named force takes part in it."""
        id_ = self.target.force
        if not id_:
            return side_by_owner(state, battle, supporter) if self.target.hex == battle.hex else ""
        if id_ == battle.attacker:
            return "attacker"
        if id_ in battle.supporters:
            return "defender" if battle.supporters[id_] == "defender" else "attacker"
        return "defender" if any(force.id == id_ for force in state.forces_at(battle.hex)) else ""

    @classmethod
    def offered_to_able(cls, context: OrderContext, detachment: Detachment) -> Iterator[Option]:
        """Offer each hex in reach, and each friendly force at most one hex further away (D-55)."""
        state = context.state
        reach = state.ruleset.detachment_types[detachment.type].support_range
        around = [state.board.label(hex_) for hex_ in state.board.within(detachment.at, reach) if hex_ != detachment.at]
        friends = [
            force.id
            for hex_ in state.board.within(detachment.at, reach + 1)
            for force in state.forces_at(hex_)
            if force is not detachment and state.friendly(context.player, force.owner)
        ]
        yield option_for(cls.TYPE, detachment, target=around + friends)


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard(SupportingOrder):
    """4.1.6: support the first friendly battle next door."""

    TYPE: ClassVar[str] = "guard"
    REPEATS: ClassVar[bool] = True
    STANDS: ClassVar[bool] = True
    FIELDS: ClassVar[tuple[FormField, ...]] = (FormField("detachment", "detachment"),)
    TEXT: ClassVar[tuple[str, ...]] = (
        "{detachment}: guard",
        "guard {detachment}",
    )

    def side(self, state: State, battle: Battle, supporter: Detachment) -> str:
        """Help its own side, and allies."""
        return side_by_owner(state, battle, supporter)
