"""Several plans for all forces, each tried by the rules against what the enemies may do, as far as the view tells.

The number of plans is the level's; no clock decides. Nothing here knows more than the view and the memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from server.bots import assault, march
from server.bots.battle import chances, strength_of
from server.bots.ground import VP_WORTH, Ground
from server.bots.levels import Level
from server.bots.lot import Lot
from server.bots.posture import Figures, Posture
from server.bots.temper import Temper
from server.core.dice import SeededDice
from server.rules.battle_modifiers import modifiers
from server.rules.battle_movement import play_battle_movement
from server.rules.battles import vp_for
from server.rules.board import Hex
from server.rules.movement_phase import play_movement
from server.rules.orders.sets import OrderBook, read_set
from server.rules.scene import Scene
from server.rules.sides import ready_points, side_of
from server.rules.state import BATTLE_MOVEMENT, MOVEMENT, Battle, Garrison, Id, PlayerId, State

Order = dict[str, Any]
RIVAL = 0.6
"""Share of an enemy's gain that counts against a plan."""
THREAT = 0.35
"""Share of what enemies could do after a movement that counts against it: they move, too."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A plan and what it is worth."""

    orders: tuple[Order, ...]
    value: float
    intents: Mapping[Id, str]


# --- battle movement ---


def best_assault(ground: Ground, posture: Posture, goals: Mapping[Id, Hex], level: Level) -> list[Order]:
    """Return the best of several plans for Battle movement."""
    first = assault.plan(ground, posture, goals, caution=level.caution, supports=level.supports, steps=level.steps)
    if level.plans <= 1 or not first.ground.enemies():
        return first.orders
    made = [assault.plan(ground, posture, goals, caution=caution) for caution in (-3, 4, 30)]
    made += [assault.plan(ground, posture, goals, avoid=attack.target) for attack in first.attacks]
    plans = [first.orders]
    for orders in (*(plan.orders for plan in made), _unplanned(first), _planned(first)):
        if orders not in plans:
            plans.append(orders)
    replies = _replies(ground)
    tried = [
        (sum(_fought(ground, orders, reply, number) for number, reply in enumerate(replies)), -place)
        for place, orders in enumerate(plans[: level.plans])
    ]
    return plans[-max(tried)[1]]


def _unplanned(made: assault.Plan) -> list[Order]:
    return [order | {"planned": False} if order.get("planned") else order for order in made.orders]


def _planned(made: assault.Plan) -> list[Order]:
    targets = {made.ground.state.board.label(attack.target) for attack in made.attacks}
    return [
        order | {"planned": True} if order["type"] == "attack" and order["target"] in targets else order
        for order in made.orders
    ]


def _replies(ground: Ground) -> list[dict[PlayerId, list[Order]]]:
    """Return what the enemies in sight may order: nothing, or what one would order in their place."""
    state = ground.state
    owners = [
        player.id
        for player in state.living()
        if ground.hostile(player.id) and any(force.owner == player.id for force in state.detachment_at.values())
    ]
    replies: dict[PlayerId, list[Order]] = {}
    for owner in owners:
        theirs = Ground(state, owner, Lot.of(b"", owner, state.turn))
        replies[owner] = assault.plan(theirs, _BOLD, {}).orders
    return [{}, replies, replies] if replies else [{}]


_BOLD = Posture("", 0, ("melee",) * 10, 10, 30, 0, 25, 100)
"""How enemies are expected to act."""


def _fought(ground: Ground, orders: Sequence[Order], replies: Mapping[PlayerId, Sequence[Order]], number: int) -> float:
    """Return what battle orders bring against the enemies' replies, by the rules."""
    state = ground.state
    book = OrderBook({}, {})
    for player in state.players:
        given = orders if player == ground.me else replies.get(player, ())
        if given:
            book.accepted[player] = read_set(state, player, BATTLE_MOVEMENT, list(given)).accepted
    scene = Scene(state.copy(), SeededDice(ground.lot.key + bytes([number])))
    play_battle_movement(scene, book)
    value = sum(_worth(scene.state, ground.me, battle) for battle in scene.state.battles.values())
    for capital in ground.capitals():
        force = scene.state.detachment_at.get(capital)
        if force is not None and force.owner == ground.me and capital not in scene.state.battles:
            value += state.ruleset.capital_vp * VP_WORTH / 3
    return value


