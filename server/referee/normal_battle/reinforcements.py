"""What enters a battle that has started: reinforcements from other hexes, ordinary reserves (4.5, T-76, T-77, T-85)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from server.core.errors import Problem
from server.referee.act import Act, Found, act_kind
from server.referee.battle import (
    ORBIT,
    BattleData,
    Supporter,
    battle_of,
    depth_of_zones,
    is_supporter,
    own_edge,
)
from server.referee.choices import Choice, Offer, offer, one_of, point
from server.referee.game import Game
from server.referee.geometry import Point
from server.referee.mission import ATTACKER, BATTLE
from server.referee.normal_battle.models_together import takes_part
from server.referee.reading import AT, ID, OWN_UNIT, Integer, ListOf, TableOf, given, state, to_inches
from server.referee.refusals import refuse
from server.referee.rule import Rule, rule_kind
from server.referee.units import RESERVE, TABLE, Unit

ARRIVE_IN = "movement"
FRONT, FLANK, REAR = "front", "flank", "rear"
QUICK, SLOW = ("scout", "infiltrate"), ("hq", "heavy_support", "heavy")
NO_ASSAULT = "no_assault_in"
WITHHELD = "withheld"
"""Mark of a unit that stays away for the whole battle (T-82a)."""
Span = tuple[Point, Point]


@act_kind("reinforce", stages=(BATTLE,), phases=(ARRIVE_IN,), turn=True, report=2)
class Reinforce(Act):
    """Try to bring a slot choice of a supporting detachment into the battle."""

    unit: str = given(OWN_UNIT)
    at: Point = given(AT)
    towers: Mapping[str, str] = given(TableOf(ID), {})
    """Of a unit from orbit: the type that each watcher's owner names."""

    def check(self, game: Game) -> Found:
        """A supporter next to the battle, once a turn and detachment, from turn 2, at the edge of its hex."""
        unit = game.units[self.unit]
        problem = self._refusal(game) or wrong_edge(game, unit, self.at) or self._naming_refused(game, unit)
        if problem is not None:
            yield problem

    def _naming_refused(self, game: Game, unit: Unit) -> Problem | None:
        if self.towers and not from_orbit(game, unit):
            return refuse("not_allowed", "{unit} does not drop from orbit.", "towers", rule="4.6", unit=unit.name)
        return next((wrong for wrong in game.ask("naming_refused", self.by, self.towers) if wrong is not None), None)

    def _refusal(self, game: Game) -> Problem | None:
        battle, unit = battle_of(game), game.units[self.unit]
        if battle.raid:
            return refuse("not_allowed", "Nobody helps in a raid.", rule="4.5")
        if not is_supporter(game, unit):
            return unit.refused("not_allowed", "{unit} supports nobody from another hex.", "4.5")
        if game.round == 1:
            return refuse("reserves_round", "Reinforcements come from turn 2 on.", rule="4.5")
        return self._not_now(game, battle, unit)

    def _not_now(self, game: Game, battle: BattleData, unit: Unit) -> Problem | None:
        rule, detachment = game.rule(Reinforcements), battle.detachment_of(unit.id)
        if unit.state != RESERVE:
            return unit.refused("not_allowed", "{unit} is not in reserve.", "4.5")
        if battle.hexes_off(battle.supporters[unit.id].place) > 1:
            return refuse("not_allowed", "This detachment lends its artillery only.", "unit", unit.id, "T-78")
        if rule.has_tried(game, detachment):
            return refuse("limit_reached", "A detachment tries to reinforce once a turn.", "unit", unit.id, "4.5")
        if rule.has_bombarded(game, detachment):
            return refuse("not_allowed", "This detachment bombards this turn.", "unit", unit.id, "T-85")
        return None

    def play(self, game: Game) -> None:
        """Roll; on a success it stands at the edge."""
        unit, rule = game.units[self.unit], game.rule(Reinforcements)
        self.use_try(game)
        face = game.roll(f"reinforce/{game.round}/{unit.id}")
        add = modifier(game, unit)
        fails = face == 1 and (game.version == 1 or game.beginning.settings.natural_one_fails)
        arrives = not fails and face + add >= rule.needed(game.round)
        game.emit("reinforcement", player=self.by, unit=unit.id, face=face, add=add, arrives=arrives)
        if arrives:
            for part in choice_of(game, unit):
                part.marks[NO_ASSAULT] = game.round
                if not (from_orbit(game, unit) and any(game.ask("lands", part, self.at, self.towers))):
                    game.put(part, TABLE, self.at)
        else:
            game.call("not_dropped", unit)

    def use_try(self, game: Game) -> None:
        """A detachment tries once a turn."""
        rule = game.rule(Reinforcements)
        rule.tried[battle_of(game).detachment_of(self.unit)] = rule.arriving = (game.round, self.by)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer the supporters that could come, each at its edges."""
        for unit in game.units_of(player, RESERVE):
            if is_supporter(game, unit) and not cls(by=player, unit=unit.id, at=(0, 0))._refusal(game):
                naming = game.ask("naming_fields", unit) if from_orbit(game, unit) else ()
                towers = {name: choice for fields in naming for name, choice in fields.items()}
                yield Offer({"unit": one_of([unit.id]), "at": entry(game, unit), **towers})

    @classmethod
    def drops(cls, game: Game, unit: Unit) -> bool:
        """Say whether a unit may be brought down from orbit now."""
        if not is_supporter(game, unit) or not from_orbit(game, unit):
            return False
        return cls(by=unit.side, unit=unit.id, at=(0, 0))._refusal(game) is None


@act_kind("arrive", stages=(BATTLE,), phases=(ARRIVE_IN,), turn=True, report=2)
class Arrive(Act):
    """Roll for a unit in ordinary reserve; it enters at its player's long edge."""

    unit: str = given(OWN_UNIT)
    at: Point | None = given(AT, None)

    def check(self, game: Game) -> Found:
        """From turn 2, once a turn and unit, at the own edge."""
        if problem := game.rule(Reinforcements).no_reserve(game, game.units[self.unit]):
            yield problem
        elif self.at is not None and not game.mission.on_table(self.at):
            yield refuse("off_table", "This is off the table.", "at", to_inches(self.at), "T-85")
        elif self.at is not None and self.at[1] != own_edge(game, self.by):
            yield refuse("not_in_zone", "Reserves enter at their own edge.", "at", to_inches(self.at), "T-85")

    def play(self, game: Game) -> None:
        """Roll; on a success it enters."""
        unit = game.units[self.unit]
        if game.rule(Reinforcements).roll_reserve(game, unit):
            for part in choice_of(game, unit):
                game.put(part, TABLE, self.at)
                game.call("not_dropped", part)

    def use_try(self, game: Game) -> None:
        """A unit is rolled for once a turn."""
        game.rule(Reinforcements).note_roll(game, game.units[self.unit])

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer the units in reserve, at the own edge."""
        rule, y = game.rule(Reinforcements), own_edge(game, player)
        if units := [unit.id for unit in game.units_of(player, RESERVE) if rule.no_reserve(game, unit) is None]:
            middle = [(game.mission.width + 1) // 2, y]
            yield offer(unit=one_of(units), at=one_of([to_inches((middle[0], y)), to_inches((0, y))]))


@rule_kind("reinforcements", acts=(Reinforce, Arrive))
class Reinforcements(Rule):
    """When what is off the table may come."""

    faces: tuple[int, ...] = given(ListOf(Integer(1, 7), min=1, max=20), (7, 4, 3, 2))
    """The face needed in turn 1, 2 and so on; the last one holds for all later turns."""
    tried: dict[str, tuple[int, str]] = state(dict)
    """When each detachment last tried to reinforce: turn and player."""
    bombarded: dict[str, tuple[int, str]] = state(dict)
    """When each detachment last tried to bombard."""
    rolled: dict[str, int] = state(dict)
    """The turn in which each unit in reserve was last rolled for."""
    arriving: tuple[int, str] = state(lambda: (0, ""))
    """The turn in which someone last tried to bring something on the table, and who."""

    def needed(self, round_: int) -> int:
        """Return the face that is needed in a turn."""
        return self.faces[min(round_, len(self.faces)) - 1]

    def has_tried(self, game: Game, detachment: str) -> bool:
        """True when a detachment has tried to reinforce in this player's turn."""
        return self.tried.get(detachment) == (game.round, game.turn)

    def has_bombarded(self, game: Game, detachment: str) -> bool:
        """True when a detachment has tried to bombard in this player's turn."""
        return self.bombarded.get(detachment) == (game.round, game.turn)

    def no_reserve(self, game: Game, unit: Unit) -> Problem | None:
        """Return why a unit cannot be rolled for as an ordinary reserve."""
        if game.round == 1:
            return refuse("reserves_round", "Reserves come from turn 2 on.", rule="T-85")
        if unit.state != RESERVE or is_supporter(game, unit) or unit.inside:
            return unit.refused("not_allowed", "{unit} is not in reserve.", "T-85")
        if unit.marks.get(WITHHELD):
            return unit.refused("not_allowed", "{unit} is withheld for the whole battle.", "T-82a")
        if not takes_part(unit):
            return unit.refused("not_allowed", "{unit} is too weak to take part.", "6.2.1.3.1")
        if self.rolled.get(unit.id) == game.round:
            return unit.refused("limit_reached", "{unit} has been rolled for.", "T-85")
        return None

    def note_roll(self, game: Game, unit: Unit) -> None:
        """Note that a unit, and what comes with it, has been rolled for in this turn."""
        self.rolled |= {part.id: game.round for part in choice_of(game, unit)}
        self.arriving = (game.round, unit.side)

    def roll_reserve(self, game: Game, unit: Unit) -> bool:
        """Roll whether a unit comes out of ordinary reserve."""
        self.note_roll(game, unit)
        face = game.roll(f"reserve/{game.round}/{unit.id}")
        arrives = face >= self.needed(game.round)
        game.emit("reserve", player=unit.side, unit=unit.id, face=face, arrives=arrives)
        if not arrives:
            game.call("not_dropped", unit)
        return arrives


