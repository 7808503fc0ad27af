"""The orders of the battle movement phase, and what they have in common (4.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from server.core import hexes
from server.core.errors import Problem
from server.core.fields import shown
from server.core.sentences import called, say
from server.rules.assaults import assault, may_attack_into
from server.rules.battle_field import Field, battles_around, join_if_wanted, side_by_owner
from server.rules.board import ORBIT, Hex
from server.rules.movement import withdraw
from server.rules.orders.base import DetachmentOrder, Found, Option, option_for
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import FormField, Target
from server.rules.sides import modifiers
from server.rules.state import BATTLE_MOVEMENT, Battle, Detachment, Force, State


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleOrder(DetachmentOrder):
    """What all battle orders have in common: one detachment, which must be able to obey."""

    PHASE: ClassVar[tuple[str, ...]] = (BATTLE_MOVEMENT,)
    FROM_ORBIT: ClassVar[bool] = False
    """A detachment in orbit may be given it (D-56)."""
    STANDS: ClassVar[bool] = False
    """It lasts for a detachment that gets no new order."""
    WHEN_EXHAUSTED: ClassVar[bool] = False
    """A detachment that its movement made inactive may be given it (D-50a)."""

    def check(self, context: OrderContext) -> Found:
        """Under construction, exhausted or in orbit not every order can be obeyed."""
        detachment = context.detachment(self.detachment)
        if detachment.ready_in:
            yield self.under_construction(detachment)
        elif detachment.at == ORBIT and not self.FROM_ORBIT:
            message = say("{detachment} is in orbit: it can only attack or stay inactive.", detachment=detachment.name)
            yield Problem("orbit_only", message, "detachment", self.detachment, "D-56")
        elif detachment.battle_order == "inactive" and not self.WHEN_EXHAUSTED:
            message = say("{detachment} is inactive this turn after its movement.", detachment=detachment.name)
            yield Problem("forced_inactive", message, "detachment", self.detachment, "D-50a")

    def preview(self, context: OrderContext) -> dict[str, Any]:  # noqa: ARG002
        """Say nothing more than that it is understood."""
        return {}

    @classmethod
    def offered_to(cls, context: OrderContext, detachment: Detachment) -> Iterator[Option]:
        """Offer it to detachments that are able to obey it."""
        if detachment.battle_order == "inactive" and not cls.WHEN_EXHAUSTED:
            return
        if detachment.at != ORBIT or cls.FROM_ORBIT:
            yield from cls.offered_to_able(context, detachment)

    @classmethod
    def offered_to_able(cls, context: OrderContext, detachment: Detachment) -> Iterator[Option]:  # noqa: ARG003
        """Offer it to a detachment that is able to obey it."""
        yield option_for(cls.TYPE, detachment)

    @property
    def late(self) -> bool:
        """True when it is carried out after all others' orders (4.1.2, 4.1.4)."""
        return False

    @property
    def leads(self) -> bool:
        """True when its detachment is the primary of those that strike at one target (D-51)."""
        return False

    def strikes(self, state: State) -> Hex | None:  # noqa: ARG002
        """Return the hex it strikes at, None where it strikes at none."""
        return None

    def play(self, field_: Field, detachment: Detachment) -> None:
        """Carry it out when its turn has come."""

    def gives_way(self, field_: Field, defender: Detachment, attacker: Detachment) -> bool:  # noqa: ARG002
        """Answer an attack that comes when it has been carried out; return whether the defender has left its hex."""
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Defend(BattleOrder):
    """4.1.5: dig in."""

    TYPE: ClassVar[str] = "defend"
    IDLE: ClassVar[bool] = True
    TEXT: ClassVar[tuple[str, ...]] = (
        "{detachment}: defend",
        "defend {detachment}",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Inactive(BattleOrder):
    """4.1.8: do nothing."""

    TYPE: ClassVar[str] = "inactive"
    FROM_ORBIT: ClassVar[bool] = True
    WHEN_EXHAUSTED: ClassVar[bool] = True
    TEXT: ClassVar[tuple[str, ...]] = (
        "{detachment}: inactive",
        "{detachment} does inactive",
        "inactive {detachment}",
    )
    DEFAULT: ClassVar[bool] = True
    IDLE: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Assault(BattleOrder):
    """Attack or raid (4.1.1 to 4.1.4)."""

    ONCE: ClassVar[tuple[str, str]] = ("target", "D-56")
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("detachment", "detachment"),
        FormField("target", "enemy"),
        FormField("planned", "flag", needed=False, told="planned"),
        FormField("primary", "flag", needed=False, told="primary"),
    )
    target: Target
    planned: bool = False
    primary: bool = False

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
        elif state.in_truce(context.player, at):
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
            if may_attack_into(state, detachment, hex_) and not state.in_truce(context.player, hex_)
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
    TEXT: ClassVar[tuple[str, ...]] = (
        "{detachment}: attack {target} {flags}",
        "attack {detachment} {target} {flags}",
        "{detachment}: attack {target} an {flags}",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Raid(Assault):
    """4.1.3, 4.1.4: strike and return."""

    TYPE: ClassVar[str] = "raid"
    TEXT: ClassVar[tuple[str, ...]] = (
        "{detachment}: raid {target} {flags}",
        "raid {detachment} {target} {flags}",
    )


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

    def check(self, context: OrderContext) -> Found:
        """The hexes must be next to the detachment; which are legal shows when the detachment is attacked."""
        yield from BattleOrder.check(self, context)
        detachment = context.detachment(self.detachment)
        if detachment.at == ORBIT:
            return
        for hex_ in self.to:
            if hex_ not in context.state.board.adjacent[detachment.at]:
                label = context.label(hex_)
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
    TEXT: ClassVar[tuple[str, ...]] = (
        "{detachment}: guard",
        "guard {detachment}",
    )

    def side(self, state: State, battle: Battle, supporter: Detachment) -> str:
        """Help its own side, and allies."""
        return side_by_owner(state, battle, supporter)
