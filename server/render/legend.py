"""What the signs of a picture mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

from server.render.drawing import needed, seat, texture_of
from server.rules.elimination import held
from server.rules.state import PlayerId, State

WIDTH, LINE = 330, 40
HEXAGON = "M0-15L13-7.5V7.5L0 15L-13 7.5V-7.5Z"


@dataclass(frozen=True, slots=True)
class Legend:
    """A column beside the map."""

    width: int
    svg: str
    signs: tuple[str, ...]
    """Signs that it uses."""


class _Rows:
    def __init__(self) -> None:
        self.drawn: list[str] = []
        self.signs: dict[str, None] = {}

    def heading(self, text: str) -> None:
        self.drawn.append(f'<text y="6" font-weight="bold">{text}</text>')

    def row(self, sign: str, text: str) -> None:
        self.drawn.append(f'<g transform="translate(22 0)">{sign}</g><text x="54" y="6">{escape(text)}</text>')

    def sign(self, name: str, text: str, size: float = 1.0, dy: float = 0.0) -> None:
        self.signs.update(dict.fromkeys(needed(name)))
        self.row(f'<use href="#{name}" transform="translate(0 {dy:g}) scale({size:g})"/>', text)


def legend(state: State, names: Mapping[PlayerId, str], height: float) -> Legend:
    """Return the legend of a map of that height: players, terrain, signs."""
    rows = _Rows()
    _players(rows, state, names)
    _terrains(rows, state)
    _signs(rows, state)
    needed_height = 40 + len(rows.drawn) * LINE
    scale = min(1.0, max(0.35, (height - 10) / needed_height))
    body = "".join(
        f'<g transform="translate(12 {40 + place * LINE})">{row}</g>' for place, row in enumerate(rows.drawn)
    )
    width = int(WIDTH * scale) + 1
    plain = f'<rect class="desk" width="{width}" height="{height:.0f}"/>'  # the land beyond the edge ends here
    svg = f'{plain}<g class="legend" transform="scale({scale:.2f})" font-size="17">{body}</g>'
    return Legend(width, svg, tuple(rows.signs))


def _players(rows: _Rows, state: State, names: Mapping[PlayerId, str]) -> None:
    rows.heading("Players")
    hexes = held(state)
    for number, player in enumerate(state.players.values()):
        emblem = f"e-{number % 12 + 1}"
        rows.signs[emblem] = None
        dash = seat(number)["dash"]
        stroke = f' stroke-dasharray="{dash}"' if dash else ""
        sign = (
            f'<g class="s{number + 1}"><rect class="ct-body" x="-15" y="-11" width="30" height="22" rx="3"/><g '
            'class="ct-ink">'
            f'<use href="#{emblem}" transform="translate(5 0) scale(1.5)"/></g><path class="ct-stripe" '
            f'd="M-9-9V9"{stroke}/></g>'
        )
        out = " (out)" if player.eliminated else ""
        rows.row(sign, f"{names[player.id][:14]}{out}: {player.vp} VP, {hexes[player.id]} hexes")


def _terrains(rows: _Rows, state: State) -> None:
    rows.heading("Terrain")
    for name in sorted(dict.fromkeys(state.board.terrain)):
        terrain, kind = state.ruleset.terrain[name], texture_of(name)
        sign = f'<path class="t-{kind}" stroke="#4a3d22" stroke-opacity=".5" d="{HEXAGON}"/>{_sample(rows, kind)}'
        rows.row(sign, f"{terrain.name} ({terrain.cost} MV)")


_SAMPLES = {
    "plains": "grass", "forest": "fir", "hills": "hill", "mountains": "peak", "swamp": "reed", "jungle": "palm",
    "sea": "wave", "other": "stray",
}  # fmt: skip


def _sample(rows: _Rows, kind: str) -> str:
    name = _SAMPLES[kind]
    rows.signs[name] = None
    size = 0.66 if kind in ("hills", "mountains") else 0.95
    return f'<use href="#{name}" transform="translate(0 {4 if kind != "sea" else 0}) scale({size})"/>'


def _signs(rows: _Rows, state: State) -> None:
    rows.heading("Signs")
    for level, size in enumerate(state.ruleset.urban):
        rows.sign(f"town-{min(level + 1, 4)}", size.name, 0.85, 8)
    rows.row('<g class="s1"><use href="#capital" transform="translate(0 10) scale(.8)"/></g>', "Capital")
    rows.signs.update(dict.fromkeys(needed("capital")))
    for level, type_ in enumerate(state.ruleset.strongholds):
        rows.sign(f"fort-{min(level + 1, 3)}", type_.name, 1.1, 8)
    rows.sign("ore-2", "Resource", 1.2, 6)
    for name, text in (("k-convoy", "Convoy, its BP"), ("k-garrison", "Garrison, fit points")):
        rows.sign(name, text, 1.5)
    rows.sign("k-infantry", "Force: kind, fit points, strength", 1.1)
    rows.sign("clash", "Battle")
    for hexes, sign, text in ((state.corrupted, "rot", "Corrupted"), (state.infested, "brood", "Infested")):
        if hexes:
            rows.sign(sign, text)
    fog = f'<g class="fg"><path class="t-plains" stroke="#4a3d22" stroke-opacity=".5" d="{HEXAGON}"/></g>'
    rows.row(fog, "Out of sight")
