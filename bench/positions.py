"""Campaigns in full swing: maps with as many players and forces as are asked for, and orders for all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from server.rules.board import Board, Hex
from server.rules.movement import mover
from server.rules.state import (
    BATTLE_MOVEMENT,
    BATTLES,
    BUILD,
    MOVEMENT,
    REPORTS,
    Detachment,
    Garrison,
    Player,
    PlayerId,
    Settings,
    State,
    Stronghold,
    Unit,
    Urban,
)
from server.rulesets import load

RULESET = load("wh40k-2001")
Order = dict[str, Any]
Orders = dict[PlayerId, list[Order]]

KINDS = (
    ("hq", 1, 80, "infantry", ("character",)),
    ("troops", 10, 100, "infantry", ()),
    ("troops", 10, 100, "infantry", ("scout",)),
    ("troops", 10, 100, "infantry", ()),
    ("troops", 5, 60, "infantry", ("infiltrate",)),
    ("elite", 5, 120, "infantry", ()),
    ("fast", 5, 90, "infantry", ("fast",)),
    ("heavy", 1, 150, "infantry", ("artillery",)),
)
"""Slot, models, points, mobility and flags of the units of each detachment."""
SIZES = ("metropol", "city", "town", "village")
TOWNS_EACH = 4
CONVOYS = 0.3
"""How many capitals send one out, each turn."""
GROUND = ("plains",) * 6 + ("forest", "hills")


@dataclass(frozen=True, slots=True)
class Size:
    """How large a campaign is."""

    columns: int
    rows: int
    players: int
    detachments: int
    units: int = len(KINDS)


def cells(size: Size) -> tuple[int, int]:
    """Return into how many columns and rows of territories the map is cut."""
    wide = next(n for n in range(1, size.players + 1) if size.players % n == 0 and n * n >= size.players)
    return wide, size.players // wide


def campaign(size: Size) -> State:
    """Return a campaign at the Build phase of turn 5: each player holds a part of the map, and it is full of forces."""
    random = Random(f"bench/{size}")
    board = Board(size.columns, size.rows, tuple(random.choice(GROUND) for _ in range(size.columns * size.rows)))
    factions = list(RULESET.factions)
    players = {f"p{n:02}": Player(f"p{n:02}", factions[n % len(factions)], 2) for n in range(size.players)}
    settings = Settings(capital_eliminates=True, battles="quick")
    state = State(board, RULESET, settings, players, turn=5, phase=BUILD, id_key=b"bench")
    across, down = cells(size)
    names = list(players)
    land: dict[PlayerId, list[Hex]] = {id_: [] for id_ in names}
    for at in range(board.size):
        column, row = at % size.columns, at // size.columns
        owner = names[column * across // size.columns + across * (row * down // size.rows)]
        state.owner[at] = owner
        state.discovered[at] = 1
        land[owner].append(at)
    for owner, hexes in land.items():
        _settle(state, owner, random.sample(hexes, TOWNS_EACH))
        share = size.detachments // size.players
        for number, at in enumerate(random.sample(hexes, min(share, len(hexes)))):
            units = tuple(_unit(f"{owner}-{number}-{place}", place) for place in range(size.units))
            state.add_detachment(Detachment(f"{owner}-{number:05}", owner, f"Host {number}", "standard", at, units))
    state.reindex()
    return state


def _unit(id_: str, place: int) -> Unit:
    slot, models, points, mobility, flags = KINDS[place]
    return Unit(id_, f"{slot} {place}", slot, models, points, mobility, flags, int("artillery" in flags), ready=models)


def _settle(state: State, owner: PlayerId, places: list[Hex]) -> None:
    for place, at in enumerate(places):
        capital = owner if place == 0 else ""
        buildings = ("academy", "barracks", "strategic_hq", "training_facilities") if place < 2 else ("barracks",)
        state.urban[at] = Urban(SIZES[place], buildings, capital=capital)
        state.store[at] = 3000
        if place != 2:
            state.stronghold[at] = Stronghold("fortress" if place == 0 else "camp", {"weapon_tower": 1})
            units = (Unit(f"{owner}-g{place}", "Watch", "troops", 10, 100, "infantry", ready=10),)
            state.add_garrison(Garrison(f"{owner}-g{place}", owner, at, units))


# --- orders ---


def orders_for(state: State, seed: object = 0) -> Orders:
    """Return orders of everybody for everything in the phase the campaign stands at."""
    random = Random(f"bench/{seed}/{state.turn}/{state.phase}")
    write = _WRITERS[state.phase]
    orders: Orders = {id_: [] for id_ in state.players}
    write(state, random, orders)
    return orders


def _build(state: State, random: Random, orders: Orders) -> None:
    """Everybody builds something in each of his towns; the capital sends out a convoy and raises a detachment."""
    label = state.board.label
    squad = {"slot": "troops", "models": 5, "points": 50, "mobility": "infantry"}
    for at, urban in state.urban.items():
        owner = state.owner[at]
        if not owner:
            continue
        here = label(at)
        garrison = "add_units" if at in state.garrison_at else "build_garrison"
        near = label(random.choice(state.board.adjacent[at]))
        choices: list[Order] = [
            {"type": "upgrade_urban", "at": here},
            {"type": "build_building", "at": here, "building": random.choice(list(state.ruleset.buildings))},
            {"type": "build_road", "urban": here, "from": here, "to": near},
            {"type": "build_defence", "at": here, "defence": "razor_wire"},
            {"type": garrison, "at": here, "units": [squad]},
        ]
        orders[owner].append(random.choice(choices))
        if urban.capital:
            host = [squad | {"slot": "hq", "models": 1}, squad, squad]
            if random.random() < CONVOYS:
                orders[owner].append({"type": "create_convoy", "at": here, "bp": 100})
            orders[owner].append({"type": "build_detachment", "at": here, "name": "New", "units": host})


def _march(state: State, random: Random, orders: Orders) -> None:
    """Every detachment and convoy moves, as far as the ground lets it."""
    label, adjacent = state.board.label, state.board.adjacent
    for detachment in state.detachments.values():
        if detachment.at < 0 or detachment.ready_in:
            continue
        actor = mover(state, detachment)
        path, here = [], detachment.at
        for _ in range(2):
            here = random.choice([near for near in adjacent[here] if actor.cost(state, here, near)] or [here])
            path.append(label(here))
        kind = random.choice(("path", "path", "path", "move_and_claim", "claim_area", "reserve"))
        order: Order = {"type": kind, "detachment": detachment.id}
        orders[detachment.owner].append(order if kind == "claim_area" else order | {"path": path})
    for convoy in state.convoys.values():
        to = label(random.choice(adjacent[convoy.at]))
        orders[convoy.owner].append({"type": "path", "convoy": convoy.id, "path": [to]})


def _strike(state: State, random: Random, orders: Orders) -> None:
    """Whoever stands next to an enemy attacks or raids him; the others guard, or lend support."""
    label = state.board.label
    for detachment in state.detachments.values():
        if detachment.at < 0 or detachment.ready_in or detachment.battle_order == "inactive":
            continue
        enemies = [near for near in state.board.adjacent[detachment.at] if state.enemy_at(near, detachment.owner)]
        order: Order = {"type": "guard", "detachment": detachment.id}
        if enemies:
            kind = random.choice(("attack", "attack", "raid", "support", "defend"))
            order = {"type": kind, "detachment": detachment.id}
            if kind != "defend":
                order["target"] = label(random.choice(enemies))
        orders[detachment.owner].append(order)


def _fight(state: State, _: Random, orders: Orders) -> None:
    """Both sides of every battle say who falls first."""
    for at, battle in state.battles.items():
        for id_ in (battle.attacker, battle.defender):
            force = state.force(id_)
            if force is not None and not battle.winner:
                casualties = [unit.id for unit in force.units[:3]]
                orders[force.owner].append({"type": "fight", "battle": state.board.label(at), "casualties": casualties})


_WRITERS: dict[str, Callable[[State, Random, Orders], None]] = {
    BUILD: _build,
    MOVEMENT: _march,
    BATTLE_MOVEMENT: _strike,
    BATTLES: _fight,
    REPORTS: _fight,
}
