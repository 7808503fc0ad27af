"""Seats beside the capital: other places to raise detachments, and the BP that convoys bring there (1.1, 1.5.1).

A capital raises nobody while someone stands in it, and who was raised stands in it for a turn. So it raises a host
every other turn at most, and BP lie idle without a second and a third seat.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.bots.budget import Budget, cheapest
from server.bots.ground import Ground
from server.rules.board import Hex
from server.rules.economy import income
from server.rules.movement import mover, reachable
from server.rules.ruleset import Building
from server.rules.state import Convoy

LONGEST_WAY = 24
"""MV that a convoy may spend on its way to a second seat."""
PAYS_FROM = 5
"""Turns that must be left when a second seat is started."""
LAST_CONVOY = 3
"""Turns that must be left when BP are sent: later they are too late."""
LAST_TRAINING = 4
"""Turns that must be left when elite troops begin to be trained."""
HOST = 1430
"""BP reserved for a host, in the capital and in each other seat."""
TWO_HOSTS = 2200
"""BP at hand, in stores and convoys, from which another seat is started: two hosts' worth."""
MOST = 2
"""Seats beside the capital at most."""
OWN_MEANS = 2700
"""BP in its store from which a place makes itself a seat: above all a conquered capital."""
LEAST = 150
"""BP for which a convoy is sent."""
A_TURN = 500, 6
"""BP and MV that count as much as a turn, when the place that is ready the soonest is looked for."""


def seats(ground: Ground) -> tuple[Hex, ...]:
    """Return the places that are or become seats beside the capital, the soonest ready first.

    They are found from the position alone: a started seat is ready sooner than the rest, so it stays the choice.
    """
    state, home = ground.state, ground.state.capital(ground.me)
    if home is None or state.owner[home] != ground.me or state.faction(ground.me).detachments_only_in_capital:
        return ()
    who = mover(state, Convoy("", ground.me, home, 0))
    ways = reachable(state, who, home, LONGEST_WAY, rank=ground.lot.rank)
    bp, mv = A_TURN
    towns = [
        at
        for at in state.urban
        if at in ways
        and state.owner[at] == ground.me
        and (not _wanted(ground, at) or (ground.horizon >= PAYS_FROM and not ground.strength_near(at, 3)))
    ]
    towns.sort(key=lambda at: (_price(ground, at) / bp + ways[at][0] / mv, ground.lot.rank(at)))
    ready = sum(not _wanted(ground, at) for at in towns)
    return tuple(towns[: min(MOST, max(ready + is_rich(ground), 1 if ground.invests else 0))])


def is_rich(ground: Ground) -> bool:
    """Say whether a player who invests what lies idle has two hosts' worth of BP in stores and convoys."""
    state, me = ground.state, ground.me
    stored = sum(bp for at, bp in state.store.items() if state.owner[at] == me)
    carried = sum(convoy.bp for convoy in state.convoys.values() if convoy.owner == me)
    return ground.thrift and stored + carried >= TWO_HOSTS


def _wanted(ground: Ground, at: Hex) -> list[Building]:
    """Return the buildings that a place still needs so that detachments are raised there."""
    state = ground.state
    buildings = state.ruleset.buildings
    have = [buildings[id_] for id_ in state.urban[at].buildings]
    missing = list[Building]()
    if not any(building.detachments for building in have):
        missing += [building for building in buildings.values() if building.detachments][:1]
    if state.faction(ground.me).detachments_need_space_port and not any(building.space_port for building in have):
        missing += [building for building in buildings.values() if building.space_port and not building.upgrades][:1]
    for kind in ("hq", "troops"):
        if not any(kind in building.allows for building in (*have, *missing)):
            found = cheapest(state, kind)
            missing += [found] if found is not None else []
    return list(dict.fromkeys(missing))


def _price(ground: Ground, at: Hex) -> int:
    """Return the BP that make a seat of a place: it grows, and gets the buildings it needs."""
    state, wanted = ground.state, _wanted(ground, at)
    level = state.ruleset.urban_level(state.urban[at].size)
    grown = max((building.min_level for building in wanted), default=level)
    return sum(size.cost for size in state.ruleset.urban[level:grown]) + sum(building.cost for building in wanted)


