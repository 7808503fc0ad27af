"""``sealed-orders table``: a game in the terminal, saved after each act, gone on with later."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from server.cli import main
from server.commands.table_screen import Unclear, act_of, understand
from server.referee.choices import BOOLEAN, Option, integer, one_of, point, points, some_of, text

OPTIONS = [
    Option("raze", "red", {"marker": one_of(["3", "4"]), "enemy_near": BOOLEAN}),
    Option("move", "blue", {"marker": one_of(["a1", "a2"]), "to": point()}),
    Option("recover", "red", {"marker": one_of(["3"])}),
    Option("control", "red", {"markers.1.oc.red": integer(0, 99), "markers.1.oc.blue": integer(0, 99).optional()}),
    Option("formations", "red", {"reserves": some_of(["r1", "r2"]).optional(), "name": text().optional()}),
    Option("place_markers", "blue", {"decoys": points((), 0, 2)}),
]


@pytest.mark.parametrize(
    ("line", "do", "fields"),
    [
        ("1", "raze", {}),
        ("raze 4 no", "raze", {"marker": "4", "enemy_near": False}),
        ("RAZE enemy_near=yes 3", "raze", {"marker": "3", "enemy_near": True}),
        ("blue: move a1 to=30,12.5", "move", {"marker": "a1", "to": [30.0, 12.5]}),
        ("mo a2 (1;2)", "move", {"marker": "a2", "to": [1.0, 2.0]}),
        ("control 5 0", "control", {"markers.1.oc.red": 5, "markers.1.oc.blue": 0}),
        ("form r1,r2", "formations", {"reserves": ["r1", "r2"]}),
        ('form r1 "the old guard"', "formations", {"reserves": ["r1"], "name": "the old guard"}),
        ("place 1,2/3,4", "place_markers", {"decoys": [[1.0, 2.0], [3.0, 4.0]]}),
    ],
)
def test_lines_are_understood(line: str, do: str, fields: dict[str, object]) -> None:
    typed = understand(line, OPTIONS)
    assert (typed.option.do, typed.fields) == (do, fields)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", "Type a number"),
        ("r 3", "may be raze or recover"),
        ("fly", "Nothing of that name"),
        ("99", "1 to 6"),
        ("raze 7", "3, 4, not 7"),
        ("raze 3 maybe", "yes or no"),
        ("control many", "a whole number"),
        ("control 100", "0 to 99"),
        ("move a1 here", "a place such as"),
        ("recover 3 4", "no further value"),
        ('raze "3', "quotation mark"),
    ],
)
def test_what_is_unclear_is_said(line: str, says: str) -> None:
    with pytest.raises(Unclear, match=says):
        understand(line, OPTIONS)


@given(st.text(max_size=60))
def test_no_line_is_an_exception(line: str) -> None:
    with suppress(Unclear):
        understand(line, OPTIONS)


def test_units_are_called_by_their_names() -> None:
    """A name may be typed instead of its id, or its beginning where only one begins so; lists show both."""
    names = {"r1": "Ash Wardens I", "r2": "Ash Wardens II", "b1": "Ash"}
    option = Option("lost", "red", {"unit": one_of(["r1", "r2"])})
    assert understand('lost "ash wardens i"', [option], names).fields == {"unit": "r1"}
    assert understand("lost r2", [option], names).fields == {"unit": "r2"}
    with pytest.raises(Unclear, match="r1 Ash Wardens I, r2 Ash Wardens II, not ash"):
        understand("lost ash", [option], names)


def test_the_terminal_says_whose_tap_is_awaited_in_the_words_of_the_phones(tmp_path: Path) -> None:
    _, screen = run(tmp_path / "game.json", ["quit"], "--mission", "scorched_earth")
    assert "Waiting for both: Declare your army" in screen
    assert "r1 Captain Orlen" in screen


def test_names_with_dots_are_nested_tables_also_empty_ones() -> None:
    option = OPTIONS[3]
    assert act_of(option, {"markers.1.oc.red": 5}) == {"do": "control", "markers": {"1": {"oc": {"red": 5}}}}
    assert act_of(option, {}) == {"do": "control", "markers": {"1": {"oc": {}}}}


def run(path: Path, lines: list[str], *args: str) -> tuple[int, str]:
    """Play with these lines typed; return how it ends and what stands on the screen."""
    result = CliRunner().invoke(main, ["table", str(path), *args], input="\n".join(lines) + "\n")
    return result.exit_code, result.output


def test_a_game_is_saved_after_each_act_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    code, screen = run(path, ["red declare units=r1,r2 enhancement=default"], "--mission", "scorched_earth")
    assert code == 0, screen
    saved = json.loads(path.read_text())
    assert [act["do"] for act in saved["acts"]] == ["declare"]
    code, screen = run(path, ["nonsense", "blue declare units=b1,b2 enhancement=optional", "state", "look red", "", ""])
    assert code == 0
    assert "Nothing of that name" in screen
    assert [act["by"] for act in json.loads(path.read_text())["acts"]] == ["red", "blue"]


def test_a_refused_act_is_explained_and_not_saved(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    _, screen = run(path, ["red declare units=r2 enhancement=default"], "--mission", "scorched_earth")
    assert "Refused, not_allowed" in screen
    assert json.loads(path.read_text())["acts"] == []


@pytest.mark.parametrize(
    "content", ["", "[]", '{"format": 1}', '{"format": 1, "acts": [], "secret": "zz"}', "[" * 9999]
)
def test_a_damaged_file_is_named(tmp_path: Path, content: str) -> None:
    path = tmp_path / "game.json"
    path.write_text(content, encoding="utf-8")
    code, screen = run(path, [])
    assert code == 2
    assert "game.json" in screen


def test_a_new_game_needs_a_mission(tmp_path: Path) -> None:
    code, screen = run(tmp_path / "game.json", [])
    assert code == 2
    assert "--mission" in screen
    code, screen = run(tmp_path / "game.json", [], "--mission", "scorched_heart")
    assert code == 2
    assert "There is no mission scorched_heart; there are:" in screen
    assert "scorched_earth" in screen
