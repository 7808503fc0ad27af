"""Games of random open acts: never stuck, never an exception, points never fall, nothing appears from nowhere.

Settings, battles and armies differ from game to game. Some players do only what is offered, others try what nothing
has offered. The short form plays a few games of each mission, and then as many as it takes to meet every kind of act
and every refusal; ``SEALED_ORDERS_LONG=1``, in one process, plays 10,000 in all and must meet them there. Seen to
fail with ``open`` leaving out ``end_phase``, with a score that falls, and with a unit added while a game is played.
"""

from __future__ import annotations

import os
from random import Random
from typing import Any

import pytest

from server import missions
from server.referee.fold import TableGame, open_for, submit
from server.referee.refusals import NOT_UNDERSTOOD, REFUSED
from server.referee.registry import ALL_RULES, ALWAYS
from server.referee.view import events_for, view_for
from tests.referee.random_play import ENDS_OFTEN, MAX_ACTS, SIDES, draw, new_table, play, varied

LONG = bool(os.environ.get("SEALED_ORDERS_LONG"))
MISSIONS = list(missions.library())
GAMES = 10_000 // len(MISSIONS) + 1 if LONG else 13
PARTS = 4 if LONG else 1
ROUNDS = 60
"""Games of each mission, at most, until every act and every code was met."""
CLUMSY = (0.0, 1 / 30, 1 / 6)
"""Share of acts that nothing has offered, in one game after the other."""
MET: dict[str, int] = {}
"""How often each kind of act was accepted in these games, and each code refused one."""


def standing(table: TableGame) -> dict[str, Any]:
    """Return all that anybody may know of a game, for comparing two."""
    return {side: view_for(table.game, side) for side in ("red", "blue", "")}


def play_one(id_: str, number: int) -> None:
    """Play a game to its end and note what was met in it."""
    seed, mission = f"{id_}/{number}", missions.load(id_)
    table = new_table(mission, seed, varied(mission, seed))
    played = play(table, seed, clumsy=CLUMSY[number % len(CLUMSY)])
    assert not played.offered_in_vain, played.offered_in_vain[0]
    assert not played.stuck, f"game {number}: nobody has an act at {table.game.clock}"
    assert table.game.over or played.acts >= MAX_ACTS, f"game {number} does not end: {table.game.clock}"
    for name, times in (*played.done.items(), *played.refused.items()):
        MET[name] = MET.get(name, 0) + times


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("id_", MISSIONS)
def test_random_games_come_to_an_end(id_: str, part: int) -> None:
    for number in range(part, GAMES, PARTS):
        play_one(id_, number)


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


def test_every_kind_of_act_and_every_code_is_met() -> None:
    """Seen to fail with a code that nothing refuses with."""
    known = {act.DO for act in (*ALWAYS, *(act for rule in ALL_RULES for act in rule.ACTS))} | REFUSED | NOT_UNDERSTOOD
    for number in range(0 if LONG else ROUNDS):
        for id_ in MISSIONS:
            play_one(id_, number)
        if known <= set(MET):
            break
    assert not known - set(MET)
