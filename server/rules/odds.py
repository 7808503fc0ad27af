"""The odds of a quick battle (6.1), exactly: every way the dice can fall is counted, none is rolled.

Reckoned from a state as someone knows it. Forces they do not know are assumed (:attr:`Odds.assumed`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from server.rules.attrition import Steps, Threshold, attrition
from server.rules.battles import strength, vp_for
from server.rules.losses import dead_up_to, second_chance_on
from server.rules.quick_battle import Choice, Toll, Wishes
from server.rules.ruleset import QuickBattle
from server.rules.sides import Modifier, battle_modifiers, modifiers, ready_points, side_of, striking_points
from server.rules.state import Battle, Force, Id, PlayerId, State, Unit

FACES = 6
TWO_DICE = {total: 6 - abs(7 - total) for total in range(2, 13)}
"""Ways in which two dice show each total."""
MIN_ASSUMED = 250
"""Ready points a force nobody has seen is assumed to have at least; at most as many as a new detachment may."""
ASSUMED_STEP = 50


@dataclass(frozen=True, slots=True)
class UnitOdds:
    """What may become of a unit. Chances are from 0 to 1."""

    force: Id
    unit: Id
    half: Fraction
    """Half of it falls; as a vehicle it is damaged."""
    whole: Fraction
    """All of it falls; as a vehicle it is destroyed."""
    dead: Fraction
    """Models that are gone for good, on average (6.2.3.6)."""


@dataclass(frozen=True, slots=True)
class SideOdds:
    """One side of a battle."""

    player: PlayerId
    known: bool
    """False where its forces are not in sight; then most of what follows is not known either."""
    ready_points: int | None
    modifiers: tuple[Modifier, ...]
    """All but the underdog's (6.1, D-71b)."""
    wins: Fraction
    vp: int | None
    """What winning is worth (6.2.3.5)."""
    damage: tuple[tuple[int, Fraction], ...]
    """Damage it may do, rising, and how likely each is."""
    expected_damage: Fraction | None
    falls: Fraction | None
    """Ready points of its units that fall, on average."""
    units: tuple[UnitOdds, ...] | None
    """None also where there are too many units of too many kinds to reckon with."""

    @property
    def modifier(self) -> int:
        """All modifiers together."""
        return sum(modifier.value for modifier in self.modifiers)


@dataclass(frozen=True, slots=True)
class Odds:
    """The odds of a quick battle."""

    attacker: SideOdds
    defender: SideOdds
    even: Fraction
    """Both do the same damage: then the defender wins."""
    ways: tuple[int, int]
    """In how many of all equally likely throws the attacker wins, and how many there are; (0, 0) if not known."""
    underdog: PlayerId
    """The side with the underdog's die, or neither."""
    underdog_chance: Fraction
    assumed: tuple[int, int] | None
    """Least and most ready points that were assumed for the side that is not known."""
    range: tuple[Fraction, Fraction]
    """The attacker's chance at least and at most, whatever of :attr:`assumed` is true."""


def odds(state: State, battle: Battle, attacker: Wishes | None = None, defender: Wishes | None = None) -> Odds:
    """Return the odds of a battle as *state* knows it; where no wishes are given, dice choose the casualties."""
    sides = side_of(state, battle, attacking=True), side_of(state, battle, attacking=False)
    known = state.force(battle.attacker) is not None, state.force(battle.defender) is not None
    points = ready_points(state, sides[0]), ready_points(state, sides[1])
    if not all(known):
        return _guessed(state, battle, known, points)
    striking = striking_points(state, sides[0]), striking_points(state, sides[1])
    throws = _ways(state.ruleset.quick_battle, points, modifiers(state, battle), striking)
    total = sum(throws.values())
    won = sum(ways for (mine, theirs), ways in throws.items() if mine > theirs)
    even = sum(ways for (mine, theirs), ways in throws.items() if mine == theirs)
    own = attacker or Wishes(), defender or Wishes()
    # a side suffers the other's picks: the attacker those of one on `defend`, the defender those of a planned attack
    picks = own[1].picks if battle.defending else (), own[0].picks if battle.planned else ()
    worth = strength(state, sides[0]), strength(state, sides[1])
    shown = []
    for side, player in enumerate((battle.attacking, battle.defended_by)):
        dealt = Counter[int]()
        for pair, ways in throws.items():
            dealt[pair[side]] += ways
        falls, units = _casualties(state, sides[side], _received(throws, side), own[side], picks[side])
        shown.append(
            SideOdds(
                player,
                True,
                points[side],
                _modifiers(state, battle, side),
                Fraction(total - won if side else won, total),
                vp_for(state, worth[side] - worth[1 - side]),
                tuple((damage, Fraction(ways, total)) for damage, ways in sorted(dealt.items())),
                Fraction(sum(damage * ways for damage, ways in dealt.items()), total),
                falls,
                units,
            )
        )
    chance = Fraction(won, total)
    return Odds(
        shown[0],
        shown[1],
        Fraction(even, total),
        (won, total),
        _underdog(battle, points),
        _chance(state, points),
        None,
        (chance, chance),
    )


