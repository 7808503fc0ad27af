"""Deep strikes, drops from orbit, and who watches the skies (4.6, T-81)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from server.core.errors import Problem
from server.referee.act import Act, Found, act_kind
from server.referee.battle import battle_of, is_supporter
from server.referee.choices import Choice, Offer, one_of, point
from server.referee.game import Game
from server.referee.geometry import Point
from server.referee.mission import BATTLE
from server.referee.normal_battle.battle_set_up import BattleSetUp
from server.referee.normal_battle.models_together import takes_part
from server.referee.normal_battle.reinforcements import ARRIVE_IN, Reinforce, Reinforcements
from server.referee.normal_battle.sides import SET_UP
from server.referee.normal_battle.which_battle import DEEP_STRIKE, SpecialRules
from server.referee.reading import AT, ID, OWN_UNIT, Integer, TableOf, given, state, to_inches
from server.referee.refusals import not_yours, refuse, unknown
from server.referee.rule import Rule, rule_kind
from server.referee.units import DESTROYED, RESERVE, TABLE, UNPLACED, Unit

TOWER, WEAPON_TOWER = "anti_air_tower", "weapon_tower"
AA, TELEPORT = "aa", "teleport"
SHOT_DOWN = 7


@act_kind("watch", stages=(BATTLE,), phases=("assault",), turn=True)
class Watch(Act):
    """Let a tower or a unit watch the skies until your next turn (4.6)."""

    unit: str = given(ID, "")
    tower: str = given(ID, "")

    def check(self, game: Game) -> Found:
        """A tower of your stronghold, or a unit with AA guns on the table."""
        rule, id_ = game.rule(Sky), self.unit or self.tower
        unit, works = game.units.get(id_), battle_of(game).works
        if not id_:
            yield refuse("missing_field", "The field {name} is missing.", "unit", name="unit")
        elif unit is None and id_ not in works:
            yield unknown("unit", "unit", id_)
        elif self.by != (unit.side if unit is not None else game.defender):
            yield not_yours("This is not yours.", "4.6")
        elif not rule.can_watch(game, id_):
            yield refuse("not_allowed", "{unit} cannot watch the skies.", "unit", id_, "4.6", unit=id_)
        elif id_ in rule.watching:
            yield refuse("limit_reached", "{unit} is watching.", "unit", id_, "4.6", unit=id_)

    def play(self, game: Game) -> None:
        """It is ready."""
        id_ = self.unit or self.tower
        game.rule(Sky).watching.append(id_)
        game.emit("watches", player=self.by, unit=id_)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer what can watch and does not."""
        yield from cls.offers(game, player, "unit", [*battle_of(game).works, *game.units])


