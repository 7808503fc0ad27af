"""Chips of players: each seat has a colour and an emblem, so that they are told apart without colours, too."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

from server.render.drawing import SEATS, SYMBOLS
from server.render.drawing.styles import seat_colours
from server.render.png import to_png

STYLE = Path(__file__).parents[2] / "server" / "web" / "static" / "style.css"


def test_each_seat_has_an_emblem_of_its_own() -> None:
    """It is the one on the counters. Seen to fail with one emblem for all, and with rules of plain colour."""
    rules = re.findall(
        r'\[data-seat="(\d+)"\]{--seat:(#\w+);--emblem:url\("data:image/svg\+xml,([^"]*)"\)}', seat_colours()
    )
    assert [int(number) for number, _, _ in rules] == list(range(1, len(SEATS) + 1))
    emblems = [unquote(emblem) for _, _, emblem in rules]
    assert len(set(emblems)) == len(SEATS)
    for number, emblem in enumerate(emblems, 1):
        assert SYMBOLS[f"e-{number}"] in emblem
        assert ElementTree.fromstring(emblem).get("fill") == SEATS[number - 1]["ink"]
        assert to_png(emblem, width=16)


def test_a_chip_shows_its_emblem() -> None:
    """Seen to fail with a style sheet that draws chips of plain colour."""
    chips = "".join(re.findall(r"^\.seat::before {([^}]*)}", STYLE.read_text("utf-8"), re.MULTILINE))
    assert "background: var(--emblem" in chips
    assert "no-repeat var(--seat" in chips
