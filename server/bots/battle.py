"""The outlook of an attack: exact odds with all supporters, and the forces left afterwards (6.1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from server.bots.ground import VP_WORTH, Ground
from server.bots.posture import Posture
from server.core import hexes
from server.rules.battles import vp_for
from server.rules.board import ORBIT, Hex
from server.rules.movement import mover
from server.rules.odds import TWO_DICE, Chances
from server.rules.odds import chances as count_chances
from server.rules.ruleset import QuickBattle
from server.rules.state import Detachment, Force, Garrison, State

chances = lru_cache(maxsize=1 << 16)(count_chances)
"""The odds of a quick battle; known ones are not calculated again."""

CALM = 7
"""Tenths of the own ready points up to which an enemy is not expected to attack first."""
RIVALRY = 0.7
"""Share of its worth that a victory point of an enemy's costs."""


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack that may be ordered."""

    target: Hex
    primary: Detachment
    supporters: tuple[Detachment, ...]
    raid: bool
    planned: bool
    chances: Chances
    value: float
    """In BP: what it brings less what it costs, on average."""
    own: int
    """Ready points of the primary, as much greater as everyone's support makes the damage that it does on average.

    Without support and orders that help they are its ready points, as P-35 counts them.
    """
    enemy: int
    """Likewise the defenders'."""


