"""Battles decided by dice (6.1, D-61 to D-64)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from server.rules.losses import UnitLoss
from server.rules.scene import Scene
from server.rules.sides import modifiers, ready_points, side_of, striking_points
from server.rules.state import Battle, Id, PlayerId, State, Unit


@dataclass(frozen=True, slots=True)
class Choice:
    """A unit chosen as a casualty, whole or half."""

    unit: Id
    half: bool = False


@dataclass(frozen=True, slots=True)
class Wishes:
    """One side's orders for a battle (D-60)."""

    casualties: tuple[Choice, ...] = ()
    """Its own units, in the order in which they fall."""
    picks: tuple[Choice, ...] = ()
    """Its picks of enemy units to halve or damage, if it has any."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a quick battle went."""

    winner: PlayerId
    losses: dict[Id, UnitLoss]


def fight_quickly(scene: Scene, battle: Battle, attacker: Wishes, defender: Wishes) -> Outcome:
    """Decide a battle by dice; changes only the figures noted in *battle* (D-61)."""
    state = scene.state
    sides = side_of(state, battle, attacking=True), side_of(state, battle, attacking=False)
    players = battle.attacking, battle.defended_by
    hex_ = scene.label(battle.hex)
    rolled = [sum(scene.roll(f"quick-battle/{hex_}/{player}", players, 2)) for player in players]
    battle.attacker_modifier, battle.defender_modifier = modifiers(state, battle)
    totals = [rolled[0] + battle.attacker_modifier, rolled[1] + battle.defender_modifier]
    points, table = [ready_points(state, side) for side in sides], state.ruleset.quick_battle
    if points[0] != points[1] and scene.roll_one(f"underdog/{hex_}", players) >= table.underdog_on:
        totals[0 if points[0] < points[1] else 1] += table.underdog
    striking = [striking_points(state, side) for side in sides]
    inflicted = [table.percent(totals[side]) * striking[side] // 100 for side in (0, 1)]
    battle.attacker_damage, battle.defender_damage = inflicted
    losses: dict[Id, UnitLoss] = {}
    wishes = attacker, defender
    may_pick = battle.planned, battle.defending
    for side in (0, 1):
        enemy = 1 - side
        toll = Toll(state, [unit for force in sides[side] for unit in force.units], inflicted[enemy])
        if may_pick[enemy]:
            toll.pick(wishes[enemy].picks)
        toll.choose(wishes[side].casualties)
        toll.fill_by_dice(scene, f"casualty/{hex_}/{players[side]}", players[side])
        losses |= toll.losses()
    return Outcome(players[0] if inflicted[0] > inflicted[1] else players[1], losses)


@dataclass(slots=True)
class Toll:
    """Casualties of one side, taken until their value reaches the damage or nobody is left."""

    state: State
    units: Sequence[Unit]
    damage: int
    value: int = 0
    taken: dict[Id, bool] = field(default_factory=dict)
    """Units taken: True whole, False half."""

    def _left(self) -> list[Unit]:
        """Return the units that can still be taken, at least in part."""
        return [unit for unit in self.units if self.state.unit_points(unit) > 0 and not self.taken.get(unit.id, False)]

    def _take(self, unit: Unit, *, half: bool) -> None:
        halved = unit.id in self.taken
        if half and not halved and self.state.can_be_halved(unit):
            self.taken[unit.id] = False
            self.value += unit.points // 2
        else:
            self.taken[unit.id] = True
            self.value += self.state.unit_points(unit) - (unit.points // 2 if halved else 0)

    def pick(self, picks: Iterable[Choice]) -> None:
        """Take the enemy's picks: halves only, and they stop before they would exceed their share (D-61a)."""
        units = {unit.id: unit for unit in self.units}
        pick_share = self.state.ruleset.quick_battle.pick_share
        for choice in picks:
            unit = units.get(choice.unit)
            if unit is None or unit.id in self.taken or not self.state.can_be_halved(unit):
                continue
            if (self.value + unit.points // 2) * pick_share > self.damage:
                return
            self._take(unit, half=True)

    def choose(self, choices: Iterable[Choice]) -> None:
        """Take the owner's own casualties in their order."""
        for choice in choices:
            unit = next((candidate for candidate in self._left() if candidate.id == choice.unit), None)
            if self.value >= self.damage:
                return
            if unit is not None:
                self._take(unit, half=choice.half)

    def fill_by_dice(self, scene: Scene, label: str, owner: PlayerId) -> None:
        """Take the rest by dice: a random unit of those left, half a unit at a time (D-63)."""
        while self.value < self.damage and (left := self._left()):
            place = scene.roll_one(label, (owner,), len(left)) - 1 if len(left) > 1 else 0
            self._take(left[place], half=True)

    def losses(self) -> dict[Id, UnitLoss]:
        """Return what the casualties mean for each unit (D-62, D-64)."""
        losses = {}
        for unit in self.units:
            whole = self.taken.get(unit.id)
            if whole is None:
                continue
            if unit.vehicle:
                losses[unit.id] = UnitLoss(destroyed=whole, damaged=not whole)
            else:
                losses[unit.id] = UnitLoss(lost=unit.ready if whole else unit.models // 2)
        return losses
