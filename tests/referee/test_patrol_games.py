"""Whole Patrol phases of random open acts: the invariants of 3.4."""

import math
from collections.abc import Collection, Mapping, Sequence
from random import Random
from typing import Any

import pytest

from server.core.dice import SeededDice
from server.core.errors import Problem
from server.missions import library
from server.referee.beginning import read_beginning
from server.referee.fold import TableGame, begin, open_for, submit
from server.referee.game import Game
from server.referee.geometry import Point
from server.referee.patrol.jump_off_points import JumpOffPoints
from server.referee.patrol.patrol_phase import PatrolPhase, is_chain
from server.referee.reading import inches

REACH = 12000


def a_table(random: Random) -> TableGame:
    """A game on some table, with some terrain, its markers at their usual places."""
    width, height = random.choice([(72, 48), (44, 30), (48, 36), (30, 44)])
    terrain = []
    for number in range(random.randint(0, 4)):
        x, y = random.uniform(1, width - 8), random.uniform(1, height - 6)
        corners = [[x, y], [x + random.uniform(1, 7), y], [x + random.uniform(0, 6), y + random.uniform(1, 5)]]
        piece = {"id": f"t{number}"} | ({"polygon": corners} if random.random() < 0.5 else {"line": corners[:2]})
        terrain.append(piece)
    found: list[Problem] = []
    beginning = read_beginning(
        {
            "game": "patrol_phase",
            "table": {"width": width, "height": height, "terrain": terrain},
            "settings": {"jop_distance": random.choice(["enemies", "marker"])},
        },
        library(),
        found,
    )
    assert not found
    assert beginning is not None
    table = begin(beginning, SeededDice(b"patrol"))
    assert not table.game.unfit
    return table


def in_triangle(random: Random, polygon: Sequence[Sequence[float]]) -> list[float]:
    """A point of a convex polygon, in inches."""
    first, second, third = polygon[0], *random.sample(polygon[1:], 2)
    s, t = random.random(), random.random()
    if s + t > 1:
        s, t = 1 - s, 1 - t
    return [first[i] + s * (second[i] - first[i]) + t * (third[i] - first[i]) for i in (0, 1)]


def some_act(random: Random, options: list[dict[str, Any]]) -> dict[str, Any]:
    """One of the open acts, its fields filled."""
    option = random.choice(options)
    act = {"do": option["do"]}
    for name, choice in option["fields"].items():
        act[name] = random.choice(choice["one_of"]) if "one_of" in choice else in_triangle(random, choice["point"][-1])
    return act


def check_markers(rule: PatrolPhase, game: Game, before: Mapping[str, Point], locked: Collection[str]) -> None:
    for marker in rule.markers.values():
        assert game.mission.on_table(marker.at)
        assert math.dist(marker.at, before[marker.id]) <= REACH + 1
        if marker.id in locked:
            assert (marker.locked, marker.at) == (True, before[marker.id])
        if not marker.locked:
            assert min(math.dist(marker.at, enemy) for enemy in rule.enemies_of(marker.side).values()) > REACH + 1
    for player in game.players:
        assert is_chain([marker.at for marker in rule.of(player)], REACH)


@pytest.mark.parametrize("seed", range(40))
def test_a_random_patrol_phase_keeps_the_invariants(seed: int) -> None:
    """3.4, 1 to 4 and 6. Seen to fail when the whole circle is offered."""
    random = Random(seed)
    table = a_table(random)
    counts = {player: len(table.game.rule(PatrolPhase).of(player)) for player in table.game.players}
    for _ in range(400):
        game = table.game
        if game.over:
            break
        rule = game.rule(PatrolPhase)
        before = {marker.id: marker.at for marker in rule.markers.values()}
        locked = [marker.id for marker in rule.markers.values() if marker.locked]
        stage, player = game.stage, game.turn
        options = [option.to_json() for option in open_for(table, player)]
        options = [option for option in options if option["do"] in ("move", "jump_off")]
        assert options, "whoever has the turn has an act"
        assert not any(option.do in ("move", "jump_off") for option in open_for(table, game.other(player)))
        assert submit(table, player, some_act(random, options)) == []
        game = table.game
        check_markers(game.rule(PatrolPhase), game, before, locked)
        if (stage, game.stage) == ("patrol", "jump_offs"):
            rule = game.rule(PatrolPhase)
            all_locked = any(all(marker.locked for marker in rule.of(side)) for side in game.players)
            assert all_locked or rule.stood_still or rule.without_lock >= rule.stalled_after
    assert table.game.over
    rule, points = table.game.rule(PatrolPhase), table.game.rule(JumpOffPoints)
    assert {player: len(rule.of(player)) for player in table.game.players} == counts
    assert len(points.used) == len(points.points) == 6
    assert all(point.at is not None for point in points.points.values())


@pytest.mark.parametrize("seed", range(20))
def test_staying_where_one_is_is_always_accepted(seed: int) -> None:
    """3.4, 4."""
    random = Random(seed)
    table = a_table(random)
    for _ in range(30):
        game = table.game
        if game.stage != "patrol":
            break
        free = [marker for marker in game.rule(PatrolPhase).of(game.turn) if not marker.locked]
        marker = random.choice(free)
        if random.random() < 0.7:
            options = [option.to_json() for option in open_for(table, game.turn) if option.do == "move"]
            assert submit(table, game.turn, some_act(random, options)) == []
        else:
            at = [inches(part) for part in marker.at]
            assert submit(table, game.turn, {"do": "move", "marker": marker.id, "to": at}) == []
            assert table.game.rule(PatrolPhase).markers[marker.id] == marker
