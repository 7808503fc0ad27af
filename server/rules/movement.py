"""Movement carried out: walks, following, withdrawals (2, 3.1-3.3, 4.1)."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from server.rules import versions
from server.rules.board import NOWHERE, ORBIT, Board, Hex
from server.rules.ruleset import MOBILITIES, Faction, Ruleset
from server.rules.scene import Scene
from server.rules.state import Convoy, Detachment, PlayerId, State
from server.rules.treasury import capture_convoys

Stop = Literal["", "mv", "exhausted", "zoc", "contact", "blocked", "reserve", "occupied"]
"""Why a walk ended before its path did; empty where it did not."""


# --- what a mover is able to do ---


@dataclass(slots=True)
class Mover:
    """What a detachment or convoy brings to the road."""

    owner: PlayerId
    mv: int
    kinds: tuple[str, ...]
    """Its mobilities: it may enter what all of them may."""
    ruleset: Ruleset
    faction: Faction
    _known: dict[str, int] = field(default_factory=dict)
    """Terrain already looked up: most movers see little of the world."""

    def enters(self, terrain: str) -> int:
        """Return the MV cost of a terrain without a road, 0 where it may not enter."""
        cost = self._known.get(terrain)
        if cost is None:
            ground = self.ruleset.terrain[terrain]
            may = all(kind in ground.enter for kind in self.kinds)
            cost = self._known[terrain] = self.faction.terrain_cost.get(terrain, ground.cost) if may else 0
        return cost

    def cost(self, state: State, a: Hex, b: Hex) -> int:
        """Return the MV cost of the step from *a* to the adjacent hex *b*, 0 if it may not be made."""
        terrain = state.board.terrain[b]
        if not state.roads or not state.road(a, b):
            return self.enters(terrain)
        ground = self.ruleset.terrain[terrain]
        cost = self.faction.terrain_cost.get(terrain, ground.cost)
        return -(-cost // self.ruleset.road_divisor) if ground.road else 0


def mobilities(detachment: Detachment, ruleset: Ruleset) -> tuple[str, ...]:
    """Return the mobilities that decide where a detachment may go and how fast (D-38)."""
    stated = ruleset.detachment_types[detachment.type].mobility
    if stated:
        return (stated,)
    here = {unit.mobility for unit in detachment.units}
    if detachment.mounted and any(unit.vehicle and unit.mobility != "infantry" for unit in detachment.units):
        here.discard("infantry")
    if len(here) == 1:
        return tuple(here)
    return tuple(mobility for mobility in MOBILITIES if mobility in here) or (MOBILITIES[0],)


def mover(state: State, thing: Detachment | Convoy) -> Mover:
    """Return what a detachment or convoy is able to do (3.2, 3.3, faction data)."""
    ruleset, faction = state.ruleset, state.faction(thing.owner)
    if isinstance(thing, Convoy):
        kinds: tuple[str, ...] = (ruleset.convoy_mobility,)
        mv = ruleset.convoy_mv
    else:
        kinds = mobilities(thing, ruleset)
        mv = ruleset.detachment_types[thing.type].mv or min(ruleset.mv[kind] for kind in kinds)
    return Mover(thing.owner, mv + faction.mv_bonus, kinds, ruleset, faction)


# --- walking a path ---


@dataclass(slots=True)
class Walk:
    """How far along its path a mover came, and why no further."""

    entered: list[Hex] = field(default_factory=list)
    costs: list[int] = field(default_factory=list)
    """MV each entered hex cost."""
    in_zoc: list[bool] = field(default_factory=list)
    """Whether each entered hex lay in enemy ZOC on being entered."""
    stop: Stop = ""
    contact: bool = False
    """It was an enemy force that barred the way."""

    def drop_last(self) -> None:
        """Take back the last step."""
        self.entered.pop()
        self.costs.pop()
        self.in_zoc.pop()


def walk(state: State, who: Mover, start: Hex, path: Sequence[Hex], mv: int, *, reserve: bool = False) -> Walk:
    """Follow a path as far as the rules allow (3.1, 3.3, D-41 to D-43, D-47). Changes nothing.

    Works on the true state when orders are carried out and on a player's view when they are previewed.
    """
    result = Walk()
    here, left = start, mv
    for step in path:
        if left <= 0:
            result.stop = "mv"
            break
        cost = who.cost(state, here, step)
        if cost == 0:
            result.stop = "blocked"
            break
        if state.enemy_at(step, who.owner):
            result.stop, result.contact = "contact", True
            break
        if reserve and not _in_reserve(state, step, who.owner):
            result.stop = "reserve"
            break
        here = step
        zoc = state.enemy_zoc(step, who.owner)
        result.entered.append(step)
        result.costs.append(cost)
        result.in_zoc.append(zoc)
        if cost > left:
            result.stop = "exhausted"
            break
        left -= cost
        if zoc:
            result.stop = "zoc"
            break
    return result


def _in_reserve(state: State, hex_: Hex, player: PlayerId) -> bool:
    """2.1.6: own territory, further than two hexes from any enemy force."""
    if state.owner[hex_] != player:
        return False
    return not any(state.enemy_at(near, player) for near in state.board.within(hex_, state.ruleset.reserve_distance))


def settle(result: Walk, occupied: Callable[[Hex], bool]) -> None:
    """Take back steps until the last hex holds no other detachment (3.1, D-44)."""
    while result.entered and occupied(result.entered[-1]):
        result.drop_last()
        result.stop = "occupied"


def reachable(
    state: State, who: Mover, start: Hex, mv: int, *, reserve: bool = False, rank: Callable[[Hex], int] | None = None
) -> dict[Hex, tuple[int, Hex]]:
    """Return where a mover can go: per hex the MV spent and the hex it comes from.

    Judged by *state*, a player's view: hexes that hold an unseen enemy look reachable. Cheapest first; of
    equals the lowest by *rank*, without it by number.
    """
    best: dict[Hex, tuple[int, Hex]] = {start: (0, NOWHERE)}
    queue: list[tuple[int, int, Hex]] = [(0, 0, start)]
    closed: dict[Hex, None] = {}
    while queue:
        spent, _, here = heapq.heappop(queue)
        if here in closed:
            continue
        closed[here] = None
        if spent >= mv or (here != start and state.enemy_zoc(here, who.owner)):
            continue
        for next_ in state.board.adjacent[here]:
            cost = who.cost(state, here, next_)
            if cost == 0 or next_ in closed or state.enemy_at(next_, who.owner):
                continue
            if reserve and not _in_reserve(state, next_, who.owner):
                continue
            total = spent + cost
            if next_ not in best or total < best[next_][0]:
                best[next_] = (total, here)
                heapq.heappush(queue, (total, next_ if rank is None else rank(next_), next_))
    del best[start]
    return best


# --- the orders ---


def move_along(
    scene: Scene, detachment: Detachment, who: Mover, path: Sequence[Hex], mv: int, *, reserve: bool = False
) -> Walk:
    """Move a detachment along a path and report the result (2.1.1, 3.1)."""
    state = scene.state
    start = detachment.at
    result = walk(state, who, start, path, mv, reserve=reserve)
    settle(result, lambda hex_: state.detachment_at.get(hex_) not in (None, detachment))
    if result.entered:
        state.move(detachment, result.entered[-1])
        for hex_ in result.entered:
            capture_convoys(scene, hex_, detachment.owner)
    if result.stop == "exhausted":
        detachment.battle_order = "inactive"
    _emit_walk(scene, detachment, start, result)
    _sink(scene, detachment, who)
    return result


def move_convoy(scene: Scene, convoy: Convoy, path: Sequence[Hex], *, unload: bool) -> None:
    """Move a convoy along a path, and unload it on arrival if so ordered (2, 3.1, D-22)."""
    state = scene.state
    who = mover(state, convoy)
    start = convoy.at
    result = walk(state, who, start, path, who.mv)
    if result.entered:
        state.move_convoy(convoy, result.entered[-1])
    _emit_walk(scene, convoy, start, result)
    if unload and convoy.at == (path[-1] if path else start) and can_unload(state, convoy):
        unload_convoy(scene, convoy)


def can_unload(state: State, convoy: Convoy) -> bool:
    """True in a friendly urban hex or stronghold (D-22)."""
    owner = state.owner[convoy.at]
    store = convoy.at in state.urban or convoy.at in state.stronghold
    return store and bool(owner) and state.friendly(convoy.owner, owner)


def unload_convoy(scene: Scene, convoy: Convoy) -> None:
    """Put a convoy's BP into the store of its hex; the convoy vanishes (D-22, D-23)."""
    state = scene.state
    state.remove_convoy(convoy)
    state.pay(convoy.at, convoy.bp)
    to = (convoy.owner, state.owner[convoy.at])
    scene.emit("convoy_unloaded", to, convoy=convoy.id, hex=scene.label(convoy.at), bp=convoy.bp)


