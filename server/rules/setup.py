"""0. Setup phase: sizes by the dice, placements, and forces mustered (D-11, D-12, D-33)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from server.rules.board import Hex
from server.rules.build import attempt, true_desks
from server.rules.orders.base import Desk, ImmediateOrder
from server.rules.orders.placement import (
    CAPITAL,
    RESOURCE,
    URBAN,
    Place,
    resource_fits,
    restrictions,
    roll_size,
)
from server.rules.orders.sets import OrderBook
from server.rules.scene import Scene
from server.rules.state import PlayerId, State

__all__ = ["play_setup", "play_start_sizes", "resource_fits"]

MOST_TRIES = 2000
"""How long a way to place the rest is looked for; it is a wish, not a rule."""


def play_start_sizes(scene: Scene, only: Sequence[PlayerId] | None = None) -> None:
    """D-12: roll the sizes of the urban and resource hexes each player may place, and tell him alone."""
    state, settings, ruleset = scene.state, scene.state.settings, scene.state.ruleset
    urban = ruleset.start_urban_count if settings.start_urban_count is None else settings.start_urban_count
    resource = ruleset.start_resource_count if settings.start_resource_count is None else settings.start_resource_count
    for player in state.living():
        if only is not None and player.id not in only:
            continue
        player.start_urban = tuple(roll_size(scene, player.id, URBAN) for _ in range(urban))
        player.start_resource = tuple(roll_size(scene, player.id, RESOURCE) for _ in range(resource))
        told = {"urban": list(player.start_urban), "resources": list(player.start_resource)}
        scene.tell("start_sizes", [player.id], **told)


def play_setup(scene: Scene, book: OrderBook) -> None:
    """D-11: all placements, then by the dice what was not placed, then the forces mustered (D-33)."""
    state = scene.state
    desks = true_desks(state)
    for player, desk in desks.items():
        for order in book.of(player):
            if isinstance(order, Place):
                attempt(scene, desk, order)
    for player, desk in desks.items():
        if not state.players[player].eliminated:
            place_by_dice(scene, desk)
    for player, desk in desks.items():
        for order in book.of(player):
            if isinstance(order, ImmediateOrder) and not isinstance(order, Place):
                attempt(scene, desk, order)
    for each in state.players.values():
        each.start_urban = each.start_resource = ()


# --- placement by the dice ---


def place_by_dice(scene: Scene, desk: Desk) -> None:
    """D-11: place what a player has not placed, each thing in a legal hex chosen by the dice."""
    player = desk.state.players[desk.player]
    while True:
        todo = _left_to_place(desk.state, desk.player)
        if not todo:
            return
        what, rest = todo[0], todo[1:]
        at = _choose(scene, desk, what, rest)
        if at is not None:
            Place(what=what, at=at).carry_out(scene, desk)
        elif what == CAPITAL:
            return
        elif what == URBAN:
            player.start_urban = ()
        else:
            player.start_resource = ()


def _left_to_place(state: State, player: PlayerId) -> list[str]:
    me = state.players[player]
    capital = [] if state.capital(player) is not None else [CAPITAL]
    return capital + [URBAN] * len(me.start_urban) + [RESOURCE] * len(me.start_resource)


def _choose(scene: Scene, desk: Desk, what: str, rest: Sequence[str]) -> Hex | None:
    """Return a legal hex chosen by the dice among those that leave room for the rest, if any do."""
    label = desk.state.board.label
    own = sorted((at for at, owner in enumerate(desk.state.owner) if owner == desk.player), key=label)
    legal = [at for at in own if next(restrictions(desk, what, at), None) is None]
    room = Room.of(desk, own)
    candidates = [at for at in legal if room.left(what, at, rest)] or legal
    if candidates:
        face = scene.roll_one(f"placement/{desk.player}", [desk.player], len(candidates))
        return candidates[(face - 1) % len(candidates)]
    best = _least_wrong(desk, what, own)
    where = "" if best is None else label(best)
    scene.tell("placement_failed", [desk.player], what=what, hex=where)
    return best


def _least_wrong(desk: Desk, what: str, own: Sequence[Hex]) -> Hex | None:
    """Return the free land hex that breaks the fewest restrictions, the first of them; None where none is free."""
    wrong = {at: [each.code for each in restrictions(desk, what, at)] for at in own}
    free = [at for at in own if not {"terrain", "occupied"} & set(wrong[at])]
    return min(free, key=lambda at: len(wrong[at]), default=None)


@dataclass(frozen=True, slots=True)
class Room:
    """Where a player could still place urban hexes and resource hexes."""

    desk: Desk
    free: tuple[Hex, ...]
    """Own land hexes that hold nothing."""
    spots: tuple[Hex, ...]
    """Those of them where a resource hex may go, as far as the map and other resource hexes go."""

    @classmethod
    def of(cls, desk: Desk, own: Sequence[Hex]) -> Room:
        """Return the room a player has now."""
        bare = ("too_near_capital",)
        free = tuple(at for at in own if all(each.code in bare for each in restrictions(desk, URBAN, at)))
        spots = tuple(at for at in free if all(each.code in bare for each in restrictions(desk, RESOURCE, at)))
        return cls(desk, free, spots)

    def left(self, what: str, at: Hex, rest: Sequence[str]) -> bool:
        """Say whether, with one more thing at *at*, the rest can still be placed."""
        state = self.desk.state
        capital = at if what == CAPITAL else state.capital(self.desk.player)
        urban, resources = rest.count(URBAN), rest.count(RESOURCE)
        distance = state.ruleset.urban_capital_distance
        free = (each for each in self.free if each != at and self._away(each, capital, distance))
        if sum(1 for _ in islice(free, urban + resources)) < urban + resources:
            return False
        distance = state.ruleset.resource_capital_distance
        spots = (each for each in self.spots if each != at and self._away(each, capital, distance))
        return self._fits(spots, [at] if what == RESOURCE else [], resources)

    def _away(self, at: Hex, capital: Hex | None, distance: int) -> bool:
        return capital is None or self.desk.state.board.distance(at, capital) >= distance

    def _fits(self, spots: Iterator[Hex], taken: list[Hex], wanted: int) -> bool:
        """Say whether so many resource hexes go on the spots, far enough from each other and those taken."""
        tries = 0
        known: list[Hex] = []

        def spot(number: int) -> Hex | None:
            while len(known) <= number:
                more = next(spots, None)
                if more is None:
                    return None
                known.append(more)
            return known[number]

        def place(number: int, chosen: list[Hex], left: int) -> bool:
            nonlocal tries
            while left and tries < MOST_TRIES:
                here = spot(number)
                if here is None:
                    return False
                tries += 1
                number += 1
                if self._apart(here, chosen) and place(number, [*chosen, here], left - 1):
                    return True
            return not left

        return place(0, taken, wanted)

    def _apart(self, at: Hex, others: Sequence[Hex]) -> bool:
        board, distance = self.desk.state.board, self.desk.state.ruleset.resource_distance
        return all(board.distance(at, each) >= distance for each in others)
