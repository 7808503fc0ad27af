"""Battle formations (step 5): split squads, attached leaders, embarked units, Reserves; sealed until both are in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from server.core.errors import Problem
from server.core.fields import is_list
from server.core.sentences import say
from server.referee.act import Act, Found, act_kind
from server.referee.choices import Choice, Offer, one_of, some_of
from server.referee.game import Game
from server.referee.reading import STAGE, Given, Integer, ListOf, Name, TableOf, given, state
from server.referee.refusals import refuse, unknown
from server.referee.rule import Rule, rule_kind
from server.referee.units import EMBARKED, RESERVE, Unit

PATROL_SQUADS, LEADER = "patrol_squads", "leader"
ATTACHED_TO = "attached_to"
"""What a leader's :attr:`Unit.marks` says: the unit it is one unit with (T-32)."""
ANY_UNIT = Name()
NUMBERED_SQUADS = 4
"""The first version of the referee that numbers the squads of a unit."""
ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")


@dataclass(frozen=True, slots=True)
class SquadSize(Integer):
    """The models of a squad: a number, or a list that holds it alone."""

    def read(self, given: Given, name: str | int) -> Any:
        """Read it."""
        value = given.take(name)
        alone = Given({name: value[0]}, given.path, given.problems) if is_list(value, 1, 1) else given
        return Integer.read(self, alone, name)


@act_kind("formations", stages=("formations",), holds=False, sealed=True)
class Formations(Act):
    """Declare your formations; they stay sealed until both players have."""

    split: Mapping[str, tuple[int, ...]] = given(TableOf(ListOf(SquadSize(1, 200), min=2, max=10), keys="unit"), {})
    """By unit: the models of each squad it becomes."""
    attached: Mapping[str, str] = given(TableOf(ANY_UNIT, keys="unit"), {})
    """Leader to unit."""
    embarked: Mapping[str, str] = given(TableOf(ANY_UNIT, keys="unit"), {})
    """Unit to transport."""
    reserves: tuple[str, ...] = given(ListOf(ANY_UNIT, max=200), ())

    def check(self, game: Game) -> Found:
        """Look at the lists in the order in which they are declared."""
        rule = game.rule(DeclareFormations)
        if self.by in rule.declared:
            yield refuse("limit_reached", "You have declared your formations.")
            return
        army: Army = {unit.id: (unit, unit.models_now) for unit in game.units_of(self.by) if not unit.gone}
        problem = (
            _unfit_splits(game, self, army)
            or _unfit_leaders(game, self, army)
            or _unfit_passengers(game, self, army)
            or _unfit_reserves(game, self, army)
        )
        if problem is not None:
            yield problem

    def play(self, game: Game) -> None:
        """Seal them; the second declaration opens both, and they are carried out."""
        declared = game.rule(DeclareFormations).declared
        declared[self.by] = self
        game.emit("sealed", player=self.by, what="formations")
        for player in game.players if len(declared) == len(game.players) else ():
            _carry_out(game, declared[player])

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer leaders for every other unit, transports with room, and Reserves."""
        rule = game.rule(DeclareFormations)
        if player in rule.declared:
            return
        units = [unit for unit in game.units_of(player) if not unit.gone]
        leaders = [unit for unit in units if LEADER in unit.flags]
        transports = [unit for unit in units if unit.capacity]
        bodies = [unit.id for unit in units if unit not in leaders and unit not in transports]
        led: dict[str, Choice] = {f"attached.{leader.id}": one_of(bodies).optional() for leader in leaders if bodies}
        if len(led) < 2:
            yield Offer(led)
        else:  # each by itself: two of them cannot lead the same unit
            for name, choice in led.items():
                yield Offer({name: choice})
        if reserves := [unit.id for unit in units]:
            yield Offer({"reserves": some_of(reserves)})
        for transport in transports:
            fitting = [unit for unit in units if not unit.capacity and unit.models_now <= transport.capacity]
            for unit in fitting:
                yield Offer({f"embarked.{unit.id}": one_of([transport.id])})
        for unit in units:
            if PATROL_SQUADS in unit.flags and unit.models_now > 1:
                half = unit.models_now // 2
                yield Offer({f"split.{unit.id}": one_of([[unit.models_now - half, half]])})


Army = dict[str, tuple["Unit", int]]
"""One's own units by id, with their models; squads that a split makes included."""


def squads(unit_id: str, sizes: tuple[int, ...]) -> list[str]:
    """Return the ids of the squads a unit is split into: ``r1_1``, ``r1_2`` ..."""
    return [f"{unit_id}_{number}" for number in range(1, len(sizes) + 1)]


def _named(game: Game, army: Army, field: str, id_: str, player: str) -> Problem | None:
    if id_ in army:
        return None
    if (unit := game.units.get(id_)) is None:
        return unknown("unit", field, id_)
    if unit.side != player:
        return refuse("not_yours", "{unit} is not of your army.", field, id_, unit=unit.name)
    return refuse("not_allowed", "{unit} is no unit of its own any more.", field, id_, "T-32", unit=unit.name)