def _worth(state: State, me: PlayerId, battle: Battle) -> float:
    """Return what a battle is worth to a player: VP, losses, and the hex."""
    if me not in (battle.attacking, battle.defended_by):
        return 0.0
    sides = side_of(state, battle, attacking=True), side_of(state, battle, attacking=False)
    points = max(1, ready_points(state, sides[0])), max(1, ready_points(state, sides[1]))
    found = chances(state.ruleset.quick_battle, points, modifiers(state, battle))
    worth = strength_of(state, sides[0]), strength_of(state, sides[1])
    won = found.wins * vp_for(state, worth[0] - worth[1]) * VP_WORTH
    lost = (1 - found.wins) * vp_for(state, worth[1] - worth[0]) * VP_WORTH
    exchange = (found.dealt - found.received) / 2
    urban = state.urban.get(battle.hex)
    taken = 0.0
    if not battle.raid and urban is not None and urban.capital:
        taken = found.wins * state.ruleset.capital_vp * VP_WORTH / 3
    if not battle.raid and any(isinstance(force, Garrison) for force in sides[1]):
        taken += found.wins * points[1] / 4
    if battle.attacking == me:
        return won + exchange + taken - lost * RIVAL
    return lost - won * RIVAL - exchange - taken


# --- movement ---


def best_march(
    ground: Ground, posture: Posture, data: Figures, grudges: Mapping[str, int], level: Level, temper: Temper
) -> tuple[list[Order], Mapping[Id, str]]:
    """Return the best of several plans for Movement, and what each detachment intends in it."""
    target = march.choose_target(ground, grudges, temper.grudge)
    first = march.plan(ground, posture, data, target)
    if level.plans <= 1 or not level.marches:
        return first.orders, first.intents
    others: list[tuple[Posture, Hex | None]] = [
        (_with(posture, draws=("advance",) * 10), target),
        (_with(posture, draws=("close",) * 10), target),
        (_with(posture, attacks_from=posture.attacks_from + 5, draws=("advance",) * 10), None),
        (_with(posture, home=min(60, posture.home + 25)), target),
        (_with(posture, attacks_from=max(6, posture.attacks_from - 3), draws=("melee",) * 10), target),
    ]
    others += [(posture, capital) for capital in ground.capitals() if capital != target]
    best, highest = first, _marched(ground, posture, first)
    for mood, goal in others[: level.plans - 1]:
        made = march.plan(ground, mood, data, goal)
        value = _marched(ground, posture, made)
        if value > highest:
            best, highest = made, value
    return best.orders, best.intents


def _with(posture: Posture, **changed: Any) -> Posture:
    values = {name: getattr(posture, name) for name in Posture.__dataclass_fields__}
    return Posture(**{**values, **changed})


def _marched(ground: Ground, posture: Posture, made: march.March) -> float:
    """Return what a movement brings: land, the attacks it makes possible, less those it invites."""
    state, me = ground.state, ground.me
    book = OrderBook({me: read_set(state, me, MOVEMENT, made.orders).accepted}, {})
    scene = Scene(state.copy(), SeededDice(ground.lot.key))
    play_movement(scene, book)
    after = scene.state
    after.phase = BATTLE_MOVEMENT
    value = float(sum(ground.worth(at) for at, owner in enumerate(after.owner) if owner == me != state.owner[at]))
    mine = Ground(after, me, ground.lot, ground.ghosts)
    plan = assault.plan(mine, posture, {})
    value += plan.value
    if plan.attacks or mine.enemies():
        for player in after.living():
            if ground.hostile(player.id):
                theirs = Ground(after, player.id, Lot.of(b"", player.id, after.turn))
                value -= THREAT * sum(
                    attack.value
                    for attack in assault.plan(theirs, _BOLD, {}).attacks
                    if me in _owners(after, attack.target)
                )
    return value + _nearer(ground, after, made.target)


def _owners(state: State, at: Hex) -> list[PlayerId]:
    return [force.owner for force in state.forces_at(at)]


def _nearer(ground: Ground, after: State, target: Hex | None) -> float:
    """Return a little for being nearer to the enemies' capitals."""
    if target is None:
        return 0.0
    ways = ground.steps_to(*ground.capitals())
    total = 0.0
    for force in ground.mine():
        now = after.detachments.get(force.id)
        if now is not None:
            total += (ways.get(force.at, 0) - ways.get(now.at, 0)) * ground.points(force) / 100
    return total
