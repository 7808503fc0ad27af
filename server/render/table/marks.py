"""The single marks in a picture of a table, each told apart by shape and pattern as well as by colour."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from server.render.table.drawing import BLUE, INCH, RED, JumpOff, Objective, PatrolMarker, Piece, Place, Token

_SIDES = {RED: "#b3261e", BLUE: "#2a6fc0"}
_NOBODY = "#6b6459"
CHAIN = 12 * INCH
"""Markers of one side are linked up to this distance (T-45)."""
_TERRAIN = {
    "wood": ("#b9cf9a", '<path d="M4 12l4-8 4 8zM8 12v4" />'),
    "building": ("#cfc6b8", '<path d="M0 8h16M8 0v16" />'),
    "water": ("#b4d3de", '<path d="M0 6q4-4 8 0t8 0M0 14q4-4 8 0t8 0" />'),
    "hill": ("#e4d09c", '<path d="M1 12q7-9 14 0" />'),
    "field": ("#e7deae", '<path d="M3 14v-8M8 14v-8M13 14v-8" />'),
    "rocks": ("#d3cbc2", '<path d="M2 12l4-6 5 6zM10 6l3-3 2 3z" />'),
    "road": ("#e6dcc9", '<path d="M0 8h6" />'),
    "other": ("#dcd6c6", '<circle cx="8" cy="8" r="2" />'),
}
_KINDS = {
    "forest": "wood", "dense_forest": "wood", "jungle": "wood", "underbrush": "wood", "shallow_river": "water",
    "stream": "water", "deep_river_or_lake": "water", "steep_hill": "hill", "hills": "hill", "barren_hill": "hill",
    "ruin": "building", "settlement": "building", "structure": "building", "tall_grass": "field", "wrecks": "rocks",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sheet:
    """Where the table lies in the picture, and its colours. Pixels grow to the right and down."""

    width: int
    height: int
    pixels: int
    border: int
    grey: bool
    turned: bool = False
    """As someone sees it who sits opposite."""
    size: float = 1.0
    """How much larger single marks are drawn: on a small screen, or closer up."""
    colours: Mapping[str, str] = field(default_factory=dict)
    attacker: str = RED

    @property
    def ink(self) -> str:
        """The colour of lines and letters."""
        return "#1c1813"

    @property
    def paper(self) -> str:
        """The colour around the table."""
        return "#ffffff" if self.grey else "#faf7f0"

    def side(self, side: str) -> str:
        """Return the colour of a side; grey tones differ in lightness."""
        if self.grey:
            return {RED: "#222222", BLUE: "#8a8a8a"}.get(side, "#555555")
        return self.colours.get(side) or _SIDES.get(side, _NOBODY)

    def at(self, place: Place) -> tuple[float, float]:
        """Return a place of the table in pixels."""
        x, y = place
        right, down = (self.width - x, y) if self.turned else (x, self.height - y)
        return self.border + right * self.pixels / INCH, self.border + down * self.pixels / INCH

    def sized(self, at: Place, mark: str) -> str:
        """Return a mark at a place, as large as marks are here."""
        if self.size == 1:
            return mark
        x, y = self.at(at)
        shift = 1 - self.size
        return f'<g transform="matrix({self.size:g} 0 0 {self.size:g} {x * shift:.1f} {y * shift:.1f})">{mark}</g>'

    def points(self, places: Sequence[Place]) -> str:
        """Return places as the points of a polygon."""
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in map(self.at, places))

    def length(self, thousandths: int) -> float:
        """Return a distance in pixels."""
        return thousandths * self.pixels / INCH

    def text(self, x: float, y: float, words: str, *, size: int, weight: str = "normal", fill: str = "") -> str:
        """Return words centred at a point."""
        return (
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-weight="{weight}" text-anchor="middle" '
            f'fill="{fill or self.ink}">{escape(words)}</text>'
        )

    def label(self, x: float, y: float, words: str, *, size: int, weight: str = "normal") -> str:
        """Return words that stay legible on any ground: with a light rim."""
        rim = (
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-weight="{weight}" text-anchor="middle" '
            f'stroke="{self.paper}" stroke-width="4" stroke-linejoin="round" fill="none">{escape(words)}</text>'
        )
        return rim + self.text(x, y, words, size=size, weight=weight)

    def table(self) -> str:
        """Return the table itself, with a quiet grid every 6 inches."""
        left = top = float(self.border)
        lines = [
            f"M{self.at((inch, 0))[0]:.1f} {top:.1f}v{self.length(self.height):.1f}"
            for inch in range(6 * INCH, self.width, 6 * INCH)
        ]
        lines += [
            f"M{left:.1f} {self.at((0, inch))[1]:.1f}h{self.length(self.width):.1f}"
            for inch in range(6 * INCH, self.height, 6 * INCH)
        ]
        ground = "#ffffff" if self.grey else "#f3ecd8"
        return (
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{self.length(self.width):.1f}" '
            f'height="{self.length(self.height):.1f}" fill="{ground}"/>'
            f'<path d="{"".join(lines)}" stroke="{self.ink}" stroke-opacity="0.13" fill="none"/>'
        )

    def frame(self) -> str:
        """Return the rim of the table."""
        left = top = float(self.border)
        return (
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{self.length(self.width):.1f}" '
            f'height="{self.length(self.height):.1f}" fill="none" stroke="{self.ink}" stroke-width="2.5"/>'
        )


def definitions(sheet: Sheet) -> str:
    """Return the patterns and styles that the marks use."""
    attacker, defender, other = (
        ("#444", "#444", "#777")
        if sheet.grey
        else (sheet.side(sheet.attacker), sheet.side(BLUE if sheet.attacker == RED else RED), "#7a6a2c")
    )
    tint = 0.0 if sheet.grey else 0.10
    slashes = (("za", attacker, "M-2 14L14 -2M6 22L22 6"), ("zd", defender, "M-2 2L14 18M6 -6L22 10"))
    drawn = [
        f'<pattern id="{name}" width="16" height="16" patternUnits="userSpaceOnUse"><rect width="16" height="16" '
        f'fill="{colour}" fill-opacity="{tint}"/><path d="{path}" stroke="{colour}" stroke-opacity="0.35"/></pattern>'
        for name, colour, path in slashes
    ]
    drawn.append(
        f'<pattern id="zo" width="12" height="12" patternUnits="userSpaceOnUse"><rect width="12" height="12" '
        f'fill="{other}" fill-opacity="{tint}"/><circle cx="6" cy="6" r="1.2" fill="{other}" fill-opacity="0.6"/>'
        "</pattern>"
    )
    for name, (ground, pattern) in _TERRAIN.items():
        fill = "#ffffff" if sheet.grey else ground
        drawn.append(
            f'<pattern id="k-{name}" width="16" height="16" patternUnits="userSpaceOnUse"><rect width="16" height="16" '
            f'fill="{fill}"/><g fill="none" stroke="{sheet.ink}" stroke-opacity="0.45">{pattern}</g></pattern>'
        )
    style = ".caption{font-size:13px;text-anchor:middle}"
    left = top = float(sheet.border)
    drawn.append(
        f'<clipPath id="on-table"><rect x="{left:.1f}" y="{top:.1f}" width="{sheet.length(sheet.width):.1f}" '
        f'height="{sheet.length(sheet.height):.1f}"/></clipPath>'
    )
    return f"<defs><style>{style}</style>{''.join(drawn)}</defs>"


def terrain(piece: Piece, sheet: Sheet) -> str:
    """Return a piece of terrain."""
    kind = _KINDS.get(piece.kind, piece.kind if piece.kind in _TERRAIN else "other")
    if not piece.area:
        return (
            f'<polyline points="{sheet.points(piece.points)}" fill="none" stroke="{sheet.ink}" stroke-width="7" '
            f'stroke-linecap="round" stroke-opacity="0.8"/><polyline points="{sheet.points(piece.points)}" fill="none" '
            f'stroke="{"#bbb" if sheet.grey else "#7fa868"}" stroke-width="4" stroke-dasharray="3 4"/>'
        )
    return (
        f'<polygon points="{sheet.points(piece.points)}" fill="url(#k-{kind})" stroke="{sheet.ink}" '
        f'stroke-width="1.2" stroke-opacity="0.7"/>'
    )


def objective(mark: Objective, sheet: Sheet) -> str:
    """Return an objective marker with its 3 inch range: the holder's colour, a double rim where it is secured."""
    x, y = sheet.at(mark.at)
    colour = sheet.side(mark.holder)
    reach = (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{sheet.length(3787):.1f}" fill="{colour}" fill-opacity="0.07" '
        f'stroke="{colour}" stroke-dasharray="3 5"/>'
    )
    drawn = [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="16" fill="{colour if mark.holder else sheet.paper}" '
        f'stroke="{sheet.ink}" stroke-width="2"/>',
    ]
    if mark.secured:
        drawn.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="21" fill="none" stroke="{sheet.ink}" stroke-width="2.5"/>')
    if mark.used:
        drawn.append(f'<path d="M{x - 17:.1f} {y + 17:.1f}l34 -34" stroke="{sheet.ink}" stroke-width="2.5"/>')
    light = "#ffffff" if mark.holder else sheet.ink
    long = len(mark.id) > MAX_BADGE
    drawn.append(sheet.text(x, y + 6, mark.id[0].upper() if long else mark.id, size=16, weight="bold", fill=light))
    if long:
        drawn.append(sheet.label(x, y + 31, mark.id, size=11))
    return reach + sheet.sized(mark.at, "".join(drawn))


