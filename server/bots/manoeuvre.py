"""Movement, tried: the march is changed force by force, and each change is played by the rules.

The enemies in sight move as the regular player would in their place. They fight like it, or try plans as well.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from server.bots import assault, march, search
from server.bots.ground import Ground
from server.bots.levels import Level
from server.bots.lot import SeededTiebreak
from server.bots.posture import Figures, Posture
from server.bots.search import Answer, Trial, likely_orders, mood_of, throws_of
from server.bots.target import choose_target
from server.core.dice import SeededDice
from server.rules.board import Hex
from server.rules.movement import reachable
from server.rules.movement_phases import play_movement
from server.rules.orders.base import Order as Read
from server.rules.orders.sets import OrderBook, read_set
from server.rules.scene import Scene
from server.rules.state import BATTLE_MOVEMENT, MOVEMENT, Detachment, Id, State

Order = dict[str, Any]
FRONT = 6
"""Hexes from an enemy within which a force's way is changed."""
CHOICES = {1: 3, 2: 1, 3: 1}
"""How many hexes are tried beside enemies, at two hexes from them, and further away."""
LOST = 6000
"""What being out counts to an enemy, in BP."""
ENEMIES = 1.5
"""The worth of an enemy's land compared with unclaimed land."""
CROWDED = 400
"""BP that a force of its own in the capital costs, which raises nobody then (D-32)."""
MARGIN = 10
"""BP that a change must bring."""


@dataclass(slots=True)
class Rehearsal:
    """Marches of one player, tried against what the enemies in sight may do."""

    ground: Ground
    posture: Posture
    target: Hex | None
    scenes: Sequence[tuple[Answer, bytes, float]]
    """How the enemies may march, seeds of dice, and how likely that is: each march is played against all of them."""
    left: int
    """How many marches may still be tried."""
    deep: int = 0
    """How many plans both sides try for the battles of a march before it is taken for better; 0: none."""
    theirs: Ground | None = None
    """What the land is worth to an enemy, where lost land counts; None where it does not."""
    known: dict[tuple[int, str], float] = field(default_factory=dict)
    """The results of each move, by the number of plans tried for its battles."""

    @classmethod
    def of(cls, ground: Ground, posture: Posture, data: Figures, target: Hex | None, level: Level) -> Rehearsal:
        """Return a rehearsal of as many marches as the level tries."""
        answers = [
            likely_orders(ground, MOVEMENT, partial(_expected, data=data, drawn=drawn)) for drawn in range(level.scenes)
        ]
        throws = list(throws_of(ground, "initiative").items())
        number = max(len(answers), len(throws))
        scenes = [(answers[n % len(answers)], *throws[n % len(throws)]) for n in range(number)]
        foes = (player.id for player in ground.state.living() if ground.hostile(player.id))
        theirs = [Ground(ground.state, foe, ground.lot) for foe in foes if level.holds]
        return cls(ground, posture, target, scenes, level.marches, level.deep, next(iter(theirs), None))

    def value(self, orders: Sequence[Order], plans: int = 0) -> float:
        """Return what a march brings: land, and the battles that come of it, where both sides try so many plans."""
        key = plans, repr(orders)
        if key not in self.known:
            self.left -= not plans
            accepted = read_set(self.ground.state, self.ground.me, MOVEMENT, list(orders)).accepted
            played = [(chance, self._played(seed, answer, accepted, plans)) for answer, seed, chance in self.scenes]
            self.known[key] = sum(chance * value for chance, value in played) / sum(chance for chance, _ in played)
        return self.known[key]

    def better(self, orders: Sequence[Order], than: Sequence[Order]) -> bool:
        """Say whether a march is worth more than another, also where both sides try plans for the battles."""
        if self.value(orders) <= self.value(than) + MARGIN:
            return False
        return not self.deep or self.value(orders, self.deep) > self.value(than, self.deep) + MARGIN

    def _played(self, seed: bytes, answer: Answer, accepted: tuple[Read, ...], plans: int) -> float:
        ground, state, me = self.ground, self.ground.state, self.ground.me
        scene = Scene(state.copy(), SeededDice(seed))
        play_movement(scene, OrderBook({**answer, me: accepted}, {}))
        after = scene.state
        after.phase = BATTLE_MOVEMENT
        value = float(sum(ground.worth(at) for at, owner in enumerate(after.owner) if owner == me != state.owner[at]))
        if self.theirs is not None:
            value -= self._lost(after, self.theirs) / ENEMIES
        mine = Ground(after, me, ground.lot, ground.ghosts)
        fought = assault.plan(mine, self.posture, {}).orders
        trial = Trial.of(mine, max(1, plans), foresight=plans)
        if plans:
            trial.answers = trial.answers[-1:]
            fought = search.improved(trial, fought)
        value += trial.value(fought)
        return value + self._nearer(after) + self._capital(after)

    def _lost(self, after: State, theirs: Ground) -> float:
        """Return what the land that enemies have taken is worth to them; who is out has lost everything."""
        ground, before = self.ground, self.ground.state.owner
        if after.players[ground.me].eliminated:
            return LOST
        taken = (at for at, owner in enumerate(after.owner) if before[at] == ground.me and ground.hostile(owner))
        return sum(theirs.worth(at) for at in taken)

    def _capital(self, after: State) -> float:
        """Return what the own capital costs while a force stands in it, or what those beside it may regain."""
        ground, home = self.ground, self.ground.state.capital(self.ground.me)
        if home is None:
            return 0.0
        inside = after.enemy_at(home, ground.me)
        if inside:
            near = (after.detachment_at.get(at) for at in after.board.adjacent[home])
            own = sum(after.ready_points(force) for force in near if force is not None and force.owner == ground.me)
            return float(min(own, 2 * ground.enemies_at(home)))
        force = after.detachment_at.get(home)
        crowded = force is not None and force.owner == ground.me and march.keeps_clear(ground, home)
        return -CROWDED if crowded else 0.0

    def _nearer(self, after: State) -> float:
        """Return a little for being nearer to the enemies' capitals."""
        ground = self.ground
        if self.target is None:
            return 0.0
        ways = ground.steps_to(*ground.capitals())
        total = 0.0
        for force in ground.mine():
            now = after.detachments.get(force.id)
            if now is not None:
                total += (ways.get(force.at, 0) - ways.get(now.at, 0)) * ground.points(force) / 100
        return total


