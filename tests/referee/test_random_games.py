"""Games of random open acts: never stuck, never an exception, points never fall, nothing appears from nowhere.

The short form plays a few games of each mission; ``SEALED_ORDERS_LONG=1`` plays 10,000 in all, and every kind of act
and every refusal must have been met. Seen to fail with ``open`` leaving out ``end_phase``, with a score that falls,
and with a unit added while a game is played.
"""

from __future__ import annotations

import os
from random import Random
from typing import Any

import pytest

from server import missions
from server.referee.fold import TableGame, open_for, submit
from server.referee.registry import ALL_RULES, ALWAYS
from server.referee.view import events_for, view_for
from tests.referee.random_play import ENDS_OFTEN, SIDES, Played, draw, new_table, play

LONG = bool(os.environ.get("SEALED_ORDERS_LONG"))
MISSIONS = list(missions.library())
GAMES = 10_000 // len(MISSIONS) + 1 if LONG else 4
PARTS = 4 if LONG else 1


def standing(table: TableGame) -> dict[str, Any]:
    """Return all that anybody may know of a game, for comparing two."""
    return {side: view_for(table.game, side) for side in ("red", "blue", "")}


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("id_", MISSIONS)
def test_random_games_come_to_an_end(id_: str, part: int) -> None:
    for number in range(part, GAMES, PARTS):
        table = new_table(missions.load(id_), f"{id_}/{number}")
        played = play(table, f"{id_}/{number}")
        assert not played.offered_in_vain, played.offered_in_vain[0]
        assert not played.stuck, f"game {number}: nobody has an act at {table.game.clock}"
        assert table.game.over or played.acts >= 3000, f"game {number} does not end: {table.game.clock}"


@pytest.mark.parametrize("id_", MISSIONS)
def test_points_never_fall_and_nothing_appears(id_: str) -> None:
    table = new_table(missions.load(id_), id_)
    chance = Random(id_)
    before = dict(table.game.vp)
    markers, units = set(table.game.markers), set(table.game.units)
    for number in range(400):
        options = [option for side in SIDES for option in open_for(table, side) if option.do != "take_back"]
        if table.game.over or not options:
            break
        ends = [option for option in options if option.do == "end_phase"]
        option = chance.choice(ends if ends and number % ENDS_OFTEN == 0 else options)
        if submit(table, option.by, draw(option, table, chance)):
            continue
        assert all(table.game.vp[side] >= points for side, points in before.items()), option
        before = dict(table.game.vp)
        if option.do not in ("propose", "declare", "formations"):
            assert set(table.game.markers) <= markers | set(table.game.markers if table.game.stage != "battle" else ())
            grown = set(table.game.units) - units
            assert not grown or table.game.stage != "battle", grown
        markers, units = set(table.game.markers), set(table.game.units)


@pytest.mark.parametrize("id_", MISSIONS)
def test_the_same_acts_give_the_same_game(id_: str) -> None:
    one = play(new_table(missions.load(id_), "same"), "same", 200)
    again = new_table(missions.load(id_), "same")
    for by, act in one.accepted:
        assert submit(again, by, act) == []
    assert standing(again) == standing(one.table)
    assert events_for(again.events, "red") == events_for(one.table.events, "red")


@pytest.mark.parametrize("id_", MISSIONS)
def test_a_refused_act_changes_nothing(id_: str) -> None:
    table = new_table(missions.load(id_), "refused")
    chance = Random(id_)
    for number in range(150):
        options = [option for side in SIDES for option in open_for(table, side)]
        if table.game.over or not options:
            break
        before, events = standing(table), len(table.events)
        wrong = {**draw(chance.choice(options), table, chance), "nonsense": number}
        assert submit(table, chance.choice(SIDES), wrong)
        assert (standing(table), len(table.events)) == (before, events)
        option = chance.choice([option for option in options if option.do == "end_phase"] or options)
        submit(table, option.by, draw(option, table, chance))


@pytest.mark.skipif(not LONG, reason="every kind of act is met in many games only")
def test_every_kind_of_act_is_met() -> None:
    met: dict[str, int] = {}
    for id_ in MISSIONS:
        for number in range(40):
            played: Played = play(new_table(missions.load(id_), f"met/{number}"), f"met/{number}")
            for do, times in played.done.items():
                met[do] = met.get(do, 0) + times
    known = {act.DO for act in (*ALWAYS, *(act for rule in ALL_RULES for act in rule.ACTS))}
    assert not known - set(met)
