"""One view as one SVG picture: the map of the pages, of mails and of everything that is printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from server.render.drawing import DATA, SYMBOLS, defined, needed
from server.render.drawing.styles import LIGHT, PRINT, standalone, zoom_rules
from server.render.geometry import Layout
from server.render.land import FAR, Land, signs_of
from server.render.last_phase import LastPhase
from server.render.legend import legend
from server.render.names import Names
from server.render.things import Things, edge_numbers
from server.rules.board import Hex
from server.rules.sight import View
from server.rules.state import PlayerId

GROUND, OVER = "ground", "over"
"""Parts of a picture that lie over each other: the land that never changes, and all else."""


@dataclass(frozen=True, slots=True)
class Options:
    """The contents of a picture."""

    hex_width: float | None = None
    """Pixels; None: as the map's size allows."""
    title: str = ""
    names: Mapping[PlayerId, str] = field(default_factory=dict)
    """What the legend calls the players; by their ids where nothing else is given."""
    labels: bool = True
    """Whether the edge and, if there is room, the hexes carry numbers."""
    fog: bool = True
    arrows: bool = True
    legend: bool = True
    part: str = ""
    """:data:`GROUND` or :data:`OVER`; empty: all of it."""
    theme: str = LIGHT
    """One of those of :mod:`server.render.drawing.styles`."""
    faults: Sequence[Hex] = ()
    """Hexes that are marked because something is wrong with them; only in a picture that stands alone."""
    grey: bool = False
    """In shades of grey, for print."""
    live: bool = False
    """For a page, which has the style sheet, chooses what to show by zoom, and says in its own words what "
    "things are."""


def draw(view: View, options: Options | None = None) -> str:
    """Return the picture of a view as an SVG document. Whatever text it holds is escaped."""
    options = options or Options()
    picture = Picture(view, options)
    width, height = picture.layout.size
    layers = "".join(
        f'<g class="layer-{name}">{inner}</g>' for name, inner in picture.layers() if inner or options.live
    )
    definitions = "".join(picture.definitions())
    if options.live:
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="sheet" data-stage="{view.state.turn} {view.state.phase}" '
            f'viewBox="0 0 {width:.1f} {height:.1f}" role="presentation" '
            f'focusable="false"><defs>{definitions}</defs>{layers}</svg>'
        )
    scale = picture.layout.scale
    theme = PRINT if options.grey else options.theme
    side = legend(picture.state, picture.names, height) if options.legend else None
    total = width + (side.width if side else 0)
    title = escape(options.title or f"Turn {picture.state.turn}, {picture.state.phase.replace('_', ' ')}")
    key = f'<g transform="translate({width:.0f} 0)">{side.svg}</g>' if side else ""
    signs = "".join(defined(sign) for sign in (side.signs if side else ()) if sign not in picture.signs())
    css = standalone(theme, len(view.state.players)) + "".join(zoom_rules("m"))
    paper = '<rect class="desk" width="100%" height="100%"/>' if options.part != OVER else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="m z-{picture.step}" viewBox="0 0 {total:.0f} {height:.0f}" '
        f'width="{total * scale:.0f}" height="{height * scale:.0f}" role="img" '
        f'font-family="DejaVu Sans, Verdana, sans-serif"><title>{title}</title><style>{css}</style>'
        f"<defs>{definitions}{signs}</defs>{paper}{layers}{_faults(picture.layout, options.faults)}{key}</svg>"
    )


def _faults(layout: Layout, hexes: Sequence[Hex]) -> str:
    if not hexes:
        return ""
    outlines = (" ".join(f"{x:.1f},{y:.1f}" for x, y in layout.corners(hex_)) for hex_ in hexes)
    marks = "".join(f'<polygon points="{points}"/>' for points in outlines)
    return f'<g class="faults" fill="#d32020" fill-opacity=".3" stroke="#c01414" stroke-width="4">{marks}</g>'