def _emit_walk(scene: Scene, thing: Detachment | Convoy, start: Hex, result: Walk) -> None:
    owner, here = (thing.owner,), scene.label(start)
    if result.entered:
        path = [scene.label(hex_) for hex_ in result.entered]
        scene.emit("moved", owner, force=thing.id, start=here, path=path, stop=result.stop)
        here = path[-1]
    if result.contact or result.stop == "blocked":
        scene.emit("blocked", owner, force=thing.id, hex=here, contact=result.contact)
    if result.stop == "zoc":
        scene.emit("stopped_in_zoc", owner, force=thing.id, hex=here)


def _sink(scene: Scene, detachment: Detachment, who: Mover) -> None:
    """3.3: skimmers that end their movement at sea are destroyed."""
    terrain = scene.state.ruleset.terrain[scene.state.board.terrain[detachment.at]]
    if any(kind in terrain.destroys for kind in who.kinds):
        destroy(scene, detachment, "terrain")


def destroy(scene: Scene, force: Detachment, reason: str, *others: PlayerId) -> None:
    """Take a detachment out of the game and tell its owner, and everyone else who must know."""
    scene.state.remove_force(force)
    hex_ = scene.label(force.at)
    scene.emit("destroyed", (force.owner, *others), force=force.id, name=force.name, hex=hex_, reason=reason)


