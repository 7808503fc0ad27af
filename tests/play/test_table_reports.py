"""What a campaign hears of units that came back, or stood guard as single Sentries (N-15)."""

from __future__ import annotations

import tomllib
from typing import Any

from server.cases.dice import CaseDice
from server.cases.read_game import read_game
from server.play.battles.battle_results import TableReport, _Result, read
from server.play.context import AppContext
from server.play.tables.starting import FIRST_SENTRIES
from server.referee.fold import begin, submit
from server.store.tables import TableBattleRow, TableBeginningRow
from tests.play.test_table_battles import Fought

ASSAULT = """
rule = "N-15"
title = "two units were destroyed, one came back"
game = "meat_grinder"
acts = [
    { by = "red", do = "roll", for = "r1" },
    { by = "red", do = "set_up", unit = "r1", at = [30, 5] },
    { by = "blue", do = "strength", unit = "b1", models = 4 },
    { by = "red", do = "end_phase" },
]
players.red.units = [
    { id = "r1", models = 10, models_now = 0, state = "destroyed" },
    { id = "r2", models = 5, models_now = 0, state = "destroyed" },
    { id = "r3", models = 8 },
]
start = { stage = "battle", round = 2, turn = "red", phase = "movement" }
dice = { "replacement/r1/2" = [2], default = 1 }
expect = { }
"""
GUARD = """
rule = "N-67"
title = "the second Sentries are of the army"
game = "sabotage"
acts = [
    { by = "blue", do = "use", stratagem = "extra_sentries", unit = "b2" },
    { by = "blue", do = "set_up", unit = "s1", at = [36, 24] },
    { by = "blue", do = "set_up", unit = "s2", at = [37, 24] },
    { by = "blue", do = "set_up", unit = "s3", at = [38, 24] },
    { by = "blue", do = "destroyed", unit = "s1" },
    { by = "blue", do = "destroyed", unit = "s2" },
]
players.blue.cp = 2
players.blue.units = [{ id = "guard", models = 1, flags = ["sentries"] }, { id = "b2", models = 2 }]
start = { stage = "deployment" }
dice = { default = 1 }
expect = { }
"""


def report(text: str, winner: str = "") -> TableReport:
    """Return what the campaign would take of a battle now; *winner*: what the players tell."""
    case = read_game(tomllib.loads(text))
    table = begin(case.beginning, CaseDice(case.dice))
    for act in case.acts:
        assert submit(table, act["by"], act) == []
    given = tomllib.loads(text)["players"]
    units = [unit for army in given.values() for unit in army["units"]]
    fielded = [{"keywords": ["infantry"], **unit, "models_now": unit["models"]} for unit in units]
    fielded += [] if "blue" in given else [{"id": "b1", "models": 10, "keywords": ["infantry"]}]
    row = TableBattleRow(
        red_player="p1",
        blue_player="p2",
        units={each["id"]: f"c/{each['id']}" for each in fielded},
        secret={"ordered": [], "works": {}},
        keeps_models={},
        moved={},
    )
    result = _Result(table.game, row, fielded, fielded)
    result.told = {"winner": winner} if winner else {}
    return result.report()


def losses(text: str) -> dict[str, Any]:
    """Return the losses that a battle's report would have now, by the ids of the campaign."""
    found: dict[str, Any] = report(text).result["losses"]
    return found


def test_why_the_campaigns_winner_is_not_the_missions() -> None:
    """A mission without a winner is the defender's, but who has nobody left loses (D-67): the reason is told."""
    draw = report(ASSAULT)
    assert (draw.result["winner"], draw.reason) == ("p2", "draw")
    emptied = ASSAULT.replace('unit = "b1", models = 4', 'unit = "b1", models = 0')
    for winner, reason in (("blue", "nobody_left"), ("red", "")):
        told = report(emptied, winner)
        assert (told.result["winner"], told.reason) == ("p1", reason)


def test_the_first_sentries_come_from_outside_the_campaign(ctx: AppContext) -> None:
    fought = Fought(ctx)
    fought.start("sabotage")
    fought.play()
    with ctx.database.read() as session:
        players = session.get_one(TableBeginningRow, fought.id).beginning["players"]
        units = session.get_one(TableBattleRow, fought.id).units
    assert FIRST_SENTRIES in players["blue"]["units"]
    assert FIRST_SENTRIES not in players["red"]["units"]
    result = read(ctx, fought.red, fought.id).result
    named = [*result["losses"], *result["took_part"], *result["withheld"], *result["bombarded"]]
    assert named
    assert all(id_ in units.values() for id_ in named)


def test_a_unit_that_came_back_counts_as_destroyed_and_stands() -> None:
    assert losses(ASSAULT) == {
        "c/r1": {"lost": 10, "returned": True},
        "c/r2": {"lost": 5},
        "c/b1": {"lost": 6},
    }


def test_the_second_sentries_lose_models_of_their_unit_the_first_are_outside() -> None:
    assert losses(GUARD)["c/b2"] == {"lost": 1}
