"""Colours and strokes of the map for other pictures: charts, terminals, moving pictures."""

from __future__ import annotations

from server.render.drawing import seat, texture_of
from server.render.drawing.styles import LIGHT, palette

INK = "#1d232b"
PAPER = palette(LIGHT)["veil"]


def player_colour(number: int) -> str:
    """Return the colour of a seat, counted from 0."""
    return seat(number)["colour"]


def player_ink(number: int) -> str:
    """Return the colour for text on a seat's colour."""
    return seat(number)["ink"]


def player_dash(number: int) -> str:
    """Return the dashes of a seat's borders, counted from 0."""
    return seat(number)["dash"]


def ground_colour(terrain: str) -> str:
    """Return the colour of a kind of terrain."""
    return palette(LIGHT)[texture_of(terrain)]