def _expected(theirs: Ground, data: Figures, drawn: int) -> list[Order]:
    """Return how an enemy is expected to march; *drawn* tells several such marches apart."""
    lot = SeededTiebreak.of(str(drawn).encode() if drawn else b"", theirs.me, theirs.state.turn)
    return march.plan(replace(theirs, lot=lot), mood_of(theirs), data, choose_target(theirs, {}, 0)).orders


def improved(rehearsal: Rehearsal, orders: Sequence[Order]) -> list[Order]:
    """Return a better march near to one: a force goes elsewhere where that is worth more."""
    best = list(orders)
    changed = True
    while changed and rehearsal.left > 0:
        changed = False
        for force in _at_the_front(rehearsal.ground):
            for order in _elsewhere(rehearsal.ground, best, force):
                if rehearsal.left <= 0:
                    break
                other = [old for old in best if old.get("detachment") != force.id] + [order]
                if rehearsal.better(other, best):
                    best, changed = other, True
    return best


def _at_the_front(ground: Ground) -> list[Detachment]:
    """Return the own forces near a known enemy, the strongest first."""
    enemies, distance = ground.enemies(), ground.state.board.distance
    return [
        force
        for force in ground.mine()
        if not force.pinned and ground.points(force) and any(distance(force.at, at) <= FRONT for at in enemies)
    ]


def _elsewhere(ground: Ground, orders: Sequence[Order], force: Detachment) -> Iterator[Order]:
    """Yield other orders for a force: to stay, and to go where it meets enemies or keeps away, beside its friends."""
    board, enemies = ground.state.board, ground.enemies()
    ends = _ends(ground, orders)
    mine = ends.pop(force.id)
    friends = dict.fromkeys(ends.values())
    if mine != force.at and force.at not in friends:
        yield {"type": "guard", "detachment": force.id}
    who = ground.mover(force)
    found = reachable(ground.state, who, force.at, who.mv, rank=ground.lot.rank)
    near: dict[int, list[Hex]] = {steps: [] for steps in CHOICES}
    for at, (spent, _) in found.items():
        if spent <= who.mv and at != mine and at not in friends and at not in enemies and ground.land(at):
            near[min(max(CHOICES), *(board.distance(at, enemy) for enemy in enemies))].append(at)
    for steps, count in CHOICES.items():
        chosen = sorted(near[steps], key=lambda at: (-_company(ground, friends, at), ground.lot.rank(at)))
        for at in chosen[:count]:
            way = [board.label(hex_) for hex_ in ground.way(found, at)]
            yield {"type": "path", "detachment": force.id, "path": way}


def _ends(ground: Ground, orders: Sequence[Order]) -> dict[Id, Hex]:
    """Return where each own force ends its movement."""
    ends = {force.id: force.at for force in ground.mine()}
    for order in orders:
        end = ground.state.board.find(order["path"][-1]) if order.get("path") else None
        if end is not None and order.get("detachment") in ends:
            ends[order["detachment"]] = end
    return ends


def _company(ground: Ground, friends: Container[Hex], at: Hex) -> int:
    """Return how many friends could fight beside a force there: next to it, or next to an enemy that it is next to."""
    adjacent, enemies = ground.state.board.adjacent, ground.enemies()
    around = [at, *(near for near in adjacent[at] if near in enemies)]
    return len({near: None for hex_ in around for near in adjacent[hex_] if near in friends})
