"""Colours, patterns and signs: told apart in colour, by the colour-blind, and in black-and-white print."""

from __future__ import annotations

from dataclasses import dataclass

INK = "#20242a"
PAPER = "#faf7f0"
FOG = "#3a4250"


@dataclass(frozen=True, slots=True)
class TerrainStyle:
    """A ground colour and a pattern drawn on it, in a tile of 24 x 24."""

    ground: str
    ink: str
    pattern: str


TERRAIN = {
    "plains": TerrainStyle("#eee7c5", "#c9bd8d", '<path d="M4 17h4M15 8h4"/>'),
    "forest": TerrainStyle("#b9d3a0", "#4f7a3a", '<path d="M6 13l4-8 4 8zM10 13v3M15 22l3-6 3 6z" fill="#7fa868"/>'),
    "hills": TerrainStyle("#dfc99b", "#97763c", '<path d="M2 14q5-8 10 0M13 21q4-6 8 0"/>'),
    "sea": TerrainStyle("#a9cbe3", "#5b8db4", '<path d="M1 7q3-3 6 0t6 0M11 18q3-3 6 0t6 0"/>'),
    "jungle": TerrainStyle(
        "#86b58a", "#25583a", '<path d="M3 9q4-7 8 0M7 9v5M13 19q4-7 8 0M17 19v4M14 5q3-4 6 0M17 5v4"/>'
    ),
    "mountains": TerrainStyle(
        "#c6bfba", "#5c5450", '<path d="M2 15l6-11 6 11zM6 8l2 2 2-2M13 23l5-8 5 8z" fill="#e8e4e0"/>'
    ),
    "swamp": TerrainStyle("#c3cfb9", "#5f7464", '<path d="M3 9h8M5 9v-4M7 9v-5M9 9v-4M13 20h8M15 20v-4M17 20v-5"/>'),
}
UNKNOWN = TerrainStyle("#e3dfe8", "#8b7fa0", '<path d="M4 4l16 16M20 4l-16 16"/>')
"""Terrain of another group's ruleset."""

PLAYERS = (
    "#c0392b", "#1f5fa8", "#2e7d32", "#8e44ad", "#b8860b", "#00838f", "#ad1457", "#4e342e", "#37474f", "#689f38",
    "#e65100", "#5c6bc0",
)  # fmt: skip
"""By seat; the seat's number stands on everything it owns, so that colour is never needed."""
DASHES = ("", "9 3", "3 3", "12 3 3 3", "6 6", "1 3", "14 5", "4 2 1 2", "10 2 2 2 2 2", "7 2", "2 5", "5 2")
"""By seat: the stroke of its borders."""


def player_colour(seat: int) -> str:
    """Return the colour of a seat, counted from 0."""
    return PLAYERS[seat % len(PLAYERS)]


def player_dash(seat: int) -> str:
    """Return the dashes of a seat's borders, counted from 0."""
    return DASHES[seat % len(DASHES)]


def patterns(names: list[str], scale: float) -> str:
    """Return the SVG patterns of the terrains, and of fog."""
    drawn = []
    for name in names:
        style = TERRAIN.get(name, UNKNOWN)
        drawn.append(
            f'<pattern id="t-{name}" width="24" height="24" patternUnits="userSpaceOnUse" '
            f'patternTransform="scale({scale:.2f})"><rect x="-1" y="-1" width="26" height="26" fill="{style.ground}"/>'
            f'<g fill="none" stroke="{style.ink}" stroke-width="1.3" stroke-linecap="round" '
            f'stroke-linejoin="round">{style.pattern}</g></pattern>'
        )
    drawn.append(
        # slanted lines in an upright tile: a tile that is turned takes PNGs five times as long
        f'<pattern id="fog" width="10" height="10" patternUnits="userSpaceOnUse">'
        f'<rect width="10" height="10" fill="{FOG}" fill-opacity="0.16"/>'
        f'<path d="M-1 1l2-2M-1 11l12-12M9 11l2-2" stroke="{FOG}" stroke-opacity="0.28" stroke-width="1.6"/>'
        "</pattern>"
    )
    return "".join(drawn)


HOUSE = "M-4 4v-5l4-4 4 4v5z"
URBAN = (
    (((0.0, 0.0), 1.0),),
    (((-5.0, 1.0), 0.95), ((5.0, 1.0), 0.95)),
    (((-8.0, 2.0), 0.9), ((8.0, 2.0), 0.9), ((0.0, -1.0), 1.25)),
    (((-11.0, 3.0), 0.85), ((11.0, 3.0), 0.85), ((-5.0, -1.0), 1.2), ((5.0, -1.0), 1.2)),
)
"""By urban level: where its houses stand, and how large."""
CROWDED = 0.5
"""How much closer they stand beside a stronghold."""
STRONGHOLDS = (
    "M-6 4l6-10 6 10zM0-6v10",
    "M-7 4v-8h3v3h2.5v-3h3v3h2.5v-3h3v8z",
    "M0-9l3 5 6-1-3 5 3 5-6-1-3 5-3-5-6 1 3-5-3-5 6 1z",
)
"""By level: a tent, a wall with battlements, a star fort."""
STAR = "M0-7l1.8 4.6 5 .3-3.9 3.1 1.3 4.8-4.2-2.7-4.2 2.7 1.3-4.8-3.9-3.1 5-.3z"
RESOURCE = "M0-6l6 6-6 6-6-6z"
CRATE = "M-5-4h10v8h-10zM-5-4l10 8M5-4l-10 8"
SWORDS = "M-8-8l16 16M8-8l-16 16M-8 4l4 4M8 4l-4 4"
CORRUPTED, INFESTED = "#6a1b9a", "#33691e"
SKULL = "M-4-4h8v5h-2v3h-4v-3h-2z"