def _modifiers(state: State, battle: Battle, side: int) -> tuple[Modifier, ...]:
    """Return a side's modifiers; side 0 attacks."""
    return tuple(modifier for modifier in battle_modifiers(state, battle) if modifier.attacking == (side == 0))


# --- the throw ---


def _ways(
    table: QuickBattle, points: tuple[int, int], plus: tuple[int, int], striking: tuple[int, int]
) -> dict[tuple[int, int], int]:
    """Return in how many ways two sides do each pair of damages, by ready points, modifiers and striking points."""
    high = _at_least(table.underdog_on) if points[0] != points[1] else 0
    weaker = 0 if points[0] < points[1] else 1
    found: dict[tuple[int, int], int] = {}
    for bonus, faces in ((0, FACES - high if points[0] != points[1] else 1), (table.underdog, high)):
        if not faces:
            continue
        does = [
            {
                total: table.percent(total + plus[side] + (bonus if side == weaker else 0)) * striking[side] // 100
                for total in TWO_DICE
            }
            for side in (0, 1)
        ]
        for first, ways in TWO_DICE.items():
            for second, more in TWO_DICE.items():
                pair = does[0][first], does[1][second]
                found[pair] = found.get(pair, 0) + ways * more * faces
    return found


@dataclass(frozen=True, slots=True)
class Chances:
    """The odds of a quick battle, without single units."""

    wins: float
    """The attacker's chance, from 0 to 1."""
    dealt: float
    """Damage the attacker does on average, at most what the defender has; likewise what it receives."""
    received: float


def chances(table: QuickBattle, points: tuple[int, int], plus: tuple[int, int]) -> Chances:
    """Return the odds of a quick battle: *points* and *plus* are ready points and modifiers, the attacker's first.

    As exact as :func:`odds`, but that no wounded fight on (D-71).
    """
    wins = dealt = received = 0
    ways = _ways(table, points, plus, points)
    for (first, second), count in ways.items():
        wins += count if first > second else 0
        dealt += count * min(first, points[1])
        received += count * min(second, points[0])
    total = sum(ways.values())
    return Chances(wins / total, dealt / total, received / total)


def _at_least(face: int) -> int:
    """Return how many faces of a die show *face* or more."""
    return max(0, min(FACES, FACES + 1 - face))


def _underdog(battle: Battle, points: tuple[int, int]) -> PlayerId:
    if points[0] == points[1]:
        return ""
    return battle.attacking if points[0] < points[1] else battle.defended_by


def _chance(state: State, points: tuple[int, int]) -> Fraction:
    return Fraction(_at_least(state.ruleset.quick_battle.underdog_on) if points[0] != points[1] else 0, FACES)


def _received(throws: Mapping[tuple[int, int], int], side: int) -> list[Threshold]:
    """Return the damages a side may receive, and in how many ways it then wins and loses."""
    found: dict[int, list[int]] = {}
    for (first, second), ways in throws.items():
        attacker_wins = first > second
        received = second if side == 0 else first
        found.setdefault(received, [0, 0])[int(attacker_wins != (side == 0))] += ways
    return [Threshold(damage, won, lost) for damage, (won, lost) in sorted(found.items())]


# --- the casualties ---


@dataclass(slots=True)
class _Chance:
    """In how many throws, parts of them too, a unit is taken at least in half, and whole."""

    touched: Fraction = Fraction(0)
    whole: Fraction = Fraction(0)


