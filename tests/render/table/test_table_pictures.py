"""Pictures and sheets of table games: all that a viewer may know is in them, text is escaped, bytes are the same."""

from __future__ import annotations

import dataclasses
import re
import xml.etree.ElementTree as ET

import pytest

from server import missions
from server.core.dice import SeededDice
from server.referee.beginning import read_beginning
from server.referee.fold import begin
from server.referee.view import view_for
from server.render.png import to_png
from server.render.table.drawing import (
    BLUE,
    RED,
    Drawing,
    JumpOff,
    Objective,
    PatrolMarker,
    Piece,
    Token,
    Zone,
    game_drawing,
    mission_drawing,
)
from server.render.table.sheet import mission_sheet, to_html
from server.render.table.sheet_pdf import to_pdf
from server.render.table.svg import draw
from server.render.translations import Translations

MISSIONS = list(missions.library())
DRAWING = Drawing(
    title="A <table> & more",
    width=44_000,
    height=30_000,
    edges=(("south", "South"), ("west", "West")),
    zones=(Zone("Attacker", "attacker", (((0, 0), (10_000, 0), (10_000, 30_000), (0, 30_000)),)),),
    terrain=(Piece("wood", ((0, 0), (4000, 0), (0, 4000))), Piece("hedge", ((5000, 5000), (9000, 5000)), area=False)),
    objectives=(Objective("1", (22_000, 15_000), RED, secured=True), Objective("<4>", (6000, 15_000), used=True)),
    tokens=(Token("r1", RED, (8000, 8000)), Token("secret", BLUE, (30_000, 9000), concealed=True)),
    patrol=(PatrolMarker("a1", RED, (20_000, 12_000), True), PatrolMarker("a2", RED, (28_000, 12_000), False)),
    jump_offs=(JumpOff("j1", BLUE, (36_000, 25_000)),),
    templates=(((12_000, 20_000), 5000),),
)


def texts(svg: str) -> list[str]:
    """Return the words in a picture."""
    return [element.text or "" for element in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("grey", [False, True])
def test_everything_is_drawn_and_escaped(grey: bool) -> None:
    svg = draw(DRAWING, grey=grey)
    words = texts(svg)
    for expected in ("1", "<4>", "r1", "?", "2", "South", "West", "Attacker", "42"):
        assert expected in words, expected
    assert "secret" not in words
    assert ET.fromstring(svg)[0].text == DRAWING.title
    assert to_png(svg, width=300)[:4] == b"\x89PNG"


def test_markers_of_one_side_are_linked_up_to_twelve_inches() -> None:
    """Seen to fail with the distance tested as more than 12 inches."""
    near = draw(DRAWING).count('stroke-width="3" stroke-opacity="0.7"')
    apart = dataclasses.replace(DRAWING, patrol=(DRAWING.patrol[0], PatrolMarker("a2", RED, (32_002, 12_000), False)))
    assert (near, draw(apart).count('stroke-width="3" stroke-opacity="0.7"')) == (1, 0)


def test_a_drawing_for_print_has_no_colour() -> None:
    for red, green, blue in re.findall(r"#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})", draw(DRAWING, grey=True)):
        shades = [int(part, 16) for part in (red, green, blue)]
        assert max(shades) - min(shades) < 12, (red, green, blue)


@pytest.mark.parametrize("id_", MISSIONS)
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_mission_has_a_map_and_a_sheet(id_: str, language: str) -> None:
    mission = missions.load(id_)
    words = texts(draw(mission_drawing(mission, Translations(language))))
    assert all(marker.id in words for marker in mission.markers if marker.at is not None)
    assert not [word for word in words if word.startswith("table.")]
    sample = missions.sample(mission)["players"]
    sheet = mission_sheet(mission, {"attacker": sample["red"], "defender": sample["blue"]}, language)
    page = to_html(sheet)
    assert mission.name.to(language) in page.replace("&#x27;", "'")
    assert sample["red"]["units"][0]["name"] in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    assert sheet.rules, "the mission file has no summary"


def test_a_sheet_is_a_pdf_of_two_pages_and_the_same_bytes_again() -> None:
    """The two sides of a sheet of paper, also for the longest mission with its armies in the longer language."""
    pdf = to_pdf(mission_sheet(missions.load("clash_of_patrols"), {}, "en"))
    assert pdf[:5] == b"%PDF-"
    assert pdf == to_pdf(mission_sheet(missions.load("clash_of_patrols"), {}, "en"))
    mission = missions.load("normal_battle")
    armies = missions.sample(mission)["players"]
    long = to_pdf(mission_sheet(mission, {"attacker": armies["red"], "defender": armies["blue"]}, "de"))
    assert [each.count(b"/Type /Page\n") for each in (pdf, long)] == [2, 2]


@pytest.mark.parametrize("id_", MISSIONS)
def test_a_game_is_drawn_for_both_sides_and_strangers(id_: str) -> None:
    mission = missions.load(id_)
    problems: list[object] = []
    beginning = read_beginning(missions.sample(mission), missions.library(), problems)  # type: ignore[arg-type]
    assert beginning is not None, problems
    table = begin(beginning, SeededDice(b"seed"))
    for player in ("red", "blue", ""):
        drawing = game_drawing(mission, view_for(table.game, player), Translations("en"), beginning.pieces)
        assert ET.fromstring(draw(drawing)) is not None


def test_in_a_campaigns_battle_both_keep_the_colours_of_their_seats() -> None:
    """Shapes stay: a square attacks, a circle defends."""
    seats = dataclasses.replace(DRAWING, colours={RED: "#c98a00", BLUE: "#4a2a6e"})
    svg = draw(seats)
    assert "#c98a00" in svg
    assert "#4a2a6e" in svg
    assert "#b3261e" not in svg
    assert "#2a6fc0" not in svg
