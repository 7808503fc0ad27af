"""Battle movement, tried: a plan is changed order by order, and each change is played by the rules.

The enemies in sight answer as the regular player would in their place, or try plans as well. A number of plans is the
limit, not a clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from server.bots import assault
from server.bots.battle import chances, may_enter, strength_of
from server.bots.ground import VP_WORTH, Ground
from server.bots.lot import SeededTiebreak
from server.bots.posture import Posture, figures
from server.bots.temper import temper_of
from server.core.dice import SeededDice
from server.rules.battles import vp_for
from server.rules.board import ORBIT, Hex
from server.rules.movement_phases import play_battle_movement
from server.rules.orders.base import Order as Read
from server.rules.orders.sets import OrderBook, read_set
from server.rules.scene import Scene
from server.rules.sides import modifiers, ready_points, side_of
from server.rules.sight import sight
from server.rules.state import BATTLE_MOVEMENT, Battle, Detachment, Garrison, Id, PlayerId, State

Order = dict[str, Any]
Plan = dict[Id, Order]
"""The order of each detachment."""
Answer = Mapping[PlayerId, tuple[Read, ...]]
"""What the enemies in sight order in a phase."""

DUEL, RIVAL = 1.0, 0.6
"""Share of an enemy's gain that counts against a plan: between two players, and among more."""
FADES = 4
"""In so many of the last turns losses of models count less and less: only victory points are left to win."""
THROWN, ORDERS = 24, 2
"""The most throws of initiative to compare, and the most orders of the players in which a plan is played."""
WORTH_IT = 1
"""BP that a change must bring."""
STANDING = ("defend", "guard", "withdraw")


@dataclass(slots=True)
class Trial:
    """Battle orders of one player, tried against what the enemies in sight may do."""

    ground: Ground
    answers: Sequence[Answer]
    """What the enemies may order: each plan is played against each of them."""
    left: int
    """How many plans may still be tried."""
    rival: float
    models: float
    """Share of lost models' worth that still counts."""
    throws: Mapping[bytes, float] = field(default_factory=dict)
    """Seeds of the dice for each order in which the players may act, and how likely it is."""
    known: dict[str, float] = field(default_factory=dict)
    seen: dict[PlayerId, dict[Hex, int]] = field(default_factory=dict)
    """What each player sees before anything moves."""

    @classmethod
    def of(cls, ground: Ground, plans: int, *, foresight: int = 0) -> Trial:
        """Return a trial of so many plans; enemies try as many as *foresight* says."""
        state = ground.state
        limit = state.settings.turn_limit
        turns = limit - state.turn if limit else FADES
        answers = [likely_orders(ground, BATTLE_MOVEMENT, _expected)]
        if foresight and answers[0]:
            answers.append(
                likely_orders(ground, BATTLE_MOVEMENT, lambda foe: improved(Trial.of(foe, foresight), _expected(foe)))
            )
        rival = DUEL if len(state.living()) == 2 else RIVAL
        throws = throws_of(ground, "battle-initiative") if answers[0] else {ground.lot.key: 1.0}
        return cls(ground, answers, plans, rival, min(1.0, turns / FADES), throws)

    def value(self, orders: Sequence[Order]) -> float:
        """Return what battle orders bring on average, by the rules."""
        key = repr(orders)
        if key not in self.known:
            self.left -= 1
            ground, state = self.ground, self.ground.state
            accepted = read_set(state, ground.me, BATTLE_MOVEMENT, list(orders)).accepted
            self.seen = self.seen or sight(state)
            total = 0.0
            for seed, chance in self.throws.items():
                for answer in self.answers:
                    scene = Scene(state.copy(), SeededDice(seed), seen_before=self.seen)
                    play_battle_movement(scene, OrderBook({**answer, ground.me: accepted}, {}))
                    total += chance * self._outcome(scene.state)
            self.known[key] = total / len(self.answers)
        return self.known[key]

    def _outcome(self, after: State) -> float:
        value = sum(self._worth(after, battle) for battle in after.battles.values())
        for capital in self.ground.capitals():
            force = after.detachment_at.get(capital)
            if force is not None and force.owner == self.ground.me and capital not in after.battles:
                value += after.ruleset.capital_vp * VP_WORTH / 3
        return value

    def _worth(self, state: State, battle: Battle) -> float:
        """Return what a battle is worth: VP, losses, and the hex."""
        me = self.ground.me
        if me not in (battle.attacking, battle.defended_by):
            return 0.0
        sides = side_of(state, battle, attacking=True), side_of(state, battle, attacking=False)
        points = max(1, ready_points(state, sides[0])), max(1, ready_points(state, sides[1]))
        found = chances(state.ruleset.quick_battle, points, modifiers(state, battle))
        worth = strength_of(state, sides[0]), strength_of(state, sides[1])
        won = found.wins * vp_for(state, worth[0] - worth[1]) * VP_WORTH
        lost = (1 - found.wins) * vp_for(state, worth[1] - worth[0]) * VP_WORTH
        exchange = (found.dealt - found.received) / 2 * self.models
        urban = state.urban.get(battle.hex)
        taken = 0.0
        if not battle.raid and urban is not None and urban.capital:
            taken = found.wins * state.ruleset.capital_vp * VP_WORTH / 3
        if not battle.raid and any(isinstance(force, Garrison) for force in sides[1]):
            taken += found.wins * points[1] / 4 * self.models
        if battle.attacking == me:
            return won + exchange + taken - lost * self.rival
        return lost - won * self.rival - exchange - taken


