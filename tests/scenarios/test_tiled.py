"""Tiled: every layer encoding, every stagger setting, objects, and our own export read back."""

from __future__ import annotations

import struct
import xml.etree.ElementTree as etree
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings

from server.rulesets import load as load_ruleset
from server.scenarios import library
from server.scenarios.exchange import export_map, import_map
from server.scenarios.exchange.mapping import Rules
from server.scenarios.exchange.raw import Imported
from server.scenarios.problems import Unreadable
from server.scenarios.scenario import Scenario
from tests.scenarios.strategies import facts, scenarios
from tests.scenarios.tmx import ENCODINGS, TILESET, pack, tmx

RULES = load_ruleset("wh40k-2001")


def read(folder: Path, data: bytes, rules: Rules | None = None) -> Imported:
    (folder / "map.tmx").write_bytes(data)
    return import_map(folder / "map.tmx", RULES, rules)


def rows(imported: Imported) -> list[str]:
    board = imported.scenario.board
    short = "".join("." if name == "plains" else name[0] for name in board.terrain)
    return [short[at : at + board.columns] for at in range(0, board.size, board.columns)]


def codes(imported: Imported) -> list[str]:
    return [problem.code for problem in imported.problems]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_layer_encoding(tmp_path: Path, encoding: str) -> None:
    imported = read(tmp_path, tmx(pack([1, 2, 3, 4, 1, 2], encoding, 3)))
    assert rows(imported) == [".fm", "s.f"]
    assert codes(imported) == ["no_starts"]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_large_layers(tmp_path: Path, encoding: str) -> None:
    gids = [1 + (n * 7919) % 4 for n in range(120 * 101)]
    board = read(tmp_path, tmx(pack(gids, encoding, 120), 120, 101)).scenario.board
    assert (board.columns, board.rows, board.labels[0]) == (120, 101, "001001")
    assert board.terrain == tuple(("plains", "forest", "mountains", "swamp")[gid - 1] for gid in gids)


@pytest.mark.parametrize(
    ("axis", "index", "columns", "rows_", "expected"),
    [
        ("y", "odd", 3, 2, [".fm", "s.f"]),
        ("y", "even", 3, 2, ["sss", ".fm", "s.f"]),
        ("x", "odd", 3, 2, ["mf", "f.", ".s"]),
        ("x", "even", 3, 2, ["ss", "mf", "f.", ".s"]),
        ("x", "odd", 2, 3, ["sss", "fs f".replace(" ", ""), ".m."]),
        ("x", "even", 2, 3, ["fsf", ".m."]),
    ],
)
def test_every_stagger_setting(
    tmp_path: Path, axis: str, index: str, columns: int, rows_: int, expected: list[str]
) -> None:
    """Rows shoved the wrong way come down one row (the new one is sea), columns are turned to the left."""
    imported = read(tmp_path, tmx(pack([1, 2, 3, 4, 1, 2], "csv", columns), columns, rows_, axis=axis, index=index))
    assert rows(imported) == expected
    assert ("turned" in codes(imported)) is (axis == "x")
    assert ("filled" in codes(imported)) is (len(expected) > (rows_ if axis == "y" else columns))


def test_turned_and_mirrored_tiles_are_the_same_terrain(tmp_path: Path) -> None:
    gids = [1 | 0x80000000, 2 | 0x40000000, 3 | 0x20000000, 4 | 0x10000000, 1 | 0xF0000000, 2]
    assert rows(read(tmp_path, tmx(pack(gids, "zlib", 3)))) == [".fm", "s.f"]


def test_the_uppermost_tile_that_is_understood_counts(tmp_path: Path) -> None:
    above = ' <layer id="2" name="Above" width="3" height="2"><data encoding="csv">0,3,9,0,0,0</data></layer>\n'
    hidden = above.replace('name="Above"', 'name="Hidden" visible="0"').replace("0,3,9", "4,4,4")
    image = ' <imagelayer id="3" name="Photo"><image source="/etc/passwd"/></imagelayer>\n'
    imported = read(tmp_path, tmx(pack([1] * 6, "csv", 3), extra=above + hidden + image))
    assert rows(imported) == [".m.", "..."]
    assert imported.unknown == (("land:8", 1, "0301"),)
    assert codes(imported) == ["left_out", "left_out", "not_understood", "no_starts"]
    only = read(tmp_path, tmx(pack([1] * 6, "csv", 3), extra=above), Rules(layer="Ground"))
    assert rows(only) == ["...", "..."]
    with pytest.raises(Unreadable, match=r"no visible tile layer 'Sea'; it has Ground, Above"):
        read(tmp_path, tmx(pack([1] * 6, "csv", 3), extra=above), Rules(layer="Sea"))


def test_groups_and_old_maps_without_the_newer_attributes(tmp_path: Path) -> None:
    old = tmx(pack([1, 2, 3, 4, 1, 2], "csv", 3), more="").decode()
    for attribute in (' tiledversion="1.11.0"', ' renderorder="right-down"', ' nextlayerid="2"', ' nextobjectid="1"'):
        old = old.replace(attribute, "")
    old = (
        old.replace(' tilecount="4" columns="2"', "")
        .replace("<layer", '<group name="g"><layer')
        .replace("</layer>", "</layer></group>")
    )
    assert rows(read(tmp_path, old.encode())) == [".fm", "s.f"]


