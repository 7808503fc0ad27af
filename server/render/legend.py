"""What the signs of a picture mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

from server.render import style
from server.rules.elimination import held
from server.rules.state import PlayerId, State

WIDTH = 210
LINE = 24


@dataclass(frozen=True, slots=True)
class Legend:
    """A column beside the map."""

    width: int
    svg: str


def legend(state: State, names: Mapping[PlayerId, str], height: float) -> Legend:
    """Return the legend of a map of that height: players, terrain, signs."""
    rows = [_heading("Players"), *_players(state, names), _heading("Terrain"), *_terrains(state), _heading("Signs")]
    rows += _signs(state)
    needed = 20 + len(rows) * LINE
    scale = min(1.0, max(0.35, (height - 10) / needed))
    body = "".join(f'<g transform="translate(12 {20 + place * LINE})">{row}</g>' for place, row in enumerate(rows))
    return Legend(int(WIDTH * scale) + 1, f'<g transform="scale({scale:.2f})" font-size="12">{body}</g>')


def _heading(text: str) -> str:
    return f'<text y="5" font-weight="bold" fill="{style.INK}">{text}</text>'


def _row(sign: str, text: str) -> str:
    return f'<g transform="translate(12 0)">{sign}</g><text x="34" y="4" fill="{style.INK}">{escape(text)}</text>'


def _players(state: State, names: Mapping[PlayerId, str]) -> list[str]:
    hexes = held(state)
    rows = []
    for seat, player in enumerate(state.players.values()):
        colour, dash = style.player_colour(seat), style.player_dash(seat)
        sign = (
            f'<rect x="-11" y="-8" width="22" height="16" fill="{colour}" fill-opacity="0.25" stroke="{colour}" '
            f'stroke-width="2.6" stroke-dasharray="{dash or "none"}"/>'
            f'<text y="4" font-size="10" font-weight="bold" text-anchor="middle" fill="{style.INK}">{seat + 1}</text>'
        )
        out = " (out)" if player.eliminated else ""
        rows.append(_row(sign, f"{names[player.id][:14]}{out}: {player.vp} VP, {hexes[player.id]} hexes"))
    return rows


def _terrains(state: State) -> list[str]:
    rows = []
    for name in sorted(dict.fromkeys(state.board.terrain)):
        terrain = state.ruleset.terrain[name]
        sign = (  # moved and scaled, so that it shows one tile of the pattern whole
            f'<g transform="translate(-11 -9) scale(0.7)"><rect width="31.4" height="25.7" fill="url(#t-{name})" '
            f'stroke="{style.INK}" stroke-opacity="0.5"/></g>'
        )
        rows.append(_row(sign, f"{terrain.name} ({terrain.cost} MV)"))
    return rows


def _signs(state: State) -> list[str]:
    drawn = f'fill="#fff" stroke="{style.INK}"'
    rows = []
    for level, size in enumerate(state.ruleset.urban):
        houses = "".join(
            f'<path d="{style.HOUSE}" transform="translate({x * 0.8:.1f} {y:.1f}) scale({big})"/>'
            for (x, y), big in style.URBAN[min(level, len(style.URBAN) - 1)]
        )
        rows.append(_row(f"<g {drawn}>{houses}</g>", size.name))
    rows.append(_row(f'<path d="{style.STAR}" fill="#ffd54f" stroke="{style.INK}"/>', "Capital"))
    for level, type_ in enumerate(state.ruleset.strongholds):
        shape = style.STRONGHOLDS[min(level, len(style.STRONGHOLDS) - 1)]
        rows.append(_row(f'<path d="{shape}" {drawn}/>', type_.name))
    rows.append(_row(f'<path d="{style.RESOURCE}" fill="#ffd54f" stroke="#5d4037"/>', "Resource"))
    rows.append(_row(f'<path d="{style.CRATE}" {drawn}/>', "Convoy"))
    shield = f'<path d="M-6-6h12v6q0 6-6 8-6-2-6-8z" fill="{style.INK}"/>'
    rows.append(_row(f'{shield}<text y="3" font-size="8" text-anchor="middle" fill="#fff">1</text>', "Garrison"))
    counter = (
        f'<g transform="scale(0.85)"><rect x="-13" y="-9" width="26" height="18" rx="3" fill="{style.INK}"/>'
        f'<rect x="-13" y="-9" width="9" height="18" rx="3" fill="#fff" stroke="{style.INK}"/>'
        f'<text x="-8.5" y="3.2" font-size="9" text-anchor="middle">1</text>'
        f'<text x="4.5" y="-1" font-size="6.5" text-anchor="middle" fill="#fff">S</text>'
        f'<text x="4.5" y="6.5" font-size="6.5" text-anchor="middle" fill="#fff">500</text></g>'
    )
    rows.append(_row(counter, "Seat, type, ready points"))
    swords = f'<path d="{style.SWORDS}" fill="none" stroke="#bf360c" stroke-width="2.4"/>'
    rows.append(_row(swords, "Battle"))
    for hexes, colour, name in (
        (state.corrupted, style.CORRUPTED, "Corrupted"),
        (state.infested, style.INFESTED, "Infested"),
    ):
        if hexes:
            rows.append(_row(f'<path d="{style.SKULL}" fill="{colour}"/>', name))
    fog = f'<rect x="-11" y="-9" width="22" height="18" fill="url(#fog)" stroke="{style.INK}" stroke-opacity="0.4"/>'
    rows.append(_row(fog, "Out of sight"))
    return rows
