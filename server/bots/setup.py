"""The Setup phase: where a computer player places what it has, and what it musters (D-11, D-33)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from server.bots.army import bill, host, patrol, price, scout_slot, units_for
from server.bots.ground import Ground
from server.bots.levels import Level
from server.rules.board import Hex
from server.rules.orders.setup import start_bp
from server.rules.ruleset import DetachmentType
from server.rules.state import PlayerId, State

Order = dict[str, Any]


def places(state: State, me: PlayerId, tie: Callable[[Hex], float]) -> list[Order]:
    """Return the placements: the capital deep in own land, everything else behind it.

    *tie* decides between hexes that are as good.
    """
    board, rules = state.board, state.ruleset
    own = [at for at, owner in enumerate(state.owner) if owner == me and rules.terrain[board.terrain[at]].land]
    foreign = [at for at, owner in enumerate(state.owner) if owner and owner != me]
    ranks = {at: tie(at) for at in own}
    depth = {at: min((board.distance(at, there) for there in foreign), default=0) for at in own}
    inside = frozenset(own)
    inner = [at for at in own if board.interior(at) and inside.issuperset(board.adjacent[at])]
    if not inner:
        return []
    capital = max(inner, key=lambda at: (depth[at], _room(state, at, own), ranks[at]))
    orders: list[Order] = [{"type": "place", "what": "capital", "at": board.label(capital)}]
    sites = sorted((at for at in own if at != capital), key=lambda at: (-depth[at], ranks[at]))
    taken = [capital]
    resources: list[Hex] = []
    for _ in state.players[me].start_resource:
        at = next((at for at in sites if at not in taken and _fits(state, at, capital, resources)), None)
        if at is not None:
            orders.append({"type": "place", "what": "resource", "at": board.label(at)})
            resources.append(at)
            taken.append(at)
    for _ in state.players[me].start_urban:
        for at in sites:
            if at not in taken and board.distance(at, capital) >= rules.urban_capital_distance:
                orders.append({"type": "place", "what": "urban", "at": board.label(at)})
                taken.append(at)
                break
    return orders


def worth_of(state: State, me: PlayerId, tie: Callable[[Hex], float]) -> Callable[[str, Hex | None], tuple[float, ...]]:
    """Return what says how good a hex is for a placement: for anything deep in own land, for a capital with room."""
    own = [at for at, owner in enumerate(state.owner) if owner == me]
    foreign = [at for at, owner in enumerate(state.owner) if owner and owner != me]
    depth = {at: min((state.board.distance(at, there) for there in foreign), default=0) for at in own}

    def worth(what: str, at: Hex | None) -> tuple[float, ...]:
        if at is None or at not in depth:
            return (-1,)
        return depth[at], _room(state, at, own) if what == "capital" else 0, tie(at)

    return worth


def _room(state: State, at: Hex, own: list[Hex]) -> int:
    """Return how many places a capital there leaves for resources."""
    rules, board = state.ruleset, state.board
    return min(
        12, sum(board.interior(site) and board.distance(site, at) >= rules.resource_capital_distance for site in own)
    )


def _fits(state: State, at: Hex, capital: Hex, resources: list[Hex]) -> bool:
    rules, board = state.ruleset, state.board
    apart = all(board.distance(at, other) >= rules.resource_distance for other in resources)
    return apart and board.interior(at) and board.distance(at, capital) >= rules.resource_capital_distance


# --- mustering ---

KEPT = 450
"""BP kept for what the capital builds first."""


def setup(ground: Ground, level: Level) -> list[Order]:
    """Return the placements, and the forces mustered where they look outward."""
    state, me = ground.state, ground.me
    orders = places(state, me, ground.lot.rank)
    capital = state.board.find(orders[0]["at"]) if orders else None
    if capital is None or not state.settings.muster:
        return orders
    rules, label = state.ruleset, state.board.label
    left = start_bp(state, me) - KEPT
    maximum = next((type_.garrison for type_ in rules.strongholds if type_.id == rules.capital_stronghold), 0)
    watch = bill(min(maximum // 100, max(0, left) // 200))
    if watch:
        orders.append({"type": "build_garrison", "at": orders[0]["at"], "units": units_for(watch)})
        left -= -(-price(watch) // rules.garrison_divisor)
    sites = _sites(ground, capital)
    raised: list[DetachmentType | None] = []
    patrols = 0
    scouts = scout_slot(state.faction(me))
    small = patrol(scouts)
    while sites and left >= price(small):
        strong = left >= level.hosts // 2 and len(raised) < 2 * (patrols + 1)
        units = host(min(left, level.hosts), scouts=scouts) if strong or patrols >= level.patrols else small
        left -= price(units)
        patrols += units is small
        orders.append(raise_order(label(sites.pop(0)), units))
        raised.append(None)
    return orders


def raise_order(at: str, units: tuple[dict[str, Any], ...], type_: str = "standard") -> Order:
    """Return the order to raise a detachment; the rules name it from the seat's pool."""
    return {"type": "build_detachment", "at": at, "detachment_type": type_, "units": units_for(units)}


def _sites(ground: Ground, capital: Hex) -> list[Hex]:
    """Return own hexes to muster in: along the rim, well apart, in a keyed order; then the others."""
    state, board = ground.state, ground.state.board
    own = [at for at, owner in enumerate(state.owner) if owner == ground.me and ground.land(at) and at != capital]
    rim = [at for at in own if any(ground.worth(near) for near in board.adjacent[at])]
    found: list[Hex] = []
    for apart in (3, 2, 1):
        for at in sorted(rim or own, key=ground.lot.rank):
            if at not in found and all(board.distance(at, other) >= apart for other in found):
                found.append(at)
    return found + [at for at in sorted(own, key=ground.lot.rank) if at not in found]
