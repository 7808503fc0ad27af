"""Layouts, Wesnoth maps, tables and grids, mapping files, GeoJSON."""

from __future__ import annotations

import csv
import json
import math
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.rules.board import Board
from server.rulesets import load as load_ruleset
from server.scenarios import library
from server.scenarios.exchange import export_map, import_map
from server.scenarios.exchange.geojson import hex_centres
from server.scenarios.exchange.layout import LAYOUTS, Cell, Fit, Layout
from server.scenarios.exchange.mapping import Rules, read_rules, suggestion
from server.scenarios.exchange.raw import Imported
from server.scenarios.problems import MapError
from server.scenarios.scenario import Scenario
from tests.scenarios.strategies import boards, facts, scenarios

RULES = load_ruleset("wh40k-2001")


def read(folder: Path, name: str, text: str, rules: Rules | None = None) -> Imported:
    (folder / name).write_text(text, encoding="utf-8")
    return import_map(folder / name, RULES, rules)


def rows(imported: Imported) -> list[str]:
    board = imported.scenario.board
    short = "".join({"plains": ".", "sea": "~", "mountains": "^"}.get(name, name[0]) for name in board.terrain)
    return [short[at : at + board.columns] for at in range(0, board.size, board.columns)]


# --- layouts ---


def drawn(layout: Layout, cell: Cell) -> tuple[float, float]:
    """Return where a hex one wide lies on paper, y downwards."""
    column, row = cell
    shoved = 1 if layout.shoved == "odd" else 0
    if layout.axis == "rows":
        return column + 0.5 * (row % 2 == shoved), row * math.sqrt(3) / 2
    return column * math.sqrt(3) / 2, row + 0.5 * (column % 2 == shoved)


@given(st.sampled_from(sorted(LAYOUTS)), st.integers(1, 9), st.integers(1, 9), st.data())
def test_a_map_is_moved_or_turned_never_bent_or_mirrored(
    name: str, columns: int, rows_: int, data: st.DataObject
) -> None:
    layout = LAYOUTS[name]
    fit = Fit(columns, rows_, layout)
    cells = [(column, row) for row in range(rows_) for column in range(columns)]
    placed = [fit.place(cell) for cell in cells]
    assert len({*placed}) == len(cells)
    assert all(0 <= column < fit.size[0] and 0 <= row < fit.size[1] for column, row in placed)
    a, b, c = (data.draw(st.sampled_from(cells)) for _ in range(3))
    there, here = drawn(layout, a), drawn(LAYOUTS["odd-r"], fit.place(a))
    for other in (b, c):
        before, after = drawn(layout, other), drawn(LAYOUTS["odd-r"], fit.place(other))
        dx, dy = before[0] - there[0], before[1] - there[1]
        expected = (dy, -dx) if fit.turned else (dx, dy)
        assert after[0] - here[0] == pytest.approx(expected[0], abs=1e-9)
        assert after[1] - here[1] == pytest.approx(expected[1], abs=1e-9)


@given(st.sampled_from(sorted(LAYOUTS)), st.integers(-5, 5), st.integers(-5, 5))
def test_neighbours_of_every_layout(name: str, column: int, row: int) -> None:
    layout = LAYOUTS[name]
    around = layout.around((column, row))
    assert len(around) == 6
    x, y = drawn(layout, (column, row))
    for each in around:
        ex, ey = drawn(layout, each)
        assert math.hypot(ex - x, ey - y) == pytest.approx(1)
        assert layout.distance((column, row), each) == 1


# --- Wesnoth ---

WESNOTH = """Xv, Xv, Xv, Xv, Xv
Xv, Gg, 1 Kh, Gg^Fp, Xv
Xv, Ww, Hh^Fp, Mm, Xv
Xv, Ss, keep2 Gg^Vh, 2 Ke, Xv
Xv, Xv, Xv, Xv, Xv
"""


def test_a_wesnoth_map_without_its_border_turned_to_the_left(tmp_path: Path) -> None:
    imported = read(tmp_path, "Two Hills.map", WESNOTH, Rules(radius=1))
    assert rows(imported) == ["f^.", ".f.", ".~s"]
    scenario = imported.scenario
    assert (scenario.id, scenario.title) == ("two-hills", "Two Hills")
    board = scenario.board
    assert [(start.name, board.label(start.centre)) for start in scenario.starts] == [
        ("Side 1", "0102"),
        ("Side 2", "0301"),
    ]
    assert board.names == ((board.find("0302"), "keep2"),)
    assert [problem.code for problem in imported.problems] == ["left_out", "turned"]
    assert "0101" in [board.label(each) for each in scenario.starts[0].area]