# --- the Build phase ---


def train(made: Budget, home: Hex) -> None:
    """Let the capital train elite troops, so that its hosts are as great as they may be."""
    state = made.ground.state
    have = [state.ruleset.buildings[id_] for id_ in made.buildings[home]]
    if any("elite" in building.allows for building in have) or made.ground.horizon < LAST_TRAINING:
        return
    level = state.ruleset.urban_level(state.urban[home].size)
    building = cheapest(state, "elite")
    if building is not None and building.min_level <= level and made.has(home, building.cost):
        made.put_up(home, building)


def settle_in(made: Budget) -> None:
    """Take the next steps that make seats of the chosen places, and of those that have the BP and a host themselves."""
    state = made.ground.state
    if state.faction(made.ground.me).detachments_only_in_capital:
        return
    home = state.capital(made.ground.me)
    for at in sorted(made.buildings, key=made.ground.lot.rank):
        if at in made.seats or (at != home and not has_seat(made, at) and made.has(at, OWN_MEANS)):
            _settle(made, at)


def has_seat(made: Budget, at: Hex) -> bool:
    """Say whether detachments may be raised in a place, as it will be."""
    return any(made.ground.state.ruleset.buildings[id_].detachments for id_ in made.buildings[at])


def _settle(made: Budget, at: Hex) -> None:
    """Take the next steps that make a seat of a place."""
    state = made.ground.state
    wanted = _wanted(made.ground, at)
    level = state.ruleset.urban_level(state.urban[at].size)
    for building in wanted:
        if building.min_level <= level and made.has(at, building.cost):
            made.put_up(at, building)
    if any(building.min_level > level for building in wanted):
        size = state.ruleset.urban[level]
        free = state.urban[at].changed != state.turn and not state.enemy_zoc(at, made.ground.me)
        if free and made.has(at, size.cost):
            made.pay(at, size.cost, {"type": "upgrade_urban", "at": state.board.label(at)})


def supply(made: Budget, home: Hex) -> None:
    """Send the other seats what the capital does not need for its own next host.

    A capital that raises someone now has two turns' income until it may raise the next.
    """
    ground, state = made.ground, made.ground.state
    if ground.horizon < LAST_CONVOY:
        return
    gains = income(state).get(ground.me)
    turn = 0 if gains is None else max(0, gains.total)
    label = state.board.label(home)
    raises = any(order["type"] == "build_detachment" and order["at"] == label for order in made.orders)
    coming = sum(convoy.bp for convoy in state.convoys.values() if convoy.owner == ground.me)
    for at in made.seats:
        spare = made.purse.get(home, 0) - max(0, HOST - turn * (2 if raises else 1))
        lacking = _price(ground, at) + HOST - made.purse.get(at, 0)
        bp, coming = min(spare, lacking - coming), max(0, coming - max(0, lacking))
        if bp >= max(LEAST, state.ruleset.convoy_least):
            made.pay(home, bp, {"type": "create_convoy", "at": label, "bp": bp})


# --- the way there ---


def lead(ground: Ground, convoy: Convoy, places: Iterable[Hex]) -> dict[str, Any] | None:
    """Return the order that brings a convoy nearer to the nearest place that lacks BP; None without a path."""
    state = ground.state
    who = mover(state, convoy)
    found = reachable(state, who, convoy.at, LONGEST_WAY, rank=ground.lot.rank)
    lacking = [at for at in places if at in found and state.store.get(at, 0) < _price(ground, at) + HOST]
    at = min(lacking, key=lambda at: (found[at][0], ground.lot.rank(at)), default=None)
    way = [hex_ for hex_ in ground.way(found, at) if found[hex_][0] <= who.mv] if at is not None else []
    if not way:
        return None
    path = [state.board.label(hex_) for hex_ in way]
    return {"type": "path", "convoy": convoy.id, "path": path, "unload": way[-1] == at}
