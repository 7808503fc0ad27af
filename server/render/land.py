"""The land of a picture: terrain with its texture, fog, grid, roads, borders, front line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from server.render import geometry
from server.render.drawing import DATA, WIDTH, seat, texture_of
from server.render.geometry import MARGIN, ROW, Cell, Layout, Point, Region
from server.rules.sight import View
from server.rules.state import PlayerId

BEYOND = 2
"""Hexes drawn beyond the board's edge, under the veil."""
FAR = 4000
"""How far the land under the veil reaches in a page: the board fills whatever window it is shown in."""
DOTS: int = DATA["zoom"]["dots"]
QUIET = ("plains", "hills", "swamp", "jungle", "other")
"""Terrains whose texture is left out sooner."""
REACH = 22
"""How far a sign may stand out of its tile."""
_HIDDEN = '<use href="#r-fog"'


class Land:
    """Everything that lies under what stands on the map."""

    def __init__(self, view: View, layout: Layout, seats: dict[PlayerId, int], *, far: int = 0) -> None:
        self.state, self.layout, self.seats, self.viewer, self.far = view.state, layout, seats, view.viewer, far
        self.columns, self.rows = self.state.board.columns, self.state.board.rows
        seen = dict.fromkeys(view.sees)
        self.hidden = [number for number in range(self.state.board.size) if number not in seen]
        self.base, self.regions = self._terrains()
        self.held: dict[PlayerId, list[int]] = {id_: [] for id_ in self.state.players}
        for hex_, owner in enumerate(self.state.owner):
            if owner:
                self.held[owner].append(hex_)

    def cells(self, hexes: Sequence[int]) -> list[Cell]:
        """Return the cells of hexes."""
        return geometry.cells_of(self.columns, hexes)

    def _terrains(self) -> tuple[str, dict[str, Region]]:
        """Return what lies everywhere beneath, and the regions of the other terrains, a little beyond the edge."""
        cells: dict[str, list[Cell]] = {}
        edge: dict[str, int] = {}
        for row in range(-BEYOND, self.rows + BEYOND):
            for column in range(-BEYOND, self.columns + BEYOND):
                near = min(max(row, 0), self.rows - 1) * self.columns + min(max(column, 0), self.columns - 1)
                name = texture_of(self.state.board.terrain[near])
                cells.setdefault(name, []).append((column, row))
                if not (0 <= row < self.rows and 0 <= column < self.columns):
                    edge[name] = edge.get(name, 0) + 1
        base = "plains" if "plains" in cells else max(edge, key=lambda name: (edge[name], name))
        return base, {name: Region.of(cells[name]) for name in DATA["texture"] if name in cells and name != base}

    def definitions(self, *, fog: bool, over: bool = True) -> Iterator[str]:
        """Yield regions, clips and patterns that the layers use; *over*: also those of what changes with the phases."""
        for name, region in self.regions.items():
            yield f'<path id="r-{name}" d="{region.wavy()}"/>'
        if "sea" in self.regions:
            yield '<clipPath id="c-sea"><use href="#r-sea"/></clipPath>'
        if fog and self.hidden:
            yield f'<path id="r-fog" d="{Region.of(self.cells(self.hidden)).straight()}"/>'
            yield '<clipPath id="c-fog"><use href="#r-fog"/></clipPath>'
        for player, hexes in self.held.items():
            if hexes and over:
                number = self.seats[player] + 1
                yield f'<path id="r-s{number}" d="{Region.of(self.cells(hexes)).straight()}"/>'
                yield f'<clipPath id="c-s{number}"><use href="#r-s{number}"/></clipPath>'
        for name in (self.base, *self.regions):
            yield _pattern(name, fog=False)
            if fog and self.hidden:
                yield _pattern(name, fog=True)

    def land(self) -> str:
        """Return terrain with its texture, and the veil beyond the board."""
        return "".join(self._terrain("", self._everywhere()))

    def _everywhere(self) -> str:
        width, height = self.layout.size
        x, w, h = -self.far, 2 * self.far + width, 2 * self.far + height
        return f'<rect x="{x}" y="{x}" width="{w:.0f}" height="{h:.0f}"'

    def _terrain(self, fog: str, everywhere: str) -> Iterator[str]:
        yield f'{everywhere} class="terrain t-{self.base}"/>{_texture(self.base, fog, everywhere)}'
        for name in self.regions:
            area = f'<use href="#r-{name}"'
            if name == "sea":
                yield f'{area} class="beach"/>'
            yield f'{area} class="terrain t-{name}"/>{_texture(name, fog, area)}'
            if name == "sea":
                surf = "".join(f'<use href="#r-sea" class="surf surf-{number}"/>' for number in (1, 2))
                yield f'<g class="lo{DOTS}" clip-path="url(#c-sea)">{surf}</g>{area} class="coast"/>'

    def fog(self) -> str:
        """Return the same land in the colours of hexes out of sight, with a soft rim."""
        return self._clipped("".join(self._terrain("f-", _HIDDEN))) if self.hidden else ""

    def dusk(self) -> str:
        """Return all land as it looks out of sight."""
        return f'<g class="fg">{"".join(self._terrain("f-", self._everywhere()))}</g>'

    def sight(self) -> str:
        """Return in white, with the same rim, where land is out of sight."""
        return self._clipped(f'{_HIDDEN} fill="#fff"/>') if self.hidden else ""

    def _clipped(self, inner: str) -> str:
        hidden = dict.fromkeys(self.cells(self.hidden))
        rim = geometry.edges(hidden, lambda _, beyond: beyond not in hidden and self._on_board(beyond))
        strokes = (
            "".join(f'<path class="fog-rim" stroke-width="{width}" d="{rim}"/>' for width in (8, 16, 26)) if rim else ""
        )
        return f'<g class="fg fog" clip-path="url(#c-fog)">{inner}{strokes}</g>'

    def veil(self) -> str:
        """Return what dims the land beyond the board."""
        board = Region.of((column, row) for row in range(self.rows) for column in range(self.columns)).straight()
        width, height = self.layout.size
        x, w, h = -self.far, 2 * self.far + width, 2 * self.far + height
        sheet = f"M{x} {x}h{w:.0f}v{h:.0f}h{-w:.0f}z"
        return f'<path class="veil" fill-rule="evenodd" d="{sheet}{board}"/><path class="board-edge" d="{board}"/>'

    def grid(self) -> str:
        """Return the edges of all hexes."""
        return f'<path class="grid lo{DOTS}" d="{geometry.mesh(self.columns, self.rows)}"/>'

    def _on_board(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.columns and 0 <= cell[1] < self.rows

    def borders(self) -> str:
        """Return for each owner a tint, two bands along the inside of the border, and the border in its stroke."""
        drawn = []
        for player, hexes in self.held.items():
            if not hexes:
                continue
            number = self.seats[player] + 1
            path, dash = f'<use href="#r-s{number}"', seat(number - 1)["dash"]
            glows = "".join(f'{path} class="glow" stroke-width="{glow}"/>' for glow in DATA["lines"]["glows"])
            stroke = f' stroke-dasharray="{dash}"' if dash else ""
            drawn.append(
                f'<g class="s{number} control" clip-path="url(#c-s{number})">{path} class="wash"/>{glows}'
                f'{path} class="casing"/>{path} class="border line"{stroke}/></g>'
            )
        return "".join(drawn)

    def front(self) -> str:
        """Return the line where the land of those meets who are not allied; the viewer's own is marked."""
        owner, players = self.state.owner, self.state.players
        hostile = {
            frozenset(pair)
            for pair in combinations(players, 2)
            if not (pair[1] in players[pair[0]].allies and pair[0] in players[pair[1]].allies)
        }
        lines: dict[bool, list[str]] = {False: [], True: []}
        for hex_, player in enumerate(owner):
            corners = self.layout.corners(hex_) if player else []
            for direction, beyond in enumerate(self.state.board.neighbours[hex_] if player else ()):
                if beyond > hex_ and owner[beyond] and frozenset((player, owner[beyond])) in hostile:
                    (ax, ay), (bx, by) = corners[direction], corners[(direction + 1) % 6]
                    lines[self.viewer in (player, owner[beyond])].append(f"M{ax:g} {ay:.1f}L{bx:g} {by:.1f}")
        drawn = "".join((*lines[False], *lines[True]))
        mine = f'<path class="mine-front" d="{"".join(lines[True])}"/>' if lines[True] else ""
        return f'<path class="front" d="{drawn}"/>{mine}' if drawn else ""

    def roads(self) -> str:
        """Return the roads: through each hex a bend, not a corner."""
        near: dict[int, list[int]] = {}
        for a, b in self.state.roads:
            near.setdefault(a, []).append(b)
            near.setdefault(b, []).append(a)
        lines = []
        for hex_, ends in sorted(near.items()):
            middle = self._road_point(hex_)
            gates = [self._gate(hex_, end) for end in sorted(ends)]
            if len(gates) == 2:
                lines.append(f"M{_at(gates[0])}Q{_at(middle)} {_at(gates[1])}")
            else:
                lines += [f"M{_at(gate)}L{_at(middle)}" for gate in gates]
        path = "".join(lines)
        return f'<path class="road-edge" d="{path}"/><path class="road" d="{path}"/>' if path else ""

    def _road_point(self, hex_: int) -> Point:
        (x, y), town = self.layout.centres[hex_], hex_ in self.state.urban
        stray = 0.0 if town else geometry.noise(hex_ % self.columns, hex_ // self.columns, 5) * 6
        return x + stray, y + (12 if town else 4)

    def _gate(self, a: int, b: int) -> Point:
        (ax, ay), (bx, by) = self.layout.centres[min(a, b)], self.layout.centres[max(a, b)]
        stray = geometry.noise(min(a, b), max(a, b), 6) * 9 / WIDTH
        return (ax + bx) / 2 - (by - ay) * stray, (ay + by) / 2 + (bx - ax) * stray


def _at(place: Point) -> str:
    return f"{place[0]:.1f} {place[1]:.1f}"


def _texture(name: str, fog: str, opening: str) -> str:
    low = DATA["zoom"]["texts" if name in QUIET else "dots"]
    return f'{opening} class="lo{low}" fill="url(#{fog}x-{name})"/>'


def _pattern(name: str, *, fog: bool) -> str:
    """Return the texture of four hexes side by side as a pattern that fits the grid."""
    tile = (2 * WIDTH, 2 * ROW)
    middles = ((WIDTH / 2, ROW * 2 / 3), (WIDTH * 1.5, ROW * 2 / 3), (WIDTH, ROW * 5 / 3), (WIDTH * 2, ROW * 5 / 3))
    signs = []
    for (x, y), hexes in zip(middles, DATA["texture"][name]["hexes"], strict=True):
        for sign, dx, dy, size in hexes:
            for left, top in _wraps(x + dx, y + dy, tile):
                signs.append((top, left, sign, size))
    prefix = "f-" if fog else ""
    drawn = "".join(
        f'<use href="#{prefix}{sign}" transform="translate({left:.1f} {top:.1f}) scale({size})"/>'
        for top, left, sign, size in sorted(signs)
    )
    return (
        f'<pattern id="{prefix}x-{name}" x="{MARGIN:g}" y="{MARGIN:g}" width="{tile[0]:g}" height="{tile[1]:.3f}" '
        f'patternUnits="userSpaceOnUse">{drawn}</pattern>'
    )


def _wraps(x: float, y: float, tile: Point) -> Iterator[Point]:
    """Yield every place in or around a tile where a sign has to be drawn for the tiles to fit together."""
    for left in (x - tile[0], x, x + tile[0]):
        for top in (y - tile[1], y, y + tile[1]):
            if -REACH < left < tile[0] + REACH and -REACH < top < tile[1] + REACH:
                yield left, top


def signs_of(names: Sequence[str]) -> list[str]:
    """Return the signs that the textures of terrains are made of."""
    return list(dict.fromkeys(hex_[0] for name in names for hexes in DATA["texture"][name]["hexes"] for hex_ in hexes))