def throws_of(ground: Ground, label: str) -> Mapping[bytes, float]:
    """Return seeds of dice by which the players act in each of the likely orders, and the chance of each order."""
    return _thrown(ground.lot.key, label, tuple((player.id, player.strategy) for player in ground.state.living()))


@lru_cache(maxsize=64)
def _thrown(key: bytes, label: str, players: tuple[tuple[PlayerId, int], ...]) -> Mapping[bytes, float]:
    counted: dict[tuple[PlayerId, ...], tuple[bytes, int]] = {}
    for number in range(THROWN):
        seed = key + bytes([number])
        dice = SeededDice(seed)
        totals = {id_: dice.roll(f"{label}/{id_}") + strategy for id_, strategy in players}
        order = tuple(sorted(totals, key=lambda id_: (-totals[id_], -dice.roll(f"{label}/{id_}"))))
        first, times = counted.get(order, (seed, 0))
        counted[order] = first, times + 1
    likely = sorted(counted.values(), key=lambda one: -one[1])[:ORDERS]
    total = sum(times for _, times in likely)
    return {seed: times / total for seed, times in likely}


def _expected(theirs: Ground) -> list[Order]:
    """Return what an enemy who tries nothing is expected to order."""
    return assault.plan(theirs, mood_of(theirs), {}).orders


def mood_of(theirs: Ground) -> Posture:
    """Return the posture that an enemy is expected to have: their army list's temper, and a normal score."""
    return temper_of(theirs.state.players[theirs.me].faction).of(figures().posture(0))


def likely_orders(ground: Ground, phase: str, plan: Callable[[Ground], Sequence[Order]]) -> Answer:
    """Return what each enemy in sight may order in a phase: what *plan* would order in their place."""
    state = ground.state
    seen = {force.owner for force in state.detachment_at.values()}
    found = {}
    for player in state.living():
        if ground.hostile(player.id) and player.id in seen:
            theirs = Ground(state, player.id, SeededTiebreak.of(b"", player.id, state.turn))
            found[player.id] = read_set(state, player.id, phase, list(plan(theirs))).accepted
    return found


def improved(trial: Trial, orders: Sequence[Order]) -> list[Order]:
    """Return a better plan near to one: only changes that are worth more stay."""
    best = {order["detachment"]: order for order in orders}
    best_value = trial.value(list(best.values()))
    changed = True
    while changed and trial.left > 0:
        changed = False
        for force in _engaged(trial.ground):
            for other in _changes(trial.ground, best, force):
                if trial.left <= 0:
                    break
                value = trial.value(list(other.values()))
                if value > best_value + WORTH_IT:
                    best, best_value, changed = other, value, True
    return list(best.values())


def _engaged(ground: Ground) -> list[Detachment]:
    """Return the own forces next to a known enemy, the strongest first."""
    state = ground.state
    adjacent, enemies = state.board.adjacent, ground.enemies()
    return [
        force
        for force in ground.mine()
        if force.at != ORBIT
        and force.battle_order != "inactive"
        and state.fit(force)
        and any(near in enemies for near in adjacent[force.at])
    ]


def _changes(ground: Ground, plan: Plan, force: Detachment) -> Iterator[Plan]:
    """Yield the plan with another part for a detachment."""
    state, label = ground.state, ground.state.board.label
    for at in state.board.adjacent[force.at]:
        if at not in ground.enemies() or not may_enter(state, force, at):
            continue
        yield _led(ground, plan, force, at)
        if _leader(plan, label(at)) not in ("", force.id):
            yield {**plan, force.id: {"type": "support", "detachment": force.id, "target": label(at)}}
    for type_ in STANDING:
        if plan.get(force.id, {}).get("type") != type_:
            yield {**plan, force.id: {"type": type_, "detachment": force.id}}
    mine = plan.get(force.id, {})
    if mine.get("type") == "attack":
        yield {**plan, force.id: mine | {"planned": not mine.get("planned", False)}}


def _leader(plan: Plan, target: str) -> Id:
    """Return who attacks a hex in a plan; empty for nobody."""
    return next((id_ for id_, order in plan.items() if order["type"] == "attack" and order["target"] == target), "")


def _led(ground: Ground, plan: Plan, force: Detachment, at: Hex) -> Plan:
    """Return the plan with a detachment leading an attack, and everyone near who attacks nobody else in support."""
    state, target = ground.state, ground.state.board.label(at)
    changed = dict(plan)
    for other in ground.mine():
        order = plan.get(other.id)
        if other is force or order is None or at not in state.board.adjacent[other.at] or not ground.points(other):
            continue
        elsewhere = order["type"] in ("attack", "raid", "withdraw") and order.get("target") != target
        if not elsewhere:
            changed[other.id] = {"type": "support", "detachment": other.id, "target": target}
    changed[force.id] = {"type": "attack", "detachment": force.id, "target": target, "planned": False, "primary": True}
    return changed
