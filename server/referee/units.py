"""Units: what takes the field. The players keep their models, the referee what the rules ask for (N-06)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from server.core.errors import Problem
from server.referee.geometry import Point
from server.referee.reading import AT, BOOL, ID, TEXT, Integer, ListOf, OneOf, Text, given
from server.referee.refusals import refuse

UNPLACED, CONCEALED, TABLE, EMBARKED, RESERVE, DESTROYED, ESCAPED = STATES = (
    "unplaced",
    "concealed",
    "table",
    "embarked",
    "reserve",
    "destroyed",
    "escaped",
)
DEFAULT_POWER = 5
MAX_ABOUT = 300
POINTS_PER_POWER = 20
"""N-07: a unit without a rating has points / 20, rounded up."""
MAX_MODELS, MAX_WOUNDS, MAX_POINTS, MAX_POWER = 200, 200, 10_000, 500


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitData:
    """A unit as it is handed in."""

    id: str = given(ID)
    name: str = given(TEXT, "")
    models: int = given(Integer(1, MAX_MODELS), 10)
    models_now: int | None = given(Integer(0, MAX_MODELS), None)
    wounds: int = given(Integer(0, MAX_WOUNDS), 0)
    """Of a unit of one model; 0: not counted."""
    wounds_now: int | None = given(Integer(0, MAX_WOUNDS), None)
    power: int | None = given(Integer(0, MAX_POWER), None)
    points: int | None = given(Integer(0, MAX_POINTS), None)
    role: str = given(ID, "troops")
    keywords: tuple[str, ...] = given(ListOf(ID), ("infantry",))
    flags: tuple[str, ...] = given(ListOf(ID), ())
    about: str = given(Text(MAX_ABOUT), "")
    """What it carries, in its player's words; no rule looks at it."""
    type: str = given(ID, "")
    """What the players' army list calls it: models of one type may be moved together."""
    state: str = given(OneOf(STATES), "")
    """Empty: as the stage has it."""
    inside: str = given(ID, "", name="in")
    """The transport it is embarked in; ``in`` in JSON."""
    at: Point | None = given(AT, None)
    choice: str = given(ID, "")
    """Units with the same word are one slot choice (T-76a)."""
    capacity: int = given(Integer(0, MAX_MODELS), 0)
    bombardment: int = given(Integer(1, 2), 1)
    detachment: str = given(ID, "")
    own: bool = given(BOOL, False)
    """It arrives by rules of its own (N-17); the flag ``own_arrival`` says the same."""


@dataclass(slots=True, kw_only=True)
class Unit:
    """A unit in play."""

    id: str
    side: str
    """Its player."""
    name: str
    models: int
    """It began with, as with the next three."""
    wounds: int
    power: int
    points: int
    role: str
    keywords: tuple[str, ...]
    flags: tuple[str, ...]
    type: str
    capacity: int
    bombardment: int
    detachment: str
    models_now: int
    wounds_now: int
    state: str
    inside: str = ""
    at: Point | None = None
    extra: bool = False
    """Outside army and level: the first Sentries, the Spy (N-07)."""
    choice: str = ""
    """The slot choice it belongs to (T-76a); empty: one of its own."""
    returns: int = 0
    """How often it came back (N-38)."""
    about: str = ""
    """What it carries, in its player's words."""
    lost: int = 0
    """Models that were reported lost during the battle."""
    suffers: int | None = None
    """Mortal wounds or models slain last rolled for it."""
    no_actions: bool = False
    dug_in: bool = False
    part_of: str = ""
    """The unit of the army that it was made of: single Sentries, squads."""
    marks: dict[str, Any] = field(default_factory=dict)
    """What single rules note on it."""

    @property
    def on_table(self) -> bool:
        """On the table itself, so neither embarked nor concealed."""
        return self.state == TABLE

    @property
    def gone(self) -> bool:
        """Destroyed or escaped."""
        return self.state in (DESTROYED, ESCAPED)

    @property
    def strength(self) -> tuple[int, int]:
        """What it has now and began with: wounds of a one-model unit that has them, else models."""
        if self.models == 1 and self.wounds:
            return self.wounds_now, self.wounds
        return self.models_now, self.models

    def refused(self, code: str, template: str, rule: str = "", **filled: object) -> Problem:
        """Return the problem of an act that is about this unit, with its name in *template*."""
        return refuse(code, template, "unit", self.id, rule, unit=self.name, **filled)


def power_of(data: UnitData) -> int:
    """Return the rating of a unit (N-07)."""
    if data.power is not None:
        return data.power
    return DEFAULT_POWER if data.points is None else -(-data.points // POINTS_PER_POWER)


def points_of(data: UnitData) -> int:
    """Return the points of a unit; without points its rating counts 20 each."""
    return data.points if data.points is not None else power_of(data) * POINTS_PER_POWER


def make_unit(data: UnitData, side: str, usual: str) -> Unit:
    """Return the unit that begins a game; *usual* is the state of those that name none."""
    flags = data.flags
    if data.own and "own_arrival" not in flags:
        flags = (*flags, "own_arrival")
    state = data.state or (EMBARKED if data.inside else usual)
    gone = state == DESTROYED
    return Unit(
        id=data.id,
        side=side,
        name=data.name or data.id,
        models=data.models,
        wounds=data.wounds,
        power=power_of(data),
        points=points_of(data),
        role=data.role,
        keywords=tuple(word.lower() for word in data.keywords),
        flags=flags,
        type=data.type,
        capacity=data.capacity,
        bombardment=data.bombardment,
        detachment=data.detachment,
        models_now=data.models_now if data.models_now is not None else 0 if gone else data.models,
        wounds_now=data.wounds_now if data.wounds_now is not None else 0 if gone else data.wounds,
        state=state,
        inside=data.inside,
        at=data.at,
        choice=data.choice,
        about=data.about,
    )


def facts(unit: Unit) -> Mapping[str, Any]:
    """Return what cases and views call the parts of a unit."""
    return {
        "models": unit.models_now,
        "wounds": unit.wounds_now,
        "state": unit.state,
        "at": unit.at,
        "in": unit.inside,
        "no_actions": unit.no_actions,
        "dug_in": unit.dug_in,
        "returns": unit.returns,
        "suffers": unit.suffers,
    }