def _casualties(
    state: State, forces: Sequence[Force], received: Sequence[Threshold], own: Wishes, picks: Sequence[Choice]
) -> tuple[Fraction | None, tuple[UnitOdds, ...] | None]:
    """Return the points that fall on average and the odds of each unit; (None, None) where that takes too long."""
    units = {unit.id: unit for force in forces for unit in force.units}
    chances = {outcome: {id_: _Chance() for id_ in units} for outcome in (True, False)}
    for taken, thresholds in _beginnings(state, units, received, own, picks).items():
        _count(chances[True], dict(taken), sum(threshold.won for threshold in thresholds))
        _count(chances[False], dict(taken), sum(threshold.lost for threshold in thresholds))
        steps = {id_: _steps(state, unit, dict(taken)) for id_, unit in units.items()}
        kinds = [step for step in steps.values() if step]
        found = attrition(kinds, [threshold for threshold in thresholds if threshold.value > 0])
        if found is None:
            return None, None
        for id_, kind in steps.items():
            for won, taken_steps in ((True, found[kind].won), (False, found[kind].lost)) if kind else ():
                chances[won][id_].whole += taken_steps[-1]
                chances[won][id_].touched += 0 if id_ in dict(taken) else taken_steps[0]
    total = sum(outcome.won + outcome.lost for outcome in received)
    shown = tuple(
        _unit_odds(state, force, unit, chances[True][unit.id], chances[False][unit.id], total)
        for force in forces
        for unit in force.units
    )
    falls = Fraction(0)
    for loss in shown:
        unit = units[loss.unit]
        falls += loss.half * (unit.points // 2) + loss.whole * state.unit_points(unit)
    return falls, shown


_Taken = tuple[tuple[Id, bool], ...]


def _beginnings(
    state: State, units: Mapping[Id, Unit], received: Sequence[Threshold], own: Wishes, picks: Sequence[Choice]
) -> dict[_Taken, list[Threshold]]:
    """Return what picks and wishes take, and what is left of the damage then for the dice to take; 0 if nothing."""
    found: dict[_Taken, list[Threshold]] = {}
    for outcome in received:
        toll = Toll(state, list(units.values()), outcome.value)
        toll.pick(picks)
        toll.choose(own.casualties)
        left = Threshold(max(0, outcome.value - toll.value), outcome.won, outcome.lost)
        found.setdefault(tuple(sorted(toll.taken.items())), []).append(left)
    return found


def _count(chances: Mapping[Id, _Chance], taken: Mapping[Id, bool], ways: int) -> None:
    for id_, whole in taken.items():
        chances[id_].touched += ways
        chances[id_].whole += ways if whole else 0


def _steps(state: State, unit: Unit, taken: Mapping[Id, bool]) -> Steps:
    """Return what is still to be taken of a unit, in the steps in which dice take it (D-63)."""
    points, half = state.unit_points(unit), unit.points // 2
    if taken.get(unit.id) or not points:
        return ()
    if unit.id in taken:
        return (points - half,)
    return (half, points - half) if state.can_be_halved(unit) else (points,)


def _unit_odds(state: State, force: Force, unit: Unit, won: _Chance, lost: _Chance, total: int) -> UnitOdds:
    dead = Fraction(0)
    for share, victorious in ((won, True), (lost, False)):
        models = (share.touched - share.whole) * (unit.models // 2) + share.whole * unit.ready
        dead += share.whole * unit.models if unit.vehicle else models * _death(state, force, unit, won=victorious)
    touched, whole = won.touched + lost.touched, won.whole + lost.whole
    return UnitOdds(force.id, unit.id, (touched - whole) / total, whole / total, dead / total)


def _death(state: State, force: Force, unit: Unit, *, won: bool) -> Fraction:
    """Return the chance that a lost model of a squad is dead (6.2.3.6, D-64a)."""
    dead = Fraction(max(0, min(FACES, dead_up_to(state, force, won=won))), FACES)
    saved = _at_least(second_chance_on(state, force)) if "character" in unit.flags else 0
    return dead * (1 - Fraction(saved, FACES))


# --- forces out of sight ---


def _guessed(state: State, battle: Battle, known: tuple[bool, bool], points: tuple[int, int]) -> Odds:
    """Return what can be said where a side is not in sight: the chance for everything it may be."""
    maximum = state.ruleset.ranks[0][2]
    maybe = range(MIN_ASSUMED, maximum + 1, ASSUMED_STEP)
    chances = []
    for first in maybe if not known[0] else (points[0],):
        for second in maybe if not known[1] else (points[1],):
            points = first, second
            throws = _ways(state.ruleset.quick_battle, points, modifiers(state, battle), points)
            won = sum(ways for (mine, theirs), ways in throws.items() if mine > theirs)
            chances.append(Fraction(won, sum(throws.values())))
    low, high = min(chances), max(chances)
    middle = (low + high) / 2
    sides = [
        SideOdds(
            player,
            known[side],
            points[side] if known[side] else None,
            _modifiers(state, battle, side),
            wins,
            None,
            (),
            None,
            None,
            None,
        )
        for side, (player, wins) in enumerate(((battle.attacking, middle), (battle.defended_by, 1 - middle)))
    ]
    return Odds(sides[0], sides[1], Fraction(0), (0, 0), "", Fraction(0), (maybe[0], maybe[-1]), (low, high))
