"""Battle movement orders (4.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from server.core import hexes
from server.core.errors import Problem
from server.core.fields import shown
from server.core.sentences import called, say
from server.rules.board import ORBIT, Hex
from server.rules.movement import mover
from server.rules.orders.base import DetachmentOrder, Found, Order
from server.rules.orders.desk import Desk
from server.rules.orders.fields import Fields
from server.rules.state import BATTLE_MOVEMENT, Detachment, Force, Id, State


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A hex, or a force by its id."""

    hex: Hex = ORBIT
    force: Id = ""

    @classmethod
    def read(cls, fields: Fields) -> Target:
        """Read the field ``target``: the label of a hex or the id of a force the player knows of."""
        value = fields.order.get("target")
        board = fields.desk.state.board
        if isinstance(value, str) and not fields.desk.knows(value):
            looks_like_hex = value.isdecimal() and len(value) == len(board.label(0))
            if looks_like_hex or board.find(value) is not None:
                return cls(hex=fields.hex("target"))
        elif isinstance(value, int):
            return cls(hex=fields.hex("target"))
        return cls(force=fields.id("target"))

    def where(self, state: State) -> Hex:
        """Return the target's hex, :data:`ORBIT` when the force is not on the map."""
        if not self.force:
            return self.hex
        force = state.force(self.force)
        return ORBIT if force is None or (isinstance(force, Detachment) and force.ready_in) else force.at

    def said(self, state: State) -> str:
        """Return what the order said."""
        return self.force or state.board.label(self.hex)


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleOrder(DetachmentOrder):
    """What all battle orders have in common: one detachment, which must be able to obey."""

    PHASE: ClassVar[tuple[str, ...]] = (BATTLE_MOVEMENT,)
    FROM_ORBIT: ClassVar[bool] = False

    def check(self, desk: Desk) -> Found:
        """Under construction, exhausted or in orbit not every order can be obeyed."""
        detachment = desk.detachment(self.detachment)
        if (problem := self.under_construction(desk)) is not None:
            yield problem
        elif detachment.at == ORBIT and not self.FROM_ORBIT:
            message = say("{detachment} is in orbit: it can only attack or stay inactive.", detachment=detachment.name)
            yield Problem("orbit_only", message, "detachment", self.detachment, "D-56")
        elif detachment.battle_order == "inactive" and not isinstance(self, Inactive):
            message = say("{detachment} is inactive this turn after its movement.", detachment=detachment.name)
            yield Problem("forced_inactive", message, "detachment", self.detachment, "D-50a")

    def preview(self, desk: Desk) -> dict[str, Any]:  # noqa: ARG002
        """Say nothing more than that it is understood."""
        return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Assault(BattleOrder):
    """Attack or raid (4.1.1 to 4.1.4)."""

    target: Target
    planned: bool = False
    primary: bool = False

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the order."""
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

    def once(self, desk: Desk) -> str:
        """Name what only one order of a set may do: drop from orbit on one hex (D-56)."""
        at = self.target.where(desk.state)
        return f"drop/{at}" if desk.detachment(self.detachment).at == ORBIT and at != ORBIT else ""

    def check(self, desk: Desk) -> Found:
        """The target must be next to the detachment (or seen, from orbit), hostile and passable."""
        yield from BattleOrder.check(self, desk)
        state, detachment = desk.state, desk.detachment(self.detachment)
        if detachment.ready_in:
            return
        said = self.target.said(state)
        at = self.target.where(state)
        force = state.force(self.target.force) if self.target.force else None
        if force is not None and state.friendly(desk.player, force.owner):
            yield Problem("not_allowed", "Neither your own nor an ally's forces can be attacked.", "target", said, "4")
        elif at == ORBIT:
            if detachment.at == ORBIT:
                yield Problem("not_allowed", "From orbit only a force you see can be chosen.", "target", said, "4")
        elif detachment.at != ORBIT and at not in state.board.adjacent[detachment.at]:
            message = say("{hex} is not next to {detachment}.", hex=state.board.label(at), detachment=detachment.name)
            yield Problem("not_adjacent", message, "target", said, "4")
        elif not may_attack_into(state, detachment, at):
            terrain = called(state.ruleset.terrain[state.board.terrain[at]].name)
            yield Problem(
                "terrain",
                say("{detachment} cannot enter {terrain}.", detachment=detachment.name, terrain=terrain),
                "target",
                said,
                "D-50",
            )

    def preview(self, desk: Desk) -> dict[str, Any]:
        """Say who is known to be there, how each adjacent hex would count, and the modifiers so far."""
        state, detachment, table = desk.state, desk.detachment(self.detachment), desk.state.ruleset.quick_battle
        at = self.target.where(state)
        if at == ORBIT:
            return {"target": "", "enemies": []}
        modifier = (table.planned if self.planned else 0) + (table.raid if self.TYPE == "raid" else 0)
        front = None if detachment.at == ORBIT else state.board.direction(at, detachment.at)
        around = {
            state.board.label(next_): "front" if front is None else hexes.facing(front, direction)
            for direction, next_ in enumerate(state.board.neighbours[at])
            if next_ != ORBIT and next_ != detachment.at
        }
        return {
            "target": state.board.label(at),
            "enemies": [
                {"force": force.id, "owner": force.owner, "ready_points": force.ready_points}
                for force in state.forces_at(at)
                if not state.friendly(desk.player, force.owner)
            ],
            "ready_points": detachment.ready_points,
            "attacker_modifier": modifier,
            "defender_modifier": table.raid if self.TYPE == "raid" else 0,
            "support_from": around,
            "support_modifiers": {"front": table.front, "flank": table.flank, "rear": table.rear},
            "acts": "last" if self.planned else "in initiative order",
        }


def may_attack_into(state: State, detachment: Detachment, at: Hex) -> bool:
    """True when the terrain lets the detachment in (D-50); the sea lets nobody."""
    who = mover(state, detachment)
    if not state.ruleset.terrain[state.board.terrain[at]].land:
        return False
    return (who.enters(state.board.terrain[at]) if detachment.at == ORBIT else who.cost(state, detachment.at, at)) > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack(Assault):
    """4.1.1, 4.1.2: move into the target's hex and take it."""

    TYPE: ClassVar[str] = "attack"
    FROM_ORBIT: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Raid(Assault):
    """4.1.3, 4.1.4: strike and return."""

    TYPE: ClassVar[str] = "raid"


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdraw(BattleOrder):
    """4.1: give way when attacked (D-53)."""

    TYPE: ClassVar[str] = "withdraw"
    to: tuple[Hex, ...] = ()

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the order; without ``to`` the rules choose the hex."""
        detachment = fields.own_detachment()
        return cls(detachment=detachment, to=fields.hexes("to") if fields.has("to") else ())

    def check(self, desk: Desk) -> Found:
        """The hexes must be next to the detachment; which are legal shows when it comes to it."""
        yield from BattleOrder.check(self, desk)
        detachment = desk.detachment(self.detachment)
        if detachment.at == ORBIT:
            return
        for hex_ in self.to:
            if hex_ not in desk.state.board.adjacent[detachment.at]:
                label = desk.state.board.label(hex_)
                yield Problem(
                    "not_adjacent",
                    say("{hex} is not next to {detachment}.", hex=label, detachment=detachment.name),
                    "to",
                    label,
                    "D-53",
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class Support(BattleOrder):
    """4.1.7: help a friendly force, or whoever is friendly in a hex (D-55)."""

    TYPE: ClassVar[str] = "support"
    target: Target

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the order."""
        return cls(detachment=fields.own_detachment(), target=Target.read(fields))

    def check(self, desk: Desk) -> Found:
        """A hex must be adjacent, a force friendly and at most two hexes away."""
        yield from BattleOrder.check(self, desk)
        state, detachment = desk.state, desk.detachment(self.detachment)
        if detachment.at == ORBIT:
            return
        said, at = self.target.said(state), self.target.where(state)
        force: Force | None = state.force(self.target.force) if self.target.force else None
        if self.target.force == self.detachment:
            yield Problem("not_allowed", "A detachment cannot support itself.", "target", said, "4.1.7")
        elif force is not None and not state.friendly(desk.player, force.owner):
            yield Problem("not_allowed", "Only your own and allied forces can be supported.", "target", said, "4.1.7")
        elif at == ORBIT:
            return
        elif state.board.distance(detachment.at, at) > (2 if self.target.force else 1):
            message = say(
                "{target} is too far away to be supported by {detachment}.",
                target=shown(said),
                detachment=detachment.name,
            )
            yield Problem("not_adjacent", message, "target", said, "D-55")
        elif at == detachment.at and not self.target.force:
            yield Problem("not_adjacent", "Support is lent to an adjacent hex.", "target", said, "D-55")


@dataclass(frozen=True, slots=True, kw_only=True)
class Defend(BattleOrder):
    """4.1.5: dig in."""

    TYPE: ClassVar[str] = "defend"


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard(BattleOrder):
    """4.1.6: support the first friendly battle next door."""

    TYPE: ClassVar[str] = "guard"


@dataclass(frozen=True, slots=True, kw_only=True)
class Inactive(BattleOrder):
    """4.1.8: do nothing."""

    TYPE: ClassVar[str] = "inactive"
    FROM_ORBIT: ClassVar[bool] = True


KINDS: tuple[type[Order], ...] = (Attack, Raid, Withdraw, Support, Defend, Guard, Inactive)
