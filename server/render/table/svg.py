"""A drawing of a table as an SVG picture: sheet, scale, zones, terrain, and what stands on it."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import pairwise

from server.render.table import marks
from server.render.table.drawing import INCH, Drawing, Place, Zone
from server.render.table.marks import Sheet

PIXELS = 20
"""For one inch of the table."""
BORDER = 54
"""Pixels around the table, for the scale and the names of the edges."""
EDGE_LETTERS = 13
"""The size of the names of edges, in pixels; larger in a small picture, up to three times as large."""
SMALL = 2.0
"""Where marks are drawn so much larger, the picture is small on its screen: nobody could read the rest there."""
CLEAR = 6 * INCH
"""A zone's name keeps so far from markers beside it."""
_OPPOSITE = {"south": "north", "north": "south", "west": "east", "east": "west"}
_ZONES = {"attacker": "za", "defender": "zd"}


def draw(drawing: Drawing, *, grey: bool = False, turned: bool = False, size: float = 1.0, names: bool = False) -> str:
    """Return the picture as an SVG document. Whatever text it holds is escaped.

    Args:
        drawing: What there is to draw.
        grey: Without colour, as a black-and-white printer would: sides, zones and terrain stay apart by pattern.
        turned: As someone sees it who sits opposite; words stay upright.
        size: How much larger single marks are drawn. From `SMALL` on there are no numbers at the edges and no caption.
        names: Units are called by their names.
    """
    sheet = Sheet(
        drawing.width, drawing.height, PIXELS, BORDER, grey, turned, size, drawing.colours, drawing.attacker
    )  # fmt: skip
    width = drawing.width * PIXELS / INCH + 2 * BORDER
    height = drawing.height * PIXELS / INCH + 2 * BORDER
    foot = 26 if drawing.caption and size < SMALL else 0
    body = "".join(_layers(drawing, sheet, names))
    caption = (
        f'<text x="{width / 2:.0f}" y="{height + 12:.0f}" class="caption">{escape(drawing.caption)}</text>'
        if foot
        else ""
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height + foot:.0f}" width="{width:.0f}" '
        f'height="{height + foot:.0f}" role="img" font-family="DejaVu Sans, Verdana, sans-serif">'
        f"<title>{escape(drawing.title)}</title>{marks.definitions(sheet)}"
        f'<rect width="100%" height="100%" fill="{sheet.paper}"/>{body}{caption}</svg>'
    )


def _layers(drawing: Drawing, sheet: Sheet, names: bool) -> Iterator[str]:
    yield sheet.table()
    for zone in drawing.zones:
        yield _zone(zone, drawing, sheet)
    for piece in drawing.terrain:
        yield marks.terrain(piece, sheet)
    yield from _scale(drawing, sheet)
    for edge, label in drawing.edges:
        yield _edge(edge, label, drawing, sheet)
    for wedge in drawing.wedges:
        yield f'<polygon points="{sheet.points(wedge)}" fill="none" stroke="{sheet.ink}" stroke-dasharray="6 5"/>'
    for at, diameter in drawing.templates:
        yield marks.template(at, diameter, sheet)
    yield sheet.frame()  # under all markers: some stand at the very edge
    for objective in drawing.objectives:
        yield marks.objective(objective, sheet)
    yield '<g clip-path="url(#on-table)">'
    for patrol_marker in drawing.patrol:
        yield marks.patrol_circle(patrol_marker, sheet)
    yield "</g>"
    yield from marks.chains(drawing.patrol, sheet)
    for patrol_marker in drawing.patrol:
        yield marks.patrol_marker(patrol_marker, sheet)
    for jump_off in drawing.jump_offs:
        yield marks.jump_off(jump_off, sheet)
    for token in drawing.tokens:
        yield marks.token(token, sheet, names)


def _zone(zone: Zone, drawing: Drawing, sheet: Sheet) -> str:
    fill = _ZONES.get(zone.side, "zo")
    drawn = "".join(
        f'<polygon points="{sheet.points(polygon)}" fill="url(#{fill})" stroke="{sheet.ink}" stroke-width="1.4" '
        f'stroke-dasharray="8 5" stroke-opacity="0.65"/>'
        for polygon in zone.polygons
    )
    if not zone.label or not zone.polygons:
        return drawn
    place = _label_place(zone.polygons[0], drawing)
    x, y = sheet.at(place)
    return drawn + sheet.sized(place, sheet.label(x, y, zone.label, size=15, weight="bold"))


def _label_place(polygon: tuple[Place, ...], drawing: Drawing) -> Place:
    """Return where a zone's name stands: in its middle, or above or below where a marker stands in the middle."""
    x, y = _middle(polygon)
    taken = [objective.at for objective in drawing.objectives]
    for away in (0, 5 * INCH, -5 * INCH):
        if all(abs(other[0] - x) > CLEAR or abs(other[1] - y - away) > CLEAR // 2 for other in taken):
            return x, y + away
    return x, y


def _middle(polygon: tuple[Place, ...]) -> Place:
    """Return the centroid of a polygon, by a fan of triangles from its first corner."""
    first = polygon[0]
    area = x = y = 0
    for one, two in pairwise(polygon[1:]):
        cross = (one[0] - first[0]) * (two[1] - first[1]) - (one[1] - first[1]) * (two[0] - first[0])
        area += cross
        x += cross * (first[0] + one[0] + two[0])
        y += cross * (first[1] + one[1] + two[1])
    return (round(x / (3 * area)), round(y / (3 * area))) if area else first


def _scale(drawing: Drawing, sheet: Sheet) -> Iterator[str]:
    """Ticks for every inch, longer and numbered every 6 inches, on all four edges."""
    ticks: list[str] = []
    for along, other in ((drawing.width, drawing.height), (drawing.height, drawing.width)):
        across = along is drawing.height and other is drawing.width
        for inch in range(along // INCH + 1):
            length = 9 if inch % 6 == 0 else 4
            for far in (0, other):
                x, y = sheet.at((far, inch * INCH) if across else (inch * INCH, far))
                first = (far == 0) != sheet.turned
                out = length if first != across else -length
                ticks.append(f"M{x:.1f} {y:.1f}h{out}" if across else f"M{x:.1f} {y:.1f}v{out}")
                if inch % 6 == 0 and sheet.size < SMALL:
                    side = 1 if first else -1
                    yield (
                        sheet.text(x - side * 19, y + 4, str(inch), size=11)
                        if across
                        else sheet.text(x, y + (21 if side > 0 else -13), str(inch), size=11)
                    )
    yield f'<path d="{"".join(ticks)}" stroke="{sheet.ink}" stroke-width="1" fill="none"/>'


def _edge(edge: str, label: str, drawing: Drawing, sheet: Sheet) -> str:
    middle = {
        "south": (drawing.width // 2, 0),
        "north": (drawing.width // 2, drawing.height),
        "west": (0, drawing.height // 2),
        "east": (drawing.width, drawing.height // 2),
    }
    x, y = sheet.at(middle[edge])
    letters = EDGE_LETTERS if sheet.size < SMALL else round(min(3.0, sheet.size) * EDGE_LETTERS)
    out = BORDER - 12
    if sheet.turned:
        edge = _OPPOSITE[edge]
    if edge in ("south", "north"):
        down = out if edge == "south" else letters * 3 // 4 - out
        return sheet.text(x, y + down, label, size=letters, weight="bold")
    x += -out if edge == "west" else out
    turned = -90 if edge == "west" else 90
    words = sheet.text(x, y + letters // 3, label, size=letters, weight="bold")
    return f'<g transform="rotate({turned} {x:.1f} {y:.1f})">{words}</g>'
