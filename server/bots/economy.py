"""What pays itself back: buildings, towns, camps, roads, BP brought to where they are spent (1.1, 1.4 to 1.6)."""

from __future__ import annotations

from typing import Any

from server.bots.army import SECTION, scout_slot, units_for
from server.bots.budget import Budget, cheapest
from server.bots.ground import FAR, Ground
from server.bots.seats import OWN_MEANS, is_rich
from server.rules.board import Hex
from server.rules.economy import income
from server.rules.orders.build.roads import road_face
from server.rules.ruleset import Building
from server.rules.state import State

Order = dict[str, Any]

LOAD = 120
"""BP in a town from which a convoy brings them to the capital."""
PATIENCE = 0.8
"""An investment pays itself back within this share of the turns that are left."""
GROWS_FROM = 10
"""Turns that must be left when a town saves its BP to grow."""
LARGEST = 3
"""The size up to which a town saves for growing: a city."""


def can_have_garrison(ground: Ground, at: Hex) -> bool:
    """Say whether a garrison can be built in an own stronghold: there is none, and no enemy stands there."""
    return at not in ground.state.garrison_at and not ground.state.enemy_at(at, ground.me)


def max_garrison(state: State, at: Hex) -> int:
    """Return the most points of a garrison in a hex; 0 without a stronghold."""
    stronghold = state.stronghold.get(at)
    if stronghold is None:
        return 0
    return state.ruleset.strongholds[state.ruleset.stronghold_level(stronghold.type) - 1].garrison


def improve_capital(made: Budget, home: Hex) -> None:
    """Put up what the capital earns by, and replace what costs more than it is for."""
    _tax(made, home)
    _replace_port(made, home)
    _drop_idle(made, home)


def _tax(made: Budget, at: Hex) -> None:
    """Build a taxation office where its conditions hold and it pays (D-25)."""
    state = made.ground.state
    rules = state.ruleset
    level = rules.urban_level(state.urban[at].size)
    yields = rules.urban[level - 1].income + state.faction(made.ground.me).urban_income.get(state.urban[at].size, 0)
    for building in rules.buildings.values():
        if not building.income_percent or building.upgrades or building.foreign_only or level < building.min_level:
            continue
        if any(building.id in (id_, rules.buildings[id_].upgrades) for id_ in made.buildings[at]):
            continue
        gain = yields * building.income_percent // 100 - building.maintenance
        holds = _holds(made, at, building)
        if holds and gain > 0 and _pays(made, building.cost, gain) and made.has(at, building.cost):
            made.put_up(at, building)


def _holds(made: Budget, at: Hex, building: Building) -> bool:
    """Say whether a stronghold of the type it needs is there, and someone in it."""
    state = made.ground.state
    stronghold = state.stronghold.get(at)
    if not building.income_needs:
        return True
    if stronghold is None:
        return False
    strong = state.ruleset.stronghold_level(stronghold.type) >= state.ruleset.stronghold_level(building.income_needs)
    held = at in state.garrison_at or any(
        order["type"] == "build_garrison" and order["at"] == state.board.label(at) for order in made.orders
    )
    return strong and held


def _pays(made: Budget, cost: int, gain: int) -> bool:
    return cost <= gain * made.ground.horizon * PATIENCE


def _replace_port(made: Budget, home: Hex) -> None:
    """Give up a space port for an academy and barracks, which cost less, if no force drops from orbit."""
    state, rules = made.ground.state, made.ground.state.ruleset
    ports = [rules.buildings[id_] for id_ in made.buildings[home] if rules.buildings[id_].space_port]
    faction = state.faction(made.ground.me)
    types = state.ruleset.detachment_types
    if not ports or any(types[id_].orbit for id_ in faction.detachment_types):
        return
    wanted = [cheapest(state, kind) for kind in dict.fromkeys(("hq", "troops", scout_slot(faction)))]
    level = rules.urban_level(state.urban[home].size)
    needed = [building for building in wanted if building is not None and building.min_level <= level]
    if len(needed) < len(wanted) or state.urban[home].disbanded == state.turn:
        return
    missing = [building for building in dict.fromkeys(needed, None) if building.id not in made.buildings[home]]
    cost = sum(building.cost for building in missing)
    refund = _refund(state, ports[0])
    saved = ports[0].maintenance - sum(building.maintenance for building in missing)
    if saved <= 0 or not made.has(home, cost - refund) or not _pays(made, max(1, cost - refund), saved):
        return
    label = state.board.label(home)
    made.pay(home, -refund, {"type": "disband_building", "at": label, "building": ports[0].id})
    made.buildings[home] = tuple(id_ for id_ in made.buildings[home] if id_ != ports[0].id)
    for building in missing:
        made.put_up(home, building)


def _refund(state: State, building: Building) -> int:
    rules = state.ruleset
    paid, of = building.cost, building
    while of.upgrades:
        of = rules.buildings[of.upgrades]
        paid += of.cost
    return paid * rules.refund_percent // 100


def _drop_idle(made: Budget, at: Hex) -> None:
    """Give up a building that costs and does nothing (D-25: a prison)."""
    state = made.ground.state
    label = state.board.label(at)
    if state.urban[at].disbanded == state.turn or any(
        order["type"] == "disband_building" and order["at"] == label for order in made.orders
    ):
        return
    for id_ in made.buildings[at]:
        building = state.ruleset.buildings[id_]
        if building.maintenance and not building.does_something:
            made.pay(at, -_refund(state, building), {"type": "disband_building", "at": label, "building": id_})
            made.buildings[at] = tuple(other for other in made.buildings[at] if other != id_)
            return


# --- beyond the capital ---


