"""Whose tap is awaited: one side that can do just that, named by what it is for; refusals name who is awaited.

Seen to fail with a stage that names the other side, and with a moment that is left out.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from server import missions
from server.core.dice import SeededDice
from server.referee.awaiting import BOTH, SETTLE, awaiting
from server.referee.beginning import read_beginning
from server.referee.fold import TableGame, begin, open_for, submit
from server.referee.mission import PLAYERS
from tests.referee.random_play import SIDES, draw, new_table, varied

MISSIONS = list(missions.library())
GAMES, ACTS = 2, 250


def started(**values: Any) -> TableGame:
    """Return a game that begins as a case would."""
    problems: list[Any] = []
    beginning = read_beginning(values, missions.library(), problems)
    assert beginning is not None, problems
    return begin(beginning, SeededDice(b"awaiting"))


@pytest.mark.parametrize("id_", MISSIONS)
def test_who_is_awaited_can_do_it(id_: str) -> None:
    """In every position somebody is awaited, for an act that is open to them."""
    for number in range(GAMES):
        seed, mission = f"awaited/{id_}/{number}", missions.load(id_)
        table, chance = new_table(mission, seed, varied(mission, seed)), Random(seed)
        for _ in range(ACTS):
            if table.game.over:
                assert awaiting(table.game).side == ""
                break
            found = awaiting(table.game)
            options = [option for side in SIDES for option in open_for(table, side)]
            sides = SIDES if found.side == BOTH or found.what == SETTLE else (found.side,)
            words = [option.do for option in options if option.by in sides]
            if found.side == BOTH and found.what != SETTLE:
                assert all(any((o.by, o.do) == (side, found.what) for o in options) for side in PLAYERS), found
            assert found.side, table.game.clock
            waits = found.missing == "choice_missing" and "go_on" in words
            assert found.what == SETTLE or found.what in words or waits, (found, table.game.clock)
            assert found.what not in ("take_back", "object", "end_now", "spend", "gain"), (found, table.game.clock)
            calm = [option for option in options if option.do not in ("end_now", "retreat")]
            option = chance.choice(calm or options)
            submit(table, option.by, draw(option, table, chance))


def test_the_button_names_its_figure() -> None:
    table = started(game="clash_of_patrols", start={"round": 2, "turn": "red", "phase": "command"})
    assert awaiting(table.game).to_json()["missing"] == "report_missing"
    report = {"do": "control", "markers": {"1": {"holder": "red"}, "2": {"holder": "red"}, "3": {"holder": "blue"}}}
    assert submit(table, "red", report) == []
    found = awaiting(table.game)
    assert (found.side, found.what, found.about["score"]) == ("blue", "confirm", 10)
    assert submit(table, "blue", {"do": "confirm"}) == []
    found = awaiting(table.game)
    assert (found.side, found.what) == ("red", "end_phase")
    assert found.about == {"phase": "command", "next": "movement", "score": 10}
    assert "end_phase" not in found.may["blue"]
    assert submit(table, "red", {"do": "end_phase"}) == []
    assert table.game.vp == {"red": 10, "blue": 0}


def test_a_confirmation_names_its_matter_and_what_it_scores() -> None:
    """Seen to fail where a painted army was confirmed with the score of the markers."""
    table = started(
        game="clash_of_patrols",
        players={"red": {"painted": True}},
        start={"stage": "battle", "round": 5, "turn": "blue", "first": "red", "phase": "fight"},
    )
    for by, act in (("blue", {"do": "control", "markers": {}}), ("red", {"do": "confirm"})):
        assert submit(table, by, act) == []
    assert submit(table, "blue", {"do": "end_phase"}) == []
    found = awaiting(table.game).to_json()
    assert (found["side"], found["for"], found["about"]) == ("blue", "confirm", {"score": 10})
    assert found["confirms"] == {"blue": {"what": "painted", "units": [], "score": 10}}


def test_who_has_nothing_to_do_but_to_go_on_is_not_awaited_for_the_others_matter() -> None:
    """The Defender of Sabotage lays the objective; the Attacker, who only agrees that the terrain is done, waits."""
    table = started(game="sabotage", start={"stage": "terrain", "tracked": {"attacker": "red"}})
    found = awaiting(table.game)
    assert (found.side, found.what) == ("blue", "place_markers")


def test_a_reaction_lets_the_game_go_on() -> None:
    """The active player stays awaited; what waits for the other side is named, with its targets."""
    table = started(
        game="blitz",
        players={"red": {"units": [{"id": "r1"}], "cp": 0}, "blue": {"units": [{"id": "b1"}], "cp": 1}},
        start={"round": 2, "turn": "red", "first": "red", "phase": "movement", "tracked": {"attacker": "red"}},
    )
    assert submit(table, "red", {"do": "enters", "unit": "r1", "zone": "front_line"}) == []
    found = awaiting(table.game)
    assert (found.side, found.what, found.missing) == ("red", "end_phase", "choice_missing")
    (reaction,) = found.to_json()["reactions"]["blue"]
    assert reaction == {"act": "use", "stratagem": "proximity_mines", "units": ["r1"], "before": "end_phase"}
    (problem,) = submit(table, "red", {"do": "end_phase"})
    assert (problem.code, problem.field, problem.value) == ("choice_missing", "awaited", "blue")
    assert "go_on" in awaiting(table.game).may["red"]


def test_a_hit_waits_for_the_defender() -> None:
    table = started(game="meat_grinder", start={"stage": "bombardment", "tracked": {"attacker": "red"}})
    table.faces.rolled["bombardment/b1"] = [6]
    assert submit(table, "red", {"do": "bombard", "unit": "b1"}) == []
    found = awaiting(table.game)
    assert (found.side, found.what, found.about["units"]) == ("blue", "go_to_ground", ["b1"])


def test_who_waits_for_a_reaction_is_not_asked_to_undo() -> None:
    """Before the roll for the first turn the Defender may react; nobody waits for the Attacker to take anything back.

    Seen to fail when a stage names its next player even if they have nothing to do.
    """
    table = started(
        game="patrol",
        players={"red": {"units": [{"id": "r1"}], "cp": 0}, "blue": {"units": [{"id": "b1"}], "cp": 6}},
        start={"stage": "first_turn", "tracked": {"attacker": "red"}},
    )
    found = awaiting(table.game)
    assert (found.side, found.what, found.about["stratagem"]) == ("blue", "use", "home_advantage")
    assert found.missing == "choice_missing"
