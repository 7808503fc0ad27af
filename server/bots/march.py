"""Movement: who claims land, who gathers against the enemy, who keeps watch at home, who rests (P-33, P-34, P-36)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from server.bots import seats
from server.bots.care import REMNANT
from server.bots.ground import FAR, PATROL_POINTS, Ground
from server.bots.posture import Figures, Posture
from server.rules.board import Hex
from server.rules.movement import claiming_mv, mover, reachable
from server.rules.sight import sight
from server.rules.state import Convoy, Detachment, Id

Order = dict[str, Any]

HOME_GUARD = 3
"""Steps around the capital within which enemies bring the guard back (P-36)."""
BUSY = 400
"""BP from which the capital stays free, so that a detachment can be raised there."""
NEAR_TOWN = 12
"""MV to a place within which remnants go there; the others rest where they are."""
EARLY = 6
"""In so many of the first turns a host is among those kept near the capital, however confident a player is."""
RIVALS = 16
"""Hexes to the nearest enemy's capital up to which someone stays near the own one; :data:`EARLY` more at first."""


@dataclass(slots=True)
class MarchPlan:
    """The moves so far; filled detachment by detachment."""

    ground: Ground
    posture: Posture
    figures: Figures
    target: Hex | None
    """The hex the army gathers against."""
    orders: list[Order] = field(default_factory=list)
    intents: dict[Id, str] = field(default_factory=dict)
    taken: dict[Hex, None] = field(default_factory=dict)
    """Where someone stands or will stand."""
    claimed: dict[Hex, None] = field(default_factory=dict)
    """The hexes claimed this turn."""
    left: dict[Id, Detachment] = field(default_factory=dict)
    clear: Hex | None = None
    """The capital, where nobody should end."""
    nursed: bool = False
    """A worn detachment goes to the capital."""
    reach: dict[Id, dict[Hex, tuple[int, Hex]]] = field(default_factory=dict)


def plan(ground: Ground, posture: Posture, figures: Figures, target: Hex | None) -> MarchPlan:
    """Return the orders of the phase."""
    made = MarchPlan(ground, posture, figures, target)
    made.taken = dict.fromkeys(force.at for force in ground.mine())
    made.left = {force.id: force for force in ground.mine() if not force.pinned}
    home = ground.state.capital(ground.me)
    if home is not None and keeps_clear(ground, home):
        made.clear = home
        made.taken[home] = None
    _convoys(made)
    _fall_back(made)
    _seize(made)
    _rescue(made)
    if ground.hiding:
        _hide(made)
    _remnants(made)
    _rest(made)
    _keep_home(made)
    for force in list(made.left.values()):
        made.intents[force.id] = _draw(made, force)
    for force in _in_order(made):
        _act(made, force)
    return made


def keeps_clear(ground: Ground, home: Hex) -> bool:
    """Say whether nobody should end in the capital, so that someone is raised there (D-32): it needs no watch."""
    return home in ground.state.garrison_at or not ground.strength_near(home, HOME_GUARD)


def _draw(made: MarchPlan, force: Detachment) -> str:
    """P-33: draw the intention of a free detachment; the action drawn, not only its kind."""
    face = made.ground.lot.face(f"intent/{made.ground.state.turn}/{force.id}")
    return made.posture.draws[face - 1]


def _in_order(made: MarchPlan) -> list[Detachment]:
    """The strongest first: others gather around them."""
    return sorted(made.left.values(), key=lambda force: (-made.ground.points(force), made.ground.lot.rank(force.id)))


def _reach(made: MarchPlan, force: Detachment) -> dict[Hex, tuple[int, Hex]]:
    """Return where a detachment can get without ending exhausted, and what it costs."""
    if force.id not in made.reach:
        who = made.ground.mover(force)
        found = reachable(made.ground.state, who, force.at, who.mv, rank=made.ground.lot.rank)
        made.reach[force.id] = {at: step for at, step in found.items() if step[0] <= who.mv and made.ground.land(at)}
    return made.reach[force.id]


def _give(made: MarchPlan, force: Detachment, order: Order, end: Hex) -> None:
    made.orders.append(order)
    made.left.pop(force.id, None)
    if end != force.at:
        if force.at != made.clear:
            made.taken.pop(force.at, None)
        made.taken[end] = None


