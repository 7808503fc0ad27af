from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from server.core import dice
from server.rules.attrition import Threshold, attrition
from server.rules.losses import apply_losses
from server.rules.odds import TWO_DICE, Odds, SideOdds, UnitOdds, odds
from server.rules.quick_battle import Choice, Outcome, Wishes, fight_quickly
from server.rules.scene import Scene
from server.rules.sight import view_for
from server.rules.state import Battle, State, Unit
from tests.rules.builders import campaign, detachment, fort, garrison, unit


class Forked:
    """Dice that show every face in turn, run after run: a tree of throws, with the weight of each."""

    def __init__(self) -> None:
        self.path: list[tuple[int, int]] = []
        self.place = 0
        self.weight = Fraction(1)
        self.pending = 0

    def roll(self, label: str, sides: int = 6) -> int:
        if label.startswith("quick-battle/"):
            # only the sum counts: 11 sums instead of 36 throws
            if self.pending:
                second, self.pending = self.pending, 0
                return second
            total = self._choose(11) + 1
            self.weight *= Fraction(TWO_DICE[total], 36)
            first = min(6, total - 1)
            self.pending = total - first
            return first
        if label.startswith("underdog/"):
            six = self._choose(2) == 2
            self.weight *= Fraction(1 if six else 5, 6)
            return 6 if six else 1
        self.weight *= Fraction(1, sides)
        return self._choose(sides)

    def _choose(self, ways: int) -> int:
        if self.place == len(self.path):
            self.path.append((1, ways))
        self.place += 1
        return self.path[self.place - 1][0]

    def again(self) -> bool:
        """Turn to the next run; False when all have been."""
        while self.path and self.path[-1][0] == self.path[-1][1]:
            self.path.pop()
        if not self.path:
            return False
        self.path[-1] = (self.path[-1][0] + 1, self.path[-1][1])
        self.place, self.weight = 0, Fraction(1)
        return True


def every_outcome(state: State, battle: Battle, *wishes: Wishes) -> Iterator[tuple[Fraction, Battle, Outcome]]:
    """Yield every way a battle can go, and how likely it is."""
    tree = Forked()
    while True:
        fought = battle.copy()
        outcome = fight_quickly(Scene(state, tree), fought, *(wishes or (Wishes(), Wishes())))
        yield tree.weight, fought, outcome
        if not tree.again():
            return


def battle_between(state: State, kind: str = "attack", **more: Any) -> Battle:
    attacker, defender = state.detachments["a"], state.detachments["d"]
    return Battle(defender.at, "a", "d", kind, attacker.owner, defender.owner, attacker.at, **more)


def units_of(found: Odds) -> list[UnitOdds]:
    return [*(found.attacker.units or ()), *(found.defender.units or ())]


def squad(id_: str, points: int, models: int = 10, **more: Any) -> Unit:
    return unit(id_, points=points, models=models, **more)


def position(attackers: list[Unit], defenders: list[Unit]) -> State:
    state = campaign(phase="battles")
    detachment(state, "red", "a", "0505", *attackers)
    detachment(state, "blue", "d", "0605", *defenders)
    return state


def tank(id_: str, points: int, **more: Any) -> Unit:
    return unit(id_, points=points, models=1, flags=("vehicle",), mobility="tracked", slot="heavy", **more)


SMALL: dict[str, tuple[list[Unit], list[Unit], dict[str, Any]]] = {
    "one squad each": ([squad("a1", 100)], [squad("d1", 100)], {}),
    "underdog": ([squad("a1", 60), squad("a2", 75, 5)], [squad("d1", 110)], {}),
    "planned on defend": (
        [squad("a1", 90), tank("a2", 45)],
        [squad("d1", 61, 5)],
        {"kind": "planned_attack", "defending": True},
    ),
    "weakened": (
        [squad("a1", 101, ready=6), squad("a2", 40, ready=2)],
        [tank("d1", 75, damaged=True), squad("d2", 33, 1)],
        {"supporters": {"s": "flank", "t": "defender"}},
    ),
    "raid": ([squad("a1", 50, flags=("character",))], [squad("d1", 70, 3), squad("d2", 10)], {"kind": "raid"}),
}


@pytest.mark.parametrize("name", SMALL)
def test_every_throw_of_a_small_battle(name: str) -> None:
    attackers, defenders, more = SMALL[name]
    state = position(attackers, defenders)
    battle = battle_between(state, **more)
    found = odds(state, battle)
    wins: dict[str, Fraction] = defaultdict(Fraction)
    damages: tuple[dict[int, Fraction], ...] = (defaultdict(Fraction), defaultdict(Fraction))
    taken: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
    for weight, fought, outcome in every_outcome(state, battle):
        wins[outcome.winner] += weight
        for dealt, damage in zip(damages, (fought.attacker_damage, fought.defender_damage), strict=True):
            assert damage is not None
            dealt[damage] += weight
        for each in (*attackers, *defenders):
            loss = outcome.losses.get(each.id)
            if loss is not None:
                whole = loss.destroyed or (not each.vehicle and loss.lost == each.ready)
                taken[each.id, "whole" if whole else "half"] += weight
    assert found.attacker.wins == wins["red"]
    assert found.defender.wins == wins["blue"]
    assert Fraction(*found.ways) == wins["red"]
    for side, expected in zip((found.attacker, found.defender), damages, strict=True):
        assert dict(side.damage) == expected
        assert side.expected_damage == sum(damage * part for damage, part in expected.items())
        assert side.units is not None
        for chance in side.units:
            assert (chance.half, chance.whole) == (taken[chance.unit, "half"], taken[chance.unit, "whole"]), chance.unit


