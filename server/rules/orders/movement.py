"""Movement orders (2.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.core.sentences import say
from server.rules.board import ORBIT, Hex
from server.rules.movement import Mover, can_unload, claiming_mv, mover, path_next_to, settle, walk
from server.rules.orders.base import DetachmentOrder, Found, Order
from server.rules.orders.desk import Desk
from server.rules.orders.fields import Fields
from server.rules.state import MOVEMENT, Convoy, Detachment, Id


@dataclass(frozen=True, slots=True, kw_only=True)
class MovementOrder(DetachmentOrder):
    """What all movement orders have in common: one subject, which must be able to obey."""

    PHASE: ClassVar[tuple[str, ...]] = (MOVEMENT,)

    def check(self, desk: Desk) -> Found:
        """Under construction, in orbit or pinned by new units, a detachment can only guard."""
        detachment = desk.detachment(self.detachment)
        if (problem := self.under_construction(desk)) is not None:
            yield problem
        elif detachment.at == ORBIT:
            message = say("{detachment} is in orbit: it can only guard until it drops.", detachment=detachment.name)
            yield Problem("orbit_only", message, "detachment", self.detachment, "D-72")
        elif detachment.pinned:
            message = say("{detachment} takes in new units this turn and can only guard.", detachment=detachment.name)
            yield Problem("not_allowed", message, "detachment", self.detachment, "D-35")

    def preview(self, desk: Desk) -> dict[str, Any]:
        """Say where it stays."""
        return {"ends_at": desk.state.board.label(desk.detachment(self.detachment).at)}


def _read_march(fields: Fields) -> dict[str, Any]:
    id_ = fields.own_detachment()
    start = fields.desk.detachment(id_).at if id_ else ORBIT
    return {"detachment": id_, "path": _read_path(fields, start)}


def _read_path(fields: Fields, start: Hex) -> tuple[Hex, ...]:
    path = fields.hexes("path")
    here = start
    for step in path:
        if start == ORBIT or step < 0:
            break
        if step not in fields.desk.state.board.adjacent[here]:
            label = fields.desk.state.board.label
            fields.refuse(
                "not_adjacent",
                say("{hex} is not next to {other}.", hex=label(step), other=label(here)),
                "path",
                label(step),
                "2.1.1",
            )
            break
        here = step
    return path


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveOrder(MovementOrder):
    """A movement order with a path."""

    path: tuple[Hex, ...] = ()

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the order; each hex of the path must be next to the one before."""
        return cls(**_read_march(fields))

    def mv(self, who: Mover, desk: Desk) -> int:  # noqa: ARG002
        """Return the MV it may spend."""
        return who.mv

    def preview(self, desk: Desk) -> dict[str, Any]:
        """Say step by step what the path costs, where it would stop and why."""
        detachment = desk.detachment(self.detachment)
        who = mover(desk.state, detachment)
        return _walk_preview(desk, detachment, who, self.path, self.mv(who, desk), isinstance(self, Reserve))