def claiming_mv(mv: int, ruleset: Ruleset) -> int:
    """Return the MV on Move and Claim: halved, rounded up (2.1.4)."""
    return -(-mv // ruleset.claim_divisor)


# --- following (2.1.2, D-46) ---


def follow(scene: Scene, detachment: Detachment, target: Detachment) -> None:
    """Move towards the target's final hex and stop next to it."""
    state = scene.state
    if target.at == ORBIT or state.board.distance(detachment.at, target.at) <= 1:
        return
    who = mover(state, detachment)
    path = path_next_to(state, who, detachment.at, target.at)
    if path:
        move_along(scene, detachment, who, path, who.mv)


def path_next_to(state: State, who: Mover, start: Hex, goal: Hex) -> list[Hex]:
    """Return the cheapest path to a hex next to *goal*, empty when there is none (D-46).

    Of several, the one with the fewest steps, then with the lowest direction number at the first difference. Only
    terrain counts: what bars the way shows when the path is walked.
    """
    if not state.readings.follow_cheapest_way:
        return versions.fewest_steps(state.board, partial(who.cost, state), start, goal)
    queue: list[tuple[int, int, tuple[int, ...], Hex]] = [(0, 0, (), start)]
    closed: dict[Hex, None] = {}
    while queue:
        spent, steps, ways, here = heapq.heappop(queue)
        if here in closed:
            continue
        closed[here] = None
        if steps and here != goal and goal in state.board.adjacent[here]:
            return _steps_taken(state.board, start, ways)
        for way, next_ in enumerate(state.board.neighbours[here]):
            if next_ in (NOWHERE, goal) or next_ in closed:
                continue
            cost = who.cost(state, here, next_)
            if cost:
                heapq.heappush(queue, (spent + cost, steps + 1, (*ways, way), next_))
    return []


def _steps_taken(board: Board, start: Hex, ways: Sequence[int]) -> list[Hex]:
    path, here = [], start
    for way in ways:
        here = board.neighbours[here][way]
        path.append(here)
    return path


def withdraw(scene: Scene, detachment: Detachment, wanted: Sequence[Hex], attacker: Detachment) -> None:
    """Give way to an attacker into a hex wanted, else the best there is; a detachment without any is destroyed."""
    state = scene.state
    start = detachment.at
    free = free_hexes(state, detachment, start)
    anywhere = state.faction(detachment.owner).withdraws_anywhere
    safe = [hex_ for hex_ in free if anywhere or not state.beside_enemy(hex_, detachment.owner)]
    choice = choose_withdrawal(state, detachment, start, safe or free, wanted)
    if choice is None:
        destroy(scene, detachment, "no_way_to_withdraw", attacker.owner)
        return
    detachment.battle_order = ""
    state.move(detachment, choice)
    capture_convoys(scene, choice, detachment.owner)
    to = (detachment.owner, attacker.owner)
    scene.emit("withdrew", to, force=detachment.id, start=scene.label(start), hex=scene.label(choice))


def free_hexes(state: State, detachment: Detachment, start: Hex) -> list[Hex]:
    """Return the adjacent hexes a detachment may give way into, by direction: passable land, empty of others."""
    who = mover(state, detachment)
    return [
        hex_
        for hex_ in state.board.adjacent[start]
        if state.ruleset.terrain[state.board.terrain[hex_]].land
        and who.cost(state, start, hex_) > 0
        and hex_ not in state.detachment_at
        and not state.enemy_at(hex_, detachment.owner)
    ]


def choose_withdrawal(
    state: State, detachment: Detachment, start: Hex, legal: list[Hex], wanted: Iterable[Hex]
) -> Hex | None:
    """Return the first legal hex wanted, else the best: own territory, cheapest, lowest direction (D-53)."""
    for withdrawal in wanted:
        if withdrawal in legal:
            return withdrawal
    who = mover(state, detachment)
    own = detachment.owner
    return min(legal, key=lambda choice: (state.owner[choice] != own, who.cost(state, start, choice)), default=None)
