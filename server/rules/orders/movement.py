"""The orders of the movement phase (2.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.core.sentences import say
from server.rules.board import ORBIT, Hex
from server.rules.claims import claim_area
from server.rules.losses import recover
from server.rules.movement import Mover, can_unload, claiming_mv, follow, move_convoy, mover, path_next_to
from server.rules.orders.base import Found, Option, option_for
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import Fields, FormField
from server.rules.orders.movement_order import (
    MovementOrder,
    MovementPhase,
    MoveOrder,
    convoy_named,
    in_reach,
    read_march,
    read_path,
    walk_preview,
)
from server.rules.ruleset import Ruleset
from server.rules.state import Convoy, Detachment, Id, PlayerId


@dataclass(frozen=True, slots=True, kw_only=True)
class Path(MoveOrder):
    """2.1.1: move along a path. The one order, other than Guard, that convoys take."""

    TYPE: ClassVar[str] = "path"
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("detachment", "detachment", needed=False),
        FormField("convoy", "convoy", needed=False),
        FormField("path", "path"),
        FormField("unload", "flag", needed=False, told="unloads"),
    )
    TEXT: ClassVar[tuple[str, ...]] = (
        "{detachment}: move {path} {flags}",
        "convoy {convoy}: move {path} {flags}",
        "{convoy}: move {path} {flags}",
        "move {detachment} [to] {path} {flags}",
        "move convoy {convoy} [to] {path} {flags}",
        "move {convoy} [to] {path} {flags}",
    )
    convoy: Id = ""
    unload: bool = False

    @property
    def subject(self) -> str:
        """One order for each detachment or convoy (D-39a)."""
        return self.convoy or self.detachment

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the order, for a detachment or a convoy."""
        convoy = convoy_named(fields)
        if not convoy and not fields.has("convoy"):
            return cls(**read_march(fields))
        start = fields.context.convoy(convoy).at if convoy else ORBIT
        return cls(detachment="", convoy=convoy, path=read_path(fields, start), unload=fields.boolean("unload"))

    def check(self, context: OrderContext) -> Found:
        """A convoy is always free to move."""
        if not self.convoy:
            yield from MovementOrder.check(self, context)

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say step by step the path's cost, and the hex and reason of its stop."""
        if not self.convoy:
            return MoveOrder.preview(self, context)
        convoy = context.convoy(self.convoy)
        who = mover(context.state, convoy)
        said = walk_preview(context, convoy, who, self.path, who.mv, reserve=False)
        goal = self.path[-1] if self.path else convoy.at
        arrives = said["ends_at"] == context.label(goal)
        there = Convoy(convoy.id, convoy.owner, goal, convoy.bp)
        return said | {"unloads": self.unload and arrives and can_unload(context.state, there)}

    def move(self, march: MovementPhase, player: PlayerId) -> None:
        """Move the detachment; or the convoy, unless it was captured before it could."""
        if self.convoy:
            convoy = march.scene.state.convoys.get(self.convoy)
            if convoy is not None and convoy.owner == player:
                move_convoy(march.scene, convoy, self.path, unload=self.unload)
            return
        detachment = march.detachment(self.detachment)
        if detachment is not None:
            self.walk(march, detachment)

    @classmethod
    def offered_to_convoy(cls, context: OrderContext, convoy: Convoy) -> Iterator[Option]:
        """Offer a cheapest path to each hex in reach, and to unload on arrival."""
        mv = mover(context.state, convoy).mv
        reach = list(in_reach(context, convoy, mv).values())
        if reach:
            option = option_for(cls.TYPE, convoy, path=[target["path"] for target in reach], unload=[False, True])
            yield option | {"reach": reach, "mv": mv}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reserve(MoveOrder):
    """2.1.6: move fast behind the lines (D-47)."""

    TYPE: ClassVar[str] = "reserve"
    BEHIND_THE_LINES: ClassVar[bool] = True
    TEXT: ClassVar[tuple[str, ...]] = (
        "{detachment}: reserve {path}",
        "reserve {detachment} [to] {path}",
    )

    @classmethod
    def mv(cls, who: Mover, ruleset: Ruleset) -> int:
        """More than its MV."""
        return who.mv + ruleset.reserve_mv

    def move(self, march: MovementPhase, player: PlayerId) -> None:  # noqa: ARG002
        """Move, and do nothing more this turn."""
        detachment = march.detachment(self.detachment)
        if detachment is not None:
            self.walk(march, detachment)
            detachment.battle_order = "inactive"


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveAndClaim(MoveOrder):
    """2.1.4: move at half MV and claim every hex on the way (D-48)."""

    TYPE: ClassVar[str] = "move_and_claim"
    TEXT: ClassVar[tuple[str, ...]] = (
        "{detachment}: move and claim {path}",
        "move and claim {detachment} [to] {path}",
        "{detachment}: claim {path}",
    )

    @classmethod
    def mv(cls, who: Mover, ruleset: Ruleset) -> int:
        """Half its MV, rounded up."""
        return claiming_mv(who.mv, ruleset)

    def move(self, march: MovementPhase, player: PlayerId) -> None:
        """Claim each hex entered (D-48); whether that counts shows when all have moved."""
        detachment = march.detachment(self.detachment)
        if detachment is None:
            return
        start = detachment.at
        if march.scene.state.readings.claims_after_moves:
            for hex_ in dict.fromkeys(self.walk(march, detachment).entered):
                march.claims.claim(hex_, detachment)
            return
        free_start = not march.scene.state.enemy_zoc(start, player)
        result = self.walk(march, detachment)
        claimed: list[Hex] = [start] if free_start else []
        claimed += [hex_ for hex_, zoc in zip(result.entered, result.in_zoc, strict=True) if not zoc]
        for hex_ in claimed:
            march.claims.claim(hex_, detachment)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimArea(MovementOrder):
    """2.1.5: stay, and claim the hex and all around it."""

    TYPE: ClassVar[str] = "claim_area"
    REPEATS: ClassVar[bool] = True
    TEXT: ClassVar[tuple[str, ...]] = (
        "{detachment}: claim area",
        "claim area {detachment}",
        "claim {detachment}",
        "{detachment}: claim",
    )

    def claim(self, march: MovementPhase) -> None:
        """Claim the hex and those around it, as enemy ZOC is then (D-48)."""
        detachment = march.detachment(self.detachment)
        if detachment is not None:
            claim_area(march.scene.state, march.claims, detachment)


