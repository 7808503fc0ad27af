"""Setup: the order ``place``, its places and its sizes (D-11, D-12)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.core.sentences import Term, Terms, say, word
from server.rules.board import Hex
from server.rules.orders.base import Found, ImmediateOrder, Option
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import Fields, FormField
from server.rules.orders.sites import not_controlled, not_land, payer
from server.rules.ruleset import Ruleset
from server.rules.scene import Scene
from server.rules.state import SETUP, Player, State, Stronghold, Urban
from server.rules.treasury import earn

CAPITAL, URBAN, RESOURCE = "capital", "urban", "resource"


ANY = "any"
"""Stands for a size that is not settled: any may be placed."""


# --- the restrictions of "Placement" ---


def restrictions(context: OrderContext, what: str, at: Hex) -> Iterator[Problem]:
    """Yield each restriction that a placement would break, whatever has been rolled (D-11)."""
    ground = not_land(context, at, rule="Placement") or not_controlled(context, at, rule="Placement")
    if ground is not None:
        yield ground
        return
    label = context.label(at)
    if at in context.state.urban or at in context.state.resource:
        message = say("{hex} already holds an urban hex or a resource hex.", hex=label)
        yield Problem("occupied", message, "at", label, "Placement")
    if what == CAPITAL:
        yield from _capital_restrictions(context, at, label)
    elif what == URBAN:
        yield from _keep_from_capital(context, at, context.state.ruleset.urban_capital_distance)
    else:
        yield from _resource_restrictions(context, at, label)


def _capital_restrictions(context: OrderContext, at: Hex, label: str) -> Iterator[Problem]:
    state, ruleset = context.state, context.state.ruleset
    if not state.board.interior(at):
        yield Problem("capital_at_edge", say("{hex} lies on the edge of the map.", hex=label), "at", label, "Placement")
    if any(state.owner[next_] != context.player for next_ in state.board.adjacent[at]):
        message = say("You do not control all the hexes around {hex}.", hex=label)
        yield Problem("capital_surroundings", message, "at", label, "Placement")
    near_urban = _near(state, at, ruleset.urban_capital_distance, state.urban)
    near_resource = _near(state, at, ruleset.resource_capital_distance, state.resource)
    if any(state.owner[near] == context.player for near in (*near_urban, *near_resource)):
        message = say("{hex} is too near to an urban hex or a resource hex of yours.", hex=label)
        yield Problem("too_near_capital", message, "at", label, "Placement")


def _resource_restrictions(context: OrderContext, at: Hex, label: str) -> Iterator[Problem]:
    state, ruleset = context.state, context.state.ruleset
    if not state.board.interior(at):
        yield Problem(
            "resource_at_edge", say("{hex} lies on the edge of the map.", hex=label), "at", label, "Placement"
        )
    yield from _keep_from_capital(context, at, ruleset.resource_capital_distance)
    near = _near(state, at, ruleset.resource_distance, state.resource)
    if any(context.placed.get(hex_, context.player) == context.player for hex_ in near):
        minimum = ruleset.resource_distance
        message = say("{hex} lies less than {least} hexes away from another resource hex.", hex=label, least=minimum)
        yield Problem("too_near_resource", message, "at", label, "Placement")


def _keep_from_capital(context: OrderContext, at: Hex, minimum: int) -> Iterator[Problem]:
    capital = context.state.capital(context.player)
    if capital is not None and context.state.board.distance(at, capital) < minimum:
        label = context.label(at)
        message = say("{hex} lies less than {least} hexes away from your capital.", hex=label, least=minimum)
        yield Problem("too_near_capital", message, "at", label, "Placement")


def _near(state: State, at: Hex, distance: int, things: Mapping[Hex, object]) -> Iterator[Hex]:
    """Yield the hexes nearer than *distance*, other than *at*, that hold one of the things."""
    if distance > 0:
        yield from (hex_ for hex_ in state.board.within(at, distance - 1) if hex_ != at and hex_ in things)


def resource_fits(state: State, at: Hex) -> bool:
    """Say whether a hex can become a resource hex by a find (3.6.1, D-49), as far as "Placement" allows."""
    ruleset = state.ruleset
    if at in state.urban or at in state.resource or not state.board.interior(at):
        return False
    if not ruleset.terrain[state.board.terrain[at]].land:
        return False
    capitals = {at: None for at, urban in state.urban.items() if urban.capital}
    near_resource = _near(state, at, ruleset.resource_distance, state.resource)
    near_capital = _near(state, at, ruleset.resource_capital_distance, capitals)
    return not any(True for _ in near_resource) and not any(True for _ in near_capital)


# --- sizes ---


def sizes_left(player: Player, what: str) -> tuple[str, ...]:
    """Return the sizes a player may still place (D-12)."""
    return player.start_urban if what == URBAN else player.start_resource


def pick_size(left: tuple[str, ...], wanted: str) -> str:
    """Return which of the sizes left a placement uses up, empty for none."""
    if not wanted:
        return left[0] if left else ""
    if wanted in left:
        return wanted
    return ANY if ANY in left else ""


def use_up(player: Player, what: str, size: str) -> None:
    """Take one size off those a player may still place."""
    left = list(sizes_left(player, what))
    left.remove(size)
    if what == URBAN:
        player.start_urban = tuple(left)
    else:
        player.start_resource = tuple(left)


def roll_size(scene: Scene, player: str, what: str) -> str:
    """Roll the size of one urban or resource hex and tell the player (Starting conditions)."""
    ruleset = scene.state.ruleset
    sizes = ruleset.start_urban if what == URBAN else ruleset.start_resource
    face = scene.roll_one(f"start-{what}/{player}", [player], len(sizes))
    return sizes[face - 1]


def start_bp(state: State, player: str) -> int:
    """Return the BP in a player's capital at the start, by their army list (D-71c)."""
    usual = state.ruleset.start_bp if state.settings.start_bp is None else state.settings.start_bp
    return usual * state.faction(player).start_percent // 100


def capital_first(context: OrderContext) -> dict[str, Any]:
    """Return what an option says while the capital that pays for it is still to be placed, by the same set (D-33)."""
    placed = context.state.capital(context.player) is not None
    return {} if placed else {"after": [{"type": "place", "what": CAPITAL}]}


def purse(context: OrderContext, at: Hex) -> int:
    """Return the BP for forces raised in a hex; in Setup those that the capital will have once it is placed."""
    if context.state.phase == SETUP and context.state.capital(context.player) is None:
        return start_bp(context.state, context.player)
    return context.state.store.get(payer(context, at), 0)


def found_capital(scene: Scene, player: str, at: Hex) -> str:
    """Put a capital on the map, with its buildings, its fortress and the start BP. Returns its size."""
    state, ruleset = scene.state, scene.state.ruleset
    state.urban[at] = Urban(
        ruleset.capital_size,
        tuple(sorted(ruleset.capital_buildings)),
        state.players[player].faction,
        player,
        changed=state.turn,
    )
    standing = state.stronghold.get(at)
    defences = {} if standing is None else standing.defences
    weapons = () if standing is None else standing.weapons
    state.stronghold[at] = Stronghold(ruleset.capital_stronghold, defences, weapons, state.turn)
    earn(state, at, start_bp(state, player))
    return ruleset.capital_size


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
        legal = [context.label(at) for at in own if next(restrictions(context, what, at), None) is None]
        if legal:
            yield {"order": {"type": cls.TYPE, "what": what}, "choices": {**choices, "at": legal}, "cost": 0}