class Picture:
    """The layers of one picture, from the ground up."""

    def __init__(self, view: View, options: Options) -> None:
        self.view, self.state, self.options = view, view.state, options
        self.layout = Layout.of(view.state.board, options.hex_width)
        self.seats = {id_: number for number, id_ in enumerate(view.state.players)}
        self.names = {id_: options.names.get(id_, id_) for id_ in view.state.players}
        self.fog = options.fog and options.part != GROUND
        self.ground = not (options.live and view.state.board.size > MAX_LIVE)
        self.land = Land(view, self.layout, self.seats, far=FAR if options.live else 0)
        self.things = Things(view, self.layout, self.seats, titles=not options.live)
        self.last = LastPhase(view, self.layout, self.seats)
        self.drawn: dict[str, str] = {}

    @property
    def step(self) -> int:
        """The zoom at which a picture that stands alone is drawn."""
        return max((pixels for pixels in DATA["zoom"].values() if pixels <= self.layout.pixels), default=0)

    def layers(self) -> Iterator[tuple[str, str]]:
        """Yield the requested layers by name."""
        if not self.drawn:
            self.drawn = dict(self._layers())
        return iter(self.drawn.items())

    def _layers(self) -> Iterator[tuple[str, str]]:
        ground, over = self.options.part != OVER and self.ground, self.options.part != GROUND
        for name in DATA["layers"]:
            yield name, self._layer(name, ground=ground, over=over)

    def _layer(self, name: str, *, ground: bool, over: bool) -> str:
        """Return one layer; empty where it is not wanted, or drawn by a page as one goes."""
        land, things = self.land, self.things
        makers = {
            "land": lambda: land.land() + land.veil() if ground else "",
            "fog": lambda: land.fog() if over and self.fog and self.ground else "",
            "grid": lambda: land.grid() if ground else "",
            "roads": lambda: land.roads() if over and self.ground else "",
            "borders": lambda: land.borders() if over and self.ground else "",
            "front": lambda: land.front() if over and self.ground else "",
            "places": lambda: things.places() if over else "",
            "names": lambda: Names(self.view, self.layout).drawn() + self._numbers() if over else "",
            "last": lambda: self.last.arrows() if over and self.options.arrows else "",
            "forces": lambda: things.forces() if over else "",
            "battles": lambda: self._battles() if over else "",
            "edge": lambda: self._edge() if over and self.options.labels else "",
        }
        return makers[name]() if name in makers else ""

    def _numbers(self) -> str:
        wanted = self.options.labels and (self.options.live or self.step >= DATA["zoom"]["close"])
        return self.things.numbers() if wanted and self.state.board.size <= MAX_NUMBERS else ""

    def _battles(self) -> str:
        title = "" if self.options.live else "<title>battle</title>"
        return "".join(
            f'<g class="battle" transform="translate({x:.1f} {y:.1f})">{title}<use href="#clash"/></g>'
            for x, y in self.last.marks()
        )

    def _edge(self) -> str:
        numbers = "".join(edge_numbers(self.state.board.columns, self.state.board.rows, self.layout))
        return f'<g class="edge-number lo{DATA["zoom"]["dots"]}">{numbers}</g>'

    def signs(self) -> list[str]:
        """Return the signs that are used, parts first; of copies in fog with ``f-`` before them."""
        list(self.layers())
        ground = signs_of([self.land.base, *self.land.regions]) if self.ground else []
        wanted = ["clash", "stopped", *ground, *self.things.used]
        if self.options.live:  # what a page may draw besides, before it is there
            wanted += [
                symbol
                for symbol in SYMBOLS
                if symbol.startswith(("town", "capital", "fort", "ore", "k-", "e-", "rot", "drop"))
            ]
        if self.fog and self.land.hidden:
            wanted += [f"f-{terrain}" for terrain in ground]
        found: dict[str, None] = {}
        for name in wanted:
            fog = name.startswith("f-")
            for part in needed(name.removeprefix("f-")):
                found[f"f-{part}" if fog else part] = None
        return list(found)

    def definitions(self) -> Iterator[str]:
        """Yield what the layers use: signs, regions, patterns, gradients."""
        for sign in self.signs():
            yield defined(sign.removeprefix("f-"), fog=sign.startswith("f-"))
        if self.ground:
            yield from self.land.definitions(fog=self.fog, over=self.options.part != GROUND)
        yield _GRADIENT


MAX_LIVE = 5000
"""Hexes of a board whose land is part of the picture in a page; a larger one the page draws itself, on a canvas."""
MAX_NUMBERS = 1500
"""Hexes of a board in which each is numbered; on larger ones the edge is, and the one under the pointer."""
_GRADIENT = (
    '<radialGradient id="home-glow"><stop offset="0.25" class="glow-in"/><stop offset="1" '
    'class="glow-out"/></radialGradient>'
    '<pattern id="hurt" width="3" height="3" patternUnits="userSpaceOnUse"><path d="M0 3L3 '
    '0M-.75.75L.75-.75M2.25 3.75L3.75 2.25" '
    'stroke="#fff" stroke-width="1" stroke-opacity=".85"/></pattern>'
)