def _go(made: MarchPlan, force: Detachment, goal: Hex) -> bool:
    """Send a detachment to a hex in reach; False where it cannot get there."""
    if goal == force.at:
        _give(made, force, {"type": "guard", "detachment": force.id}, goal)
        return True
    found = _reach(made, force)
    if goal not in found or goal in made.taken:
        return False
    way = [made.ground.state.board.label(at) for at in made.ground.way(found, goal)]
    _give(made, force, {"type": "path", "detachment": force.id, "path": way}, goal)
    return True


def _towards(
    made: MarchPlan, force: Detachment, goals: Iterable[Hex], *, wary: bool = True, never: Sequence[Hex] = ()
) -> bool:
    """Send a detachment as near to the nearest goal as it gets; False where it stays."""
    ground = made.ground
    ways = ground.steps_to(*goals)
    best, nearest = None, (ways.get(force.at, FAR) - 1, 0)
    for at in _reach(made, force):
        left = ways.get(at, FAR)
        if at in made.taken or at in never or left > nearest[0] or (wary and not _safe(made, force, at)):
            continue
        if (left, ground.lot.rank(at)) < nearest or best is None:
            best, nearest = at, (left, ground.lot.rank(at))
    return best is not None and _go(made, force, best)


def _safe(made: MarchPlan, force: Detachment, at: Hex) -> bool:
    """Say whether a detachment may end there: friends near are strong enough for the enemies near (P-35)."""
    ground = made.ground
    if ground.hiding and ground.is_exposed(force, at):
        return False
    enemies = ground.strength_near(at, 2)
    if not enemies:
        return True
    board = ground.state.board
    friends = [other for other in ground.mine() if other is not force and board.distance(other.at, at) <= 2]
    own = ground.points(force)
    strongest = max([own, *(ground.points(other) for other in friends)])
    together = strongest * (1 + 0.35 * len(friends))
    return together * 10 >= made.posture.attacks_from * enemies * 0.8


# --- what comes before every intention (P-36) ---


def _fall_back(made: MarchPlan) -> None:
    """Detachments without ready points recover if they see no enemy to disturb them; else they go home (D-41)."""
    ground, state = made.ground, made.ground.state
    worn = [force for force in made.left.values() if not state.fit(force)]
    seen = sight(state)[ground.me] if worn else {}
    home = state.capital(ground.me)
    towns = [at for at in state.urban if state.owner[at] == ground.me and at != home]
    posts = [*towns, *(state.board.adjacent[home] if home is not None else ())]
    for force in worn:
        if force.at == home and _leave_home(made, force, force.at):
            continue
        around = state.board.adjacent[force.at]
        hurt = any(unit.wounded or unit.damaged for unit in force.units)
        calm = all(at in seen for at in around) and not state.beside_enemy(force.at, ground.me)
        if not (hurt and calm) and _towards(made, force, posts, wary=False):
            continue
        if hurt and not state.enemy_zoc(force.at, ground.me):
            _give(made, force, {"type": "recover", "detachment": force.id}, force.at)


def _seize(made: MarchPlan) -> None:
    """Claim an enemy's urban hex or resource that one stands in: the capital first of all."""
    ground, state = made.ground, made.ground.state
    for force in list(made.left.values()):
        at = force.at
        rich = at in state.urban or at in state.resource
        if rich and ground.worth(at) and not state.enemy_zoc(at, ground.me):
            _claim_here(made, force)
        elif at in state.urban and ground.hostile(state.urban[at].capital) and ground.worth(at):
            _give(made, force, {"type": "claim_area", "detachment": force.id}, at)


def _rescue(made: MarchPlan) -> None:
    """Bring the guard home where a known enemy stands near the capital; bar them from claiming it."""
    ground, state = made.ground, made.ground.state
    home = state.capital(ground.me)
    if home is None:
        return
    board = state.board
    near = {at: points for at, points in ground.enemies().items() if board.distance(at, home) <= HOME_GUARD}
    if not near:
        return
    inside = state.enemy_at(home, ground.me)
    needed = sum(near.values()) * (3 if inside else 1.5)
    ways = ground.steps_to(home)
    close = sorted(made.left.values(), key=lambda force: (ways.get(force.at, FAR), ground.lot.rank(force.id)))
    for force in close:
        if needed <= 0 or ways.get(force.at, FAR) > 20:
            return
        bare = home not in state.garrison_at and not inside and home not in made.taken
        posts = [home] if bare else list(board.adjacent[home])
        reach = _reach(made, force)
        free = [at for at in posts if (at in reach and at not in made.taken) or at == force.at]
        if free:
            threat = max(near, key=lambda at: (near[at], ground.lot.rank(at)))
            best = min(free, key=lambda at: (board.distance(at, threat), ground.lot.rank(at)))
            _go(made, force, best)
        elif not _towards(made, force, list(board.adjacent[home]), wary=False, never=(home,)):
            continue
        needed -= ground.points(force)