def test_wishes_and_picks_of_a_small_battle() -> None:
    attackers, defenders = [squad("a1", 80), squad("a2", 60)], [squad("d1", 100), squad("d2", 30, 6)]
    state = position(attackers, defenders)
    battle = battle_between(state, kind="planned_attack")
    wishes = (
        Wishes((Choice("a2", half=True), Choice("a1", half=True)), (Choice("d2", half=True),)),
        Wishes((Choice("d2"),), (Choice("a1", half=True),)),
    )
    found = odds(state, battle, *wishes)
    taken: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
    for weight, _, outcome in every_outcome(state, battle, *wishes):
        for id_, loss in outcome.losses.items():
            one = next(each for each in (*attackers, *defenders) if each.id == id_)
            taken[id_, "whole" if loss.lost == one.ready else "half"] += weight
    for chance in units_of(found):
        assert (chance.half, chance.whole) == (taken[chance.unit, "half"], taken[chance.unit, "whole"]), chance.unit
    assert found.attacker.wins == odds(state, battle).attacker.wins


def test_who_is_dead_for_good() -> None:
    state = position([squad("a1", 100, flags=("character",))], [squad("d1", 100), tank("d2", 50)])
    found = odds(state, battle_between(state))
    dead: dict[str, Fraction] = defaultdict(Fraction)
    rules = state.ruleset
    for weight, _, outcome in every_outcome(state, battle_between(state)):
        for id_, loss in outcome.losses.items():
            if id_ == "d2":
                dead[id_] += weight * loss.destroyed
            else:
                won = outcome.winner == ("red" if id_ == "a1" else "blue")
                chance = Fraction(rules.win_dead if won else rules.lose_dead, 6)
                dead[id_] += weight * loss.lost * chance * (Fraction(1, 2) if id_ == "a1" else 1)
    assert rules.second_chance_on == 4
    shown = {each.unit: each.dead for each in units_of(found)}
    assert shown == dead


def _armies(seed: int) -> State:
    random = Random(seed)
    sides = [
        [
            tank(f"{name}{number}", random.randrange(70, 200, 5))
            if random.random() < 0.25
            else squad(f"{name}{number}", random.randrange(40, 160), random.choice((1, 5, 8, 10)))
            for number in range(random.randrange(5, 10))
        ]
        for name in "ad"
    ]
    return position(*sides)


@pytest.mark.parametrize("seed", range(4))
def test_many_battles_of_armies(seed: int) -> None:
    state, throws = _armies(seed), 3000
    battle = battle_between(state, kind=("attack", "planned_raid")[seed % 2], defending=seed > 1)
    found = odds(state, battle)
    wins, whole, half = 0, Counter[str](), Counter[str]()
    for number in range(throws):
        seed_ = f"{seed}/{number}".encode()
        outcome = fight_quickly(Scene(state, dice.SeededDice(seed_)), battle.copy(), Wishes(), Wishes())
        wins += outcome.winner == "red"
        for force in state.detachments.values():
            for each in force.units:
                loss = outcome.losses.get(each.id)
                if loss is not None:
                    gone = loss.destroyed or (not each.vehicle and loss.lost == each.ready)
                    (whole if gone else half)[each.id] += 1
    assert near(wins, found.attacker.wins, throws)
    for chance in units_of(found):
        assert near(whole[chance.unit], chance.whole, throws)
        assert near(half[chance.unit], chance.half, throws)


def near(seen: int, chance: Fraction, throws: int) -> bool:
    """Within five standard deviations; the seeds are fixed, so this never changes."""
    return (seen - chance * throws) ** 2 <= 25 * (throws * chance * (1 - chance) + 1)


def test_losses_of_a_won_battle_are_as_the_dice_have_them() -> None:
    state = position([squad("a1", 100), squad("a2", 60)], [squad("d1", 90)])
    battle, throws = battle_between(state), 4000
    found, dead = odds(state, battle), Counter[str]()
    for number in range(throws):
        scene = Scene(state.copy(), dice.SeededDice(str(number).encode()))
        outcome = fight_quickly(scene, battle.copy(), Wishes(), Wishes())
        for force in list(scene.state.detachments.values()):
            before = {each.id: each for each in force.units}
            apply_losses(scene, force, outcome.losses, won=outcome.winner == force.owner)
            after = {each.id: each for each in force.units}
            for id_, each in before.items():
                left = after[id_].ready + after[id_].wounded if id_ in after else 0
                dead[id_] += each.ready - left
    for chance in units_of(found):
        assert abs(dead[chance.unit] / throws - float(chance.dead)) < 0.15


