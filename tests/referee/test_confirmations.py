"""Reports that both must agree on, as between players: confirmed, answered with other figures, decided (T-07)."""

from __future__ import annotations

from typing import Any

from server import missions
from server.core.dice import SeededDice
from server.referee.beginning import read_beginning
from server.referee.fold import TableGame, begin, open_for, submit


def table(game: str = "clash_of_patrols", **more: Any) -> TableGame:
    """Return a game in red's Command phase of round 2, in which nothing is taken as confirmed."""
    start = {"stage": "battle", "round": 2, "turn": "red", "phase": "command"}
    problems: list[Any] = []
    beginning = read_beginning({"game": game, "start": start, **more}, missions.library(), problems, secret=b"secret")
    assert beginning is not None, problems
    return begin(beginning, SeededDice(b"seed"))


def report(red: int, blue: int, **more: Any) -> dict[str, Any]:
    return {"do": "control", "markers": {"1": {"oc": {"red": red, "blue": blue}, **more}}}


def codes(table: TableGame, by: str, act: dict[str, Any]) -> list[str]:
    return [problem.code for problem in submit(table, by, act)]


def offered(table: TableGame, by: str) -> list[str]:
    return [option.do for option in open_for(table, by)]


def test_the_other_player_confirms_before_the_phase_ends() -> None:
    game = table()
    assert codes(game, "blue", report(1, 2)) == ["not_yours"]
    assert codes(game, "red", {"do": "end_phase"}) == ["report_missing"]
    assert codes(game, "red", report(2, 1)) == []
    assert codes(game, "red", {"do": "end_phase"}) == ["report_missing"]
    assert codes(game, "red", {"do": "confirm"}) == ["wrong_moment"]
    assert "confirm" in offered(game, "blue")
    assert codes(game, "blue", {"do": "confirm"}) == []
    assert codes(game, "blue", {"do": "confirm"}) == ["wrong_moment"]
    assert codes(game, "red", {"do": "end_phase"}) == []
    assert game.game.markers["1"].control == "red"


def test_figures_of_the_other_player_wait_until_both_have_the_same() -> None:
    game = table()
    assert codes(game, "red", report(2, 1)) == []
    assert "control" in offered(game, "blue")
    assert codes(game, "blue", report(2, 3)) == []
    assert codes(game, "red", {"do": "end_phase"}) == ["report_missing"]
    assert codes(game, "red", report(2, 3)) == []
    assert codes(game, "red", {"do": "end_phase"}) == []
    assert game.game.markers["1"].control == "blue"


def test_the_active_player_may_take_the_others_figures() -> None:
    game = table()
    assert codes(game, "red", report(2, 1, battleline=True)) == []
    assert codes(game, "blue", report(2, 1, battleline=False)) == []
    assert codes(game, "red", {"do": "end_phase"}) == ["report_missing"]
    assert codes(game, "red", {"do": "confirm"}) == []
    assert codes(game, "red", {"do": "end_phase"}) == []
    assert (game.game.markers["1"].control, game.game.markers["1"].secured) == ("red", "")


def test_the_same_figures_are_a_confirmation() -> None:
    game = table()
    assert codes(game, "red", report(2, 1)) == []
    assert codes(game, "blue", report(2, 1)) == []
    assert codes(game, "red", {"do": "end_phase"}) == []


def test_a_new_report_asks_for_a_new_word() -> None:
    game = table()
    for act in (report(2, 1), report(3, 1)):
        assert codes(game, "red", act) == []
        assert codes(game, "red", {"do": "end_phase"}) == ["report_missing"]
        assert codes(game, "blue", {"do": "confirm"}) == []
    assert codes(game, "red", {"do": "end_phase"}) == []


def test_the_game_master_decides() -> None:
    game = table()
    assert codes(game, "gm", {"do": "confirm"}) == ["wrong_moment"]
    assert codes(game, "red", report(2, 1)) == []
    assert codes(game, "blue", report(0, 1)) == []
    assert "confirm" in offered(game, "gm")
    assert codes(game, "gm", {"do": "confirm"}) == []
    assert codes(game, "red", {"do": "end_phase"}) == []
    assert game.game.markers["1"].control == "red"


def test_taking_back_opens_a_confirmed_report_again() -> None:
    game = table()
    assert codes(game, "red", report(2, 1)) == []
    assert codes(game, "blue", {"do": "confirm"}) == []
    for by in ("red", "blue"):
        assert codes(game, by, {"do": "take_back"}) == []
    assert codes(game, "red", {"do": "end_phase"}) == ["report_missing"]


