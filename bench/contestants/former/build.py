"""What the commander places and builds."""

from __future__ import annotations

from typing import Any

from bench.contestants.former import care
from bench.contestants.former.army import LINE, SMALL, STRONG, bill, price, units_for
from bench.contestants.former.ground import Ground
from server.rules.board import Hex
from server.rules.ruleset import UrbanSize

Order = dict[str, Any]

MUSTERED = 4
"""Detachments mustered in Setup, BP permitting."""
GARRISON = 4
"""Squads in the capital's garrison."""


def setup(ground: Ground) -> list[Order]:
    """Place the capital deep in own land, towns and resources behind it, then muster (D-11, D-33)."""
    state = ground.state
    own = [at for at, owner in enumerate(state.owner) if owner == ground.me and ground.land(at)]
    foreign = [at for at, owner in enumerate(state.owner) if owner and owner != ground.me]

    def depth(at: Hex) -> int:
        return min((state.board.distance(at, each) for each in foreign), default=0)

    inner = [at for at in own if all(state.owner[n] == ground.me for n in state.board.adjacent[at])]
    inner = [at for at in inner if state.board.interior(at)]
    capital = max(inner, key=lambda at: (depth(at), -at), default=None)
    if capital is None:
        return []
    label = state.board.label
    orders: list[Order] = [{"type": "place", "what": "capital", "at": label(capital)}]
    sites = sorted((at for at in own if at != capital), key=lambda at: (-depth(at), at))
    placed = [capital]
    resources: list[Hex] = []
    me, rules = state.players[ground.me], state.ruleset
    for _ in me.start_resource:
        for at in sites:
            far = all(state.board.distance(at, resource) >= rules.resource_distance for resource in resources)
            near = state.board.distance(at, capital) < rules.resource_capital_distance
            if far and not near and at not in placed and state.board.interior(at):
                orders.append({"type": "place", "what": "resource", "at": label(at)})
                resources.append(at)
                placed.append(at)
                break
    for _ in me.start_urban:
        for at in sites:
            if at not in placed and state.board.distance(at, capital) >= rules.urban_capital_distance:
                orders.append({"type": "place", "what": "urban", "at": label(at)})
                placed.append(at)
                break
    return orders + _muster(ground, capital, own)


def _muster(ground: Ground, capital: Hex, own: list[Hex]) -> list[Order]:
    state, label = ground.state, ground.state.board.label
    if not state.settings.muster:
        return []
    orders: list[Order] = [{"type": "build_garrison", "at": label(capital), "units": units_for(bill(GARRISON))}]
    outward = sorted(own, key=lambda at: (state.board.distance(at, capital), at), reverse=True)
    for number, at in enumerate(outward[:: max(1, len(outward) // (MUSTERED * 2))][: MUSTERED * 2]):
        units = STRONG if number % 2 == 0 else LINE
        orders.append(_raise(label(at), units, number))
    return orders


def _raise(at: str, units: tuple[dict[str, Any], ...], number: int) -> Order:
    return {
        "type": "build_detachment",
        "at": at,
        "name": f"Column {number + 1}",
        "detachment_type": "standard",
        "units": units_for(units),
    }


def orders(ground: Ground) -> list[Order]:
    """Make up losses, raise what each urban hex can pay, grow it, and settle convoys found on the way."""
    state = ground.state
    purse = dict(state.store)
    given = care.orders(ground, purse)
    for convoy in state.convoys.values():
        if convoy.owner == ground.me and (convoy.at in state.urban or convoy.at in state.stronghold):
            given.append({"type": "unload_convoy", "convoy": convoy.id})
    for at in sorted(state.urban):
        if state.owner[at] == ground.me:
            given += _in_urban(ground, at, purse.get(at, 0), len(state.detachments))
    return given


def _in_urban(ground: Ground, at: Hex, bp: int, number: int) -> list[Order]:
    state, label = ground.state, ground.state.board.label(at)
    capital = state.urban[at].capital == ground.me
    given: list[Order] = []
    if capital:
        garrison = state.garrison_at.get(at)
        if garrison is None and bp >= price(bill(GARRISON)):
            given.append({"type": "build_garrison", "at": label, "units": units_for(bill(GARRISON))})
            bp -= price(bill(GARRISON)) // state.ruleset.garrison_divisor
        for units in (STRONG, LINE, SMALL):
            if bp >= price(units):
                given.append(_raise(label, units, number))
                break
        return given
    level = state.ruleset.urban_level(state.urban[at].size)
    grown: UrbanSize | None = state.ruleset.urban[level] if level < len(state.ruleset.urban) else None
    if grown is not None and bp >= grown.cost:
        given.append({"type": "upgrade_urban", "at": label})
    return given
