"""What all movement orders have in common (2.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.core.sentences import say
from server.rules.board import ORBIT, Hex
from server.rules.claims import Claims
from server.rules.movement import Mover, Walk, move_along, mover, reachable, settle, walk
from server.rules.orders.base import DetachmentOrder, Found, Option, option_for
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import Fields, FormField
from server.rules.ruleset import Ruleset
from server.rules.scene import Scene
from server.rules.state import MOVEMENT, Convoy, Detachment, Id, PlayerId


@dataclass(slots=True)
class MovementPhase:
    """A movement phase while it is played."""

    scene: Scene
    claims: Claims = field(default_factory=Claims)
    undisturbed: dict[Id, None] = field(default_factory=dict)
    """Detachments on Recover that begin the phase outside enemy ZOC, seen or not (2.1.3, D-07)."""

    def detachment(self, id_: Id) -> Detachment | None:
        """Return a detachment, None if it no longer exists: orders outlast their forces."""
        return self.scene.state.detachments.get(id_)


@dataclass(frozen=True, slots=True, kw_only=True)
class MovementOrder(DetachmentOrder):
    """What all movement orders have in common: one subject, which must be able to obey."""

    PHASE: ClassVar[tuple[str, ...]] = (MOVEMENT,)

    def check(self, context: OrderContext) -> Found:
        """Under construction, in orbit or pinned by new units, a detachment can only guard."""
        detachment = context.detachment(self.detachment)
        if detachment.ready_in:
            yield self.under_construction(detachment)
        elif detachment.at == ORBIT:
            message = say("{detachment} is in orbit: it can only guard until it drops.", detachment=detachment.name)
            yield Problem("orbit_only", message, "detachment", self.detachment, "D-72")
        elif detachment.pinned:
            message = say("{detachment} takes in new units this turn and can only guard.", detachment=detachment.name)
            yield Problem("not_allowed", message, "detachment", self.detachment, "D-35")

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say where it stays."""
        return {"ends_at": context.label(context.detachment(self.detachment).at)}

    @classmethod
    def offered_to(cls, context: OrderContext, detachment: Detachment) -> Iterator[Option]:
        """Offer it to detachments on the map that are free to move."""
        if detachment.at != ORBIT and not detachment.pinned:
            yield from cls.offered_to_free(context, detachment)

    @classmethod
    def offered_to_free(cls, context: OrderContext, detachment: Detachment) -> Iterator[Option]:  # noqa: ARG003
        """Offer it to a detachment that is free to move."""
        yield option_for(cls.TYPE, detachment)

    def begin(self, march: MovementPhase) -> None:
        """Note what counts as it is before anybody moves."""

    def move(self, march: MovementPhase, player: PlayerId) -> None:
        """Do what is done in initiative order (3.1)."""

    def move_last(self, march: MovementPhase) -> None:
        """Do what is done when all others have moved, the winner of initiative last (3.1, D-40)."""

    def claim(self, march: MovementPhase) -> None:
        """Claim what is claimed when all have moved, in initiative order (3.6)."""


def read_march(fields: Fields) -> dict[str, Any]:
    """Read a detachment and the path it is to go."""
    id_ = fields.own_detachment()
    start = fields.context.detachment(id_).at if id_ else ORBIT
    return {"detachment": id_, "path": read_path(fields, start)}