def test_even_columns_lie_lower_in_wesnoth(tmp_path: Path) -> None:
    """Counted from 1: the hex right of and above a hex of the first column is no neighbour of the one below it."""
    scenario = read(tmp_path, "a.map", WESNOTH).scenario
    board = scenario.board

    def hex_of(column: int, row: int) -> int:
        placed = Fit(3, 3, LAYOUTS["odd-q"]).place((column - 1, row - 1))
        return placed[1] * board.columns + placed[0]

    assert board.distance(hex_of(1, 2), hex_of(2, 1)) == 1
    assert board.distance(hex_of(1, 2), hex_of(2, 2)) == 1
    assert board.distance(hex_of(1, 2), hex_of(2, 3)) == 2
    assert board.distance(hex_of(2, 2), hex_of(3, 2)) == 1
    assert board.distance(hex_of(2, 2), hex_of(3, 3)) == 1


@pytest.mark.parametrize("border", [0, 1])
def test_wesnoth_headers(tmp_path: Path, border: int) -> None:
    text = f"border_size={border}\nusage=map\n\n" + "Gg , Gg , Gg \n" * 3
    assert rows(read(tmp_path, "a.map", text)) == (["."] if border else ["...", "...", "..."])


@pytest.mark.parametrize("side", [3, 12, 60, 200])
def test_wesnoth_maps_of_several_sizes(tmp_path: Path, side: int) -> None:
    codes = ("Gg", "Ww", "Hh", "Mm", "Ss", "Gs^Fp", "Gg^Ftr", "Wwf", "Re", "Uu", "Qlf", "Ai", "Ww^Bw|", "Mm^Xm")
    lines = [", ".join(codes[(x * 5 + y * 3) % len(codes)] for x in range(side + 2)) for y in range(side + 1)]
    imported = read(tmp_path, "a.map", "\n".join(lines))
    board = imported.scenario.board
    assert {board.columns, board.rows - imported_added(imported)} == {side, side - 1}
    assert imported.unknown == ()


def imported_added(imported: Imported) -> int:
    return sum(problem.code == "moved" for problem in imported.problems)


def test_unknown_wesnoth_codes_are_listed(tmp_path: Path) -> None:
    text = WESNOTH.replace("Ww", "Zz").replace("Gg^Fp", "Yy^Zp")
    imported = read(tmp_path, "a.map", text)
    assert {each[0] for each in imported.unknown} == {"Zz", "Yy^Zp"}
    ours = read(tmp_path, "a.map", text, Rules({"Zz": "sea", "^Zp": "forest"}))
    assert rows(ours) == ["f^.", ".f.", ".~s"]


# --- tables and grids ---


@pytest.mark.parametrize(
    "text",
    [
        ".f^\n~.s\n",
        ". f ^\n ~ . s\n",
        "plains forest mountains\nsea plains swamp\n",
        "plains,forest,mountains\nsea,plains,swamp\n",
        "Plains;WOODS;peak\nocean;grass;bog\n",
        "plains\tforest\tmountains\nsea\tplains\tswamp\n",
        '"plains","forest","mountains"\r\n"sea","plains","swamp"\r\n',
        "\ufeff.f^\n~.s\n",
    ],
)
def test_grids_as_people_write_them(tmp_path: Path, text: str) -> None:
    assert rows(read(tmp_path, "a.txt", text)) == [".f^", "~.s"]


@pytest.mark.parametrize(
    ("layout", "expected"),
    [
        ("odd-r", [".f^", "~.s"]),
        ("even-r", ["~~~", ".f^", "~.s"]),
        ("odd-q", ["^s", "f.", ".~"]),
        ("even-q", ["~~", "^s", "f.", ".~"]),
    ],
)
def test_grids_of_other_layouts(tmp_path: Path, layout: str, expected: list[str]) -> None:
    assert rows(read(tmp_path, "a.txt", ".f^\n~.s\n", Rules(layout=layout))) == expected


def test_empty_cells_are_outside(tmp_path: Path) -> None:
    imported = read(tmp_path, "a.csv", "plains,,plains\nplains,plains,\n", Rules(outside="mountains"))
    assert rows(imported) == [".^.", "..^"]
    assert imported.problems[0].message == "2 hexes that the other map does not have were made mountains"


def exported(folder: Path, scenario: Scenario) -> Imported:
    (folder / "map.csv").write_bytes(export_map(scenario, RULES, "csv")[".csv"])
    return import_map(folder / "map.csv", RULES)


def geography(scenario: Scenario) -> dict[str, object]:
    """Return what a table holds of a scenario."""
    starts = [(start.name, start.centre, start.area) for start in scenario.starts]
    return {"starts": starts} | {key: value for key, value in facts(scenario).items() if key in ("board", "roads")}


@given(scenarios())
@settings(max_examples=60)
def test_tables_come_back_the_same(tmp_path_factory: pytest.TempPathFactory, scenario: Scenario) -> None:
    again = exported(tmp_path_factory.mktemp("table"), scenario).scenario
    assert geography(again) == geography(scenario)


@pytest.mark.parametrize("name", library.names())
def test_tables_of_shipped_scenarios(tmp_path: Path, name: str) -> None:
    imported = exported(tmp_path, library.load(name))
    assert imported.problems == ()
    assert geography(imported.scenario) == geography(library.load(name))


