"""A player who does anything that is open: it uses what the game offers and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from server import missions
from server.core.dice import SeededDice
from server.core.errors import Problem
from server.referee.beginning import read_beginning
from server.referee.choices import Choice, Option
from server.referee.fold import TableGame, begin, open_for, submit
from server.referee.geometry import Point
from server.referee.mission import Mission

ENDS_OFTEN = 10
"""``end_phase`` is chosen at least every so many times where it is open, so that games end."""
MOST_ACTS = 3000
SIDES = ("red", "blue", "gm")
RARE, RARELY = ("end_now", "object", "take_back", "retreat"), 0.05
"""What would end or undo most games is drawn less often."""
FREE = ("point", "points", "some_of", "text")
"""Fields whose values only the table knows to be right, so that an act may be refused though it was offered."""


@dataclass(slots=True)
class Played:
    """A game that random players have played."""

    table: TableGame
    acts: int = 0
    """Accepted ones."""
    done: dict[str, int] = field(default_factory=dict)
    """How often each kind of act was accepted."""
    refused: dict[str, int] = field(default_factory=dict)
    """How often each code refused one."""
    offered_in_vain: list[str] = field(default_factory=list)
    """Acts that were refused though every value was one that the game had offered."""
    stuck: bool = False
    """The game was not over, and nobody had an act."""
    accepted: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)


def new_table(mission: Mission, seed: str, more: Mapping[str, Any] | None = None) -> TableGame:
    """Return a game at its beginning, with the mission's sample armies."""
    problems: list[Problem] = []
    library = {**missions.library(), mission.id: mission}
    beginning = read_beginning({**missions.sample(mission), **(more or {})}, library, problems, secret=seed.encode())
    if beginning is None:
        raise AssertionError(problems)
    return begin(beginning, SeededDice(seed.encode()))


def play(table: TableGame, seed: str, most: int = MOST_ACTS) -> Played:
    """Play a game to its end, or for *most* acts, with acts drawn from those that are open."""
    chance = Random(seed)
    played = Played(table)
    for number in range(most * 2):
        if table.game.over or played.acts >= most:
            break
        options = [option for side in SIDES for option in open_for(table, side)]
        if not options:
            played.stuck = True
            break
        option = _chosen(options, chance, number)
        act = draw(option, table, chance)
        problems = submit(table, option.by, act)
        if problems:
            code = problems[0].code
            played.refused[code] = played.refused.get(code, 0) + 1
            if not any(choice.kind in FREE for choice in option.fields.values()):
                played.offered_in_vain.append(f"{option.by} {act}: {problems[0].message}")
        else:
            played.acts += 1
            played.done[option.do] = played.done.get(option.do, 0) + 1
            played.accepted.append((option.by, act))
    return played


def _chosen(options: list[Option], chance: Random, number: int) -> Option:
    ends = [option for option in options if option.do in ("end_phase", "end_turn")]
    if ends and (number % ENDS_OFTEN == 0 or chance.random() < 0.2):
        return chance.choice(ends)
    kinds = sorted({option.do for option in options})
    calm = [kind for kind in kinds if kind not in RARE]
    kind = chance.choice(calm if calm and chance.random() > RARELY else kinds)
    return chance.choice([option for option in options if option.do == kind])


def draw(option: Option, table: TableGame, chance: Random) -> dict[str, Any]:
    """Return an act with a random value in each field; half of the optional ones are left out."""
    act: dict[str, Any] = {"do": option.do}
    for name, choice in option.fields.items():
        inner = act
        *tables, last = name.split(".")
        for part in tables:
            inner = inner.setdefault(part, {})
        if choice.needed or chance.random() < 0.5:
            inner[last] = _value(choice, table, chance)
    return act


def _value(choice: Choice, table: TableGame, chance: Random) -> Any:
    kind = choice.kind
    if kind == "boolean":
        return chance.random() < 0.5
    if kind == "integer":
        return chance.randint(choice.min, choice.max)
    if kind == "one_of":
        return chance.choice(choice.values)
    if kind == "some_of":
        known = list(choice.values)
        return chance.sample(known, chance.randint(min(choice.min, len(known)), min(choice.max, len(known))))
    if kind == "point":
        return _point(choice, table, chance)
    if kind == "points":
        return [_point(choice, table, chance) for _ in range(chance.randint(choice.min, choice.max))]
    return "words"


def _point(choice: Choice, table: TableGame, chance: Random) -> list[float]:
    mission = table.game.mission
    if not choice.polygons:
        return [chance.randint(0, mission.width) / 1000, chance.randint(0, mission.height) / 1000]
    polygon = chance.choice(choice.polygons)
    return [value / 1000 for value in _inside(polygon, chance)]


def _inside(polygon: tuple[Point, ...], chance: Random) -> tuple[float, float]:
    """Return a point of a convex polygon: a mixture of its corners."""
    weights = [chance.random() for _ in polygon]
    total = sum(weights)
    x = sum(weight * corner[0] for weight, corner in zip(weights, polygon, strict=True)) / total
    y = sum(weight * corner[1] for weight, corner in zip(weights, polygon, strict=True)) / total
    return round(x), round(y)