@dataclass(frozen=True, slots=True, kw_only=True)
class Follow(MovementOrder):
    """2.1.2: wait until all others have moved, then move next to another detachment (D-46)."""

    TYPE: ClassVar[str] = "follow"
    REPEATS: ClassVar[bool] = True
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("detachment", "detachment"),
        FormField("target", "seen_detachment"),
    )
    TEXT: ClassVar[tuple[str, ...]] = (
        "{detachment}: follow {target}",
        "follow {detachment} {target}",
    )
    target: Id

    def check(self, context: OrderContext) -> Found:
        """The target is another detachment on the map, own, allied or seen."""
        yield from MovementOrder.check(self, context)
        target = context.find(self.target)
        if not isinstance(target, Detachment) or target.at == ORBIT or target.ready_in:
            message = "Only a detachment that you see on the map can be followed."
            yield Problem("not_allowed", message, "target", self.target, "D-46")
        elif target.id == self.detachment:
            yield Problem("not_allowed", "It cannot follow itself.", "target", self.target, "D-46")

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say how it would go if the target stayed where it is."""
        state, detachment = context.state, context.detachment(self.detachment)
        target = context.detachment(self.target)
        who = mover(state, detachment)
        near = state.board.distance(detachment.at, target.at) <= 1
        path = () if near else tuple(path_next_to(state, who, detachment.at, target.at))
        return walk_preview(context, detachment, who, path, who.mv, reserve=False)

    def move_last(self, march: MovementPhase) -> None:
        """Move towards where the target stands now."""
        detachment, target = march.detachment(self.detachment), march.detachment(self.target)
        if detachment is not None and target is not None and target.at != ORBIT:
            follow(march.scene, detachment, target)

    @classmethod
    def offered_to_free(cls, context: OrderContext, detachment: Detachment) -> Iterator[Option]:
        """Offer every detachment on the map that the player knows of."""
        targets = [other.id for other in context.state.detachment_at.values() if other is not detachment]
        if targets:
            yield option_for(cls.TYPE, detachment, target=sorted(targets))


@dataclass(frozen=True, slots=True, kw_only=True)
class Recover(MovementOrder):
    """2.1.3: stay, and look after the wounded and damaged."""

    TYPE: ClassVar[str] = "recover"
    REPEATS: ClassVar[bool] = True
    TEXT: ClassVar[tuple[str, ...]] = (
        "{detachment}: recover",
        "recover {detachment}",
    )

    def check(self, context: OrderContext) -> Found:
        """Not in enemy ZOC, as far as the player can see."""
        yield from MovementOrder.check(self, context)
        detachment = context.detachment(self.detachment)
        if detachment.at != ORBIT and context.enemy_zoc(detachment.at):
            message = say("{detachment} is in an enemy zone of control.", detachment=detachment.name)
            yield Problem("in_enemy_zoc", message, "detachment", self.detachment, "2.1.3")

    def begin(self, march: MovementPhase) -> None:
        """Nobody recovers who begins the phase in enemy ZOC, seen or not (D-07)."""
        detachment = march.detachment(self.detachment)
        if detachment is not None and not march.scene.state.enemy_zoc(detachment.at, detachment.owner):
            march.undisturbed[detachment.id] = None

    def move(self, march: MovementPhase, player: PlayerId) -> None:
        """Look after the wounded and damaged, if nobody disturbs."""
        detachment = march.detachment(self.detachment)
        if detachment is None:
            return
        if detachment.id in march.undisturbed:
            recover(march.scene, detachment)
        else:
            march.scene.emit("recovery_disturbed", (player,), force=detachment.id, hex=march.scene.label(detachment.at))

    @classmethod
    def offered_to_free(cls, context: OrderContext, detachment: Detachment) -> Iterator[Option]:
        """Offer it outside enemy ZOC."""
        if not context.enemy_zoc(detachment.at):
            yield option_for(cls.TYPE, detachment)


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
        return {"ends_at": context.label(thing.at if thing else ORBIT)}

    @classmethod
    def offered_to(cls, context: OrderContext, detachment: Detachment) -> Iterator[Option]:  # noqa: ARG003
        """Offer it to every detachment that stands."""
        yield option_for(cls.TYPE, detachment)

    @classmethod
    def offered_to_convoy(cls, context: OrderContext, convoy: Convoy) -> Iterator[Option]:  # noqa: ARG003
        """Offer it to every convoy."""
        yield option_for(cls.TYPE, convoy)