def test_names_are_no_formulas(tmp_path: Path) -> None:
    names = ("=1+1", "@x", "'quoted", "-", "plain")
    board = Board(5, 1, ("plains",) * 5, tuple(enumerate(names)))
    files = export_map(Scenario("a", "A", board, ()), RULES, "csv")
    cells = [row[5] for row in csv.reader(files[".csv"].decode().splitlines())][1:]
    assert not any(cell[0] in "=+-@" for cell in cells)
    (tmp_path / "a.csv").write_bytes(files[".csv"])
    assert tuple(name for _, name in import_map(tmp_path / "a.csv", RULES).scenario.board.names) == names


def test_the_order_of_lines_does_not_matter(tmp_path: Path) -> None:
    text = "terrain;HEX;seat\nsea;0201;\nforest;0102;1\nplains;0101;1\nhills;0202;\n"
    imported = read(tmp_path, "a.csv", text)
    assert rows(imported) == [".~", "fh"]
    assert imported.scenario.starts[0].area == (0, 2)


# --- mapping files ---


def test_a_mapping_file(tmp_path: Path) -> None:
    file = tmp_path / "terrains.toml"
    file.write_text(
        '[terrain]\nx = "forest"\n"ice*" = "sea"\n[options]\nunknown = "hills"\nlayout = "even-q"\nradius = 2\n'
    )
    rules = read_rules(file)
    assert rules == Rules({"x": "forest", "ice*": "sea"}, "hills", layout="even-q", radius=2)
    assert rows(read(tmp_path, "a.csv", "x,icefield,lava\n", rules)) == ["~", "h", "~", "f"]


def test_the_longest_beginning_goes_first(tmp_path: Path) -> None:
    rules = Rules({"g*": "plains", "gf*": "forest", "gfx": "swamp", "*": "sea"})
    assert rows(read(tmp_path, "a.csv", "ga,gfa,gfx,z\n", rules)) == [".fs~"]


def test_everything_wrong_with_a_mapping_file_at_once(tmp_path: Path) -> None:
    file = tmp_path / "terrains.toml"
    file.write_text('typo = 1\n[terrain]\nx = 1\n[options]\nlayout = "square"\nradius = 99\nunknown = 3\n')
    with pytest.raises(MapError) as caught:
        read_rules(file)
    assert {problem.where for problem in caught.value.problems} == {
        "typo",
        "terrain.x",
        "options.layout",
        "options.radius",
        "options.unknown",
    }
    file.write_text("[terrain")
    with pytest.raises(MapError, match="no mapping file"):
        read_rules(file)
    file.write_text("a = " + "[" * 100_000)
    with pytest.raises(MapError):
        read_rules(file)


def test_the_suggestion_can_be_read_as_a_mapping_file(tmp_path: Path) -> None:
    file = tmp_path / "terrains.toml"
    file.write_text(suggestion(['a "b"', "c\\d", "plain"]).replace('= ""', '= "hills"'))
    assert read_rules(file).terrain == {'a "b"': "hills", "c\\d": "hills", "plain": "hills"}


# --- GeoJSON ---


@given(boards())
@settings(max_examples=30)
def test_centres_lie_as_the_hexes_do(board: Board) -> None:
    centres = hex_centres(board)
    for a in range(board.size):
        column, row = a % board.columns, a // board.columns
        assert centres[a][0] - centres[0][0] == pytest.approx(column + 0.5 * (row & 1))
        assert centres[0][1] - centres[a][1] == pytest.approx(row * math.sqrt(3) / 2)


@pytest.mark.parametrize("name", ["the-pass", "green-heart"])
def test_geojson(name: str) -> None:
    scenario = library.load(name)
    data = json.loads(export_map(scenario, RULES, "geojson")[".geojson"])
    assert data["type"] == "FeatureCollection"
    kinds = [each["properties"]["kind"] for each in data["features"]]
    assert kinds.count("hex") == scenario.board.size
    assert kinds.count("start") == scenario.max_players
    assert kinds.count("place") == len(scenario.board.names)
    assert kinds.count("road") == (1 if scenario.roads else 0)
    corners: dict[tuple[float, float], int] = {}
    for feature in data["features"][: scenario.board.size]:
        place = scenario.board.find(feature["properties"]["hex"])
        assert place is not None
        assert feature["properties"]["terrain"] == scenario.board.terrain[place]
        ring = feature["geometry"]["coordinates"][0]
        assert ring[0] == ring[-1]
        assert len(ring) == 7
        assert area(ring) == pytest.approx(math.sqrt(3) / 2, abs=1e-4)
        for x, y in ring[:-1]:
            corners[round(x, 3), round(y, 3)] = corners.get((round(x, 3), round(y, 3)), 0) + 1
    assert max(corners.values()) == 3


def area(ring: list[list[float]]) -> float:
    """Return the area of a ring, positive when it runs anticlockwise."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise(ring)) / 2