def token(unit: Token, sheet: Sheet, names: bool = False) -> str:
    """Return a unit: red is a square, blue is a circle; what is concealed is hollow, with a question mark for others.

    With *names* it is called by its whole name, too.
    """
    x, y = sheet.at(unit.at)
    colour = sheet.side(unit.side)
    around = ""
    if unit.reach:
        around = (
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{sheet.length(unit.reach):.1f}" fill="{colour}" '
            f'fill-opacity="0.05" stroke="{colour}" stroke-dasharray="2 4"/>'
        )
    fill, ink = (sheet.paper, sheet.ink) if unit.concealed else (colour, "#ffffff")
    rim = colour if unit.concealed else sheet.ink
    dashes = ' stroke-dasharray="4 3"' if unit.concealed else ""
    drawn = [_body(unit.side, x, y, 13, fill, rim, dashes)]
    badge = unit.badge or ("?" if unit.concealed else unit.id)
    if len(badge) <= MAX_BADGE:
        drawn.append(sheet.text(x, y + 4, badge, size=11, weight="bold", fill=ink))
    words = unit.name if names and unit.name else badge if len(badge) > MAX_BADGE else ""
    if words:
        drawn.append(sheet.label(x, y + 28, words, size=11))
    return around + sheet.sized(unit.at, "".join(drawn))


