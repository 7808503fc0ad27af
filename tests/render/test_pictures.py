"""Pictures: well-formed, complete, and free of what their viewer may not know."""

from __future__ import annotations

import re
import struct
from dataclasses import replace
from itertools import combinations
from xml.etree import ElementTree

import pytest

from server.core.hexes import distance, from_offset
from server.render import svg
from server.render.geometry import Layout, lattice
from server.render.png import to_png
from server.render.svg import Options, draw
from server.render.things import PLACES
from server.rules.board import Board
from server.rules.sight import SPECTATOR, View, view_for
from server.rules.state import Player, Settings, State
from server.rulesets import load
from server.tournament.exhibition import Step, play, write_page

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def steps() -> list[Step]:
    return list(play("four-corners", "frontier", 3, 1))


def classes(svg: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for element in ElementTree.fromstring(svg).iter():
        for name in element.get("class", "").split():
            found[name] = found.get(name, 0) + 1
    return found


def test_every_picture_of_a_campaign_is_well_formed(steps: list[Step]) -> None:
    for step in steps:
        for viewer in (*step.view.state.players, SPECTATOR):
            svg = draw(view_for(step.view.state, step.view.events, viewer))
            assert ElementTree.fromstring(svg).tag == f"{SVG}svg"


def test_a_picture_shows_land_control_fog_and_counters(steps: list[Step]) -> None:
    state = steps[2].view.state
    mine = view_for(state, (), "ada")
    found = classes(draw(mine))
    assert found["terrain"] == 2 * len(set(state.board.terrain))  # once in sight, once in fog
    assert found["control"] == found["border"] == len(state.players)
    assert found["fog"] == 1
    assert "fog" not in classes(draw(steps[2].view))  # the game master sees everything
    seen = [
        detachment for detachment in mine.state.detachments.values() if not detachment.ready_in and detachment.at >= 0
    ]
    svg = draw(mine)
    assert all(f"{mine.state.ready_points(each)} points" in svg for each in seen)
    assert svg.count("points</title>") < draw(steps[2].view).count("points</title>")


def test_names_from_outside_are_only_ever_text() -> None:
    hostile = '</title><script>alert("x")</script>\u202e&'
    rules = load("frontier")
    board = Board(3, 3, ("plains",) * 9, ((4, hostile),))
    state = State(board, rules, Settings(), {hostile: Player(hostile, next(iter(rules.factions)), 2)}, phase="movement")
    state.owner[4] = hostile
    svg = draw(view_for(state, (), hostile), Options(title=hostile))
    assert "<script" not in svg
    assert ElementTree.fromstring(svg).find(f"{SVG}title") is not None


def test_the_lattice_is_the_engine_s() -> None:
    """Hexes one unit apart in the picture are neighbours on the board, and no others are."""
    columns, rows = 7, 6
    centres = lattice(columns, rows)
    places = [from_offset(number % columns, number // columns) for number in range(columns * rows)]
    for a, (ax, ay) in enumerate(centres):
        for b, (bx, by) in enumerate(centres):
            near = abs((ax - bx) ** 2 + (ay - by) ** 2 - 1) < 1e-6
            assert near == (distance(places[a], places[b]) == 1)


def test_edges_lie_towards_their_neighbours() -> None:
    layout = Layout.of(Board(5, 5, ("plains",) * 25), 40)
    for direction, next_ in enumerate(layout.board.neighbours[12]):
        (ax, ay), (bx, by) = layout.corners(12)[direction], layout.corners(12)[(direction + 1) % 6]
        x, y = layout.centres[12]
        nx, ny = layout.centres[next_]
        assert ((ax + bx) / 2 - x) * 2 == pytest.approx(nx - x, abs=0.01)
        assert ((ay + by) / 2 - y) * 2 == pytest.approx(ny - y, abs=0.01)


@pytest.mark.parametrize(("columns", "rows"), [(0, 1), (1, 501), (-1, 3)])
def test_impossible_maps_are_refused_before_they_are_laid_out(columns: int, rows: int) -> None:
    with pytest.raises(ValueError, match="columns and rows"):
        lattice(columns, rows)


def test_a_png_has_the_width_asked_for(steps: list[Step]) -> None:
    png = to_png(draw(steps[0].view), width=300)
    assert png.startswith(b"\x89PNG")
    assert struct.unpack(">I", png[16:20]) == (300,)


def test_the_page_needs_nothing_from_elsewhere(steps: list[Step]) -> None:
    page = write_page("<b>Four</b>", steps)
    assert "&lt;b&gt;Four" in page
    assert page.count("</script>") == 1
    assert not any(word in page.replace("http://www.w3.org/2000/svg", "") for word in ("http:", "https:", "src="))


def test_a_picture_without_legend_is_narrower(steps: list[Step]) -> None:
    view: View = replace(steps[0].view, events=())

    def width(svg: str) -> float:
        return float(ElementTree.fromstring(svg).get("width", "0"))

    assert width(draw(view, Options(legend=False))) < width(draw(view))
    assert classes(draw(view))["desk"] == 2, "the legend has plain ground of its own"


Box = tuple[float, float, float, float]
SIZES: dict[str, Box] = {
    "counter": (-28, -17, 28, 17),
    "counter_beside": (-28, -17, 28, 17),
    "shield": (-10.4, -14, 10.4, 14.6),
    "town": (-20, -22, 20, 2),
    "convoy": (-12, -12, 12, 11),
    "raising": (-8, -9, 8, 9),
    "resource": (-15, -16, 15, 0),
}
"""Left, top, right and bottom of what stands in a place: a counter, a town of any size, a fort of a town, ..."""


def box(spot: str) -> Box:
    (x, y), (left, top, right, bottom) = PLACES[spot], SIZES[spot]
    return x + left, y + top, x + right, y + bottom


TOGETHER = (
    ("counter", "town", "convoy"),
    ("counter", "resource", "convoy"),
    ("counter_beside", "shield", "convoy", "town"),
    ("counter", "raising"),
)


@pytest.mark.parametrize("together", TOGETHER)
def test_in_a_hex_nothing_covers_anything_else(together: tuple[str, ...]) -> None:
    """Signs may touch by a few units, as a town's roof and the rim of a counter do."""
    for first, second in combinations(map(box, together), 2):
        across = min(first[2], second[2]) - max(first[0], second[0])
        down = min(first[3], second[3]) - max(first[1], second[1])
        assert min(across, down) <= 8


def test_an_arrow_ends_before_the_counter_that_moved(steps: list[Step]) -> None:
    view = next(step.view for step in steps if any(event.type == "moved" for event in step.view.events))
    moved = [each for each in view.events if each.type == "moved"]
    picture = svg.Picture(view, Options())
    ends = {
        picture.layout.centres[hex_]
        for each in moved
        if (hex_ := view.state.board.find(each.fields["path"][-1])) is not None
    }
    drawn = re.findall(r'<path class="arrow" d="M([^"]+)z"', draw(view))
    assert len(drawn) == len([each for each in moved if each.fields["start"] != each.fields["path"][-1]])
    for path in drawn:
        outline = path.split("L")
        x, y = map(float, outline[len(outline) // 2].split())  # its tip
        assert min(((x - a) ** 2 + (y - b) ** 2) ** 0.5 for a, b in ends) > 20