def _hide(made: MarchPlan) -> None:
    """Bring weak detachments out of the reach of stronger enemies, who win VP by beating them (6.2.3.5)."""
    ground = made.ground
    home = ground.state.capital(ground.me)
    ways = ground.steps_to(home) if home is not None else {}
    for force in list(made.left.values()):
        if not ground.is_exposed(force, force.at):
            continue
        reach = _reach(made, force)
        free = [at for at in reach if at not in made.taken and not ground.is_exposed(force, at)]
        if free:
            _go(made, force, min(free, key=lambda at: (reach[at][0], ways.get(at, 0), ground.lot.rank(at))))


def _remnants(made: MarchPlan) -> None:
    """Bring what is left of a detachment to the nearest own place where the wounded recover sooner (7.1)."""
    ground, state = made.ground, made.ground.state
    home = state.capital(ground.me)
    places = [at for at in (*state.urban, *state.stronghold) if state.owner[at] == ground.me and at != home]
    for force in list(made.left.values()):
        if ground.points(force) * 100 >= force.points * REMNANT or force.at in places:
            continue
        free = [at for at in places if at not in made.taken and not ground.strength_near(at, 1)]
        if free and min(ground.steps_to(*free).get(force.at, FAR), FAR) <= NEAR_TOWN:
            _towards(made, force, free, wary=False)


def _rest(made: MarchPlan) -> None:
    """Worn detachments recover out of enemy ZOC, best at home, where models are bought."""
    ground, state = made.ground, made.ground.state
    home = state.capital(ground.me)
    for force in list(made.left.values()):
        if ground.points(force) * 100 > force.points * made.posture.rests:
            continue
        busy = force.at == home and state.store.get(force.at, 0) >= BUSY and not ground.strength_near(force.at, 2)
        if busy and _leave_home(made, force, force.at):
            continue
        if home is not None and ground.steps_to(home).get(force.at, FAR) <= 16:
            quiet = 100 <= state.store.get(home, 0) < BUSY and not {home} & {*state.raising_at, *state.detachment_at}
            if quiet and home in _reach(made, force) and not made.nursed and _go_home(made, force, home):
                continue
            posts = list(state.board.adjacent[home])
            if force.at not in posts and _towards(made, force, posts, wary=False, never=(home,)):
                continue
        hurt = any(unit.wounded or unit.damaged for unit in force.units)
        if state.enemy_zoc(force.at, ground.me):
            if home is None or not _towards(made, force, [home], wary=False):
                _give(made, force, {"type": "guard", "detachment": force.id}, force.at)
        elif hurt and ground.strength_near(force.at, 2) == 0:
            _give(made, force, {"type": "recover", "detachment": force.id}, force.at)


def _go_home(made: MarchPlan, force: Detachment, home: Hex) -> bool:
    """Let one worn detachment into the capital, where models are bought, if little can be raised there."""
    made.taken.pop(home, None)
    made.nursed = _go(made, force, home)
    made.taken[home] = None
    return made.nursed