def develop(made: Budget, home: Hex) -> None:
    """Spend what the capital does not need now: towns that grow, roads, a tower; bring small change home."""
    ground, state = made.ground, made.ground.state
    gains = income(state).get(ground.me)
    turn = max(1, gains.total if gains is not None else 1)
    for at in sorted(made.buildings, key=ground.lot.rank):
        if at != home and at not in made.seats:
            _town(made, at, home)
    if made.has(home, turn):
        _tower(made, home)
        _road(made, home)
    if made.has(home, turn * 2) and made.ground.horizon >= 6:
        _grow(made, home)


def _town(made: Budget, at: Hex, home: Hex) -> None:
    """Do in a town what pays itself back; else send its BP to the capital."""
    ground, state = made.ground, made.ground.state
    if ground.strength_near(at, 2):
        _guard_town(made, at)
        return
    _tax(made, at)
    if is_rich(ground) and ground.horizon >= GROWS_FROM and _can_grow(made, at):  # at home they would lie idle
        _grow(made, at)
        return
    bp = made.purse.get(at, 0)
    if bp >= max(LOAD, state.ruleset.convoy_least) and way_home(made, at, home):
        made.pay(at, bp, {"type": "create_convoy", "at": state.board.label(at), "bp": bp})
    elif bp >= LOAD:
        _grow(made, at)


def way_home(made: Budget, at: Hex, home: Hex) -> bool:
    """Say whether a convoy could get nearer to the capital."""
    state = made.ground.state
    ways = made.ground.steps_to(home)
    enters = [id_ for id_, terrain in state.ruleset.terrain.items() if state.ruleset.convoy_mobility in terrain.enter]
    return any(
        (state.board.terrain[near] in enters or state.road(at, near)) and ways.get(near, FAR) < ways.get(at, FAR)
        for near in state.board.adjacent[at]
    )


def _guard_town(made: Budget, at: Hex) -> None:
    """Put up a camp and a small watch in a town that an enemy is near to, if it can pay that."""
    state = made.ground.state
    label, camp = state.board.label(at), state.ruleset.strongholds[0]
    cost = -(-camp.cost * state.faction(made.ground.me).stronghold_percent // 100)
    if at not in state.stronghold:
        if made.has(at, cost) and not state.enemy_zoc(at, made.ground.me):
            made.pay(at, cost, {"type": "build_camp", "at": label})
        else:
            return
    if can_have_garrison(made.ground, at):
        maximum = min(max_garrison(state, at) or camp.garrison, made.purse.get(at, 0) * 2)
        sections = maximum // SECTION["points"]
        if sections:
            units = units_for((SECTION,) * sections)
            price = -(-sections * SECTION["points"] // state.ruleset.garrison_divisor)
            made.pay(at, price, {"type": "build_garrison", "at": label, "units": units})


def growth(made: Budget, at: Hex) -> int:
    """Return the BP that let an urban hex grow; those of a seat if it is as great as can be."""
    state = made.ground.state
    level = state.ruleset.urban_level(state.urban[at].size)
    return state.ruleset.urban[level].cost if level < len(state.ruleset.urban) else OWN_MEANS


def _can_grow(made: Budget, at: Hex) -> bool:
    """Say whether a town is smaller than those that grow on their own BP."""
    state = made.ground.state
    return state.ruleset.urban_level(state.urban[at].size) < min(LARGEST, len(state.ruleset.urban))


def _grow(made: Budget, at: Hex) -> None:
    """Let an urban hex grow where the income pays that back, or nothing better can be done with the BP."""
    state, rules = made.ground.state, made.ground.state.ruleset
    level = rules.urban_level(state.urban[at].size)
    if level >= len(rules.urban) or state.urban[at].changed == state.turn or state.enemy_zoc(at, made.ground.me):
        return
    size = rules.urban[level]
    if made.has(at, size.cost):
        made.pay(at, size.cost, {"type": "upgrade_urban", "at": state.board.label(at)})


def _tower(made: Budget, home: Hex) -> None:
    """Give the capital a radar tower, once: it sees who comes (1.4.3)."""
    state = made.ground.state
    stronghold, rules = state.stronghold.get(home), state.ruleset
    if stronghold is None or any(rules.defences[id_].sight for id_ in stronghold.defences):
        return
    for defence in rules.defences.values():
        if defence.sight and state.faction(made.ground.me).id not in defence.forbidden:
            base = rules.defences[defence.converts].cost if defence.converts else 0
            label = state.board.label(home)
            made.pay(home, defence.cost + base, {"type": "build_defence", "at": label, "defence": defence.id})
            return


def _road(made: Budget, home: Hex) -> None:
    """Build the next piece of a road towards the enemy, where the ground is slow (D-39)."""
    ground, state = made.ground, made.ground.state
    goals = ground.capitals()
    if not goals or made.ground.horizon < 5 or state.ruleset.urban_level(state.urban[home].size) < 2:
        return
    ways = ground.steps_to(*goals)
    here = home
    for _ in range(8):
        near = [at for at in state.board.adjacent[here] if ways.get(at, FAR) < ways.get(here, FAR)]
        best = min(near, key=lambda at: (ways[at], ground.lot.rank(at)), default=None)
        if best is None or state.owner[best] != ground.me:
            return
        slow = state.ruleset.terrain[state.board.terrain[best]].cost > 2
        clear = not state.enemy_zoc(here, ground.me) and not state.enemy_zoc(best, ground.me)
        if slow and clear and not state.road(here, best) and road_face(state, here, best):
            label = state.board.label
            order = {"type": "build_road", "urban": label(home), "from": label(here), "to": label(best)}
            made.pay(home, state.ruleset.road_cost, order)
            return
        here = best
