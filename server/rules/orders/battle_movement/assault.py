"""The orders ``attack`` and ``raid``, and what they have in common (4.1.1 to 4.1.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from server.core import hexes
from server.core.errors import Problem
from server.core.sentences import called, say
from server.rules.assaults import assault, may_attack_into
from server.rules.battle_field import Field
from server.rules.battle_modifiers import modifiers
from server.rules.board import ORBIT, Hex
from server.rules.orders.base import Found, Option, option_for
from server.rules.orders.battle_movement.order import BattleOrder
from server.rules.orders.battle_movement.target import Target
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import Fields
from server.rules.orders.form import FormField
from server.rules.state import Battle, Detachment, State
from server.rules.truce import in_truce


@dataclass(frozen=True, slots=True, kw_only=True)
class Assault(BattleOrder):
    """Attack or raid (4.1.1 to 4.1.4)."""

    ONCE: ClassVar[tuple[str, str]] = ("target", "D-56")
    target: Target
    planned: bool = False
    primary: bool = False

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read ``detachment``, its target, and the flags ``planned`` and ``primary``."""
        detachment = fields.own_detachment()
        target = Target.read(fields)
        return cls(
            detachment=detachment,
            target=target,
            planned=fields.boolean("planned"),
            primary=fields.boolean("primary"),
        )

    @property
    def kind(self) -> str:
        """``attack``, ``planned_attack``, ``raid`` or ``planned_raid``."""
        return f"planned_{self.TYPE}" if self.planned else self.TYPE

    @property
    def late(self) -> bool:
        """Planned assaults lose initiative (4.1.2, 4.1.4)."""
        return self.planned

    @property
    def leads(self) -> bool:
        """Its owner may name it so."""
        return self.primary

    def strikes(self, state: State) -> Hex | None:
        """Return its target's hex."""
        return self.target.where(state)

    def play(self, field_: Field, detachment: Detachment) -> None:
        """Strike, unless a battle it was drawn into holds the detachment (D-51)."""
        if detachment.id not in field_.committed:
            assault(field_, detachment, self)

    def once(self, context: OrderContext) -> str:
        """Name what only one order of a set may do: drop from orbit on one hex (D-56)."""
        at = self.target.where(context.state)
        return _drop(at) if context.detachment(self.detachment).at == ORBIT and at != ORBIT else ""

    def check(self, context: OrderContext) -> Found:
        """The target must be next to the detachment (or seen, from orbit), hostile and passable."""
        yield from BattleOrder.check(self, context)
        state, detachment = context.state, context.detachment(self.detachment)
        if detachment.ready_in:
            return
        if not state.fit(detachment):
            message = say("{detachment} has no models fit to fight: it attacks nobody.", detachment=detachment.name)
            yield Problem("not_allowed", message, "detachment", self.detachment, "D-41")
        said = self.target.said(state)
        at = self.target.where(state)
        force = state.force(self.target.force) if self.target.force else None
        if force is not None and state.friendly(context.player, force.owner):
            yield Problem("not_allowed", "Neither your own nor an ally's forces can be attacked.", "target", said, "4")
        elif at == ORBIT:
            if detachment.at == ORBIT:
                yield Problem("not_allowed", "From orbit only a force you see can be chosen.", "target", said, "4")
        elif detachment.at != ORBIT and at not in state.board.adjacent[detachment.at]:
            message = say("{hex} is not next to {detachment}.", hex=state.board.label(at), detachment=detachment.name)
            yield Problem("not_adjacent", message, "target", said, "4")
        elif in_truce(state, context.player, at):
            message = say(
                "A truce holds until turn {turn}: nobody attacks settlements of others.", turn=state.settings.truce
            )
            yield Problem("not_allowed", message, "target", said, "4")
        elif not may_attack_into(state, detachment, at):
            terrain = called(state.ruleset.terrain[state.board.terrain[at]].name)
            yield Problem(
                "terrain",
                say("{detachment} cannot enter {terrain}.", detachment=detachment.name, terrain=terrain),
                "target",
                said,
                "D-50",
            )

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say who is known to be there, how each adjacent hex would count, and the modifiers so far."""
        state, detachment, table = (
            context.state,
            context.detachment(self.detachment),
            context.state.ruleset.quick_battle,
        )
        at = self.target.where(state)
        if at == ORBIT:
            return {"target": "", "enemies": []}
        enemies = [force for force in state.forces_at(at) if not state.friendly(context.player, force.owner)]
        first = (enemies[0].id, enemies[0].owner) if enemies else ("", "")
        battle = Battle(at, detachment.id, first[0], self.kind, context.player, first[1], detachment.at)
        attacking, defending = modifiers(state, battle)
        front = None if detachment.at == ORBIT else state.board.direction(at, detachment.at)
        around = {
            state.board.label(next_): "front" if front is None else hexes.facing(front, direction)
            for direction, next_ in enumerate(state.board.neighbours[at])
            if next_ != ORBIT and next_ != detachment.at
        }
        return {
            "target": state.board.label(at),
            "enemies": [
                {"force": force.id, "owner": force.owner, "ready_points": state.ready_points(force)}
                for force in enemies
            ],
            "ready_points": state.ready_points(detachment),
            "attacker_modifier": attacking,
            "defender_modifier": defending,
            "support_from": around,
            "support_modifiers": {"front": table.front, "flank": table.flank, "rear": table.rear},
            "acts": "last" if self.planned else "in initiative order",
        }

    @classmethod
    def offered_to_able(cls, context: OrderContext, detachment: Detachment) -> Iterator[Option]:
        """Offer the hexes it may strike at, and the enemies seen there; from orbit only what all may know of (D-56)."""
        state, either = context.state, [False, True]
        orbit = detachment.at == ORBIT
        around = range(state.board.size) if orbit else state.board.adjacent[detachment.at]
        hexes_ = [
            hex_
            for hex_ in around
            if may_attack_into(state, detachment, hex_) and not in_truce(state, context.player, hex_)
        ]
        if orbit:
            hexes_ = [hex_ for hex_ in hexes_ if context.taken.get(_drop(hex_), detachment.id) == detachment.id]
        forces = [
            force.id
            for hex_ in hexes_
            for force in state.forces_at(hex_)
            if not state.friendly(context.player, force.owner)
        ]
        targets = [*(state.board.label(hex_) for hex_ in hexes_), *forces]
        if targets and state.fit(detachment):
            more = {} if orbit else {"primary": either}
            yield option_for(cls.TYPE, detachment, target=targets, planned=either, **more)


def _drop(at: Hex | None) -> str:
    """Name a drop from orbit onto a hex: only one of a set may."""
    return f"drop/{at}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack(Assault):
    """4.1.1, 4.1.2: move into the target's hex and take it."""

    TYPE: ClassVar[str] = "attack"
    FROM_ORBIT: ClassVar[bool] = True
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("detachment", "detachment"),
        FormField("target", "enemy"),
        FormField("planned", "flag", needed=False, told="planned"),
        FormField("primary", "flag", needed=False, told="primary"),
    )
    TEXT: ClassVar[tuple[str, ...]] = (
        "{detachment}: attack {target} {flags}",
        "attack {detachment} {target} {flags}",
        "{detachment}: attack {target} an {flags}",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Raid(Assault):
    """4.1.3, 4.1.4: strike and return."""

    TYPE: ClassVar[str] = "raid"
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("detachment", "detachment"),
        FormField("target", "enemy"),
        FormField("planned", "flag", needed=False, told="planned"),
        FormField("primary", "flag", needed=False, told="primary"),
    )
    TEXT: ClassVar[tuple[str, ...]] = (
        "{detachment}: raid {target} {flags}",
        "raid {detachment} {target} {flags}",
    )
