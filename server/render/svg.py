"""One view as one SVG picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from server.core.events import Event
from server.render import style
from server.render.geometry import Layout, points
from server.render.legend import legend
from server.rules.board import ORBIT, Hex
from server.rules.sight import View
from server.rules.state import Detachment, PlayerId, State

LABELS_FROM = 30.0
"""Narrowest hex, in pixels, that has its label written in it, and type and strength on its counter."""
NAMES_FROM = 20.0
NAME_SHARE = 160
"""On great maps names are written larger than a hex: the picture is at most so many times as wide as they are high."""
COUNTER, SHIELD, SHIFTED = (0.0, -3.0), (14.5, -3.0), (-6.0, -3.0)
"""Where a counter and a garrison's shield stand in a hex 44 wide, and the counter beside a shield."""
LEFT, MIDDLE, RIGHT = (-15.0, 10.0), (0.0, 11.0), (15.0, 9.5)
"""Below them: strongholds, what is built or found, convoys."""
BESIDE = (2.5, 11.0)
"""Houses beside a stronghold."""
SPOILT, BATTLE = (-17.5, -4.0), (15.0, -11.0)
LABEL, NAME = -14.6, 18.0
"""Baselines of the hex's label and of the place's name."""


@dataclass(frozen=True, slots=True)
class Options:
    """What is drawn."""

    hex_width: float | None = None
    """Pixels; None: as the map's size allows."""
    title: str = ""
    names: Mapping[PlayerId, str] = field(default_factory=dict)
    """What the legend calls the players; by their ids where nothing else is given."""
    labels: bool = True
    fog: bool = True
    arrows: bool = True
    legend: bool = True
    ground: bool = True
    """False: a picture to be laid over the ground."""
    only_ground: bool = False
    """Only what never changes: terrain, grid, names, labels."""
    grey: bool = False


def draw(view: View, options: Options | None = None) -> str:
    """Return the picture of a view as an SVG document. Whatever text it holds is escaped."""
    options = options or Options()
    picture = Picture(view, options)
    width, height = picture.layout.size
    side = legend(picture.state, picture.names, height) if options.legend else None
    total = width + (side.width if side else 0)
    body = "".join(picture.layers())
    title = escape(options.title or f"Turn {picture.state.turn}, {picture.state.phase.replace('_', ' ')}")
    defs = style.patterns(_terrains(picture.state), picture.layout.width / 40)
    key = f'<g transform="translate({width:.0f} 0)">{side.svg}</g>' if side else ""
    paper = f'<rect width="100%" height="100%" fill="{style.PAPER}"/>' if options.ground else ""
    grey = ' style="filter:grayscale(1)"' if options.grey else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total:.0f} {height:.0f}" '
        f'width="{total:.0f}" height="{height:.0f}" role="img" font-family="DejaVu Sans, Verdana, sans-serif"{grey}>'
        f"<title>{title}</title><defs>{defs}{_ARROW}</defs>"
        f"{paper}{body}{key}</svg>"
    )


_ARROW = (
    '<marker id="tip" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="4" markerHeight="4" orient="auto">'
    '<path d="M0 0l10 5-10 5z" fill="context-stroke"/></marker>'
)


_CRISP = 'shape-rendering="crispEdges"'
"""For what fills many hexes: no seams between them, and half the work. The grid is drawn over the edges."""


def _terrains(state: State) -> list[str]:
    return sorted(dict.fromkeys(state.board.terrain))


