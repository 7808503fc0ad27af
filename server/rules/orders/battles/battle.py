"""What battle orders and results of the table have in common (6)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from server.core.sentences import say
from server.rules.board import NOWHERE, Hex
from server.rules.orders.base import Order
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import Fields
from server.rules.sides import side_of
from server.rules.state import Battle, Id, PlayerId, Unit

FightT = TypeVar("FightT")
ReportT = TypeVar("ReportT")


@dataclass(slots=True)
class Papers(Generic[FightT, ReportT]):
    """The battle orders of a phase: each side's wishes and the results of tabletop battles."""

    fights: dict[tuple[Hex, PlayerId], FightT] = field(default_factory=dict)
    reports: dict[Hex, ReportT] = field(default_factory=dict)
    """The report that counts for each battle: the first that is handed in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BattlesOrder(Order):
    """What both have in common: a battle."""

    battle: Hex

    def hand_in(self, papers: Papers[Any, Any], player: PlayerId) -> None:
        """Put it where its battle is fought."""
        raise NotImplementedError


def read_battle(fields: Fields) -> Hex:
    """Read the field ``battle``: the hex of a battle the player knows of."""
    hex_ = fields.hex("battle")
    if hex_ != NOWHERE and hex_ not in fields.context.state.battles:
        label = fields.context.state.board.label(hex_)
        fields.refuse("unknown_id", say("You know of no battle in {hex}.", hex=label), "battle", label, "D-07")
        return NOWHERE
    return hex_


def battle_units(context: OrderContext, battle: Battle) -> dict[Id, Unit]:
    """Return all units that may have fought, supporters' included, as far as they are known."""
    state = context.state
    forces = [*side_of(state, battle, attacking=True), *side_of(state, battle, attacking=False)]
    forces += [force for id_ in battle.supporters if (force := state.force(id_)) is not None]
    return {unit.id: unit for force in forces for unit in force.units}