def _keep_home(made: MarchPlan) -> None:
    """Keep the posture's share of the detachments near the capital; they claim what is left to claim there (P-35)."""
    ground, state = made.ground, made.ground.state
    home = state.capital(ground.me)
    if home is None or not ground.capitals():
        return
    rivals = ground.capitals()
    near_rival = min((state.board.distance(home, at) for at in rivals), default=99)
    wanted = -(-len(ground.mine()) * made.posture.home // 100) if near_rival <= RIVALS else 0
    ways = ground.steps_to(home)
    hosts = sorted(made.left.values(), key=lambda force: (ways.get(force.at, FAR), ground.lot.rank(force.id)))
    guards = hosts[:wanted]
    if state.turn <= EARLY and near_rival <= RIVALS + EARLY:
        strong = [force for force in hosts if ground.points(force) > PATROL_POINTS][:1]
        guards = [*strong, *(force for force in guards if force not in strong)][: max(1, wanted)]
    for force in guards:
        if state.board.distance(force.at, home) <= HOME_GUARD:
            if force.at == home and _leave_home(made, force, home):
                continue
            if not _claim(made, force, within=home):
                _give(made, force, {"type": "guard", "detachment": force.id}, force.at)
        else:
            _towards(made, force, list(state.board.adjacent[home]), wary=False, never=(home,))


def _leave_home(made: MarchPlan, force: Detachment, home: Hex) -> bool:
    """Leave the capital, which raises nobody while someone stands in it; stay as near to it as possible."""
    board, rank = made.ground.state.board, made.ground.lot.rank
    posts = [at for at in _reach(made, force) if at != home and at not in made.taken]
    if not posts:
        return False
    return _go(made, force, min(posts, key=lambda at: (board.distance(at, home), rank(at))))


# --- intentions ---


def _act(made: MarchPlan, force: Detachment) -> None:
    """Carry out the drawn order; if it fails, the next best."""
    intention = made.figures.intends[made.intents[force.id]]
    patrol = force.points <= PATROL_POINTS
    first = {
        "attack": (_attack,) if not patrol else (_claim_rich, _attack),
        "advance": (_claim, _attack),
        "hold": (_claim_here_if_any, _stay),
        "reinforce": (_claim, _join, _stay),
        "withdraw": (_retire, _stay),
    }[intention]
    for way in (*first, _claim, _attack, _stay):
        if way(made, force):
            return


def _attack(made: MarchPlan, force: Detachment) -> bool:
    """Go for the nearest known enemy that is beatable, else for the army's target."""
    ground = made.ground
    near = [at for at in ground.enemies() if ground.state.board.distance(at, force.at) <= 4]
    near = [at for at in near if _beatable(made, force, at)]
    if near:
        goal = ground.nearest(force.at, near)
        if goal is not None:
            if ground.state.board.distance(force.at, goal) == 1:
                return _claim_beside(made, force) or _stay(made, force)
            if _towards(made, force, [goal]):
                return True
    return made.target is not None and _towards(made, force, [made.target])


def _claim_beside(made: MarchPlan, force: Detachment) -> bool:
    """Claim around where one stays, where no ZOC forbids it."""
    return not made.ground.state.enemy_zoc(force.at, made.ground.me) and _claim_here_if_any(made, force)


def _beatable(made: MarchPlan, force: Detachment, at: Hex) -> bool:
    ground = made.ground
    board = ground.state.board
    friends = [other for other in ground.mine() if other is not force and board.distance(other.at, at) <= 3]
    strongest = max([ground.points(force), *(ground.points(other) for other in friends)])
    together = strongest * (1 + 0.35 * min(4, len(friends)))
    return together * 10 >= made.posture.attacks_from * ground.strength_near(at, 1)


def _claim_rich(made: MarchPlan, force: Detachment) -> bool:
    """Claim where much lies in reach."""
    return _claim(made, force, minimum=made.ground.state.ruleset.hex_income * made.ground.horizon)


def _claim(made: MarchPlan, force: Detachment, *, within: Hex | None = None, minimum: int = 1) -> bool:
    """Claim the land that is worth most, here or on the way, or go where there is most to claim."""
    ground, state = made.ground, made.ground.state
    options: list[tuple[float, int, str, Hex]] = []
    here = _around(made, force.at)
    if here and not state.enemy_zoc(force.at, ground.me):
        options.append((here, ground.lot.rank(force.at), "claim_area", force.at))
    who = ground.mover(force)
    found = reachable(state, who, force.at, claiming_mv(who.mv, state.ruleset), rank=ground.lot.rank)
    start = 0 if state.enemy_zoc(force.at, ground.me) else _value(made, force.at)
    for at in found:
        if at in made.taken or not ground.land(at) or not _safe(made, force, at):
            continue
        way = ground.way(found, at)
        gain = start + sum(_value(made, hex_) for hex_ in way if not state.enemy_zoc(hex_, ground.me))
        options.append((gain + _around(made, at) * 0.25, ground.lot.rank(at), "move_and_claim", at))
    for at in _reach(made, force):
        if at not in made.taken and _safe(made, force, at):
            options.append((_around(made, at) * 0.45, ground.lot.rank(at), "path", at))
    if within is not None:
        options = [option for option in options if state.board.distance(option[3], within) <= HOME_GUARD]
    best = max(options, default=None)
    if best is None or best[0] < minimum:
        return within is None and _far_claim(made, force)
    _, _, type_, at = best
    if type_ == "claim_area":
        _claim_here(made, force)
    elif type_ == "path":
        for near in state.board.within(at, 1):
            made.claimed[near] = None
        _go(made, force, at)
    else:
        way = ground.way(found, at)
        made.claimed |= dict.fromkeys((force.at, *way))
        labels = [state.board.label(hex_) for hex_ in way]
        _give(made, force, {"type": "move_and_claim", "detachment": force.id, "path": labels}, at)
    return True


def _far_claim(made: MarchPlan, force: Detachment) -> bool:
    """Go where land is left to claim, when none is near and it is not much further than the enemy."""
    ground, state = made.ground, made.ground.state
    free = [at for at in range(state.board.size) if ground.worth(at) and at not in made.claimed]
    near = [at for at in free if state.board.distance(at, force.at) <= 6]
    if not near:
        return False
    goal = min(near, key=lambda at: (ground.state.board.distance(at, force.at), ground.lot.rank(at)))
    return _towards(made, force, [goal])


def _value(made: MarchPlan, at: Hex) -> int:
    """Return the value of claiming a hex, if no other own force claims it this turn."""
    if at in made.claimed or (at in made.ground.state.urban and made.ground.state.owner[at]):
        return 0
    return made.ground.worth(at)


def _around(made: MarchPlan, at: Hex) -> int:
    """Return what claiming the area of a hex brings."""
    if made.ground.state.enemy_zoc(at, made.ground.me):
        return 0
    return sum(_value(made, near) for near in made.ground.state.board.within(at, 1))


def _claim_here(made: MarchPlan, force: Detachment) -> bool:
    made.claimed |= dict.fromkeys(made.ground.state.board.within(force.at, 1))
    _give(made, force, {"type": "claim_area", "detachment": force.id}, force.at)
    return True


def _claim_here_if_any(made: MarchPlan, force: Detachment) -> bool:
    return bool(_around(made, force.at)) and _claim_here(made, force)


def _join(made: MarchPlan, force: Detachment) -> bool:
    """Go to the nearest own urban hex (P-34)."""
    state = made.ground.state
    towns = [at for at in state.urban if state.owner[at] == made.ground.me and at not in made.taken]
    return bool(towns) and _towards(made, force, towns)


def _retire(made: MarchPlan, force: Detachment) -> bool:
    """Away from the nearest known enemy, into own land."""
    ground = made.ground
    nearest = ground.nearest(force.at, [at for at in ground.enemies() if ground.state.board.distance(at, force.at) < 5])
    if nearest is None:
        return False
    own = [at for at in _reach(made, force) if ground.state.owner[at] == ground.me and at not in made.taken]
    best = max(own, key=lambda at: (ground.state.board.distance(at, nearest), ground.lot.rank(at)), default=None)
    return best is not None and _go(made, force, best)


def _stay(made: MarchPlan, force: Detachment) -> bool:
    if force.at == made.ground.state.capital(made.ground.me) and _leave_home(made, force, force.at):
        return True
    _give(made, force, {"type": "guard", "detachment": force.id}, force.at)
    return True


# --- convoys ---


def _convoys(made: MarchPlan) -> None:
    """Bring BP home, or to the nearest town where the way home is barred."""
    ground, state = made.ground, made.ground.state
    stores = [at for at in state.urban if state.owner[at] == ground.me]
    own = [convoy for convoy in state.convoys.values() if convoy.owner == ground.me]
    home, others = state.capital(ground.me), seats.seats(ground) if own else ()
    for convoy in sorted(own, key=lambda convoy: convoy.id):
        order = seats.lead(ground, convoy, others)
        if order is not None:
            made.orders.append(order)
        elif stores:
            _lead(made, convoy, [home] if home is not None and state.owner[home] == ground.me else stores)


def _lead(made: MarchPlan, convoy: Convoy, goals: list[Hex]) -> None:
    ground, state = made.ground, made.ground.state
    who = mover(state, convoy)
    found = reachable(state, who, convoy.at, who.mv, rank=ground.lot.rank)
    ways = ground.steps_to(*goals)
    open_ = [at for at in found if found[at][0] <= who.mv and not ground.strength_near(at, 1)]
    best = min(open_, key=lambda at: (ways.get(at, FAR), ground.lot.rank(at)), default=None)
    if best is None or ways.get(best, FAR) >= ways.get(convoy.at, FAR):
        return
    way = [state.board.label(at) for at in ground.way(found, best)]
    made.orders.append({"type": "path", "convoy": convoy.id, "path": way, "unload": best in goals})
