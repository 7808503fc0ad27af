"""The order ``build_road`` (1.6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.core.sentences import say, small
from server.rules.board import Hex
from server.rules.orders.base import Found, ImmediateOrder, Option
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import Fields, FormField
from server.rules.orders.sites import bill, cannot_pay, first, in_enemy_zoc, not_controlled, not_urban, pay
from server.rules.scene import Scene
from server.rules.state import State

OFFERED_WITHIN = 1
"""Roads from hexes so near to the urban hex that builds them are offered with it, all others with any that may."""


def road_face(state: State, a: Hex, b: Hex) -> int:
    """D-39: the face a road between two hexes needs, 1 where it is certain, 0 where none can be.

    The worse of the two terrains decides.
    """
    faces = [state.ruleset.terrain[state.board.terrain[end]].road for end in (a, b)]
    return max(faces) if all(faces) else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildRoad(ImmediateOrder):
    """1.6: an urban hex attempts to build a road between two adjacent hexes."""

    TYPE: ClassVar[str] = "build_road"
    EXPLAINED: ClassVar[tuple[str, ...]] = ("cost", "faces")
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("urban", "place"),
        FormField("from", "place"),
        FormField("to", "place"),
    )
    TEXT: ClassVar[tuple[str, ...]] = ("build road from {from} to {to} by {urban}",)
    urban: Hex
    """The urban hex that pays."""
    start: Hex
    end: Hex

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read ``urban``, ``from`` and ``to``."""
        return cls(urban=fields.hex("urban"), start=fields.hex("from"), end=fields.hex("to"))

    def check(self, context: OrderContext) -> Found:
        """Both hexes adjacent, passable, controlled and out of enemy ZOC; one road a turn for each urban hex."""
        yield from first(context, self._edge, self._builder, self._built, self._zoc, self._poor)

    def _edge(self, context: OrderContext) -> Problem | None:
        board, ruleset = context.state.board, context.state.ruleset
        a, b = board.label(self.start), board.label(self.end)
        if self.end not in board.adjacent[self.start]:
            return Problem("not_adjacent", say("{hex} is not next to {other}.", hex=b, other=a), "to", b, "1.6")
        if not road_face(context.state, self.start, self.end):
            worst = next(end for end in (self.start, self.end) if not ruleset.terrain[board.terrain[end]].road)
            terrain = small(ruleset.terrain[board.terrain[worst]].name)
            return Problem(
                "no_road_terrain", say("No road can be built over {terrain}.", terrain=terrain), "to", b, "D-39"
            )
        return not_controlled(context, self.start, "from", "1.6") or not_controlled(context, self.end, "to", "1.6")

    def _builder(self, context: OrderContext) -> Problem | None:
        problem = not_urban(context, self.urban, "urban", "1.6")
        if problem is not None:
            return problem
        ruleset, urban, label = (
            context.state.ruleset,
            context.state.urban[self.urban],
            context.label(self.urban),
        )
        if ruleset.urban_level(urban.size) < ruleset.road_level:
            size = small(ruleset.urban[ruleset.road_level - 1].name)
            return Problem(
                "size_too_small", say("Only a {size} or larger builds roads.", size=size), "urban", label, "1.6"
            )
        if urban.road == context.state.turn:
            return Problem(
                "limit_reached", say("{hex} has built a road this turn already.", hex=label), "urban", label, "1.6"
            )
        return None

    def _built(self, context: OrderContext) -> Problem | None:
        if not context.state.road(self.start, self.end):
            return None
        a, b = context.label(self.start), context.label(self.end)
        return Problem("already_built", say("There is a road between {a} and {b} already.", a=a, b=b), "to", b, "1.6")

    def _zoc(self, context: OrderContext) -> Problem | None:
        return in_enemy_zoc(context, self.start, "from", "1.6") or in_enemy_zoc(context, self.end, "to", "1.6")

    def _poor(self, context: OrderContext) -> Problem | None:
        return cannot_pay(context, self.urban, context.state.ruleset.road_cost, "urban", "1.6")

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say what it costs and what it needs to succeed."""
        face = road_face(context.state, self.start, self.end)
        why = "D-39: certain" if face <= 1 else f"D-39: succeeds on {face} or more; the BP are spent either way"
        return bill(context, self.urban, context.state.ruleset.road_cost, needs=face, why=why)

    def carry_out(self, scene: Scene, context: OrderContext) -> None:
        """Pay either way; roll where it is not certain (D-39)."""
        state = scene.state
        pay(context, self.urban, state.ruleset.road_cost)
        state.urban[self.urban].road = state.turn
        a, b = sorted((scene.label(self.start), scene.label(self.end)))
        face = road_face(state, self.start, self.end)
        if face > 1 and scene.roll_one(f"road/{a}-{b}", [context.player]) < face:
            scene.emit("road_failed", [context.player], urban=scene.label(self.urban), **{"from": a, "to": b})
            return
        state.roads[min(self.start, self.end), max(self.start, self.end)] = None
        scene.emit_public("road_built", by=context.player, **{"from": a, "to": b})

    @classmethod
    def offered(cls, context: OrderContext) -> Iterator[Option]:
        """Offer the roads far from the urban hexes that may build them: from each hex, by any of those."""
        state = context.state
        builders = [at for at in sorted(state.urban) if cls(urban=at, start=at, end=at).builds(context)]
        if not builders:
            return
        free = [at for at, owner in enumerate(state.owner) if owner == context.player and cls._free(context, at)]
        for start, ends in cls._roads(state, free):
            far = [at for at in builders if state.board.distance(at, start) > OFFERED_WITHIN]
            if far:
                label = state.board.label
                faces = {label(end): road_face(state, start, end) for end in ends}
                choices = {"urban": [label(at) for at in far], "to": list(faces)}
                order = {"type": cls.TYPE, "from": label(start)}
                yield {"order": order, "choices": choices, "cost": state.ruleset.road_cost, "faces": faces}

    def builds(self, context: OrderContext) -> bool:
        """Say whether its urban hex may build and pay a road at all."""
        return self._builder(context) is None and self._poor(context) is None

    @staticmethod
    def _free(context: OrderContext, at: Hex) -> bool:
        terrain = context.state.ruleset.terrain[context.state.board.terrain[at]]
        return bool(terrain.road) and in_enemy_zoc(context, at) is None

    @staticmethod
    def _roads(state: State, free: Sequence[Hex]) -> Iterator[tuple[Hex, list[Hex]]]:
        """Yield each hex with those next to it to which no road leads yet; each pair once."""
        known = dict.fromkeys(free)
        for start in free:
            around = (end for end in state.board.adjacent[start] if start < end and end in known)
            ends = [end for end in around if not state.road(start, end)]
            if ends:
                yield start, ends

    @classmethod
    def offered_in(cls, context: OrderContext, at: Hex) -> Iterator[Option]:
        """Offer the roads near an urban hex, with the face each needs (D-39)."""
        if at not in context.state.urban:
            return
        board = context.state.board
        for start in board.within(at, OFFERED_WITHIN):
            ends = [end for end in board.adjacent[start] if start < end or board.distance(at, end) > OFFERED_WITHIN]
            roads = {board.label(end): cls(urban=at, start=start, end=end) for end in ends}
            good = [end for end, road in roads.items() if next(iter(road.check(context)), None) is None]
            if good:
                order = {"type": cls.TYPE, "urban": board.label(at), "from": board.label(start)}
                faces = {end: roads[end].preview(context)["needs"] for end in good}
                yield {"order": order, "choices": {"to": good}, "cost": context.state.ruleset.road_cost, "faces": faces}