def _walk_preview(
    desk: Desk, thing: Detachment | Convoy, who: Mover, path: tuple[Hex, ...], mv: int, reserve: bool
) -> dict[str, Any]:
    state = desk.state
    result = walk(state, who, thing.at, path, mv, reserve=reserve)
    if isinstance(thing, Detachment):
        settle(state, thing, result)
    label = state.board.label
    left = mv
    steps = []
    for hex_, cost, zoc in zip(result.entered, result.costs, result.in_zoc, strict=True):
        left -= cost
        steps.append({"hex": label(hex_), "cost": cost, "left": max(left, 0), "enemy_zoc": zoc})
    return {
        "mv": mv,
        "steps": steps,
        "ends_at": label(result.entered[-1] if result.entered else thing.at),
        "stop": result.stop,
        "inactive": result.stop == "exhausted" or reserve,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Path(MoveOrder):
    """2.1.1: move along a path. The one order, besides Guard, that convoys take."""

    TYPE: ClassVar[str] = "path"
    convoy: Id = ""
    unload: bool = False

    @property
    def subject(self) -> str:
        """One order for each detachment or convoy (D-39a)."""
        return self.convoy or self.detachment

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the order, for a detachment or a convoy."""
        convoy = _convoy_named(fields)
        if not convoy and not fields.has("convoy"):
            return cls(**_read_march(fields))
        start = fields.desk.convoy(convoy).at if convoy else ORBIT
        return cls(detachment="", convoy=convoy, path=_read_path(fields, start), unload=fields.boolean("unload"))

    def check(self, desk: Desk) -> Found:
        """A convoy is always free to move."""
        if not self.convoy:
            yield from MovementOrder.check(self, desk)

    def preview(self, desk: Desk) -> dict[str, Any]:
        """Say step by step what the path costs, where it would stop and why."""
        if not self.convoy:
            return MoveOrder.preview(self, desk)
        convoy = desk.convoy(self.convoy)
        who = mover(desk.state, convoy)
        said = _walk_preview(desk, convoy, who, self.path, who.mv, reserve=False)
        goal = self.path[-1] if self.path else convoy.at
        arrives = said["ends_at"] == desk.state.board.label(goal)
        there = Convoy(convoy.id, convoy.owner, goal, convoy.bp)
        return said | {"unloads": self.unload and arrives and can_unload(desk.state, there)}


def _convoy_named(fields: Fields) -> Id:
    """Return the convoy the order is for, named as ``convoy`` or, by its id, as ``detachment``."""
    if fields.has("convoy"):
        return fields.own_convoy()
    name = fields.order.get("detachment")
    if isinstance(name, str) and isinstance(fields.desk.mine(name), Convoy):
        return fields.own_convoy("detachment")
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveAndClaim(MoveOrder):
    """2.1.4: move at half MV and claim every hex on the way (D-48)."""

    TYPE: ClassVar[str] = "move_and_claim"

    def mv(self, who: Mover, desk: Desk) -> int:
        """Half its MV, rounded up."""
        return claiming_mv(who.mv, desk.state.ruleset)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reserve(MoveOrder):
    """2.1.6: move fast behind the lines (D-47)."""

    TYPE: ClassVar[str] = "reserve"

    def mv(self, who: Mover, desk: Desk) -> int:
        """More than its MV."""
        return who.mv + desk.state.ruleset.reserve_mv


@dataclass(frozen=True, slots=True, kw_only=True)
class Follow(MovementOrder):
    """2.1.2: wait until all others have moved, then move next to another detachment (D-46)."""

    TYPE: ClassVar[str] = "follow"
    target: Id

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the order."""
        return cls(detachment=fields.own_detachment(), target=fields.id("target"))

    def check(self, desk: Desk) -> Found:
        """The target is another detachment on the map, own, allied or seen."""
        yield from MovementOrder.check(self, desk)
        target = desk.find(self.target)
        if not isinstance(target, Detachment) or target.at == ORBIT or target.ready_in:
            message = "Only a detachment that you see on the map can be followed."
            yield Problem("not_allowed", message, "target", self.target, "D-46")
        elif target.id == self.detachment:
            yield Problem("not_allowed", "It cannot follow itself.", "target", self.target, "D-46")

    def preview(self, desk: Desk) -> dict[str, Any]:
        """Say how it would go if the target stayed where it is."""
        state, detachment = desk.state, desk.detachment(self.detachment)
        target = desk.detachment(self.target)
        who = mover(state, detachment)
        near = state.board.distance(detachment.at, target.at) <= 1
        path = () if near else tuple(path_next_to(state, who, detachment.at, target.at))
        return _walk_preview(desk, detachment, who, path, who.mv, reserve=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recover(MovementOrder):
    """2.1.3: stay, and look after the wounded and damaged."""

    TYPE: ClassVar[str] = "recover"

    def check(self, desk: Desk) -> Found:
        """Not in enemy ZOC, as far as the player can see."""
        yield from MovementOrder.check(self, desk)
        detachment = desk.detachment(self.detachment)
        if detachment.at != ORBIT and desk.enemy_zoc(detachment.at):
            message = say("{detachment} is in an enemy zone of control.", detachment=detachment.name)
            yield Problem("in_enemy_zoc", message, "detachment", self.detachment, "2.1.3")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimArea(MovementOrder):
    """2.1.5: stay, and claim the hex and all around it."""

    TYPE: ClassVar[str] = "claim_area"


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard(MovementOrder):
    """2.1.7: do nothing."""

    TYPE: ClassVar[str] = "guard"
    convoy: Id = ""

    @property
    def subject(self) -> str:
        """One order for each detachment or convoy (D-39a)."""
        return self.convoy or self.detachment

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the order, for a detachment or a convoy."""
        convoy = _convoy_named(fields)
        if convoy or fields.has("convoy"):
            return cls(detachment="", convoy=convoy)
        return cls(detachment=fields.own_detachment())

    def check(self, desk: Desk) -> Found:  # noqa: ARG002
        """Everything can guard."""
        return iter(())

    def preview(self, desk: Desk) -> dict[str, Any]:
        """Say where it stays."""
        thing = desk.find(self.subject)
        return {"ends_at": desk.state.board.label(thing.at if thing else ORBIT)}


KINDS: tuple[type[Order], ...] = (Path, MoveAndClaim, Reserve, Follow, Recover, ClaimArea, Guard)
