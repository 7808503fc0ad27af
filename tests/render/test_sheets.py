"""The sheets of a mail's map: together the usual picture, and those that everybody shares made into pixels once."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from PIL import Image, ImageChops

from server.render import png
from server.render.sheets import sheets
from server.render.svg import Options, draw
from server.rules.sight import GM, View, view_for
from server.tournament.exhibition import Step, play

WIDTH = 640
UNLIKE, MOST = 8, 50
"""Levels (of 256) by which nearly no pixel may differ from the usual picture, and none at all."""
THING = re.compile(r'data-thing="([^"]+)"')


@pytest.fixture(scope="module")
def steps() -> list[Step]:
    return list(play("four-corners", "frontier", 3, 1))


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list in which every drawing stands that is made into pixels from now on."""
    png._kept.cache_clear()
    drawn: list[str] = []
    to_png = png.to_png

    def counted(svg: str, *, width: int | None = None) -> bytes:
        drawn.append(svg)
        return to_png(svg, width=width)

    monkeypatch.setattr(png, "to_png", counted)
    return drawn


def views(step: Step) -> list[View]:
    return [view_for(step.view.state, step.view.events, player) for player in step.view.state.players]


@pytest.mark.parametrize("viewer", ["ada", GM])
def test_together_they_are_the_usual_picture(steps: list[Step], viewer: str) -> None:
    """Seen to fail without any one of them, and where a style sheet's gradient was not defined."""
    view = view_for(steps[-2].view.state, steps[-2].view.events, viewer)
    usual = Image.open(io.BytesIO(png.to_png(draw(view, Options(legend=False)), width=WIDTH))).convert("RGB")
    levels = ImageChops.difference(usual, png.laid(sheets(view), WIDTH)).convert("L").histogram()
    assert sum(levels[UNLIKE + 1 :]) < sum(levels) / 100
    assert not any(levels[MOST + 1 :])


def test_a_small_picture_looks_like_it(steps: list[Step]) -> None:
    """Seen to fail with 32 colours."""
    drawn = sheets(view_for(steps[-2].view.state, steps[-2].view.events, "ada"))
    small = Image.open(io.BytesIO(png.small_png(drawn, 200_000, (WIDTH,))))
    assert small.mode == "P"
    levels = ImageChops.difference(small.convert("RGB"), png.laid(drawn, WIDTH)).convert("L").histogram()
    assert sum(levels[17:]) < sum(levels) / 100


def test_they_show_what_the_usual_picture_shows_and_no_more(steps: list[Step]) -> None:
    for view in views(steps[-2]):
        usual, drawn = draw(view, Options(legend=False)), sheets(view)
        assert set(THING.findall(drawn.standing)) == set(THING.findall(usual))
        for sheet in (drawn.ground, drawn.dusk, drawn.sight, drawn.control):
            assert not THING.findall(sheet)


def test_what_is_shared_is_made_once(steps: list[Step], made: list[str]) -> None:
    """Everybody shares land and borders. Seen to fail without what is kept: five for each."""
    for view in views(steps[-2]):
        png.laid(sheets(view), WIDTH)
    assert len(made) == 3 + 2 * len(steps[-2].view.state.players)
    assert len(set(made)) == len(made)
    assert png._kept.cache_info().maxsize == png.KEPT


def test_a_vast_sheet_is_not_kept(steps: list[Step], made: list[str]) -> None:
    """Seen to fail when everything was kept: a map of 1 x 500 would take hundreds of megabytes."""
    png.laid(replace(sheets(steps[-2].view), shape=2.5), WIDTH)  # the game master sees everything
    assert len(made) == 3
    assert png._kept.cache_info().currsize == 0
