"""The order ``place`` (D-11)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.core.sentences import Term, Terms, say, word
from server.rules.board import Hex
from server.rules.orders.base import Found, ImmediateOrder, Option
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import Fields
from server.rules.orders.form import FormField
from server.rules.orders.setup.placement import (
    ANY,
    CAPITAL,
    RESOURCE,
    URBAN,
    found_capital,
    pick_size,
    restrictions,
    roll_size,
    sizes_left,
    start_bp,
    use_up,
)
from server.rules.ruleset import Ruleset
from server.rules.scene import Scene
from server.rules.state import SETUP, Urban


def _sized(ruleset: Ruleset, what: str, size: str) -> Term:
    """Return what a size is called; in English it goes by its id, as in an order."""
    known = {resource.id: resource.name for resource in (ruleset.resources if what == RESOURCE else ruleset.urban)}
    return Term(size, name=known.get(size, size))


@dataclass(frozen=True, slots=True, kw_only=True)
class Place(ImmediateOrder):
    """D-11: place the capital, an urban hex or a resource hex."""

    TYPE: ClassVar[str] = "place"
    PLACES: ClassVar[bool] = True
    PHASE: ClassVar[tuple[str, ...]] = (SETUP,)
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("what", "choice", choices=(CAPITAL, URBAN, RESOURCE)),
        FormField("at", "place"),
        FormField("size", "size", needed=False),
    )
    TEXT: ClassVar[tuple[str, ...]] = ("place {what} [{size}] at {at}",)
    what: str
    at: Hex
    size: str = ""
    """Empty: the first size left."""

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read ``what``, ``at``, and ``size`` if it has one."""
        ruleset = fields.context.state.ruleset
        what = fields.one_of("what", (CAPITAL, URBAN, RESOURCE), "thing to place")
        size = ""
        if fields.has("size"):
            known = tuple(resource.id for resource in (ruleset.resources if what == RESOURCE else ruleset.urban))
            size = fields.one_of("size", known, "size")
        return cls(what=what, at=fields.hex("at"), size=size)

    def check(self, context: OrderContext) -> Found:
        """There must be something of the kind left to place, and no restriction broken."""
        stock = self._capital_stock(context) if self.what == CAPITAL else self._stock(context)
        if stock is not None:
            yield stock
        yield from restrictions(context, self.what, self.at)

    def _capital_stock(self, context: OrderContext) -> Problem | None:
        size = context.state.ruleset.capital_size
        if context.state.capital(context.player) is not None:
            return Problem("limit_reached", "You have placed your capital already.", "what", self.what, "Placement")
        if self.size and self.size != size:
            return Problem(
                "not_allowed",
                say("A capital is of the size {size}.", size=_sized(context.state.ruleset, URBAN, size)),
                "size",
                self.size,
                "Placement",
            )
        return None

    def _stock(self, context: OrderContext) -> Problem | None:
        left = sizes_left(context.state.players[context.player], self.what)
        if not left:
            message = say("You have no {what} hex left to place.", what=word("place", self.what))
            return Problem("limit_reached", message, "what", self.what, "Placement")
        if not pick_size(left, self.size):
            message = say(
                "You may place these sizes: {sizes}.",
                sizes=Terms(tuple(_sized(context.state.ruleset, self.what, size) for size in left)),
            )
            return Problem("not_allowed", message, "size", self.size, "D-12")
        return None

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say what will stand there, and what is left to place afterwards."""
        ruleset = context.state.ruleset
        if self.what == CAPITAL:
            start = start_bp(context.state, context.player)
            return {"cost": 0, "size": ruleset.capital_size, "stronghold": ruleset.capital_stronghold, "bp": start}
        left = list(sizes_left(context.state.players[context.player], self.what))
        size = pick_size(tuple(left), self.size)
        left.remove(size)
        return {"cost": 0, "size": self.size or size, "left": left}

    def carry_out(self, scene: Scene, context: OrderContext) -> None:
        """Put it on the map."""
        size = (
            found_capital(scene, context.player, self.at)
            if self.what == CAPITAL
            else self._settle(scene, context.player)
        )
        context.placed[self.at] = context.player
        scene.emit_public("placed", player=context.player, what=self.what, hex=scene.label(self.at), size=size)

    def _settle(self, scene: Scene, player: str) -> str:
        state = scene.state
        slot = pick_size(sizes_left(state.players[player], self.what), self.size)
        use_up(state.players[player], self.what, slot)
        size = self.size or slot
        if size == ANY:
            size = roll_size(scene, player, self.what)
        if self.what == URBAN:
            state.urban[self.at] = Urban(size, race=state.players[player].faction, changed=state.turn)
        else:
            state.resource[self.at] = size
        return size

    @classmethod
    def offered(cls, context: OrderContext) -> Iterator[Option]:
        """Offer the capital and each kind of hex that is left, with its sizes and legal hexes."""
        state, ruleset, me = context.state, context.state.ruleset, context.state.players[context.player]
        if state.capital(context.player) is None:
            yield from cls._somewhere(context, CAPITAL, {})
        for what, known in ((URBAN, ruleset.urban), (RESOURCE, ruleset.resources)):
            left = sizes_left(me, what)
            sizes = [size.id for size in known] if ANY in left else list(dict.fromkeys(left))
            if sizes:
                yield from cls._somewhere(context, what, {"size": sizes})

    @classmethod
    def _somewhere(cls, context: OrderContext, what: str, choices: dict[str, list[str]]) -> Iterator[Option]:
        own = (at for at, owner in enumerate(context.state.owner) if owner == context.player)
        legal = [context.state.board.label(at) for at in own if next(restrictions(context, what, at), None) is None]
        if legal:
            yield {"order": {"type": cls.TYPE, "what": what}, "choices": {**choices, "at": legal}, "cost": 0}