class Picture:
    """The layers of one picture, from the ground up."""

    def __init__(self, view: View, options: Options) -> None:
        self.view = view
        self.state = view.state
        self.options = options
        self.layout = Layout.of(view.state.board, options.hex_width)
        self.seats = {id_: number for number, id_ in enumerate(view.state.players)}
        self.names = {id_: options.names.get(id_, id_) for id_ in view.state.players}
        self.zoom = self.layout.width / 44

    def layers(self) -> Iterator[str]:
        """Yield the layers."""
        if self.options.ground:
            yield self._ground()
        if self.options.only_ground:
            yield self._labels_and_names()
            return
        yield self._control()
        yield self._roads()
        yield self._spoilt()
        yield self._places()
        if self.options.fog:
            yield self._fog()
        yield self._borders()
        yield self._labels_and_names()
        if self.options.arrows:
            yield self._arrows(self.view.events)
        yield self._forces()
        yield self._battles()

    def _labels_and_names(self) -> str:
        wanted = self.options.labels and self.layout.width >= LABELS_FROM
        return (self._labels() if wanted else "") + self._names()

    # --- the land ---

    def _ground(self) -> str:
        by_terrain: dict[str, list[Hex]] = {name: [] for name in _terrains(self.state)}
        for hex_, name in enumerate(self.state.board.terrain):
            by_terrain[name].append(hex_)
        filled = "".join(
            f'<path class="terrain" {_CRISP} fill="url(#t-{escape(name)})" d="{self.layout.outline(hexes)}"/>'
            for name, hexes in by_terrain.items()
        )
        grid = self.layout.grid()
        return f'{filled}<path fill="none" stroke="{style.INK}" stroke-opacity="0.25" stroke-width="0.8" d="{grid}"/>'

    def _held(self) -> dict[PlayerId, list[Hex]]:
        held: dict[PlayerId, list[Hex]] = {id_: [] for id_ in self.state.players}
        for hex_, owner in enumerate(self.state.owner):
            if owner:
                held[owner].append(hex_)
        return held

    def _control(self) -> str:
        return "".join(
            f'<path class="control" {_CRISP} fill="{style.player_colour(self.seats[player])}" fill-opacity="0.2" '
            f'd="{self.layout.outline(hexes)}"/>'
            for player, hexes in self._held().items()
            if hexes
        )

    def _borders(self) -> str:
        drawn = []
        for player, hexes in self._held().items():
            inside = [owner == player for owner in self.state.owner]
            path = "".join(self.layout.edges(each, inside) for each in hexes)
            if path:
                seat = self.seats[player]
                dash = f' stroke-dasharray="{style.player_dash(seat)}"' if style.player_dash(seat) else ""
                drawn.append(
                    f'<path class="border" fill="none" stroke="{style.player_colour(seat)}" '
                    f'stroke-width="{3.2 * self.zoom:.1f}"{dash} d="{path}"/>'
                )
        return "".join(drawn)

    def _roads(self) -> str:
        lines = "".join(f"M{points((self.layout.centres[a], self.layout.centres[b]))}" for a, b in self.state.roads)
        if not lines:
            return ""
        thick, thin = 5 * self.zoom, 2.6 * self.zoom
        return (
            f'<path fill="none" stroke="{style.INK}" stroke-width="{thick:.1f}" stroke-linecap="round" d="{lines}"/>'
            f'<path fill="none" stroke="#fff" stroke-width="{thin:.1f}" stroke-linecap="round" d="{lines}"/>'
        )

    def _spoilt(self) -> str:
        drawn = []
        for hexes, colour, name in (
            (self.state.corrupted, style.CORRUPTED, "corrupted"),
            (self.state.infested, style.INFESTED, "infested"),
        ):
            for hex_ in sorted(hexes):
                drawn.append(self._sign(hex_, style.SKULL, *SPOILT, f'fill="{colour}" stroke="#fff"', 0.8, name))
        return "".join(drawn)

    def _places(self) -> str:
        state, drawn = self.state, []
        for hex_ in sorted(state.resource):
            size = next(n for n, each in enumerate(state.ruleset.resources) if each.id == state.resource[hex_])
            tip = f"{state.resource[hex_]} resource"
            drawn.append(
                self._sign(hex_, style.RESOURCE, *MIDDLE, 'fill="#ffd54f" stroke="#5d4037"', 0.75 + size * 0.1, tip)
            )
        for hex_ in sorted(state.stronghold):
            level = state.ruleset.stronghold_level(state.stronghold[hex_].type)
            shape = style.STRONGHOLDS[min(level, len(style.STRONGHOLDS)) - 1]
            tip = state.stronghold[hex_].type
            drawn.append(self._sign(hex_, shape, *LEFT, f'fill="#fff" stroke="{style.INK}"', 0.72, tip))
        for hex_ in sorted(state.urban):
            drawn.append(self._urban(hex_))
        return "".join(drawn)

    def _urban(self, hex_: Hex) -> str:
        urban = self.state.urban[hex_]
        level = self.state.ruleset.urban_level(urban.size)
        crowd = style.CROWDED if hex_ in self.state.stronghold else 1.0
        houses = "".join(
            f'<path d="{style.HOUSE}" transform="translate({x * crowd:.1f} {y:.1f}) scale({size})"/>'
            for (x, y), size in style.URBAN[min(level, len(style.URBAN)) - 1]
        )
        star = f'<path d="{style.STAR}" fill="#ffd54f" transform="scale(0.62)"/>' if urban.capital else ""
        tip = f"{urban.size}{', capital' if urban.capital else ''}"
        spot = BESIDE if hex_ in self.state.stronghold else MIDDLE
        return self._group(hex_, *spot, f"<title>{tip}</title>{houses}{star}", f'fill="#fff" stroke="{style.INK}"')

    def _fog(self) -> str:
        seen = dict.fromkeys(self.view.sees)
        hidden = [hex_ for hex_ in range(self.state.board.size) if hex_ not in seen]
        return f'<path class="fog" {_CRISP} fill="url(#fog)" d="{self.layout.outline(hidden)}"/>' if hidden else ""

    def _labels(self) -> str:
        board, size = self.state.board, 6.6 * self.zoom
        texts = "".join(
            f'<text x="{x:.1f}" y="{y + LABEL * self.zoom:.1f}">{board.label(hex_)}</text>'
            for hex_, (x, y) in enumerate(self.layout.centres)
        )
        return (
            f'<g font-size="{size:.1f}" text-anchor="middle" fill="{style.INK}" stroke="#fff" '
            f'stroke-opacity="0.6" stroke-width="1.6" paint-order="stroke">{texts}</g>'
        )

    def _names(self) -> str:
        if self.layout.width < NAMES_FROM:
            return ""
        size = max(7.2 * self.zoom, self.layout.size[0] / NAME_SHARE)
        return "".join(
            f'<text x="{self.layout.centres[hex_][0]:.1f}" '
            f'y="{self.layout.centres[hex_][1] + NAME * self.zoom:.1f}" font-size="{size:.1f}" '
            f'font-style="italic" text-anchor="middle" fill="{style.INK}" stroke="#fff" stroke-width="2.4" '
            f'paint-order="stroke">{escape(name)}</text>'
            for hex_, name in self.state.board.names
        )

    # --- who stands there ---

    def _forces(self) -> str:
        drawn = [self._convoys(hex_) for hex_ in sorted(self.state.convoys_at)]
        for hex_, garrison in sorted(self.state.garrison_at.items()):
            seat = self.seats[garrison.owner]
            sign = f'<path d="M-6-6h12v6q0 6-6 8-6-2-6-8z" fill="{style.player_colour(seat)}"/>'
            text = f'<text y="3" font-size="8" text-anchor="middle" fill="#fff" stroke="none">{seat + 1}</text>'
            tip = f"<title>garrison of {escape(garrison.owner)}, {self.state.ready_points(garrison)} points</title>"
            drawn.append(self._group(hex_, *SHIELD, tip + sign + text, 'stroke="#fff"'))
        drawn += [self._counter(each) for _, each in sorted(self.state.detachment_at.items())]
        return "".join(drawn)

    def _counter(self, force: Detachment) -> str:
        seat = self.seats[force.owner]
        ready = self.state.ready_points(force)
        kind = "".join(word[0] for word in force.type.split("_")).upper()[:2]
        tip = f"<title>{escape(force.name)} ({escape(force.owner)}), {ready} points</title>"
        if self.layout.width < LABELS_FROM:
            plain = (
                f'<rect x="-16" y="-12" width="32" height="24" rx="5" fill="{style.player_colour(seat)}" stroke="#fff" '
                f'stroke-width="2"/><text y="7" font-size="20" font-weight="bold" text-anchor="middle" fill="#fff">'
                f"{seat + 1}</text>"
            )
            return self._group(force.at, 0, -4, tip + plain, "")
        box = (
            f'<rect x="-13" y="-9" width="26" height="18" rx="3" fill="{style.player_colour(seat)}" stroke="#fff" '
            f'stroke-width="1.6"/><rect x="-13" y="-9" width="9" height="18" rx="3" fill="#fff" fill-opacity="0.92"/>'
        )
        text = (
            f'<text x="-8.5" y="3.2" font-size="9" font-weight="bold" text-anchor="middle" fill="{style.INK}">'
            f'{seat + 1}</text><text x="4.5" y="-1" font-size="6.5" text-anchor="middle" fill="#fff">{kind}</text>'
            f'<text x="4.5" y="6.5" font-size="6.4" text-anchor="middle" fill="#fff">{ready}</text>'
        )
        spot = SHIFTED if force.at in self.state.garrison_at else COUNTER
        return self._group(force.at, *spot, tip + box + text, "")

    def _convoys(self, hex_: Hex) -> str:
        convoys = self.state.convoys_at[hex_]
        owners = list(dict.fromkeys(each.owner for each in convoys))
        drawn = []
        for place, owner in enumerate(owners):
            seat, bp = self.seats[owner], sum(each.bp for each in convoys if each.owner == owner)
            tip = f"<title>convoy of {escape(owner)}, {bp} BP</title>"
            sign = f'<path d="{style.CRATE}" fill="#fff" stroke="{style.player_colour(seat)}" stroke-width="1.8"/>'
            drawn.append(
                self._group(hex_, RIGHT[0] - place * 5, RIGHT[1], f"{tip}<g transform='scale(0.8)'>{sign}</g>", "")
            )
        return "".join(drawn)

    def _battles(self) -> str:
        sign = (
            '<title>battle</title><circle r="7.5" fill="#fff3e0" stroke="#bf360c" stroke-width="1.4"/>'
            f'<path d="{style.SWORDS}" transform="scale(0.5)" fill="none" stroke="#bf360c" stroke-width="3" '
            f'stroke-linecap="round"/>'
        )
        return "".join(self._group(hex_, *BATTLE, sign, "") for hex_ in self.state.battles)

    def _arrows(self, events: Iterable[Event]) -> str:
        drawn = []
        for event in events:
            if event.type in ("moved", "withdrew", "retreated"):
                path = event.fields.get("path") or [event.fields["hex"]]
                drawn.append(self._arrow(event.fields, [event.fields["start"], *path], event.type))
        return "".join(drawn)

    def _arrow(self, fields: Any, labels: Sequence[str], kind: str) -> str:
        hexes = [each for label in labels if (each := self.state.board.find(label)) is not None]
        thing = self.state.force(fields["force"]) or self.state.convoys.get(fields["force"])
        if len(hexes) < 2:
            return ""
        colour = style.player_colour(self.seats[thing.owner]) if thing is not None else style.INK
        dash = "" if kind == "moved" else ' stroke-dasharray="4 3"'
        *way, (before_x, before_y), (last_x, last_y) = [self.layout.centres[each] for each in hexes]
        # ends before the counter that has moved, which would cover its head
        tip = (last_x - (last_x - before_x) * 0.36, last_y - (last_y - before_y) * 0.36)
        path = points([*way, (before_x, before_y), tip])
        return (
            f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="{3.4 * self.zoom:.1f}" '
            f'stroke-opacity="0.85" stroke-linejoin="round" marker-end="url(#tip)"{dash}/>'
        )

    # --- signs ---

    def _sign(self, hex_: Hex, path: str, x: float, y: float, how: str, size: float, tip: str) -> str:
        inner = f'<title>{escape(tip)}</title><path d="{path}" transform="scale({size:.2f})"/>'
        return self._group(hex_, x, y, inner, how)

    def _group(self, hex_: Hex, x: float, y: float, inner: str, how: str) -> str:
        if hex_ == ORBIT:
            return ""
        at_x, at_y = self.layout.centres[hex_]
        return (
            f'<g {how} transform="translate({at_x + x * self.zoom:.1f} {at_y + y * self.zoom:.1f}) '
            f'scale({self.zoom:.2f})">{inner}</g>'
        )