@act_kind(stages=(BATTLE,), phases=(ARRIVE_IN,), turn=True)
class Drop(Act):
    """What deep strikes and drops from orbit have in common: a unit, a place, and what the watchers name."""

    unit: str = given(OWN_UNIT)
    at: Point = given(AT)
    towers: Mapping[str, str] = given(TableOf(ID), {})
    """The type of unit that each watcher's owner names."""

    def check(self, game: Game) -> Found:
        """A unit that may come down now, on the table; watchers that are ready."""
        if problem := self.cannot_come(game, game.units[self.unit]):
            yield problem
        elif not game.mission.on_table(self.at):
            yield refuse("off_table", "This is off the table.", "at", to_inches(self.at), "4.6")
        else:
            if wrong := game.rule(Sky).naming_refused(game, self.by, self.towers):
                yield wrong

    def cannot_come(self, game: Game, unit: Unit) -> Problem | None:
        """Return why the unit cannot come down now."""
        raise NotImplementedError

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer the units that may come down."""
        for unit in game.units_of(player, RESERVE):
            if cls.can_come(game, unit):
                yield Offer({"unit": one_of([unit.id]), "at": point(), **game.rule(Sky).naming_fields(game, unit)})

    @classmethod
    def can_come(cls, game: Game, unit: Unit) -> bool:
        """Say whether the unit may come down in this way now."""
        return cls(by=unit.side, unit=unit.id, at=(0, 0)).cannot_come(game, unit) is None


@act_kind("deep_strike")
class DeepStrike(Drop):
    """Bring a unit from reserve down from the sky, or up, or by teleporter."""

    def cannot_come(self, game: Game, unit: Unit) -> Problem | None:
        """From turn 2, with the ability, in a battle where its side may use it."""
        if problem := game.rule(Reinforcements).no_reserve(game, unit):
            return problem
        rules = game.find(SpecialRules)
        if DEEP_STRIKE not in unit.flags or (rules is not None and not rules.may_use(unit.side, DEEP_STRIKE)):
            return unit.refused("not_allowed", "{unit} cannot deep strike.", "4.3")
        return None

    def play(self, game: Game) -> None:
        """Roll as for a reserve, then for what the ground defences do."""
        unit = game.units[self.unit]
        if game.rule(Reinforcements).roll_reserve(game, unit):
            game.rule(Sky).come_down(game, unit, self.at, self.towers)


@act_kind("orbit")
class FromOrbit(Drop):
    """Bring down a unit of an attack from orbit, or of a force that is all in reserve."""

    def cannot_come(self, game: Game, unit: Unit) -> Problem | None:
        """Only such a force, and once a turn and unit."""
        rule = game.rule(Sky)
        if not rule.drops(game, unit.side) or is_supporter(game, unit):
            return refuse("not_allowed", "This force is not in orbit.", "unit", unit.id, "6.2.1.3.2")
        if unit.state != RESERVE or unit.inside:
            return unit.refused("not_allowed", "{unit} is not in reserve.", "4.6")
        if game.rule(Reinforcements).rolled.get(unit.id) == game.round:
            return unit.refused("limit_reached", "{unit} has been rolled for.", "4.6")
        return None

    def play(self, game: Game) -> None:
        """Roll whether it comes, then for what the ground defences do."""
        unit, rule = game.units[self.unit], game.rule(Sky)
        game.rule(Reinforcements).arriving = (game.round, self.by)
        if not rule.arrives_from_reserve(game, unit, game.round):
            rule.not_dropped(game, unit)
        elif battle_of(game).from_orbit and self.by == game.attacker:
            rule.come_down(game, unit, self.at, self.towers)
        else:
            game.put(unit, TABLE, self.at)


@act_kind("aa_ground", stages=(BATTLE,), phases=("movement", "shooting"), turn=True)
class AtTheGround(Act):
    """Roll whether AA guns may shoot at the ground in this turn (4.6)."""

    unit: str = given(OWN_UNIT)

    def check(self, game: Game) -> Found:
        """AA guns on the table, once a turn."""
        unit = game.units[self.unit]
        if AA not in unit.flags or not unit.on_table:
            yield unit.refused("not_allowed", "{unit} has no AA guns here.", "4.6")
        elif game.rule(Sky).at_ground.get(unit.id, (0, False))[0] == game.round:
            yield unit.refused("limit_reached", "{unit} has been rolled for.", "4.6")

    def play(self, game: Game) -> None:
        """Roll."""
        face = game.roll(f"aa_ground/{game.round}/{self.unit}")
        rule = game.rule(Sky)
        may = face >= rule.at_ground_needs
        rule.at_ground[self.unit] = (game.round, may)
        game.emit("aa_ground", player=self.by, unit=self.unit, face=face, may=may)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer the guns not rolled for."""
        units = [unit.id for unit in game.units_of(player, TABLE) if AA in unit.flags]
        yield from cls.offers(game, player, "unit", units)


