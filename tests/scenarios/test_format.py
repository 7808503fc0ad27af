"""The file format: what is written can be read, and everything wrong with a file is said at once."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.scenarios import library
from server.scenarios.library import home, load, load_folder, names
from server.scenarios.problems import MapError, Notebook, Unreadable
from server.scenarios.reader import read
from server.scenarios.scenario import Scenario
from server.scenarios.writer import save, to_data, to_text
from tests.scenarios.strategies import facts, scenarios

SCHEMA = jsonschema.Draft202012Validator(json.loads((home() / "scenario.schema.json").read_text(encoding="utf-8")))

SMALL: dict[str, Any] = {
    "format": 1,
    "title": "Small",
    "conditions": {"bp": 100},
    "starts": [
        {"name": "West", "centre": "0202", "radius": 1},
        {"name": "East", "hexes": ["0402", "0401"], "centre": "0402"},
    ],
    "seats": {"1": [2]},
    "places": {"0303": "Ford"},
    "roads": [["0101", "0201", "0301"]],
    "background": {"file": "a.png", "offset": [1, 2], "scale": [3, 4.5]},
    "terrain": {".": "plains", "~": "sea"},
    "board": [". . . . ~", " . . . . ~", ". . . . ~"],
}


def problems(**changes: Any) -> list[tuple[str, str, str]]:
    data = copy.deepcopy(SMALL) | changes
    with pytest.raises(MapError) as caught:
        read({key: value for key, value in data.items() if value is not ...}, "small")
    return [(problem.code, problem.where, problem.hex) for problem in caught.value.problems]


def start(**keys: Any) -> dict[str, Any]:
    return {"starts": [{"name": "a"} | keys], "seats": {}}


def test_a_small_file() -> None:
    scenario = read(copy.deepcopy(SMALL), "small")
    board = scenario.board
    assert (board.columns, board.rows, board.terrain[4]) == (5, 3, "sea")
    assert [board.label(each) for each in scenario.starts[0].area] == [
        "0201",
        "0301",
        "0102",
        "0202",
        "0302",
        "0203",
        "0303",
    ]
    assert [board.label(each) for each in scenario.starts[1].area] == ["0401", "0402"]
    assert [(board.label(a), board.label(b)) for a, b in scenario.roads] == [("0101", "0201"), ("0201", "0301")]
    assert (scenario.max_players, scenario.player_counts) == (2, (1, 2))
    assert scenario.starts_for(1)[0].name == "East"
    assert scenario.background is not None
    assert scenario.background.scale == (3.0, 4.5)


@given(scenarios())
def test_written_and_read_again(scenario: Scenario) -> None:
    text = to_text(scenario)
    again = read(json.loads(text), scenario.id)
    assert facts(again) == facts(scenario)
    assert to_text(again) == text
    SCHEMA.validate(json.loads(text))


def test_saved_and_loaded(tmp_path: Path) -> None:
    scenario = load("six-banners")
    save(scenario, tmp_path / "copy")
    again = load_folder(tmp_path / "copy")
    assert (again.id, again.folder) == ("copy", (tmp_path / "copy").resolve())
    assert facts(again) == facts(scenario)
    assert facts(load_folder(tmp_path / "copy" / "scenario.json")) == facts(scenario)


def test_all_problems_at_once_each_with_its_place() -> None:
    found = problems(
        title=" ",
        format=True,
        typo=1,
        conditions={"bp": -1, "urban": 1.0, "money": 1},
        places={"0303": "", "9999": "x"},
        roads=[["0101", "0301"], ["0101"]],
        seats={"2": [1, 2], "1": [3]},
        board=[". . . . ~", " . . ? . ~", ". . . . ~"],
        background={"file": "../a.png", "offset": [1], "scale": [0, 1], "opacity": 2},
    )
    assert found == [
        ("unknown_key", "typo", ""),
        ("bad_value", "format", ""),
        ("bad_value", "title", ""),
        ("unknown_key", "conditions.money", ""),
        ("bad_value", "conditions.bp", ""),
        ("bad_value", "conditions.urban", ""),
        ("bad_value", "background.file", ""),
        ("bad_value", "background.offset", ""),
        ("bad_value", "background.scale", ""),
        ("bad_value", "background.opacity", ""),
        ("bad_value", "places.0303", ""),
        ("bad_hex", "places.9999", ""),
        ("unknown_letter", "board[1]", "0302"),
        ("not_adjacent", "roads[0]", "0101"),
        ("bad_value", "roads[1]", ""),
        ("bad_value", "seats.2", ""),
        ("bad_value", "seats.1", ""),
    ]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"format": 2}, [("newer_format", "format", "")]),
        ({"format": ...}, [("missing_key", "format", "")]),
        ({"title": "a\nb"}, [("bad_value", "title", "")]),
        ({"title": "\u202e\ud800"}, [("bad_value", "title", "")]),
        ({"board": []}, [("bad_value", "board", "")]),
        ({"board": ...}, [("missing_key", "board", "")]),
        ({"board": [". .", ". . ."]}, [("bad_size", "board[1]", "")]),
        ({"board": ["", ""]}, [("bad_size", "board[0]", "")]),
        ({"board": [["."]]}, [("bad_value", "board[0]", "")]),
        ({"board": ["." * 501]}, [("bad_size", "board[0]", "")]),
        ({"board": ["."] * 501}, [("bad_value", "board", "")]),
        ({"terrain": {"..": "plains"}}, [("bad_value", "terrain...", "")]),
        ({"terrain": {}}, [("bad_value", "terrain", "")]),
        ({"briefing": [""]}, [("bad_value", "briefing[0]", "")]),
        ({"briefing": "text"}, [("bad_value", "briefing", "")]),
        ({"starts": ..., "seats": {}}, [("missing_key", "starts", "")]),
        (start(), [("bad_value", "starts[0]", "")]),
        (start(radius=1), [("missing_key", "starts[0].centre", "")]),
        (start(radius=31, centre="0101"), [("bad_value", "starts[0].radius", "")]),
        (start(hexes=["0101", "0101"]), [("duplicate", "starts[0].hexes", "0101")]),
        (start(hexes=["0609"]), [("bad_hex", "starts[0].hexes[0]", "")]),
        (start(hexes=[]), [("bad_value", "starts[0].hexes", "")]),
        ({"starts": {}, "seats": {}}, [("bad_value", "starts", "")]),
        ({"roads": [["0101", 7]]}, [("bad_hex", "roads[0][1]", ""), ("bad_value", "roads[0]", "")]),
        ({"background": {"file": "a.svg", "offset": [0, 0], "scale": [1, 1]}}, [("bad_value", "background.file", "")]),
    ],
)  # fmt: skip
def test_single_mistakes(changes: dict[str, Any], expected: list[tuple[str, str, str]]) -> None:
    assert problems(**changes) == expected


_JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)


@given(st.data())
def test_no_data_does_more_than_be_refused_and_the_schema_accepts_what_is_read(data: st.DataObject) -> None:
    changed = copy.deepcopy(SMALL)
    here: Any = changed
    for _ in range(data.draw(st.integers(0, 2))):
        key = data.draw(st.sampled_from(sorted(here) if isinstance(here, dict) else range(len(here))))
        if isinstance(here[key], (dict, list)) and here[key]:
            here = here[key]
    key = data.draw(st.sampled_from(sorted(here) if isinstance(here, dict) else range(len(here))))
    here[key] = data.draw(_JUNK)
    try:
        scenario = read(changed, "small")
    except MapError:
        return
    SCHEMA.validate(changed)
    assert facts(read(to_data(scenario), "small")) == facts(scenario)


def test_a_thousand_problems_are_not_listed() -> None:
    notes = Notebook()
    with pytest.raises(MapError):
        read({str(number): 1 for number in range(10_000)}, "many", notes)
    assert len(notes.problems) == 501
    assert notes.problems[-1].code == "more"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[" * 500_000, "nested too deeply"),
        (b'{"format": 1, "format": 1}', "comes twice"),
        (b'{"format": NaN}', "NaN is no number"),
        (b'{"format": ' + b"9" * 5_000 + b"}", "too long"),
        (b" " * 8_000_001, "larger than 8 MB"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b'{"format": 1,}', "line 1, column 14"),
        (b"", "line 1, column 1"),
    ],
)
def test_broken_and_hostile_files_are_refused(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "scenario.json").write_bytes(content)
    with pytest.raises(Unreadable, match=said):
        load_folder(tmp_path)


def test_what_is_not_there() -> None:
    with pytest.raises(Unreadable, match=r"there are: five-shores, four-corners, green-heart"):
        load("atlantis")
    with pytest.raises(Unreadable, match="no such file"):
        load_folder("/nowhere/at/all")
    with pytest.raises(Unreadable, match="no plain file"):
        library.read_bytes(home())
    with pytest.raises(MapError, match="no name"):
        read(copy.deepcopy(SMALL), "../../etc")


def test_shipped_maps_are_found_by_id() -> None:
    assert load(names()[0]) is load(names()[0])
