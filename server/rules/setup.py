"""0 and 1. Setup and Build: placements, forces mustered, orders done one after the other (D-11, D-12, D-27, D-33)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from server.rules.board import Hex
from server.rules.orders.base import ImmediateOrder
from server.rules.orders.context import OrderContext
from server.rules.orders.sets import OrderBook
from server.rules.orders.setup import CAPITAL, RESOURCE, URBAN, Place, restrictions, roll_size
from server.rules.scene import Scene
from server.rules.state import Force, Id, PlayerId, State


def carry_out_immediate(scene: Scene, book: OrderBook) -> None:
    """Carry out all orders of a book that are done at once: players in seat order, each player's in order (D-27).

    In the Build phase these are all (1), in phases other than Setup and Build the alliances (D-04).
    """
    given = [
        (player, order)
        for player in scene.state.players
        for order in book.of(player)
        if isinstance(order, ImmediateOrder)
    ]
    contexts = true_contexts(scene.state) if given else {}
    for player, order in given:
        attempt(scene, contexts[player], order)


def true_contexts(state: State) -> Mapping[PlayerId, OrderContext]:
    """Return a context for each player, in which their orders are carried out on the true state.

    What came and went in this phase is common to them all, so that seat order does not matter.
    """
    fresh: dict[Id, None] = {}
    gone: dict[Id, Force] = {}
    placed: dict[Hex, PlayerId] = {}
    forces: list[Force] = [*state.detachments.values(), *state.garrisons.values()]
    fit = {force.id: state.fit(force) for force in forces}
    return {player: OrderContext(state, player, {}, fresh, gone, fit, placed) for player in state.players}


def attempt(scene: Scene, context: OrderContext, order: ImmediateOrder) -> None:
    """Carry out one order, unless something its player could not know forbids it.

    Then it fails, and nothing is spent (D-07).
    """
    if next(iter(order.check(context)), None) is not None:
        scene.emit("no_effect", [context.player], order=order.index, order_type=order.TYPE)
    else:
        order.carry_out(scene, context)


MAX_TRIES = 2000
"""How long a way to place the rest is looked for; it is a wish, not a rule."""


def play_start_sizes(scene: Scene, only: Sequence[PlayerId] | None = None) -> None:
    """D-12: roll the sizes of the urban and resource hexes each player may place, and tell them alone."""
    state, settings, ruleset = scene.state, scene.state.settings, scene.state.ruleset
    urban = ruleset.start_urban_count if settings.start_urban_count is None else settings.start_urban_count
    resource = ruleset.start_resource_count if settings.start_resource_count is None else settings.start_resource_count
    for player in state.living():
        if only is not None and player.id not in only:
            continue
        player.start_urban = tuple(roll_size(scene, player.id, URBAN) for _ in range(urban))
        player.start_resource = tuple(roll_size(scene, player.id, RESOURCE) for _ in range(resource))
        told = {"urban": list(player.start_urban), "resources": list(player.start_resource)}
        scene.emit("start_sizes", [player.id], **told)


def play_setup(scene: Scene, book: OrderBook) -> None:
    """D-11: all placements, then by the dice what was not placed, then the forces mustered (D-33)."""
    state = scene.state
    contexts = true_contexts(state)
    for player, context in contexts.items():
        for order in book.of(player):
            if isinstance(order, ImmediateOrder) and order.PLACES:
                attempt(scene, context, order)
    for player, context in contexts.items():
        if not state.players[player].eliminated:
            place_by_dice(scene, context)
    for player, context in contexts.items():
        for order in book.of(player):
            if isinstance(order, ImmediateOrder) and not order.PLACES:
                attempt(scene, context, order)
    for other in state.players.values():
        other.start_urban = other.start_resource = ()


# --- placement by the dice ---


def place_by_dice(scene: Scene, context: OrderContext) -> None:
    """D-11: place what a player has not placed, each thing in a legal hex chosen by the dice."""
    room = Room.of(context)
    for what in _left_to_place(context.state, context.player):
        at = _choose(scene, room, what, _left_to_place(context.state, context.player)[1:])
        if at is None:
            return
        Place(what=what, at=at).carry_out(scene, context)
        room.take(what, at)


def _left_to_place(state: State, player: PlayerId) -> list[str]:
    me = state.players[player]
    capital = [] if state.capital(player) is not None else [CAPITAL]
    return capital + [URBAN] * len(me.start_urban) + [RESOURCE] * len(me.start_resource)


def _choose(scene: Scene, room: Room, what: str, rest: Sequence[str]) -> Hex | None:
    """Return a legal hex chosen by the dice among those that leave room for the rest, if any do.

    Where none is legal: the best there is; None where the player has no free land at all.
    """
    player = room.context.player
    legal = room.legal(what)
    candidates = legal if room.ample(rest) else [at for at in legal if room.left(what, at, rest)] or legal
    if candidates:
        face = scene.roll_one(f"placement/{player}", [player], len(candidates))
        return candidates[(face - 1) % len(candidates)]
    # the free hex that breaks the fewest restrictions, the first of them
    best = min(room.free, key=lambda at: sum(1 for _ in restrictions(room.context, what, at)), default=None)
    scene.emit("placement_failed", [player], what=what, hex="" if best is None else scene.label(best))
    return best


@dataclass(slots=True)
class Room:
    """Where a player can still place things, in label order; kept in step with the placements."""

    context: OrderContext
    free: list[Hex]
    """Own land hexes that hold nothing."""
    spots: list[Hex]
    """Those of them where a resource hex may go, as far as the map and other resource hexes go."""

    @classmethod
    def of(cls, context: OrderContext) -> Room:
        """Return the room a player has now."""
        own = (at for at, owner in enumerate(context.state.owner) if owner == context.player)
        free = [at for at in sorted(own, key=context.state.board.label) if _only_capital_near(context, URBAN, at)]
        return cls(context, free, [at for at in free if _only_capital_near(context, RESOURCE, at)])

    def take(self, what: str, at: Hex) -> None:
        """Note that something has been placed."""
        self.free.remove(at)
        self.spots = [spot for spot in self.spots if spot != at and (what != RESOURCE or self._apart(spot, [at]))]

    def legal(self, what: str) -> list[Hex]:
        """Return where a thing may be placed."""
        if what == CAPITAL:
            return [at for at in self.free if next(restrictions(self.context, CAPITAL, at), None) is None]
        capital = self.context.state.capital(self.context.player)
        return [at for at in (self.free if what == URBAN else self.spots) if self._away(what, at, capital)]

    def ample(self, rest: Sequence[str]) -> bool:
        """Say whether one more thing leaves room for the rest wherever it goes, by counting alone."""
        ruleset, urban, resources = self.context.state.ruleset, rest.count(URBAN), rest.count(RESOURCE)
        bare = _hexes_nearer(ruleset.urban_capital_distance) + urban + resources
        around = _hexes_nearer(ruleset.resource_capital_distance) + urban
        return len(self.free) > bare and len(self.spots) > around + _hexes_nearer(ruleset.resource_distance) * (
            resources + 1
        )

    def left(self, what: str, at: Hex, rest: Sequence[str]) -> bool:
        """Say whether, with one more thing at *at*, the rest can still be placed."""
        capital = at if what == CAPITAL else self.context.state.capital(self.context.player)
        urban, resources = rest.count(URBAN), rest.count(RESOURCE)
        free = (hex_ for hex_ in self.free if hex_ != at and self._away(URBAN, hex_, capital))
        if sum(1 for _ in islice(free, urban + resources)) < urban + resources:
            return False
        spots = [spot for spot in self.spots if spot != at and self._away(RESOURCE, spot, capital)]
        return self._fit(spots, [at] if what == RESOURCE else [], resources)

    def _fit(self, spots: Sequence[Hex], taken: list[Hex], wanted: int) -> bool:
        """Say whether a number of resource hexes fits on the spots, far enough from each other and those taken."""
        tries = 0

        def place(start: int, chosen: list[Hex], left: int) -> bool:
            nonlocal tries
            for number in range(start, len(spots) if left else 0):
                tries += 1
                if tries > MAX_TRIES:
                    return False
                here = spots[number]
                if self._apart(here, chosen) and place(number + 1, [*chosen, here], left - 1):
                    return True
            return not left

        return place(0, taken, wanted)

    def _away(self, what: str, at: Hex, capital: Hex | None) -> bool:
        ruleset = self.context.state.ruleset
        minimum = ruleset.urban_capital_distance if what == URBAN else ruleset.resource_capital_distance
        return capital is None or self.context.state.board.distance(at, capital) >= minimum

    def _apart(self, at: Hex, others: Sequence[Hex]) -> bool:
        board, minimum = self.context.state.board, self.context.state.ruleset.resource_distance
        return all(board.distance(at, other) >= minimum for other in others)


def _only_capital_near(context: OrderContext, what: str, at: Hex) -> bool:
    """True when nothing but the capital, which may still have to be placed, speaks against a placement."""
    return all(restriction.code == "too_near_capital" for restriction in restrictions(context, what, at))


def _hexes_nearer(distance: int) -> int:
    """Return how many hexes lie nearer to a hex than *distance*, itself among them."""
    return 1 + 3 * max(0, distance - 1) * distance
