"""What is done at the table, and missions of a club, with none of the assumptions they were built on.

Acts of every name with values of every kind, by every side, at many points of games of every mission; missions with
each of their values replaced by what no author writes. The short form tries a part of it; ``make attack`` tries all:
40,000 missions and 250,000 acts. Four holes were found: keys of many parts and whole numbers of many digits in TOML
(see ``test_bounds``), tables and squares of 0 inches, which a mission could have and no game survived. Acts found none.
"""

from __future__ import annotations

import copy
import os
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import orjson
import pytest

from server import missions
from server.play.tables import missions as own_missions
from server.referee.fold import TableGame, submit
from server.referee.reader import read_mission
from server.referee.registry import ACT_NAMES, DECLARED
from server.referee.view import view_for
from tests.play.test_campaigns import refused
from tests.referee.random_play import SIDES, new_table, play

LONG = bool(os.environ.get("SEALED_ORDERS_LONG"))
MISSIONS = list(missions.library())
FILES = sorted((Path(missions.__file__).parent).glob("*.toml"))
HOSTILE: tuple[Any, ...] = (
    None, True, -1, 0, 10**30, 2**63, 1e308, -1e308, float("nan"), float("inf"), 0.1, "", "x" * 100_000, "\0", "\ud800",
    "<script>", "red", "blue", [], {}, [[]] * 5, [1], [1, 2], [1e9, 1e9], [float("nan"), 0], {"a": {"b": {}}},
    ["x"] * 2000, [[1, 2]] * 2000, {"x": [1, 2]}, "../x", "{" + "x" * 50 + "}", "é" * 1000,
)  # fmt: skip


def standing(table: TableGame) -> bytes:
    return repr({side: view_for(table.game, side) for side in ("red", "blue", "")}).encode()


def hostile_acts(chance: Random, count: int) -> Iterator[tuple[Any, Any]]:
    """Yield sides and acts: known words with values of any kind, unknown words, no acts at all."""
    names, kinds = [*sorted(ACT_NAMES), "dance", "", "__class__"], sorted(DECLARED, key=lambda kind: kind.__name__)
    fields = sorted({name for kind in kinds for name in DECLARED[kind]})
    for _ in range(count):
        by = chance.choice([*SIDES, "", "nobody", "RED"])
        kind = chance.choice(kinds)
        own = [*DECLARED[kind]] if chance.random() < 0.8 else chance.sample(fields, 4)
        act: dict[str, Any] = {"do": kind.DO if chance.random() < 0.9 else chance.choice(names)}
        act |= {name: chance.choice(HOSTILE) for name in own if chance.random() < 0.9}
        if chance.random() < 0.05:
            act[chance.choice(("do", "nonsense", "by", "side"))] = chance.choice(HOSTILE)
        yield by, act
    none: tuple[Any, ...] = (None, [], "end_phase", 7, {}, {"do": None}, {"do": ["x"]})
    yield from ((side, given) for side in SIDES for given in none)


@pytest.mark.parametrize("id_", MISSIONS)
def test_acts_of_any_kind_are_answered(id_: str) -> None:
    """Refused or accepted, no exception; what was refused has changed nothing anybody sees."""
    chance, mission = Random(f"attack/{id_}"), missions.load(id_)
    tried = 0
    for number, acts in enumerate((0, 5, 40, 120, 400) if LONG else (0, 40)):
        table = new_table(mission, f"{id_}/{number}")
        play(table, f"{id_}/{number}", maximum=acts)
        before = standing(table)
        for by, act in hostile_acts(chance, 3000 if LONG else 250):
            problems = submit(table, by, act)
            tried += 1
            if problems:
                assert all(problem.code and problem.message for problem in problems), act
            if not problems or tried % 50 == 0:
                now = standing(table)
                assert not problems or now == before, act
                before = now
    assert tried > 500


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict):
        for name in value:
            yield from paths(value[name], (*path, name))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from paths(inner, (*path, number))
    if path:
        yield path


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_missions_with_any_value_are_answered(file: Path) -> None:
    values, chance = tomllib.loads(file.read_text("utf-8")), Random(file.stem)
    places = list(paths(values))
    for path in places if LONG else chance.sample(places, min(len(places), 25)):
        for value in (*HOSTILE, ...):
            forged = copy.deepcopy(values)
            inside: Any = forged
            for name in path[:-1]:
                inside = inside[name]
            if value is ...:
                del inside[path[-1]]
            else:
                inside[path[-1]] = value
            mission, problems = read_mission(forged)
            assert mission is not None or problems, (path, value)


def test_missions_that_are_accepted_can_be_kept_and_begun() -> None:
    """What was made of hostile values and is accepted is JSON, and a game of it begins."""
    chance, begun = Random("begun"), 0
    for file in FILES:
        values = tomllib.loads(file.read_text("utf-8"))
        places = list(paths(values))
        for path in chance.sample(places, min(len(places), 40)):
            forged = copy.deepcopy(values)
            inside: Any = forged
            for name in path[:-1]:
                inside = inside[name]
            if not isinstance(inside[path[-1]], int) or isinstance(inside[path[-1]], bool):
                continue
            inside[path[-1]] = chance.choice((0, 1, 2, 7, 99, 10_000))
            mission, problems = read_mission(forged)
            if mission is None or problems:
                continue
            orjson.dumps(forged)
            with suppress(AssertionError):  # its sample armies may be too large or too small for it
                play(new_table(mission, "x"), "x", maximum=30)
                begun += 1
    assert begun >= 5


def test_a_mission_of_the_programs_name_is_refused() -> None:
    refused("mission_refused", own_missions.check, FILES[0].read_text("utf-8"))