MAX_BADGE = 3
"""Characters on a token."""


def _body(side: str, x: float, y: float, half: float, fill: str, ink: str, extra: str = "") -> str:
    """Return the shape that stands for a side."""
    if side == BLUE:
        wide = half * 1.12
        half_turn = f"a{wide:.1f} {wide:.1f} 0 1 1"
        path = f"M{x - wide:.1f} {y:.1f}{half_turn} {2 * wide:.1f} 0{half_turn} {-2 * wide:.1f} 0z"
    else:
        path = f"M{x - half:.1f} {y - half:.1f}h{2 * half:.1f}v{2 * half:.1f}h{-2 * half:.1f}z"
    return f'<path d="{path}" fill="{fill}" stroke="{ink}" stroke-width="1.8"{extra}/>'


def patrol_circle(marker: PatrolMarker, sheet: Sheet) -> str:
    """Return the 12 inch circle around a patrol marker, in which it locks enemies."""
    x, y = sheet.at(marker.at)
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{sheet.length(CHAIN):.1f}" fill="none" '
        f'stroke="{sheet.side(marker.side)}" stroke-opacity="0.55" '
        f'stroke-dasharray="{"none" if marker.side == RED else "9 6"}"/>'
    )


def patrol_marker(marker: PatrolMarker, sheet: Sheet) -> str:
    """Return a patrol marker, with a padlock where it is locked."""
    x, y = sheet.at(marker.at)
    colour = sheet.side(marker.side)
    drawn = [
        _body(marker.side, x, y, 13, colour, sheet.ink),
        sheet.text(x, y + 4, _number(marker.id), size=11, weight="bold", fill="#ffffff"),
    ]
    if marker.locked:
        drawn.append(
            f'<g transform="translate({x + 14:.1f} {y - 22:.1f})" stroke="{sheet.ink}" stroke-width="1.8">'
            f'<path d="M-4 0v-4a4 4 0 0 1 8 0v4" fill="none"/>'
            f'<rect x="-6" y="0" width="12" height="9" fill="{sheet.paper}"/></g>'
        )
    return sheet.sized(marker.at, "".join(drawn))


def chains(markers: Sequence[PatrolMarker], sheet: Sheet) -> Iterator[str]:
    """Yield a line between each two markers of one side that are linked (T-45)."""
    for number, one in enumerate(markers):
        for two in markers[number + 1 :]:
            apart = (one.at[0] - two.at[0]) ** 2 + (one.at[1] - two.at[1]) ** 2
            if one.side == two.side and apart <= (CHAIN + 1) ** 2:
                (x1, y1), (x2, y2) = sheet.at(one.at), sheet.at(two.at)
                yield (
                    f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{sheet.side(one.side)}" '
                    f'stroke-width="3" stroke-opacity="0.7"/>'
                )


def jump_off(point: JumpOff, sheet: Sheet) -> str:
    """Return a jump-off point: an arrowhead that points into the table."""
    x, y = sheet.at(point.at)
    up = -1 if (point.at[1] * 2 <= sheet.height) != sheet.turned else 1
    drawn = (
        f'<path d="M{x:.1f} {y + up * 18:.1f}l13 {-up * 26}h-26z" fill="{sheet.side(point.side)}" '
        f'stroke="{sheet.ink}" stroke-width="1.8"/>'
    ) + sheet.text(x, y + 4 - up * 2, _number(point.id), size=10, weight="bold", fill="#ffffff")
    return sheet.sized(point.at, drawn)


def _number(id_: str) -> str:
    """Return the number that stands on a marker; its colour says whose it is."""
    return id_.lstrip("abjk") or id_


def template(at: Place, diameter: int, sheet: Sheet) -> str:
    """Return a blast template where it came down."""
    x, y = sheet.at(at)
    radius = sheet.length(diameter) / 2
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{sheet.ink}" fill-opacity="0.08" '
        f'stroke="{sheet.ink}" stroke-width="1.5"/><path d="M{x - 8:.1f} {y:.1f}h16M{x:.1f} {y - 8:.1f}v16" '
        f'stroke="{sheet.ink}"/>'
    )