def choice_of(game: Game, unit: Unit) -> list[Unit]:
    """Return the units of one slot choice that come with one roll, the one named first (T-76a)."""
    if not unit.choice or game.version == 1:
        return [unit]
    others = [
        other
        for other in game.units_of(unit.side, RESERVE)
        if other.choice == unit.choice and other is not unit and not other.inside and not other.marks.get(WITHHELD)
    ]
    return [unit, *others]


def modifier(game: Game, unit: Unit) -> int:
    """Return what a slot choice adds to its die (D-69)."""
    whole_choice = [part for one in choice_of(game, unit) for part in (one, *game.passengers(one))]
    quick = all(any(flag in QUICK for flag in part.flags) for part in whole_choice)
    fast = "fast" in unit.flags or unit.role in ("fast_attack", "fast")
    attacking = battle_of(game).supporters[unit.id].ordered == "attack"
    return int(quick) + int(fast) - int(unit.role in SLOW) - int(attacking)


def from_orbit(game: Game, unit: Unit) -> bool:
    """True for a unit whose detachment supports from orbit."""
    return battle_of(game).supporters[unit.id].place == ORBIT


def side_of(battle: BattleData, supporter: Supporter) -> tuple[str, bool]:
    """Return from where a supporter comes, front, flank or rear, and whether from the left (T-77)."""
    ahead, there = battle.direction(battle.place), battle.direction(supporter.place)
    if ahead is None or there is None:
        return FRONT, True
    way = (there - ahead) % 6
    return (FRONT, FRONT, FLANK, REAR, FLANK, FRONT)[way], way in (1, 2)