def read_path(fields: Fields, start: Hex) -> tuple[Hex, ...]:
    """Read the field ``path``; each hex must be next to the one before (2.1.1)."""
    path = fields.hexes("path")
    here = start
    for step in path:
        if start == ORBIT or step < 0:
            break
        if step not in fields.context.state.board.adjacent[here]:
            label = fields.context.label
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

    EXPLAINED: ClassVar[tuple[str, ...]] = ("mv", "reach", "after", "why")
    FIELDS: ClassVar[tuple[FormField, ...]] = (FormField("detachment", "detachment"), FormField("path", "path"))
    BEHIND_THE_LINES: ClassVar[bool] = False
    """No step may come near an enemy or leave the player's territory (D-47)."""
    path: tuple[Hex, ...] = ()

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the order; each hex of the path must be next to the one before."""
        return cls(**read_march(fields))

    @classmethod
    def mv(cls, who: Mover, ruleset: Ruleset) -> int:  # noqa: ARG003
        """Return the MV it may spend."""
        return who.mv

    @classmethod
    def offered_to_free(cls, context: OrderContext, detachment: Detachment) -> Iterator[Option]:
        """Offer a cheapest path to each hex in reach, as far as the player can know.

        A hex where another detachment of the player's stands is offered once that one leaves it.
        """
        mv = cls.mv(mover(context.state, detachment), context.state.ruleset)
        ways = in_reach(context, detachment, mv, reserve=cls.BEHIND_THE_LINES)
        others = {hex_: context.occupant(hex_, detachment) for hex_ in ways}
        free = [way for hex_, way in ways.items() if others[hex_] is None]
        if free:
            yield _march(cls.TYPE, detachment, free, mv)
        for hex_, other in others.items():
            if other is not None and makes_room(context, other, detachment):
                after = [{"type": "path", "detachment": other.id}]
                yield _march(cls.TYPE, detachment, [ways[hex_]], mv) | {"after": after}

    def foresee(self, context: OrderContext, said: Mapping[str, Any]) -> None:
        """Note where the detachment will be when later orders of the set are carried out (3.1)."""
        goal = context.state.board.find(said["ends_at"])
        if self.detachment and goal is not None:
            context.leads(context.detachment(self.detachment), goal)

    def walk(self, march: MovementPhase, detachment: Detachment) -> Walk:
        """Follow the path as far as the rules allow, and report the result."""
        who = mover(march.scene.state, detachment)
        mv = self.mv(who, march.scene.state.ruleset)
        return move_along(march.scene, detachment, who, self.path, mv, reserve=self.BEHIND_THE_LINES)

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say step by step the path's cost, and the hex and reason of its stop."""
        detachment = context.detachment(self.detachment)
        who = mover(context.state, detachment)
        return walk_preview(
            context, detachment, who, self.path, self.mv(who, context.state.ruleset), self.BEHIND_THE_LINES
        )


def walk_preview(
    context: OrderContext, thing: Detachment | Convoy, who: Mover, path: tuple[Hex, ...], mv: int, reserve: bool
) -> dict[str, Any]:
    """Say step by step the cost of a path, and the hex and reason of its stop."""
    state = context.state
    result = walk(state, who, thing.at, path, mv, reserve=reserve)
    if isinstance(thing, Detachment):
        detachment = thing
        settle(result, lambda hex_: context.occupant(hex_, detachment) is not None)
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


def in_reach(
    context: OrderContext, thing: Detachment | Convoy, mv: int, *, reserve: bool = False
) -> dict[Hex, dict[str, Any]]:
    """Return the hexes in reach with a cheapest path to each, as far as the player can know.

    Hexes where another detachment stands are among them: nobody ends there, unless that one leaves first (D-44).
    """
    state = context.state
    found = reachable(state, mover(state, thing), thing.at, mv, reserve=reserve)
    reach: dict[Hex, dict[str, Any]] = {}
    for hex_ in sorted(found):
        path: list[str] = []
        here = hex_
        while here != thing.at:
            path.append(state.board.label(here))
            here = found[here][1]
        spent = found[hex_][0]
        reach[hex_] = {"hex": path[0], "cost": spent, "path": path[::-1], "exhausts": spent > mv}
    return reach


def makes_room(context: OrderContext, occupant: Detachment, comer: Detachment) -> bool:
    """Say whether a detachment of the player's can leave its hex to another one, perhaps after others have moved."""
    state, asked = context.state, {comer.id: None, occupant.id: None}
    queue = [occupant]
    for other in queue:
        if other.owner != context.player or other.pinned or other.ready_in:
            continue
        who = mover(state, other)
        for hex_ in reachable(state, who, other.at, who.mv):
            there = context.occupant(hex_, other)
            if there is None:
                return True
            if there.id not in asked:
                asked[there.id] = None
                queue.append(there)
    return False


def _march(type_: str, detachment: Detachment, reach: list[dict[str, Any]], mv: int) -> Option:
    return option_for(type_, detachment, path=[way["path"] for way in reach]) | {"reach": reach, "mv": mv}


def convoy_named(fields: Fields) -> Id:
    """Return the convoy the order is for, named as ``convoy`` or, by its id, as ``detachment``."""
    if fields.has("convoy"):
        return fields.own_convoy()
    name = fields.given.get("detachment")
    if isinstance(name, str) and isinstance(fields.context.mine(name), Convoy):
        return fields.own_convoy("detachment")
    return ""