def test_chances_add_up() -> None:
    for seed in range(10):
        state = _armies(100 + seed)
        found = odds(state, battle_between(state))
        assert found.attacker.wins + found.defender.wins == 1
        assert found.range == (found.attacker.wins, found.attacker.wins)
        for side, other in ((found.attacker, found.defender), (found.defender, found.attacker)):
            assert sum(chance for _, chance in side.damage) == 1
            assert _at_least_the_damage(side, other)


def _at_least_the_damage(side: SideOdds, other: SideOdds) -> bool:
    """What falls reaches the damage or everything."""
    assert side.ready_points is not None
    minimum = sum(min(damage, side.ready_points) * chance for damage, chance in other.damage)
    return side.falls is not None and minimum <= side.falls <= side.ready_points


def test_a_garrison_fights_beside_its_detachment() -> None:
    state = position([squad("a1", 100)], [squad("d1", 100)])
    fort(state, "blue", "0605")
    garrison(state, "blue", "g", "0605", squad("g1", 50))
    found = odds(state, battle_between(state))
    assert found.defender.ready_points == 150
    assert found.underdog == "red"
    assert {each.force for each in found.defender.units or ()} == {"d", "g"}


def test_nothing_left_to_fight_with() -> None:
    state = position([squad("a1", 100, ready=0, wounded=9)], [squad("d1", 100, ready=0, wounded=10)])
    found = odds(state, battle_between(state))
    assert found.attacker.wins == 0
    assert found.even == 1
    assert found.defender.falls == 0


def test_what_is_not_in_sight_is_assumed() -> None:
    state = position([squad("a1", 100)], [squad("d1", 400)])
    battle = battle_between(state)
    state.battles[battle.hex] = battle
    blind = state.copy()
    blind.remove_force(blind.detachments["a"])
    found = odds(blind, battle)
    assert not found.attacker.known
    assert found.defender.known
    assert found.assumed == (250, 1500)
    low, high = found.range
    assert 0 < low < found.attacker.wins < high < 1
    for points in range(250, 1501, 50):
        strong = state.copy()
        strong.detachments["a"].units = (squad("a1", points),)
        assert low <= odds(strong, battle).attacker.wins <= high


def test_what_others_hide_changes_nothing() -> None:
    """Odds from one side's view are the truth's: a battle shows him all that counts."""
    state = position([squad("a1", 100), squad("a2", 80, ready=5, wounded=5)], [squad("d1", 100, ready=7, wounded=2)])
    battle = battle_between(state)
    state.battles[battle.hex] = battle
    truth = odds(state, battle)
    for viewer in ("red", "blue"):
        view = view_for(state, (), viewer)
        assert odds(view.state, view.state.battles[battle.hex]) == truth


def test_attrition_by_every_order() -> None:
    """The same by walking through every sequence of choices."""
    kinds = [(30, 31), (10, 10), (25,), (0, 1), (10, 10)]
    stops = [Threshold(1, 2, 0), Threshold(37, 5, 1), Threshold(70, 1, 3), Threshold(500, 1, 1)]
    found = attrition(kinds, stops)
    assert found is not None
    won = {kind: [Fraction(0)] * len(kind) for kind in kinds}

    def walk(steps: tuple[int, ...], value: int, chance: Fraction, stop: Threshold) -> None:
        left = [place for place, kind in enumerate(kinds) if steps[place] < len(kind)]
        if value >= stop.value or not left:
            return
        for place in left:
            kind, step = kinds[place], steps[place]
            won[kind][step] += chance / len(left) * stop.won
            after = (*steps[:place], step + 1, *steps[place + 1 :])
            walk(after, value + kind[step], chance / len(left), stop)

    for stop in stops:
        walk((0,) * len(kinds), 0, Fraction(1), stop)
    for kind, count in Counter(kinds).items():
        assert [each * count for each in found[kind].won] == won[kind]


def test_too_many_units_are_not_reckoned() -> None:
    state = position([squad(f"a{number}", 40 + number) for number in range(30)], [squad("d1", 1500)])
    found = odds(state, battle_between(state))
    assert found.attacker.units is None
    assert found.attacker.falls is None
    assert found.attacker.expected_damage is not None
    assert found.defender.units is not None


def test_the_ruleset_decides() -> None:
    state = position([squad("a1", 100)], [squad("d1", 100)])
    even = odds(state, battle_between(state)).attacker.wins
    for planned in (1, 2, 3):
        rules = replace(state.ruleset, quick_battle=replace(state.ruleset.quick_battle, planned=planned))
        better = odds(replace(state, ruleset=rules), battle_between(state, kind="planned_attack")).attacker.wins
        assert better > even
        even = better