def entries(game: Game, unit: Unit) -> list[Span]:
    """Return the stretches of the edges at which a supporter enters; none: it drops from orbit, anywhere."""
    battle = battle_of(game)
    width, height, depth = game.mission.width, game.mission.height, depth_of_zones(game)
    near, far = ((0, 0), (width, 0)), ((0, height), (width, height))
    attacking = game.role_of(unit.side) == ATTACKER
    if from_orbit(game, unit):
        return []
    if battle.from_orbit:
        return [near if attacking else far]
    where, left = side_of(battle, battle.supporters[unit.id])
    x = 0 if left else width
    if attacking:
        return [{FRONT: near, FLANK: ((x, 0), (x, height - depth - 1)), REAR: far}[where]]
    return [((x, depth + 1), (x, height)) if where == FRONT else far]


def entry(game: Game, unit: Unit) -> Choice:
    """Return some places at which a supporter enters."""
    if not (spans := entries(game, unit)):
        return point()
    places = [spot for (x, y), (to_x, to_y) in spans for spot in ((x, y), ((x + to_x) // 2, (y + to_y) // 2))]
    return one_of([to_inches(place) for place in places])


def wrong_edge(game: Game, unit: Unit, at: Point) -> Problem | None:
    """Return why a supporter cannot enter there."""
    if not game.mission.on_table(at):
        return refuse("off_table", "This is off the table.", "at", to_inches(at), "4.5")
    spans = entries(game, unit)
    if not spans or any(x <= at[0] <= to_x and y <= at[1] <= to_y for (x, y), (to_x, to_y) in spans):
        return None
    return refuse("not_in_zone", "Reinforcements enter at the edge of their hex.", "at", to_inches(at), "T-77")