@rule_kind("sky", acts=(Watch, DeepStrike, FromOrbit, AtTheGround))
class Sky(Rule):
    """Drops against a stronghold, and who watches for them."""

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
    at_ground_needs: int = given(Integer(1, 7), 4)
    at_ground: dict[str, tuple[int, bool]] = state(dict)
    """The turn in which AA guns were last rolled for, and whether they may shoot at the ground in it."""
    watching: list[str] = state(list)
    targets: dict[str, str] = state(dict)
    """The unit that the dice picked for each watcher in this turn."""
    all_in_reserve: list[str] = state(list)
    """Players whose whole force began the battle in reserve."""

    def stage_entered(self, game: Game, stage: str) -> None:
        """A defender all in reserve who sets up first sets up what arrives in turn 1 (6.2.1.3.3)."""
        set_up = game.find(BattleSetUp)
        player = game.defender
        if stage != SET_UP or set_up is None or set_up.first != player or not self._is_all_in_reserve(game, player):
            return
        self.all_in_reserve.append(player)
        for unit in self._force(game, player):
            if self.arrives_from_reserve(game, unit, 1):
                game.put(unit, UNPLACED)
        set_up.go_on(game)

    def battle_started(self, game: Game) -> None:
        """Know whose force is all in reserve (6.2.1.3.3)."""
        for player in game.players:
            if player not in self.all_in_reserve and self._is_all_in_reserve(game, player):
                self.all_in_reserve.append(player)

    def _force(self, game: Game, player: str) -> list[Unit]:
        return [unit for unit in game.units_of(player) if not is_supporter(game, unit) and not unit.inside]

    def _is_all_in_reserve(self, game: Game, player: str) -> bool:
        force = [unit for unit in self._force(game, player) if unit.state != UNPLACED or takes_part(unit)]
        return bool(force) and all(unit.state == RESERVE for unit in force)

    def arrives_from_reserve(self, game: Game, unit: Unit, turn: int) -> bool:
        """Roll whether a unit from orbit, or of a force all in reserve, comes in a turn."""
        game.rule(Reinforcements).rolled[unit.id] = turn
        planned = battle_of(game).planned
        if game.version > 1:
            planned = battle_of(game).kind == "planned_attack" and unit.side == game.attacker
        needed = self.later if turn > 1 or planned else self.first
        face = game.roll(f"orbit/{turn}/{unit.id}")
        game.emit("orbit", player=unit.side, unit=unit.id, face=face, arrives=face >= needed)
        return face >= needed

    def resumed(self, game: Game, start: object) -> None:
        """Know it also in a game that begins in the middle."""
        self.battle_started(game)

    def drops(self, game: Game, player: str) -> bool:
        """True for an attacker from orbit, or a force that is all in reserve."""
        return (battle_of(game).from_orbit and player == game.attacker) or player in self.all_in_reserve

    def turn_started(self, game: Game) -> None:
        """A watch lasts until its owner's next turn; each watcher has one unit a turn."""
        self.targets.clear()
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
            return refuse("not_allowed", "{unit} does not watch the skies.", "towers", id_, "4.6", unit=id_)
        if id_ in self.targets:
            return refuse("limit_reached", "{unit} has had its target.", "towers", id_, "4.6", unit=id_)
        return None

    def naming_refused(self, game: Game, against: str, towers: Mapping[str, str]) -> Problem | None:
        """Return why the watchers named cannot name a type now."""
        problems = (self.not_ready(game, against, id_) for id_ in towers)
        return next((problem for problem in problems if problem is not None), None)

    def naming_fields(self, game: Game, unit: Unit) -> dict[str, Choice]:
        """Return what watchers may name as a unit comes down: one of its types each."""
        types = one_of(_types(unit)).optional()
        ready = [id_ for id_ in self.ready(game) if self.not_ready(game, unit.side, id_) is None]
        return {f"towers.{id_}": types for id_ in ready}

    def lands(self, game: Game, unit: Unit, at: Point, towers: Mapping[str, str]) -> bool:
        """A supporter from orbit deep strikes (4.5)."""
        self.come_down(game, unit, at, towers)
        return True

    def not_dropped(self, game: Game, unit: Unit) -> None:
        """Free the watchers whose unit does not come down: a target is one of the arriving (T-81)."""
        for id_ in [id_ for id_, target in self.targets.items() if target == unit.id]:
            del self.targets[id_]

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
        for id_, type_ in named.items():
            self._pick(game, id_, type_, unit)
        add = self.strongholds.get(battle_of(game).stronghold, 0)
        add += self.tower_all * sum(works.get(id_) == TOWER for id_ in self.ready(game))
        for id_, target in self.targets.items():
            if target == unit.id:
                add += {TOWER: self.tower_one, WEAPON_TOWER: self.weapons_one}.get(works.get(id_, ""), self.guns_one)
        return add

    def _pick(self, game: Game, watcher: str, type_: str, landing: Unit) -> None:
        """Let a die pick the watcher's target among those of a type that come down, or still may, in this turn."""
        ids = sorted(
            unit.id
            for unit in game.units_of(landing.side)
            if type_ in _types(unit) and not _teleports(unit) and (unit is landing or _may_come_down(game, unit))
        )
        if not ids:
            return
        sides = 6 if 6 % len(ids) == 0 else len(ids)
        face = game.roll(f"sky/{game.round}/{watcher}", sides) if len(ids) > 1 else 1
        self.targets[watcher] = ids[(face - 1) * len(ids) // sides]
        game.emit("aims", unit=watcher, what=type_, target=self.targets[watcher])

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Both players know which units watch, and for which side."""
        seen: dict[str, Any] = {"watching": self.ready(game), "watchers_targets": dict(self.targets)}
        if game.version > 1:
            now = {id_: may for id_, (turn, may) in self.at_ground.items() if turn == game.round}
            seen["aa_ground"] = now
        return seen


def _teleports(unit: Unit) -> bool:
    return TELEPORT in unit.flags or TELEPORT in unit.keywords


def _types(unit: Unit) -> list[str]:
    """Return the words by which a watcher's owner may name a unit's type."""
    return list(dict.fromkeys(word for word in (*unit.keywords, *unit.flags, unit.role, unit.type) if word))


def _may_come_down(game: Game, unit: Unit) -> bool:
    """Say whether a unit may still come down from the sky in this turn."""
    return unit.state == RESERVE and (
        DeepStrike.can_come(game, unit) or FromOrbit.can_come(game, unit) or Reinforce.drops(game, unit)
    )
