"""Deep strikes, drops from orbit, and who watches the skies (4.6, T-81)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from server.core.sentences import say
from server.referee.act import Act, Found
from server.referee.battle import battle_of, is_supporter, to_inches
from server.referee.choices import Choice, Offer, offer, one_of, point
from server.referee.geometry import Point, on_table
from server.referee.mission import BATTLE
from server.referee.reading import AT, ID, OWN_UNIT, Integer, TableOf, given, state
from server.referee.refusals import not_yours, refuse, unknown
from server.referee.reinforcements import ARRIVE_IN, Reinforcements
from server.referee.rule import Rule
from server.referee.special_rules import DEEP_STRIKE, SpecialRules
from server.referee.units import DESTROYED, RESERVE, TABLE

if TYPE_CHECKING:
    from server.core.errors import Problem
    from server.referee.game import Game
    from server.referee.units import Unit

TOWER, WEAPON_TOWER = "anti_air_tower", "weapon_tower"
AA, TELEPORT = "aa", "teleport"
SHOT_DOWN = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch(Act):
    """Let a tower or a unit watch the skies until one's next turn (4.6)."""

    DO: ClassVar[str] = "watch"
    STAGES: ClassVar[tuple[str, ...]] = (BATTLE,)
    PHASES: ClassVar[tuple[str, ...]] = ("assault",)
    TURN: ClassVar[bool] = True
    unit: str = given(ID, "")
    tower: str = given(ID, "")

    def check(self, game: Game) -> Found:
        """A tower of one's stronghold, or a unit with AA guns on the table."""
        rule, id_ = game.rule(Sky), self.unit or self.tower
        unit, works = game.units.get(id_), battle_of(game).works
        if not id_:
            yield refuse("missing_field", say("The field {name} is missing.", name="unit"), "unit")
        elif unit is None and id_ not in works:
            yield unknown("unit", "unit", id_)
        elif self.by != (unit.side if unit is not None else game.defender):
            yield not_yours("This is not yours.", "4.6")
        elif not rule.can_watch(game, id_):
            yield refuse("not_allowed", say("{unit} cannot watch the skies.", unit=id_), "unit", id_, "4.6")
        elif id_ in rule.watching:
            yield refuse("limit_reached", say("{unit} is watching.", unit=id_), "unit", id_, "4.6")

    def play(self, game: Game) -> None:
        """It is ready."""
        id_ = self.unit or self.tower
        game.rule(Sky).watching.append(id_)
        game.emit("watches", player=self.by, unit=id_)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer what can watch and does not."""
        ids = cls.fitting(game, player, "unit", [*battle_of(game).works, *game.units])
        if ids:
            yield offer(unit=one_of(ids))


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop(Act):
    """What deep strikes and drops from orbit have in common: a unit, a place, and what the watchers name."""

    STAGES: ClassVar[tuple[str, ...]] = (BATTLE,)
    PHASES: ClassVar[tuple[str, ...]] = (ARRIVE_IN,)
    TURN: ClassVar[bool] = True
    unit: str = given(OWN_UNIT)
    at: Point = given(AT)
    towers: Mapping[str, str] = given(TableOf(ID), {})
    """The type of unit that each watcher's owner names."""

    def check(self, game: Game) -> Found:
        """A unit that may come down now, on the table; watchers that are ready."""
        problem = self.cannot_come(game, game.units[self.unit])
        if problem is not None:
            yield problem
        elif not on_table(self.at, game.mission.width, game.mission.height):
            yield refuse("off_table", "This is off the table.", "at", to_inches(self.at), "4.6")
        else:
            rule = game.rule(Sky)
            yield from (wrong for id_ in self.towers if (wrong := rule.not_ready(game, self.by, id_)) is not None)

    def cannot_come(self, game: Game, unit: Unit) -> Problem | None:
        """Return why the unit cannot come down now."""
        raise NotImplementedError

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer the units that may come down."""
        ready = [id_ for id_ in game.rule(Sky).ready(game) if game.rule(Sky).not_ready(game, player, id_) is None]
        for unit in game.units_of(player, RESERVE):
            if cls(by=player, unit=unit.id, at=(0, 0)).cannot_come(game, unit) is None:
                types = list(dict.fromkeys((*unit.keywords, unit.role)))
                towers: dict[str, Choice] = {f"towers.{id_}": one_of(types).optional() for id_ in ready}
                yield Offer({"unit": one_of([unit.id]), "at": point(), **towers})


@dataclass(frozen=True, slots=True, kw_only=True)
class DeepStrike(Drop):
    """Bring a unit from reserve down from the sky, or up, or by teleporter."""

    DO: ClassVar[str] = "deep_strike"

    def cannot_come(self, game: Game, unit: Unit) -> Problem | None:
        """From turn 2, with the ability, in a battle where its side may use it."""
        problem = game.rule(Reinforcements).no_reserve(game, unit)
        if problem is not None:
            return problem
        rules = game.find(SpecialRules)
        if DEEP_STRIKE not in unit.flags or (rules is not None and not rules.may_use(unit.side, DEEP_STRIKE)):
            return refuse("not_allowed", say("{unit} cannot deep strike.", unit=unit.name), "unit", unit.id, "4.3")
        return None

    def play(self, game: Game) -> None:
        """Roll as for a reserve, then for what the ground defences do."""
        unit = game.units[self.unit]
        if game.rule(Reinforcements).roll_reserve(game, unit):
            game.rule(Sky).come_down(game, unit, self.at, self.towers)


@dataclass(frozen=True, slots=True, kw_only=True)
class FromOrbit(Drop):
    """Bring down a unit of an attack from orbit, or of a force that is all in reserve."""

    DO: ClassVar[str] = "orbit"

    def cannot_come(self, game: Game, unit: Unit) -> Problem | None:
        """Only such a force, and once a turn and unit."""
        rule = game.rule(Sky)
        if not rule.drops(game, unit.side) or is_supporter(game, unit):
            return refuse("not_allowed", "This force is not in orbit.", "unit", unit.id, "6.2.1.3.2")
        if unit.state != RESERVE or unit.inside:
            return refuse("not_allowed", say("{unit} is not in reserve.", unit=unit.name), "unit", unit.id, "4.6")
        if game.rule(Reinforcements).rolled.get(unit.id) == game.round:
            return refuse("limit_reached", say("{unit} has been rolled for.", unit=unit.name), "unit", unit.id, "4.6")
        return None

    def play(self, game: Game) -> None:
        """Roll whether it comes, then for what the ground defences do."""
        unit, rule, arrivals = game.units[self.unit], game.rule(Sky), game.rule(Reinforcements)
        arrivals.rolled[unit.id] = game.round
        arrivals.arriving = (game.round, self.by)
        needed = rule.later if game.round > 1 or battle_of(game).planned else rule.first
        face = game.roll(f"orbit/{game.round}/{unit.id}")
        game.emit("orbit", player=self.by, unit=unit.id, face=face, arrives=face >= needed)
        if face < needed:
            return
        if battle_of(game).from_orbit and self.by == game.attacker:
            rule.come_down(game, unit, self.at, self.towers)
        else:
            game.put(unit, TABLE, self.at)


@dataclass(slots=True, kw_only=True)
class Sky(Rule):
    """Drops against a stronghold, and who watches for them."""

    NAME = "sky"
    ACTS = (Watch, DeepStrike, FromOrbit)
    first: int = given(Integer(1, 7), 3)
    """The face a drop from orbit needs in turn 1; with a plan, and later: the other one."""
    later: int = given(Integer(1, 7), 2)
    strongholds: Mapping[str, int] = given(TableOf(Integer(0, 6)), {})
    """What each kind of stronghold adds."""
    tower_all: int = given(Integer(0, 6), 1)
    """What a ready AA tower adds against every unit."""
    tower_one: int = given(Integer(0, 6), 2)
    """... and more against one a turn."""
    guns_one: int = given(Integer(0, 6), 2)
    """What a unit with AA guns adds against one unit a turn."""
    weapons_one: int = given(Integer(0, 6), 1)
    """What a unit in a weapon tower adds against one unit a turn."""
    watching: list[str] = state(list)
    spent: list[str] = state(list)
    """Watchers that have had their one unit in this turn."""
    all_in_reserve: list[str] = state(list)
    """Players whose whole force began the battle in reserve."""

    def battle_started(self, game: Game) -> None:
        """Know whose force is all in reserve (6.2.1.3.3)."""
        for player in game.players:
            force = [unit for unit in game.units_of(player) if not is_supporter(game, unit) and not unit.inside]
            if force and all(unit.state == RESERVE for unit in force):
                self.all_in_reserve.append(player)

    def resumed(self, game: Game, start: object) -> None:
        """Know it also in a game that begins in the middle."""
        self.battle_started(game)

    def drops(self, game: Game, player: str) -> bool:
        """True for an attacker from orbit, or a force that is all in reserve."""
        return (battle_of(game).from_orbit and player == game.attacker) or player in self.all_in_reserve

    def turn_started(self, game: Game) -> None:
        """A watch lasts until its owner's next turn; each watcher has one unit a turn."""
        self.spent = []
        self.watching = [id_ for id_ in self.watching if self._owner(game, id_) != game.turn]

    def _owner(self, game: Game, id_: str) -> str:
        return game.units[id_].side if id_ in game.units else game.defender

    def can_watch(self, game: Game, id_: str) -> bool:
        """True for AA and weapon towers, and for units with AA guns on the table."""
        if id_ in game.units:
            return game.units[id_].on_table and AA in game.units[id_].flags
        return battle_of(game).works.get(id_) in (TOWER, WEAPON_TOWER)

    def ready(self, game: Game) -> list[str]:
        """Return what watches; in turn 1 of an attack from orbit everything does."""
        if game.round == 1 and battle_of(game).from_orbit:
            return [id_ for id_ in (*battle_of(game).works, *game.units) if self.can_watch(game, id_)]
        return [id_ for id_ in self.watching if self.can_watch(game, id_)]

    def not_ready(self, game: Game, against: str, id_: str) -> Problem | None:
        """Return why a watcher cannot name a type of unit now."""
        if id_ not in game.units and id_ not in battle_of(game).works:
            return unknown("unit", "towers", id_)
        if self._owner(game, id_) == against or id_ not in self.ready(game) or not battle_of(game).stronghold:
            return refuse("not_allowed", say("{unit} does not watch the skies.", unit=id_), "towers", id_, "4.6")
        if id_ in self.spent:
            return refuse("limit_reached", say("{unit} has had its target.", unit=id_), "towers", id_, "4.6")
        return None

    def come_down(self, game: Game, unit: Unit, at: Point, named: Mapping[str, str]) -> None:
        """Land a unit, unless the ground defences of a stronghold shoot it down."""
        if battle_of(game).stronghold and unit.side == game.attacker and not _teleports(unit):
            face = game.roll(f"sky/{game.round}/{unit.id}")
            total = face + self._against(game, unit, named)
            destroyed = face > 1 and total >= SHOT_DOWN
            game.emit("sky", unit=unit.id, face=face, total=total, destroyed=destroyed)
            if destroyed:
                game.put(unit, DESTROYED)
                for passenger in game.passengers(unit):
                    game.put(passenger, DESTROYED)
                return
        game.put(unit, TABLE, at)

    def _against(self, game: Game, unit: Unit, named: Mapping[str, str]) -> int:
        """Return what is added against a unit; a watcher's own bonus goes to one unit of the type it names (T-81)."""
        works = battle_of(game).works
        add = self.strongholds.get(battle_of(game).stronghold, 0)
        add += self.tower_all * sum(works.get(id_) == TOWER for id_ in self.ready(game))
        for id_, type_ in named.items():
            if type_ in (*unit.keywords, *unit.flags, unit.role, unit.type):
                self.spent.append(id_)
                add += {TOWER: self.tower_one, WEAPON_TOWER: self.weapons_one}.get(works.get(id_, ""), self.guns_one)
        return add

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Both know who watches."""
        return {"watching": self.ready(game)}


def _teleports(unit: Unit) -> bool:
    return TELEPORT in unit.flags or TELEPORT in unit.keywords
