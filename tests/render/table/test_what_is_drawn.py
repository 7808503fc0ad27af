"""What stands on the table is in its picture; what a viewer may not know is not."""

from __future__ import annotations

import re
from html import escape

import pytest

from server import missions
from server.referee.fold import TableGame, submit
from server.referee.patrol.jump_off_points import JumpOffPoints
from server.referee.patrol.patrol_phase import PatrolPhase
from server.referee.view import view_for
from server.render.table.drawing import Drawing, badges, game_drawing
from server.render.table.svg import draw
from server.render.translations import Translations
from tests.referee.random_play import new_table, play

VIEWERS = ("red", "blue", "")


def picture(table: TableGame, viewer: str) -> Drawing:
    """Return what *viewer* is shown of a game."""
    return game_drawing(
        table.game.mission, view_for(table.game, viewer), Translations("en"), table.game.pieces.values()
    )


def test_the_caption_calls_the_sides_by_their_names() -> None:
    """A side that nobody has taken is called by its colour. Seen to fail with colours alone."""
    game = new_table(missions.load("patrol_phase"), "caption").game
    mission, view, words = game.mission, view_for(game, ""), Translations("en")
    named = game_drawing(mission, view, words, (), {"red": "Ann", "blue": ""}).caption
    assert "Ann: 0 VP" in named
    assert "Blue: 0 VP" in named
    assert "Red" not in named


def test_markers_lie_over_the_frame() -> None:
    """At the edge of the table the frame ran through them. Seen to fail with a frame that is drawn last."""
    table = new_table(missions.load("patrol_phase"), "markers")
    play(table, "markers", maximum=7)
    shown = draw(picture(table, ""))
    marker = next(iter(table.game.rule(PatrolPhase).markers))
    assert shown.index('stroke-width="2.5"/>') < shown.rindex(f">{marker.lstrip('ab')}</text>")


@pytest.mark.parametrize("viewer", VIEWERS)
def test_patrol_markers_are_drawn_where_they_stand(viewer: str) -> None:
    """Both sides' markers are open. Seen to fail when the drawing reads the markers under another key of the view."""
    table = new_table(missions.load("patrol_phase"), "markers")
    play(table, "markers", maximum=7)
    markers = table.game.rule(PatrolPhase).markers
    shown = picture(table, viewer)
    assert {(one.id, one.side, one.at, one.locked) for one in shown.patrol} == {
        (one.id, one.side, one.at, one.locked) for one in markers.values()
    }
    assert {one.side for one in shown.patrol} == {"red", "blue"}
    assert not any(f">{id_}</text>" in draw(shown) for id_ in markers), "the printed number is enough"
    assert all(draw(shown).count(f">{number}</text>") >= 2 for number in "1234")


def test_jump_off_points_and_the_ground_for_them_are_drawn() -> None:
    """Seen to fail when the drawing reads the points, or the zones, under another key of the view."""
    table = new_table(missions.load("patrol_phase"), "points")
    while table.game.stage == "patrol":
        play(table, f"points {table.game.turn} {len(table.events)}", maximum=1)
    assert picture(table, "red").wedges
    play(table, "points")
    points = table.game.rule(JumpOffPoints).points.values()
    shown = picture(table, "")
    assert {(one.id, one.side, one.at) for one in shown.jump_offs} == {(one.id, one.side, one.at) for one in points}
    assert len(shown.jump_offs) == 6


def test_who_lies_under_a_concealed_marker_is_not_in_the_picture_of_others() -> None:
    """The same bytes whichever unit lies where, and decoys look alike. Their own player sees which unit it is.

    Seen to fail when the drawing names concealed units, and when ``hides`` says no for them.
    """
    pictures: dict[str, set[str]] = {viewer: set() for viewer in VIEWERS}
    for order in (("b1", "b2", "b3"), ("b3", "b1", "b2")):
        table = hidden(order)
        for viewer in VIEWERS:
            pictures[viewer].add(draw(picture(table, viewer)))
    assert len(pictures["red"]) == len(pictures[""]) == 1
    assert all(f"{id_}<" not in svg for id_ in ("b1", "b2", "b3") for svg in pictures["red"] | pictures[""])
    assert all(f">{label}</text>" in svg for label in "123" for svg in pictures["red"])
    assert all(f">{badge}</text>" in svg for badge in ("B1", "B2", "B3") for svg in pictures["blue"])


def test_a_turned_picture_shows_the_same_upright() -> None:
    """Who sits opposite sees their edge below; whole words are where they were, for the other end of the table."""
    table = new_table(missions.load("clash_of_patrols"), "seed", {"start": {"stage": "battle"}})
    shown = picture(table, "")
    plain, turned = draw(shown), draw(shown, turned=True)
    assert re.findall(">([^<>]+)</text>", plain) == re.findall(">([^<>]+)</text>", turned)
    height = 30 * 20 + 2 * 54
    for words in ("Attacker's edge", "Defender's edge"):
        ys = [
            float(found)
            for svg in (plain, turned)
            for found in re.findall(f' y="([0-9.]+)"[^>]*>{escape(words)}<', svg)
        ]
        assert len(ys) == 2
        assert sum(ys) == pytest.approx(height, abs=12)


def test_units_are_called_by_letters_of_their_names() -> None:
    names = ("Ash Wardens I", "Ash Wardens II", "Breach Squad", "Marshal", "Ash Warriors")
    units = [{"id": f"r{number}", "name": name} for number, name in enumerate(names)]
    assert list(badges(units).values()) == ["AW1", "AW2", "BS", "MA", "AW"]


def hidden(order: tuple[str, ...]) -> TableGame:
    """Return a Meat Grinder in which blue has hidden three units, in *order* from left to right."""
    units = [{"id": id_, "state": "unplaced", "power": 4} for id_ in ("b1", "b2", "b3")]
    players = {"red": {"cp": 3, "units": [{"id": "r1", "state": "unplaced"}]}, "blue": {"cp": 3, "units": units}}
    table = new_table(missions.load("meat_grinder"), "seed", {"players": players, "start": {"stage": "deployment"}})
    places = {id_: [10 + 10 * number, 30] for number, id_ in enumerate(order)}
    assert not submit(table, "blue", {"do": "place_markers", "markers": places, "decoys": []})
    return table