def test_painting_is_confirmed_by_the_other_player_or_the_game_master() -> None:
    for by in ("blue", "gm"):
        game = table(
            players={"red": {"painted": True}},
            start={"stage": "battle", "round": 5, "turn": "blue", "first": "red", "phase": "fight"},
        )
        assert codes(game, "blue", report(0, 0)) == []
        assert codes(game, "red", {"do": "confirm"}) == []
        assert codes(game, "blue", {"do": "end_phase"}) == []
        assert not game.game.over
        assert codes(game, "red", {"do": "confirm"}) == ["wrong_moment"]
        assert codes(game, by, {"do": "confirm"}) == []
        assert game.game.over
        assert game.game.vp == {"red": 10, "blue": 0}


def test_the_report_of_a_battle_counts_what_each_unit_brought() -> None:
    """Models that were moved together before the battle go back to the campaign as they came (6.2.1.3.1, T-82)."""
    units = [{"id": f"r{number}", "models_now": models} for number, models in enumerate((4, 6, 6, 7), 1)]
    game = table(
        "normal_battle",
        battle={"hex": "0505", "from": "0405", "kind": "raid"},
        start={"stage": "set_up"},
        players={"red": {"units": units}},
    )
    acts: list[tuple[str, dict[str, Any]]] = [
        ("blue", {"do": "set_up", "unit": "b1", "at": [30, 40]}),
        ("red", {"do": "set_up", "unit": "r2", "at": [30, 2]}),
        ("red", {"do": "set_up", "unit": "r4", "at": [40, 2]}),
    ]
    for by, act in acts:
        assert codes(game, by, act) == []
    first = next(by for by in ("red", "blue") if "choose_first" in offered(game, by))
    assert codes(game, first, {"do": "choose_first", "player": "red"}) == []
    while "report" not in offered(game, "red"):
        assert codes(game, game.game.turn, {"do": "end_phase"}) == []
    losses = {"r2": {"destroyed": True}, "r4": {"lost": 8}}
    assert codes(game, "red", {"do": "report", "losses": losses}) == []
    assert codes(game, "blue", {"do": "confirm"}) == []
    view = [part for part in game.game.ask("view", "red") if "order" in part]
    lost = {id_: (loss["lost"], loss["destroyed"]) for id_, loss in view[0]["order"]["losses"].items()}
    assert lost == {"r2": (6, True), "r4": (7, False), "r1": (4, False), "r3": (1, False)}


def test_a_report_that_the_game_master_lets_stand_needs_no_other_word() -> None:
    """Seen to fail with a ``settle`` that only ends the objection, and with one that the fold forgets."""
    game = table()
    assert codes(game, "red", report(2, 1)) == []
    assert codes(game, "blue", {"do": "object"}) == []
    assert codes(game, "red", {"do": "end_phase"}) == ["objection_open"]
    assert codes(game, "gm", {"do": "settle", "as": "stands"}) == []
    assert "confirm" not in offered(game, "blue")
    assert codes(game, "red", {"do": "gain", "cp": 1}) == []
    for by in ("red", "blue"):
        assert codes(game, by, {"do": "take_back"}) == []
    assert codes(game, "red", {"do": "end_phase"}) == []
    assert game.game.markers["1"].control == "red"


def test_figures_of_the_other_player_that_stand_are_those_that_count() -> None:
    game = table()
    assert codes(game, "red", report(2, 1)) == []
    assert codes(game, "blue", report(2, 3)) == []
    assert codes(game, "red", {"do": "object"}) == []
    assert codes(game, "gm", {"do": "settle", "as": "stands"}) == []
    assert codes(game, "red", {"do": "end_phase"}) == []
    assert game.game.markers["1"].control == "blue"


def test_a_ruling_is_taken_back_like_any_act() -> None:
    game = table()
    assert codes(game, "red", report(2, 1)) == []
    assert codes(game, "blue", {"do": "object"}) == []
    assert codes(game, "gm", {"do": "settle", "as": "stands"}) == []
    for by in ("red", "blue"):
        assert codes(game, by, {"do": "take_back"}) == []
    assert codes(game, "red", {"do": "end_phase"}) == ["report_missing"]


def test_an_older_report_that_stands_confirms_nothing() -> None:
    game = table()
    assert codes(game, "red", report(2, 1)) == []
    assert codes(game, "red", report(5, 1)) == []
    assert codes(game, "blue", {"do": "object", "act": 0}) == []
    assert codes(game, "gm", {"do": "settle", "as": "stands"}) == []
    assert codes(game, "red", {"do": "end_phase"}) == ["report_missing"]