def test_infinite_maps(tmp_path: Path) -> None:
    chunks = (
        '<data encoding="csv"><chunk x="-2" y="3" width="2" height="1">1,2</chunk>'
        '<chunk x="0" y="3" width="2" height="2">3,4,1,1</chunk></data>'
    )
    imported = read(tmp_path, tmx(chunks, 30, 20, more='infinite="1"'))
    assert rows(imported) == ["ssss", ".fms", "ss.."]


def test_the_mapping_file_names_what_is_not_known(tmp_path: Path) -> None:
    data = tmx(pack([1, 2, 3, 4, 5, 6], "csv", 3), tileset=TILESET.replace('"4" columns', '"9" columns'))
    imported = read(tmp_path, data)
    assert imported.unknown == (("land:4", 1, "0202"), ("land:5", 1, "0302"))
    assert [problem.severity for problem in imported.problems] == ["error", "error", "warning"]
    rules = Rules({"land:4": "jungle", "6": "hills", "plains": "sea"})
    assert rows(read(tmp_path, data, rules)) == ["sfm", "sjh"]
    assert rows(read(tmp_path, data, Rules(unknown="hills", terrain={"land:*": "jungle"}))) == ["jjj", "jjj"]
    guessed = read(tmp_path, data, Rules(unknown="hills"))
    assert rows(guessed) == [".fm", "shh"]
    assert codes(guessed)[:2] == ["not_understood", "not_understood"]
    assert {problem.severity for problem in guessed.problems} == {"warning"}
    assert "unknown_terrain" in codes(read(tmp_path, data, Rules({"land:4": "lava"})))


def test_objects_become_starts_places_and_roads(tmp_path: Path) -> None:
    objects = """ <objectgroup id="2" name="things">
  <object id="1" name="Ford" x="28" y="32"><point/></object>
  <object id="2" name="Red" type="start" x="84" y="32"/>
  <object id="3" type="road" x="28" y="32"><polyline points="0,0 112,0"/></object>
  <object id="4" name="Far" x="9000" y="32"/>
  <object id="5" x="28" y="32"/>
  <object id="6" name="Sky road" type="road" x="28" y="32"><polyline points="0,0 9000,0"/></object>
 </objectgroup>
"""
    imported = read(tmp_path, tmx(pack([1] * 6, "csv", 3), extra=objects), Rules(radius=1))
    scenario = imported.scenario
    assert scenario.board.names == ((0, "Ford"),)
    assert [(start.name, start.centre, start.area) for start in scenario.starts] == [("Red", 1, (0, 1, 2, 3, 4))]
    assert scenario.roads == ((0, 1), (1, 2))
    assert codes(imported) == ["left_out", "left_out", "left_out"]


@pytest.mark.parametrize("axis", ["x", "y"])
@pytest.mark.parametrize("index", ["odd", "even"])
def test_places_lie_in_their_hexes_in_every_layout(tmp_path: Path, axis: str, index: str) -> None:
    """A place in the middle of the only forest must come to lie in the forest."""
    for cell in range(12):
        column, row = cell % 4, cell // 4
        shoved = (row if axis == "y" else column) % 2 == (index == "odd")
        x = column * 56 + shoved * 28 + 28 if axis == "y" else column * 44 + 28
        y = row * 48 + 32 if axis == "y" else row * 64 + shoved * 32 + 32
        group = (
            f'<objectgroup id="2" name="p"><object id="1" name="Here" x="{x}" y="{y}"><point/></object></objectgroup>'
        )
        gids = [2 if n == cell else 1 for n in range(12)]
        scenario = read(tmp_path, tmx(pack(gids, "csv", 4), 4, 3, axis=axis, index=index, extra=group)).scenario
        assert scenario.board.terrain[scenario.board.names[0][0]] == "forest"


def exported(folder: Path, scenario: Scenario) -> Imported:
    for end, data in export_map(scenario, RULES, "tiled").items():
        (folder / f"map{end}").write_bytes(data)
    return import_map(folder / "map.tmx", RULES)


@pytest.mark.parametrize("name", library.names())
def test_shipped_scenarios_come_back_the_same(tmp_path: Path, name: str) -> None:
    imported = exported(tmp_path, library.load(name))
    assert imported.problems == ()
    assert facts(imported.scenario) == facts(library.load(name))


@given(scenarios())
@settings(max_examples=40)
def test_every_scenario_comes_back_the_same(tmp_path_factory: pytest.TempPathFactory, scenario: Scenario) -> None:
    imported = exported(tmp_path_factory.mktemp("tiled"), scenario)
    assert facts(imported.scenario) == facts(scenario)


def test_the_export_is_as_tiled_wants_it() -> None:
    files = export_map(library.load("the-pass"), RULES, "tiled")
    root = etree.fromstring(files[".tmx"])
    assert {key: root.get(key) for key in ("orientation", "staggeraxis", "staggerindex", "width", "height")} == {
        "orientation": "hexagonal",
        "staggeraxis": "y",
        "staggerindex": "odd",
        "width": "13",
        "height": "12",
    }
    ids = [each.get("id") for each in root.iter("object")]
    assert len(ids) == len({*ids})
    assert int(root.get("nextobjectid", "0")) > len(ids)
    image = root.find("tileset/image")
    assert image is not None
    assert image.get("source") == "the-pass-tiles.png"
    width, height = struct.unpack(">II", files["-tiles.png"][16:24])
    assert (str(width), str(height)) == (image.get("width"), image.get("height"))
    start = files["-tiles.png"].index(b"IDAT") + 4
    length = int.from_bytes(files["-tiles.png"][start - 8 : start - 4])
    assert len(zlib.decompress(files["-tiles.png"][start : start + length])) == height * (1 + 4 * width)
