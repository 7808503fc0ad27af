"""The order ``fight`` (6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.core.sentences import say
from server.rules.battle_modifiers import modifiers
from server.rules.orders.base import Found, Option
from server.rules.orders.battles.battle import BattlesOrder, Papers, read_battle
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import Fields
from server.rules.orders.form import HALF, FormField
from server.rules.quick_battle import Choice
from server.rules.sides import ready_points, side_of
from server.rules.state import BATTLES, Battle, PlayerId

MODES = ("quick", "tabletop")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fight(BattlesOrder):
    """Phase 6: how a side wants its battle fought, and who falls first (D-60)."""

    TYPE: ClassVar[str] = "fight"
    EXPLAINED: ClassVar[tuple[str, ...]] = ("casualties", "picks")
    PHASE: ClassVar[tuple[str, ...]] = (BATTLES,)
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("battle", "battle"),
        FormField("mode", "choice", needed=False, choices=MODES),
        FormField("casualties", "casualties", needed=False),
        FormField("picks", "picks", needed=False),
    )
    TEXT: ClassVar[tuple[str, ...]] = ("battle {battle}: [{mode}]; [lose {casualties}]; [pick {picks}]",)
    mode: str = "quick"
    casualties: tuple[Choice, ...] = ()
    picks: tuple[Choice, ...] = ()

    @property
    def subject(self) -> str:
        """One order for each battle."""
        return f"battle/{self.battle}"

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read ``battle``, ``mode``, and the units one gives up or picks."""
        battle = read_battle(fields)
        mode = fields.one_of("mode", MODES, "way to fight") if fields.has("mode") else "quick"
        casualties, picks = fields.ids("casualties"), fields.ids("picks")
        order = cls(battle=battle, mode=mode, casualties=_choices(casualties), picks=_choices(picks))
        order._read_units(fields)
        return order

    def _read_units(self, fields: Fields) -> None:
        """Unit ids are known only where they stand in this battle on the side they are named for."""
        context, battle = fields.context, fields.context.state.battles.get(self.battle)
        if battle is None:
            return
        mine = battle.attacking == context.player
        for name, choices, attacking in (("casualties", self.casualties, mine), ("picks", self.picks, not mine)):
            units = {
                unit.id: unit for force in side_of(context.state, battle, attacking=attacking) for unit in force.units
            }
            for choice in choices:
                if choice.unit not in units:
                    fields.unknown(name, choice.unit)

    def check(self, context: OrderContext) -> Found:
        """Only the owners of the two primaries give battle orders."""
        battle = context.state.battles[self.battle]
        if context.player not in (battle.attacking, battle.defended_by):
            label = context.state.board.label(self.battle)
            yield Problem(
                "not_yours", say("The battle in {hex} is not yours to fight.", hex=label), "battle", label, "D-60"
            )

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say how strong both sides are and what modifies their rolls."""
        battle = context.state.battles[self.battle]
        attacker, defender = modifiers(context.state, battle)
        return {
            "attacker_modifier": attacker,
            "defender_modifier": defender,
            "attacker_ready_points": ready_points(context.state, side_of(context.state, battle, attacking=True)),
            "defender_ready_points": ready_points(context.state, side_of(context.state, battle, attacking=False)),
        }

    def hand_in(self, papers: Papers[Any, Any], player: PlayerId) -> None:
        """Each side has its own."""
        papers.fights[self.battle, player] = self

    @classmethod
    def offered_in_battle(cls, context: OrderContext, battle: Battle) -> Iterator[Option]:
        """Offer the ways to fight, the own units for the casualty order, and the picks, whole or half."""
        halved, attacking = context.state.can_be_halved, battle.attacking == context.player
        mine, theirs = (
            [unit for force in side_of(context.state, battle, attacking=side) for unit in force.units]
            for side in (attacking, not attacking)
        )
        may_pick = battle.planned if attacking else battle.defending
        yield {
            "order": {"type": cls.TYPE, "battle": context.state.board.label(battle.hex)},
            "choices": {"mode": [mode for mode in MODES if context.state.settings.battles in (mode, "choice")]},
            "casualties": [unit.id for unit in mine] + [unit.id + HALF for unit in mine if halved(unit)],
            "picks": [unit.id for unit in theirs if halved(unit)] if may_pick else [],
        }


def _choices(names: tuple[str, ...]) -> tuple[Choice, ...]:
    return tuple(Choice(name.removesuffix(HALF), name.endswith(HALF)) for name in names)