def _unfit_splits(game: Game, act: Formations, army: Army) -> Problem | None:
    for id_, sizes in act.split.items():
        if problem := _named(game, army, "split", id_, act.by):
            return problem
        unit, models = army[id_]
        if PATROL_SQUADS not in unit.flags:
            return refuse("not_allowed", "{unit} cannot be split.", "split", id_, "table 2, step 5", unit=unit.name)
        if sum(sizes) != models:
            return refuse("bad_value", "{unit} has {models} models.", "split", id_, unit=unit.name, models=models)
        del army[id_]
        army.update({squad: (unit, size) for squad, size in zip(squads(id_, sizes), sizes, strict=True)})
    return None


def _unfit_leaders(game: Game, act: Formations, army: Army) -> Problem | None:
    led: dict[str, str] = {}
    for leader, id_ in act.attached.items():
        for name in (leader, id_):
            if problem := _named(game, army, "attached", name, act.by):
                return problem
        if LEADER not in army[leader][0].flags:
            message = say("{unit} is no leader.", unit=army[leader][0].name)
            return refuse("not_allowed", message, "attached", leader, "table 2, step 5")
        if id_ == leader or id_ in act.attached or LEADER in army[id_][0].flags or id_ in led:
            message = say("{unit} cannot take this leader.", unit=army[id_][0].name)
            return refuse("not_allowed", message, "attached", id_, "table 2, step 5")
        led[id_] = leader
    return None


def _unfit_passengers(game: Game, act: Formations, army: Army) -> Problem | None:
    aboard: dict[str, int] = {}
    leaders = {id_: leader for leader, id_ in act.attached.items()}
    for id_, transport in act.embarked.items():
        for name in (id_, transport):
            if problem := _named(game, army, "embarked", name, act.by):
                return problem
        if id_ in act.attached:
            message = say("{unit} goes where the unit it leads goes.", unit=army[id_][0].name)
            return refuse("not_allowed", message, "embarked", id_, "T-32")
        capacity = army[transport][0].capacity
        if not capacity or transport in act.embarked or id_ == transport:
            message = say("{unit} carries nobody.", unit=army[transport][0].name)
            return refuse("not_allowed", message, "embarked", transport, "table 2, step 5")
        models = army[id_][1] + (army[leaders[id_]][1] if id_ in leaders else 0)
        aboard[transport] = aboard.get(transport, 0) + models
        if aboard[transport] > capacity:
            message = say(
                "{unit} carries {capacity} models, not {models}.",
                unit=army[transport][0].name,
                capacity=capacity,
                models=aboard[transport],
            )
            return refuse("capacity", message, "embarked", transport, "table 2, step 5")
    return None


def _unfit_reserves(game: Game, act: Formations, army: Army) -> Problem | None:
    for id_ in act.reserves:
        if problem := _named(game, army, "reserves", id_, act.by):
            return problem
        if id_ in act.embarked or id_ in act.attached:
            message = say("{unit} goes where the unit it is with goes.", unit=army[id_][0].name)
            return refuse("not_allowed", message, "reserves", id_, "table 2, step 5")
    return None


@rule_kind("formations", acts=(Formations,))
class DeclareFormations(Rule):
    """Both declare their formations, sealed until both are in."""

    stage: str = given(STAGE, "formations")
    declared: dict[str, Formations] = state(dict)

    def stage_wants(self, game: Game, stage: str) -> tuple[str, ...]:
        """Wait for both."""
        return tuple(player for player in game.players if player not in self.declared) if stage == self.stage else ()

    def seals(self, game: Game, unit: Unit) -> bool:
        """Keep a declaration sealed until both are in."""
        return game.stage == self.stage and unit.side in self.declared

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Say who has declared; what, only to themselves before both have."""
        own = self.declared.get(player)
        return {
            "formations_declared": [name for name in game.players if name in self.declared],
            "own_formations": None if own is None else _to_json(own),
        }


def _to_json(act: Formations) -> dict[str, Any]:
    return {
        "split": {id_: list(sizes) for id_, sizes in act.split.items()},
        "attached": dict(act.attached),
        "embarked": dict(act.embarked),
        "reserves": list(act.reserves),
    }


def _carry_out(game: Game, act: Formations) -> None:
    for id_, sizes in act.split.items():
        unit = game.units[id_]
        for number, (squad, size) in enumerate(zip(squads(id_, sizes), sizes, strict=True), 1):
            name = unit.name if game.version < NUMBERED_SQUADS else f"{unit.name} {ROMAN[number - 1]}"
            made = replace(unit, id=squad, name=name, models=size, models_now=size, part_of=id_, marks={**unit.marks})
            game.add_unit(made, id_)
        del game.units[id_]
    for leader, id_ in act.attached.items():
        game.units[leader].marks[ATTACHED_TO] = id_
    for id_, transport in act.embarked.items():
        for unit in together(game, game.units[id_]):
            unit.inside = transport
            game.put(unit, EMBARKED)
    for id_ in act.reserves:
        for unit in together(game, game.units[id_]):
            game.put(unit, RESERVE)
    game.emit("formations", player=act.by, **_to_json(act))


def together(game: Game, unit: Unit) -> list[Unit]:
    """Return a unit and the leaders that are one unit with it (T-32)."""
    return [unit, *(other for other in game.units.values() if other.marks.get(ATTACHED_TO) == unit.id)]


def is_led_along(unit: Unit) -> bool:
    """Say whether a unit goes where the one it is attached to goes."""
    return ATTACHED_TO in unit.marks