def strength_of(state: State, forces: Iterable[Force]) -> int:
    """Return the strength that counts for victory points (6.2.3.5), as far as it is known."""
    total = 0
    for force in forces:
        points = sum(unit.points for unit in force.units if unit.takes_part)
        garrison = isinstance(force, Garrison)
        total += -(-points // state.ruleset.garrison_divisor) if garrison else points
    return total


def facing(state: State, target: Hex, origin: Hex, supporter: Detachment) -> str:
    """Return where an attacker's supporter would stand."""
    if origin == ORBIT or supporter.at == ORBIT:
        return "front"
    front, here = state.board.direction(target, origin), state.board.direction(target, supporter.at)
    found = "front" if front is None or here is None else hexes.facing(front, here)
    return "front" if found == "attacker" else found


@cache
def average(table: QuickBattle, plus: int) -> int:
    """Return the percent of its points that a side inflicts on average with so many added to its dice, times 36."""
    return sum(table.percent(total + plus) * ways for total, ways in TWO_DICE.items()) or 1


def support(state: State, target: Hex, origin: Hex, supporters: Iterable[Detachment]) -> int:
    """Return what supporters add to the attacker's dice."""
    table = state.ruleset.quick_battle
    worth = {"front": table.front, "flank": table.flank, "rear": table.rear}
    return sum(worth[facing(state, target, origin, detachment)] for detachment in supporters)


def may_enter(state: State, force: Detachment, at: Hex) -> bool:
    """Say whether a detachment may attack into a hex (D-50)."""
    if not state.ruleset.terrain[state.board.terrain[at]].land:
        return False
    who = mover(state, force)
    return (who.enters(state.board.terrain[at]) if force.at == ORBIT else who.cost(state, force.at, at)) > 0


@dataclass(frozen=True, slots=True)
class Field:
    """A hex that may be attacked, as a player knows it."""

    ground: Ground
    target: Hex
    forces: tuple[Force, ...]
    points: int
    """Ready points of the defenders; those of a force nobody has seen are guessed."""
    helpers: int
    """Enemies next to it who may support the defence."""
    prize: int
    """BP that taking the hex is worth in addition to the battle."""

    @classmethod
    def of(cls, ground: Ground, target: Hex) -> Field:
        """Return what is known of a hex."""
        forces = tuple(ground.hostile_forces(target))
        points = ground.enemies().get(target, 0)
        state = ground.state
        around = (state.detachment_at.get(near) for near in state.board.adjacent[target])
        helpers = [force for force in around if force is not None and ground.hostile(force.owner) and state.fit(force)]
        urban = state.urban.get(target)
        hostile = ground.hostile(state.owner[target])
        prize = ground.worth(target) // 2 if hostile and (urban is not None or target in state.resource) else 0
        return cls(ground, target, forces, points, len(helpers), prize)

    def attack(
        self, primary: Detachment, supporters: Sequence[Detachment], *, planned: bool = True, raid: bool = False
    ) -> Attack:
        """Return what an attack on it would come to."""
        ground, state = self.ground, self.ground.state
        table = state.ruleset.quick_battle
        plus = support(state, self.target, primary.at, supporters) + (table.planned if planned else 0)
        base = table.raid if raid else 0
        mine = max(1, ground.points(primary))
        theirs = max(1, self.points)
        outcomes = [
            chances(table, (mine, theirs), (plus + base, base + table.supports_defender * helping))
            for helping in dict.fromkeys((0, self.helpers))
        ]
        found = Chances(
            sum(outcome.wins for outcome in outcomes) / len(outcomes),
            sum(outcome.dealt for outcome in outcomes) / len(outcomes),
            sum(outcome.received for outcome in outcomes) / len(outcomes),
        )
        value = self._value(primary, found, raid=raid)
        own = mine * average(table, plus + base) // average(table, base)
        helped = base + table.supports_defender * self.helpers // 2
        enemy = theirs * average(table, helped) // average(table, base)
        return Attack(self.target, primary, tuple(supporters), raid, planned, found, value, own, enemy)

    def _value(self, primary: Detachment, found: Chances, *, raid: bool) -> float:
        state = self.ground.state
        mine = strength_of(state, [primary])
        theirs = strength_of(state, self.forces) if self.forces else self.points
        won = vp_for(state, mine - theirs) * VP_WORTH
        lost = vp_for(state, theirs - mine) * VP_WORTH * RIVALRY
        prize = 0 if raid else self.prize
        if any(isinstance(force, Garrison) for force in self.forces) and not raid:
            prize += self.points // 4
        exchange = (found.dealt - found.received) * 0.5
        return found.wins * (won + prize) - (1 - found.wins) * lost + exchange


def best_attack(field: Field, near: Sequence[Detachment], posture: Posture, *, more: int = 0) -> Attack | None:
    """Return the best attack on a hex by those next to it; None where none has the posture's odds (P-35).

    *more*: tenths wanted beyond them.
    """
    ground = field.ground
    able = [
        detachment
        for detachment in near
        if may_enter(ground.state, detachment, field.target) and ground.points(detachment)
    ]
    best: Attack | None = None
    for primary in able[:4]:
        others = [detachment for detachment in near if detachment is not primary and ground.points(detachment)]
        found = field.attack(primary, others, planned=_has_time(field, primary))
        if found.value <= 0 or not posture.attacks(found.own, found.enemy, more=more):
            continue
        if best is None or found.value > best.value:
            best = found
    return None if best is None else _spare(field, best)


def _has_time(field: Field, primary: Detachment) -> bool:
    """Say whether nobody is likely to attack first: a planned attack is carried out after all others.

    An enemy who attacks anyone next to them is committed there, and the planned attack fails (D-51).
    """
    ground = field.ground
    board, enemies = ground.state.board, ground.enemies()
    others = [at for at in board.adjacent[primary.at] if at in enemies and at != field.target]
    alone = not any(isinstance(force, Detachment) for force in field.forces)
    beside = [
        ground.points(force)
        for near in board.adjacent[field.target]
        if (force := ground.state.detachment_at.get(near)) is not None and force.owner != _owner(field)
    ]
    return not others and (alone or field.points * 10 < min(beside, default=0) * CALM)


def _owner(field: Field) -> str:
    return field.forces[0].owner if field.forces else ""


def _spare(field: Field, attack: Attack) -> Attack:
    """Leave out supporters who hardly change anything: they are of use elsewhere."""
    kept = list(attack.supporters)
    state = field.ground.state
    for detachment in sorted(kept, key=lambda force: support(state, attack.target, attack.primary.at, [force])):
        fewer = [other for other in kept if other is not detachment]
        found = field.attack(attack.primary, fewer, planned=attack.planned, raid=attack.raid)
        if found.value >= attack.value - 8 and found.chances.wins > 0.93:
            kept, attack = fewer, found
    return attack


def danger(state: State, points: int, force: Detachment, helpers: int) -> float:
    """Return the chance that a force loses against a planned attack by a number of points on its own hex."""
    table = state.ruleset.quick_battle
    mine = max(1, state.ready_points(force))
    plus = table.planned, table.supports_defender * helpers
    return chances(table, (max(1, points), mine), plus).wins
