"""Random games by nothing but what is open: the acts that :func:`open_for` offers, with values that it names."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from server.core.dice import SeededDice
from server.referee.beginning import Beginning, read_beginning
from server.referee.choices import Choice, Option
from server.referee.fold import TableGame, begin, open_for, submit
from server.referee.mission import PLAYERS, Mission
from server.referee.reading import inches

MOST_ACTS = 3000
TRIES = 8
"""Points are tried so often before another act is chosen."""


def beginning(mission: Mission, library: Mapping[str, Mission], armies: Any = None, **values: Any) -> Beginning:
    """Return how a game of *mission* begins, with the armies given in JSON."""
    found: list[Any] = []
    data = {"game": mission.id, "players": armies or {}} | values
    begun = read_beginning(data, {**library, mission.id: mission}, found, taken_as_confirmed=True)
    assert begun is not None, found
    return begun


def value_of(choice: Choice, chance: random.Random, size: tuple[int, int]) -> Any:
    """Return one of the values that a field may hold."""
    if choice.kind == "one_of":
        return chance.choice(choice.values)
    if choice.kind == "some_of":
        number = chance.randint(min(choice.min, len(choice.values)), min(choice.max, len(choice.values)))
        return chance.sample(choice.values, number)
    if choice.kind == "integer":
        return chance.randint(choice.min, choice.max)
    if choice.kind == "boolean":
        return chance.random() < 0.5
    if choice.kind == "text":
        return chance.choice(("scouts", "a rule of another book"))
    if choice.kind == "points":
        number = chance.randint(choice.min, choice.max)
        return [point_in(choice, chance, size) for _ in range(number)]
    return point_in(choice, chance, size)


def point_in(choice: Choice, chance: random.Random, size: tuple[int, int]) -> list[int | float]:
    """Return a point in the box round one of the polygons."""
    polygon = chance.choice(choice.polygons) if choice.polygons else ((0, 0), size)
    xs, ys = [x for x, _ in polygon], [y for _, y in polygon]
    return [inches(chance.randint(min(xs), max(xs))), inches(chance.randint(min(ys), max(ys)))]


def act_of(option: Option, chance: random.Random, size: tuple[int, int]) -> dict[str, Any]:
    """Return an act that an option allows."""
    act: dict[str, Any] = {"do": option.do}
    for path, choice in option.fields.items():
        if choice.needed or chance.random() < 0.6:
            *tables, name = path.split(".")
            place = act
            for table in tables:
                place = place.setdefault(table, {})
            place[name] = value_of(choice, chance, size)
    return act


def play(begun: Beginning, seed: int, calm: bool = True, max_acts: int = MOST_ACTS) -> TableGame:
    """Play a whole game at random; *calm*: neither taking back nor objecting."""
    chance = random.Random(seed)
    table = begin(begun, SeededDice(str(seed).encode()))
    size = (begun.mission.width, begun.mission.height)
    acts = 0
    while not table.game.over and acts < max_acts:
        acts += 1
        options = [option for player in PLAYERS for option in open_for(table, player)]
        assert options, f"nobody can act: {table.game.clock}"
        ending = [option for option in options if option.do == "end_phase"]
        if calm:
            options = [option for option in options if option.do not in ("take_back", "object", "end_now")] or options
        for attempt in range(TRIES):
            end = ending and (acts % 10 == 0 or chance.random() < 0.15)
            option = chance.choice(ending) if end and not attempt else chance.choice(options)
            act = act_of(option, chance, size)
            problems = submit(table, option.by, act)
            if not problems:
                break
            free = any(choice.kind in ("point", "points", "some_of", "text") for choice in option.fields.values())
            assert free, f"offered but refused: {option.by} {act} {problems}"
    return table


def with_secret(begun: Beginning, secret: bytes) -> Beginning:
    """Return the same beginning with a secret that shuffles."""
    return replace(begun, secret=secret)
